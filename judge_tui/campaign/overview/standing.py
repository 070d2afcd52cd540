"""The campaign's runs in the light of its grades of this moment, as arrays: for the lead's screens
and for what is worked out of many re-scorings.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.agreement.decide import Decisions, GradedPairs, decide
from judge_tui.agreement.policies import checked_policy
from judge_tui.analysis.basis import Basis, KeptRuns, Question
from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.campaign.overview.grading import refuse_ungraded
from judge_tui.campaign.store.arrays import (
    BITS,
    MASK,
    PoolPairs,
    held_decisions,
    packed_numbers,
    pool_pairs,
    settled_grades,
)
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import all_judges, models_count, only_models, policy_here
from judge_tui.campaign.store.runs import ChosenRun, all_runs, chosen_runs
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    UNJUDGED,
    judged_among,
    judged_beside,
    parse_measures,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LoadedRuns",
    "ResultsNow",
    "RunsNow",
    "baseline_of",
    "decided_now",
    "grades_beside",
    "grades_given",
    "loaded_runs",
    "results_now",
    "runs_now",
]


@dataclass(frozen=True, slots=True)
class LoadedRuns:
    """What the campaign has of some runs.

    `lists`: documents are numbered by their keys, queries stand in the order of exported files.
    `queries`: int64[queries], their keys. `runs`: how much of each run is kept; here all queries
    count, judged or not.
    """

    lists: RankedLists
    queries: NDArray[np.int64]
    runs: KeptRuns

    def judged(self, pool: PoolPairs, final: GradedPairs, greatest: int) -> JudgedRuns:
        """The runs in the light of `final` grades of pairs of the pool, of which `JudgedRuns` has
        all. `greatest`: of the scale."""
        places = np.empty(int(self.queries.max(initial=0)) + 1, dtype=np.int64)
        places[self.queries] = np.arange(len(self.queries))
        grades = grades_beside(pool, final)
        return JudgedRuns(self.lists, places[pool.queries], pool.documents, grades, greatest)


def grades_beside(pool: PoolPairs, given: GradedPairs) -> NDArray[np.int64]:
    """int64[pairs of the pool]: the grade of each, `UNJUDGED` where it has none."""
    grades = np.full(len(pool.pairs), UNJUDGED, dtype=np.int64)
    grades[pool.places_of(given[0])] = given[1]
    return grades


@dataclass(frozen=True, slots=True)
class RunsNow:
    """What can be said of the runs at this moment, and what it is made of.

    `judged` has the final grades under the policy; `decided` says how they came about, and
    `unjudged` counts the pooled pairs without a judgment that counts. `models`: those of models
    count; `only_models`: and there are no others.
    """

    loaded: LoadedRuns
    pool: PoolPairs
    decided: Decisions
    judged: JudgedRuns
    unjudged: int
    models: bool
    only_models: bool


def runs_now(
    campaign: Campaign,
    tags: Sequence[str] = (),
    *,
    depth: int | None = None,
    policy: str = "majority",
    include_models: bool | None = None,
) -> RunsNow:
    """Read everything, as of one moment; arguments and errors are those of `loaded_runs` and
    `decided_now`. Without a single grade, `UsageError`."""
    with campaign.reading():
        loaded = loaded_runs(campaign, tags, depth=depth)
        pool = pool_pairs(campaign)
        decided = decided_now(campaign, policy=policy, include_models=include_models)
        models = models_count(campaign, include_models)
        alone = only_models(campaign, include_models)
    greatest = max(campaign.settings.scale.grades)
    judged = loaded.judged(pool, (decided.pairs, decided.grades), greatest)
    unjudged = len(pool.pairs) - len(decided.pairs) - len(decided.unresolved)
    return RunsNow(loaded, pool, decided, judged, unjudged, models, alone)


def loaded_runs(
    campaign: Campaign, tags: Sequence[str] = (), *, depth: int | None = None
) -> LoadedRuns:
    """The kept lists of the runs of those tags (default: all, as they were loaded), cut at `depth`.

    All queries of the campaign are among them, answered or not. Reads only; put it inside
    `campaign.reading()` with what it is compared to. Raises `UsageError` for a tag that is not
    there and for a campaign without runs.
    """
    chosen = chosen_runs(campaign, tags)
    named = sorted(campaign.rows("SELECT query_id, id FROM queries"))
    keys = np.array([key for _, key in named], dtype=np.int64)
    lists = [_documents(campaign, run.key, keys, depth) for run in chosen]
    longest = max((one.shape[1] for one in lists), default=0)
    documents = np.full((len(lists), len(keys), longest), NO_DOCUMENT, dtype=np.int64)
    for place, one in enumerate(lists):
        documents[place, :, : one.shape[1]] = one
    query_ids = tuple(query_id for query_id, _ in named)
    asked, failed = _asked(campaign, chosen, keys)
    tags_of = tuple(run.tag for run in chosen)
    ranked = RankedLists(tags_of, query_ids, documents, asked, failed)
    runs = []
    for run, one in zip(chosen, lists, strict=True):
        # Cut here, a list is known no deeper than it was read.
        kept = run.kept(depth)
        runs.append(replace(kept, cut=kept.may_go_on(one.shape[1])))
    return LoadedRuns(ranked, keys, KeptRuns(runs))


def _asked(
    campaign: Campaign, chosen: Sequence[ChosenRun], queries: NDArray[np.int64]
) -> tuple[NDArray[np.bool_] | None, dict[tuple[int, int], str]]:
    """`asked` and `failed` of the lists."""
    known = campaign.rows("SELECT run, query, failure FROM asked ORDER BY run, query")
    if not known:
        return None, {}
    asked = np.zeros((len(chosen), len(queries)), dtype=np.bool_)
    run_at = {run.key: place for place, run in enumerate(chosen)}
    query_at = {key: place for place, key in enumerate(queries.tolist())}
    failed = {}
    for run, query, failure in known:
        if run in run_at:
            place = run_at[run], query_at[query]
            asked[place] = True
            if failure:
                failed[place] = failure
    return asked, failed


def _documents(
    campaign: Campaign, run: int, queries: NDArray[np.int64], depth: int | None
) -> NDArray[np.int64]:
    """int64[queries, depth]: the documents of one run."""
    # From each query to its first ranks, so that what is kept deep is not read whole.
    packed = packed_numbers(
        campaign,
        f"SELECT (q.id << {BITS}) + r.document AS packed FROM queries AS q"  # noqa: S608
        " CROSS JOIN results AS r ON r.run = ? AND r.query = q.id AND r.rank <= ?"
        " ORDER BY q.id, r.rank",
        (run, sys.maxsize if depth is None else depth),
    )
    of_query, documents = packed >> BITS, packed & MASK
    known, begin, length = np.unique(of_query, return_index=True, return_counts=True)
    rows = np.full(int(queries.max(initial=0)) + 1, -1, dtype=np.int64)
    rows[queries] = np.arange(len(queries))
    lists = np.full((len(queries), int(length.max(initial=0))), NO_DOCUMENT, dtype=np.int64)
    place = np.arange(len(packed)) - np.repeat(begin, length)
    lists[np.repeat(rows[known], length), place] = documents
    return lists


def grades_given(
    campaign: Campaign, *, include_models: bool | None = None
) -> dict[str, GradedPairs]:
    """Judge -> pairs (keys, ascending) and grades: the judgments that hold, judges by name.

    Those without a grade are left out, and those of kind `model`, too, unless asked for.
    """
    given = {}
    for judge in sorted(all_judges(campaign), key=lambda one: one.name):
        if judge.kind == "human" or models_count(campaign, include_models):
            pairs, grades = held_decisions(campaign, judge.key).first_grades()
            if len(pairs):
                given[judge.name] = (pairs, grades)
    return given


def decided_now(
    campaign: Campaign, *, policy: str = "majority", include_models: bool | None = None
) -> Decisions:
    """The final grades of this moment, by the keys of pairs; see `final_grades`.

    Raises `UsageError` for an unknown policy or judge, and where nobody has judged yet.
    """
    policy = policy_here(campaign, checked_policy(policy))
    given = grades_given(campaign, include_models=include_models)
    settled = settled_grades(campaign)
    refuse_ungraded(campaign, policy, given, settled[0], include_models=include_models)
    return decide(given, policy, campaign.settings.scale.grades, settled=settled)


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
        raise unknown("run", named, tags)
    if baseline and baseline not in [run.tag for run in all_runs(campaign)]:
        raise UsageError(
            f"the campaign's baseline {baseline!r} is none of its runs",
            typed(campaign.path, "settings", "baseline TAG"),
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
    baseline = baseline_of(campaign, now.judged.lists.tags, asked.baseline)
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
