"""A campaign that is scored and compared: its grades and runs, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge_tui.cli.input_options import CampaignChoice
from judge_tui.cli.inputs import Inputs

if TYPE_CHECKING:
    from judge_tui.campaign.judged_runs import JudgedRuns

__all__ = [
    "about_campaign",
    "about_failures",
    "campaign_settings",
    "from_campaign",
]


def from_campaign(tags: Sequence[str], choice: CampaignChoice) -> Inputs:
    """The final grades of a campaign, and its runs of these tags, or all. Raises `UsageError` for a
    tag that is not there, and where no pair has a grade."""
    from judge_tui.campaign import open_campaign
    from judge_tui.judged_campaign import Choice, judged_in_campaign
    from judge_tui.scoring.class_terms import misspelt

    with open_campaign(Path(choice.db)) as campaign:
        how = Choice(choice.policy, choice.unresolved, choice.include_models)
        judged = judged_in_campaign(campaign, tags, how)
    return Inputs(
        judged.qrels,
        list(judged.runs),
        (choice.db,),
        judged,
        queries=judged.queries,
        notes=misspelt(query.query_class for query in judged.queries),
    )


def campaign_settings(judged: JudgedRuns, choice: CampaignChoice) -> dict[str, Any]:
    """Where the grades came from, for the JSON of a result; no path of the machine."""
    return {
        "name": judged.name,
        "policy": choice.policy,
        "unresolved": choice.unresolved,
        "include_models": judged.models,
        "only_models": judged.only_models,
        "left_out": {"unresolved": judged.unresolved, "not_judged": judged.unjudged},
    }


def about_campaign(judged: JudgedRuns, choice: CampaignChoice) -> str:
    """The same in a line for readers."""
    pairs = sum(len(grades) for grades in judged.qrels.values())
    models = ", those of models among them" if judged.models else ""
    whose = " (models only)" if judged.only_models else models
    return (
        f"grades of the campaign by policy {choice.policy}{whose}: {pairs:,} pairs; left out of "
        f"the pool: {judged.unresolved:,} unresolved, {judged.unjudged:,} not judged"
    )


def about_failures(judged: JudgedRuns) -> list[str]:
    """Lines on the runs whose systems failed at judged queries, on queries for which none found
    anything, and on those that wait for a grade."""
    from judge_tui.nothing_found import asked_in_vain, still_to_count

    vain, waiting = judged.in_vain, still_to_count(judged.waiting)
    return [
        *([asked_in_vain(len(vain), sum(vain.values()))] if vain else []),
        *([waiting] if waiting else []),
        *_failing(judged),
    ]


def _failing(judged: JudgedRuns) -> list[str]:
    return [
        f"run {tag!r}: at {len(failed):,} of the judged queries the system failed, which counts as"
        f" nothing found ({next(iter(failed))}: {next(iter(failed.values()))}"
        f"{'; and others' if len(failed) > 1 else ''})"
        for tag, failed in judged.failed.items()
    ]
