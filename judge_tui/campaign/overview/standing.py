"""The campaign's runs in the light of its grades of this moment, as arrays: for the lead's screens
and for what is worked out of many re-scorings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from judge_tui.agreement.decide import Decisions
from judge_tui.analysis.basis import Basis, KeptRuns, Question
from judge_tui.analysis.filled_runs import fill_runs
from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.arrays import Ints
from judge_tui.campaign.overview.grading import Grading, decide_grades, grades_beside
from judge_tui.campaign.overview.model_grades import filling_model
from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.arrays import PoolPairs, results_of_run, stands_for
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import query_keys
from judge_tui.campaign.store.runs import RunRecord, all_runs, asked_rows, chosen_runs
from judge_tui.errors import UsageError, check_known
from judge_tui.model import STAND_INS
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    judged_among,
    judged_beside,
    parse_measures,
)
from judge_tui.scoring.filled import refuse_unfilled


@dataclass(frozen=True, slots=True)
class RunLists:
    """What the campaign has of some runs, of which these are the `records`.

    `lists`: documents are numbered by their keys, queries stand in the order of exported files.
    `queries`: int64[queries], their keys. `kept_runs`: how much of each run is kept; here all
    queries count, judged or not.
    """

    records: tuple[RunRecord, ...]
    lists: RankedLists
    queries: Ints
    kept_runs: KeptRuns

    def judged(self, pool: PoolPairs, final: Decisions, greatest: int) -> JudgedRuns:
        """The runs in the light of the final grades of pairs of the pool, of which `JudgedRuns` has
        all. `greatest`: of the scale."""
        places = places_by_key(self.queries)[pool.queries]
        grades = grades_beside(pool, (final.pairs, final.grades))
        return JudgedRuns(self.lists, places, pool.documents, grades, greatest)


def run_lists(
    campaign: Campaign, tags: Sequence[str] = (), *, depth: int | None = None
) -> RunLists:
    """The kept lists of the runs of those tags (default: all, as they were loaded), cut at `depth`.

    All queries of the campaign are among them, answered or not. Reads only; put it inside
    `campaign.reading()` with what it is compared to. Raises `UsageError` for a tag that is not
    there and for a campaign without runs.
    """
    chosen = chosen_runs(campaign, tags)
    known = sorted(query_keys(campaign).items())
    keys = np.array([key for _, key in known], dtype=np.int64)
    lists = [_documents(campaign, run.key, keys, depth) for run in chosen]
    longest = max((one.shape[1] for one in lists), default=0)
    documents = np.full((len(lists), len(keys), longest), NO_DOCUMENT, dtype=np.int64)
    asked = np.zeros((len(lists), len(keys)), dtype=np.bool_)
    failed = {}
    places = places_by_key(keys)
    for place, (run, its) in enumerate(zip(chosen, lists, strict=True)):
        documents[place, :, : its.shape[1]] = its
        for query, (_, failure) in asked_rows(campaign, run.key).items():
            asked[place, places[query]] = True
            if failure:
                failed[place, int(places[query])] = failure
    ranked = RankedLists(
        tuple(run.tag for run in chosen),
        tuple(query_id for query_id, _ in known),
        documents,
        asked if asked.any() else None,
        failed,
    )
    kept = KeptRuns(
        # Cut here, a list is known no deeper than it was read.
        replace(one := run.kept_run(depth), cut=one.may_go_on(its.shape[1]))
        for run, its in zip(chosen, lists, strict=True)
    )
    return RunLists(tuple(chosen), ranked, keys, kept)


def _documents(campaign: Campaign, run: int, queries: Ints, depth: int | None) -> Ints:
    """int64[queries, depth]: the documents of one run."""
    of_query, documents = results_of_run(campaign, run, depth)
    _, begin, length = np.unique(of_query, return_index=True, return_counts=True)
    lists = np.full((len(queries), int(length.max(initial=0))), NO_DOCUMENT, dtype=np.int64)
    rank = np.arange(len(of_query)) - np.repeat(begin, length)
    lists[places_by_key(queries)[of_query], rank] = documents
    return lists


def places_by_key(keys: Ints) -> Ints:
    """int64[greatest key + 1]: where each of the keys stands among them, by the key."""
    places = np.empty(int(keys.max(initial=0)) + 1, dtype=np.int64)
    places[keys] = np.arange(len(keys))
    return places


@dataclass(frozen=True, slots=True)
class RunsNow:
    """What can be said of the runs at this moment, and what it is made of: `judged` has the final
    grades of `grading`."""

    run_lists: RunLists
    grading: Grading
    judged: JudgedRuns

    @property
    def kept_runs(self) -> KeptRuns:
        """How much of each run is kept; cut is a run that had more for a query that somebody
        judged."""
        lengths = (self.judged.lists.documents != NO_DOCUMENT).sum(axis=2)
        longest = np.where(self.judged.scored, lengths, 0).max(axis=1, initial=0).tolist()
        return KeptRuns(
            replace(run, cut=run.may_go_on(has))
            for run, has in zip(self.run_lists.kept_runs, longest, strict=True)
        )


def runs_now(
    campaign: Campaign,
    tags: Sequence[str] = (),
    *,
    depth: int | None = None,
    policy: str = "majority",
    include_models: bool | None = None,
) -> RunsNow:
    """Read everything, as of one moment; arguments and errors are those of `run_lists` and
    `decide_grades`. Without a single grade, `UsageError`."""
    with campaign.reading():
        loaded = run_lists(campaign, tags, depth=depth)
        grading = decide_grades(campaign, policy=policy, include_models=include_models)
    greatest = max(campaign.settings.scale.grades)
    judged = loaded.judged(grading.pool, grading.decided, greatest)
    return RunsNow(loaded, grading, judged)


def baseline_of(campaign: Campaign, tags: Sequence[str], named: str | None = None) -> str:
    """The tag of the run that others are compared with: the one that is named, else the campaign's
    where it is among the runs, else the first.

    Raises `UsageError` where the one named is not among the runs, and where the campaign's is no
    run at all.
    """
    baseline = campaign.settings.baseline if named is None else named
    if baseline in tags:
        return baseline
    if named is not None:
        check_known("run", named, tags)
    if baseline and baseline not in [run.tag for run in all_runs(campaign)]:
        raise UsageError(
            f"the campaign's baseline {baseline!r} is not one of its runs",
            f"choose one with: {shell_command(campaign.path, 'settings', 'baseline TAG')}",
        )
    return tags[0]


@dataclass(frozen=True, slots=True)
class ResultsNow:
    """`now` has the runs with everything they are made of, `basis` what the numbers rest on."""

    now: RunsNow
    basis: Basis


def results_now(campaign: Campaign, asked: Question = Question()) -> ResultsNow:  # noqa: B008 - frozen
    """Read what was asked for, as of one moment. The baseline joins the runs.

    Raises `UsageError` for a run, a baseline, a measure, a policy or a judge that is not there, for
    a measure that looks deeper than the runs are kept or that cannot be filled, for a model that
    cannot fill (`filling_model`), and where nobody has judged yet.
    """
    grades = tuple(sorted(campaign.settings.scale.grades))
    joined = (asked.baseline,) if asked.tags and asked.baseline is not None else ()
    with campaign.reading():
        now = runs_now(
            campaign,
            (*asked.tags, *joined),
            policy=asked.policy,
            include_models=asked.include_models,
        )
        baseline = baseline_of(campaign, now.judged.lists.tags, asked.baseline)
        weights = stands_for(campaign, now.grading.pool)
        model = None
        if asked.unjudged not in STAND_INS:
            model = filling_model(campaign, asked.unjudged, now.grading)
            asked = replace(asked, unjudged=model.name)
    kept = now.kept_runs
    measures = parse_measures(asked.measures or DEFAULT_MEASURES, max_rel=grades[-1])
    if asked.measures:
        kept.refuse_too_deep(measures)
    if asked.unjudged != "zero":
        refuse_unfilled(measures)
        now = replace(now, judged=fill_runs(now.judged, model or asked.unjudged, weights))
    measures, left_out = kept.answerable(measures)
    shares = judged_among(measures) or tuple(
        share for share in judged_beside(measures) if kept.too_deep(share) is None
    )
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
        grades=now.grading.used,
        kept_runs=kept,
        left_out=left_out,
    )
    return ResultsNow(now, basis)
