"""A campaign in place of qrels and runs: its grades as they are now, and what it keeps of runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from judge_tui.errors import UsageError, in_message

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.judged_runs import JudgedRuns
    from judge_tui.class_measures import Slicing
    from judge_tui.scoring import Rules

__all__ = [
    "Choice",
    "is_campaign",
    "judged_in_campaign",
    "kept_in",
    "within_kept",
]


class Choice(NamedTuple):
    """How a campaign's judgments become one grade a pair."""

    policy: str = "majority"
    unresolved: str = "skip"
    include_models: bool | None = None


def is_campaign(source: object) -> TypeGuard[Campaign]:
    """Whether this is an open campaign: who has one has imported its room, and nobody else pays for
    SQLite."""
    room = sys.modules.get("judge_tui.campaign.file")
    return room is not None and isinstance(source, room.Campaign)


def kept_in(campaign: Campaign, tags: object, choice: Choice) -> JudgedRuns:
    """As `judged_in_campaign`; `tags`: one, or several, or None for all runs. Raises `UsageError`
    for anything else."""
    named = [tags] if isinstance(tags, str) else [] if tags is None else tags
    if not isinstance(named, list | tuple) or not all(isinstance(tag, str) for tag in named):
        raise UsageError(
            f"the runs of a campaign are named by their tags, not by {in_message(tags)}",
            "give a list of tags, or leave it out for all runs",
        )
    return judged_in_campaign(campaign, named, choice)


def judged_in_campaign(campaign: Campaign, tags: Sequence[str], choice: Choice) -> JudgedRuns:
    """As `judged_runs`, of which some grade is final: raises `UsageError` where none is."""
    from judge_tui.campaign.judged_runs import judged_runs  # noqa: PLC0415 - files need no SQLite

    judged = judged_runs(campaign, tags, **choice._asdict())
    if not judged.qrels:
        undisputed = choice.unresolved == "lead"
        raise _nothing_decided(campaign, judged, choice.policy, undisputed=undisputed)
    return judged


def within_kept(
    slicing: Slicing | None, judged: JudgedRuns | None, rules: Rules
) -> tuple[Slicing | None, list[str]]:
    """The slices with standard measures that look no deeper than a campaign keeps its runs, and a
    line on each that is cut there, or left out where it takes no cutoff. What somebody declared
    stays as it is."""
    if slicing is None or judged is None:
        return slicing, []
    measures, notes = dict(slicing.measures), []
    for name, own in slicing.measures.items():
        if name not in slicing.standard:
            continue
        kept = []
        for measure in own:
            run = judged.too_deep(measure, rules)
            if run is None:
                kept.append(measure)
                continue
            cut = None
            if measure.definition.cutoff != "none":
                cut = replace(measure, cutoff=run.depth)
                kept.append(cut)
            notes.append(
                f"class {name!r}: {measure} looks deeper than the {run.depth} results a query that"
                f" are kept of run {run.tag!r}: {'left out' if cut is None else f'{cut} instead'}"
            )
        measures[name] = tuple(kept)
    return slicing._replace(measures=measures), notes


def _nothing_decided(
    campaign: Campaign, judged: JudgedRuns, policy: str, *, undisputed: bool
) -> UsageError:
    """Somebody has judged, or the campaign had been refused; but no pair has a final grade."""
    from judge_tui.campaign.typed import typed  # noqa: PLC0415 - as above

    pairs = "1 pair" if judged.unresolved == 1 else f"{judged.unresolved:,} pairs"
    them = "it" if judged.unresolved == 1 else "them"
    how = "--unresolved lead leaves" if undisputed else f"policy {policy} does"
    other = "leave --unresolved lead out" if undisputed else "choose another --policy, as median"
    return UsageError(
        f"no pair has a final grade: the judges differ about {pairs}, and {how}"
        f" {f'{them} out' if undisputed else f'not decide {them}'}",
        f"settle {them} with {typed(campaign.path, 'review', '--lead NAME')}, or {other}",
    )
