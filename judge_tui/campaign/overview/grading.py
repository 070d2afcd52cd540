"""Whose grades count, and the one grade of each pair that does, by a policy."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sized
from typing import NoReturn

from judge_tui.agreement.decide import FinalGrades, decide_by_id
from judge_tui.agreement.policies import checked_policy
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import all_judges, find_judge, models_count, policy_here
from judge_tui.campaign.store.pool import pair_keys, pool_is_empty
from judge_tui.campaign.typed import typed
from judge_tui.counts import counted
from judge_tui.errors import UsageError, unknown
from judge_tui.model import Pair

__all__ = [
    "adjudications",
    "final_grades",
    "grades_by_judge",
    "refuse_judge",
    "refuse_ungraded",
    "refuse_unjudged",
    "refuse_unresolved",
]


def grades_by_judge(
    campaign: Campaign, *, include_models: bool | None = None
) -> dict[str, dict[Pair, int]]:
    """Judge -> (query_id, doc_id) -> grade: the judgments that hold, judges by name.

    Judges without a grade are left out; those of kind `model`, too, unless asked for.
    """
    from judge_tui.campaign.store.arrays import held_decisions  # noqa: PLC0415 - numpy is not always needed

    grades: dict[str, dict[Pair, int]] = {}
    names: dict[int, Pair] = {}
    for judge in sorted(all_judges(campaign), key=lambda one: one.name):
        if judge.kind == "human" or models_count(campaign, include_models):
            pairs, given = held_decisions(campaign, judge.key).first_grades()
            if len(pairs):
                # One tuple for each pair, however many judges graded it.
                names = names or {key: pair for pair, key in pair_keys(campaign).items()}
                of_judge = zip(pairs.tolist(), given.tolist(), strict=True)
                grades[judge.name] = {names[key]: grade for key, grade in of_judge}
    return grades


def adjudications(campaign: Campaign) -> dict[Pair, int]:
    """The lead's final grades by (query_id, doc_id)."""
    rows = campaign.rows(
        "SELECT q.query_id, d.doc_id, a.grade FROM adjudications AS a"
        " JOIN pool AS p ON p.id = a.pair JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document ORDER BY p.id"
    )
    return {(query_id, doc_id): grade for query_id, doc_id, grade in rows}


def final_grades(
    campaign: Campaign,
    *,
    policy: str = "majority",
    undisputed_only: bool = False,
    include_models: bool | None = None,
) -> FinalGrades:
    """The final grade of every pair under a policy; see `decide_by_id`.

    Raises `UsageError` for an unknown policy or judge, and where nobody whose grades count has
    judged yet.
    """
    policy = policy_here(campaign, checked_policy(policy))
    grades = grades_by_judge(campaign, include_models=include_models)
    settled = adjudications(campaign)
    refuse_ungraded(campaign, policy, grades, settled, include_models=include_models)
    return decide_by_id(
        grades,
        policy,
        campaign.settings.scale.grades,
        adjudicated=settled,
        pool=pair_keys(campaign),
        undisputed_only=undisputed_only,
    )


def refuse_unresolved(campaign: Campaign, final: FinalGrades, policy: str) -> None:
    """Raise `UsageError` where pairs were judged and the policy does not decide them."""
    if not final.unresolved:
        return
    query_id, doc_id = final.unresolved[0]
    count = counted(len(final.unresolved), "pair is", "pairs are")
    review = typed(campaign.path, "review", "--lead NAME")
    raise UsageError(
        f"{count} unresolved, judged but not decided by policy {policy!r}, the first"
        f" {query_id} {doc_id}",
        f"the lead settles them with {review}; or choose another --policy, or"
        " leave them out with --unresolved skip",
    )


def refuse_ungraded(
    campaign: Campaign,
    policy: str,
    graded: Collection[str],
    settled: Sized,
    *,
    include_models: bool | None,
) -> None:
    """Raise `UsageError` where the policy has nothing to decide by: where the judge whom it names
    is not among those who `graded`, or nobody is and no pair is `settled`."""
    judge = policy.partition(":")[2]
    if judge and judge not in graded:
        refuse_judge(campaign, judge, include_models=include_models)
    if not graded and not len(settled):
        refuse_unjudged(campaign)


def refuse_unjudged(campaign: Campaign) -> NoReturn:
    """Raise `UsageError`: there is no grade that counts."""
    models = any(judge.kind == "model" for judge in all_judges(campaign))
    raise UsageError(
        "no person has graded yet" if models else "nobody has judged yet",
        f"count grades of models with {typed(campaign.path, 'settings', 'include-models on')}"
        if models
        else _first_judge(campaign, "NAME"),
    )


def refuse_judge(campaign: Campaign, name: str, *, include_models: bool | None) -> NoReturn:
    """Raise `UsageError`: no grade of the judge of that name counts."""
    judge = find_judge(campaign, name)
    if judge is None:
        known = [judge.name for judge in all_judges(campaign)]
        if not known:
            raise UsageError("nobody has judged yet", _first_judge(campaign, name))
        raise unknown("judge", name, known)
    if judge.kind == "model" and not models_count(campaign, include_models):
        raise UsageError(f"judge {name!r} is a model", "count it with --include-models")
    raise UsageError(f"judge {name!r} has graded nothing yet", _first_judge(campaign, name))


def _first_judge(campaign: Campaign, name: str) -> str:
    if pool_is_empty(campaign):
        return f"first: {typed(campaign.path, 'pool')}"
    return f"first: {typed(campaign.path, 'judge', f'--judge {shlex.quote(name)}')}"
