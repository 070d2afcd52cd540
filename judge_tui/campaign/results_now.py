"""The campaign's runs as somebody asked to see them, and what the numbers rest on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from judge_tui.analysis.basis import Basis, KeptRuns, Question
from judge_tui.analysis.judged_runs import NO_DOCUMENT
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import policy_here
from judge_tui.campaign.runs_now import RunsNow, runs_now
from judge_tui.errors import unknown
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    judged_among,
    judged_beside,
    parse_measures,
)

__all__ = ["ResultsNow", "results_now"]


@dataclass(frozen=True, slots=True)
class ResultsNow:
    """`now` has the runs with everything they are made of, `basis` what the numbers rest on."""

    now: RunsNow
    basis: Basis


def results_now(campaign: Campaign, asked: Question = Question()) -> ResultsNow:  # noqa: B008 - frozen
    """Read what was asked for, as of one moment. The baseline joins the runs.

    Raises `UsageError` for a run, a baseline, a measure, a policy or a judge that is not there, for
    a measure that looks deeper than the runs are kept, and where nobody has judged yet.
    """
    grades = tuple(sorted(campaign.settings.scale.grades))
    joined = (asked.baseline,) if asked.tags and asked.baseline is not None else ()
    with campaign.reading():
        asked = replace(asked, policy=policy_here(campaign, asked.policy))
        now = runs_now(
            campaign,
            (*asked.tags, *joined),
            policy=asked.policy,
            include_models=asked.include_models,
        )
    runs = _runs(now)
    measures = parse_measures(asked.measures or DEFAULT_MEASURES, max_rel=grades[-1])
    if asked.measures:
        runs.refuse_too_deep(measures)
    measures, left_out = runs.answerable(measures)
    shares = judged_among(measures) or tuple(
        share for share in judged_beside(measures) if runs.too_deep(share) is None
    )
    tags = now.judged.lists.tags
    baseline = tags[0] if asked.baseline is None else asked.baseline
    if baseline not in tags:
        raise unknown("run", baseline, tags)
    others = tuple(measure for measure in measures if measure not in shares)
    basis = Basis(
        question=asked,
        campaign=campaign.settings.name,
        seed=campaign.settings.seed,
        measures=others or measures,
        # Who asks for nothing but shares has them as measures.
        shares=shares if others else (),
        baseline=baseline,
        scale=grades,
        pairs=len(now.decided.pairs),
        unresolved=len(now.decided.unresolved),
        unjudged=now.unjudged,
        models=now.models,
        only_models=now.only_models,
        kept=runs,
        left_out=left_out,
    )
    return ResultsNow(now, basis)


def _runs(now: RunsNow) -> KeptRuns:
    """As `qrels_and_runs` has them: cut is a run that had more for a query that somebody judged."""
    lengths = (now.judged.lists.documents != NO_DOCUMENT).sum(axis=2)
    longest = np.where(now.judged.scored, lengths, 0).max(axis=1, initial=0).tolist()
    return KeptRuns(
        replace(run, cut=run.may_go_on(has))
        for run, has in zip(now.loaded.runs, longest, strict=True)
    )
