"""Of all judgments those that a form of another tool can hold, and what is left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from judge_tui.campaign.export import refuse_unjudged
from judge_tui.campaign.export_judgments import Judgment, judgments
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import all_judges, find_judge
from judge_tui.campaign.looks import SETTLED
from judge_tui.campaign.queries import query_keys
from judge_tui.campaign.whose_grades import models_count
from judge_tui.errors import UsageError, unknown
from judge_tui.formats.judgments import IN_WORDS

__all__ = ["chosen_judgments"]


def chosen_judgments(
    campaign: Campaign,
    *,
    decisions: Collection[str],
    kinds: Collection[str] = ("human", "model"),
    greatest: int = 9,
    include_models: bool | None = None,
    judge: str | None = None,
    query: str | None = None,
) -> tuple[list[Judgment], Counter[str]]:
    """The first looks that have one of these decisions, by judges of these kinds, with no grade
    above `greatest`; and in words how many of what are left out, flags of those kept among them.

    With `judge` or `query` no others are looked at. Models count if asked for, by name as well, or
    where the form holds no others. Put it inside `campaign.reading()`. Raises `UsageError` where
    nobody who counts did anything, and for a judge or a query that there is not.
    """
    if judge is not None:
        known = find_judge(campaign, judge)
        if known is None:
            raise unknown("judge", judge, [one.name for one in all_judges(campaign)])
        judge = known.name
    if query is not None and query not in query_keys(campaign):
        raise UsageError(f"query {query!r} is not in the campaign", "name it by its id")
    models = judge is not None or models_count(campaign, include_models)
    left: Counter[str] = Counter()
    kept: list[Judgment] = []
    found = False
    for one in judgments(campaign):
        if judge not in (None, one.judge) or query not in (None, one.query_id):
            continue
        if one.kind == "model" and not models and "human" in kinds:
            left["by models (--include-models)"] += 1
        elif one.decision == SETTLED:
            found = True
            left["settled by a lead"] += 1
        elif one.kind not in kinds:
            found = True
            left["by people"] += 1
        elif one.purpose == "repeat":
            left["hidden repeats"] += 1
        elif one.decision not in decisions:
            found = True
            left[IN_WORDS.get(one.decision or "", "notes and flags alone")] += 1
        elif one.grade is not None and one.grade > greatest:
            found = True
            left[f"grades above {greatest}"] += 1
        else:
            kept.append(one)
    if not kept and not found:
        if judge is not None or query is not None:
            raise UsageError("there are no such judgments", "leave --judge or --query out")
        refuse_unjudged(campaign)
    left["flags"] = sum(one.flagged for one in kept)
    return kept, left
