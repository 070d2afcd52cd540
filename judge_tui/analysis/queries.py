"""Query by query: two runs beside each other, one run alone, and where all are furthest apart."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

import numpy as np

from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.analysis.leaderboard import BY_WILCOXON
from judge_tui.analysis.slices import spread_of
from judge_tui.analysis.unbiased import JudgedUnion, with_unbiased
from judge_tui.arrays import Floats, Ints
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.comparison import Comparison
from judge_tui.scoring import Measure, Scores
from judge_tui.scoring.measure import STEP


@dataclass(frozen=True, slots=True)
class Deltas:
    """Two runs over the queries that both are scored for: the `comparison`, None where there is no
    such query. `only_baseline` and `only_run` count those that one of them alone is scored for.
    `nothing`: query_id -> tag -> why the run has no results for it (`RankedLists.why_empty`)."""

    measure: Measure
    baseline: str
    tag: str
    comparison: Comparison | None
    only_baseline: int
    only_run: int
    nothing: Mapping[str, Mapping[str, str]]


def deltas(
    judged: JudgedRuns,
    measure: Measure,
    baseline: str,
    tag: str,
    among: Set[str] | None = None,
    union: JudgedUnion | None = None,
) -> Deltas:
    """Compare two runs query by query, as `compare` does. `among`: the ids of the queries that
    count, None for all. `union`: for an unbiased difference, where pairs were drawn.

    Raises `UsageError` for a run that is not there, for a run beside itself, and for a measure of
    which more is not better.
    """
    lists = judged.lists
    places = lists.indexes_of_runs(baseline, tag)
    scores = judged.scores(measures_needed([measure])).of_runs((baseline, tag))
    scores = scores if among is None else scores.where(among)
    before, after = scores.counted
    comparison = None
    if (before & after).any():
        compared = compare_scores(scores.only([measure]), BY_WILCOXON)
        (comparison,) = with_unbiased(compared, union)
    nothing: dict[str, dict[str, str]] = {}
    for query, query_id in enumerate(lists.query_ids):
        for run in places:
            if why := lists.why_empty(run, query):
                nothing.setdefault(query_id, {})[lists.tags[run]] = why
    return Deltas(
        measure,
        baseline,
        tag,
        comparison,
        only_baseline=int((before & ~after).sum()),
        only_run=int((after & ~before).sum()),
        nothing=nothing,
    )


@dataclass(frozen=True, slots=True)
class OwnValue:
    """One query: what it is worth in the run. `nothing`: why its list has no results, "" where it
    has some (`RankedLists.why_empty`)."""

    query_id: str
    value: float
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class OwnValues:
    """The queries that the run is scored for, least value first, ties by query id. `mean` is that
    of the measure, which need not be the arithmetic one; None where there is no query."""

    measure: Measure
    tag: str
    rows: tuple[OwnValue, ...]
    mean: float | None


def own_values(
    judged: JudgedRuns, measure: Measure, tag: str, among: Set[str] | None = None
) -> OwnValues:
    """Return what each query is worth in a run, as `score` has it. Values that differ by less than
    5e-10 are ties. `among`: the ids of the queries that count, None for all.

    Raises `UsageError` for a run that is not there.
    """
    place = judged.lists.index_of_run(tag)
    scores = judged.scores([measure])
    run = (scores if among is None else scores.where(among))[tag]
    at = {query_id: at for at, query_id in enumerate(judged.lists.query_ids)}
    rows = [
        OwnValue(query_id, value, judged.lists.why_empty(place, at[query_id]))
        for query_id, value in zip(run.query_ids, run.values[measure.name], strict=True)
    ]
    # Queries stand by their ids, and those alike stay so.
    rows.sort(key=lambda row: round(row.value / STEP))
    return OwnValues(measure, tag, tuple(rows), run.mean_or_none(measure))


LEVEL = "all level"
"""What stands for the best and for the worst run where no run is either."""


@dataclass(frozen=True, slots=True)
class DivergentQuery:
    """One query: over the `runs` that are scored for it the population standard deviation of their
    values, the least and the greatest value with the runs that have them (in the order of the
    runs), and how alike their lists are: the mean Jaccard index of the top k of every two of them,
    those left out that are both empty; None where no run has results. `nothing`: of each of these
    runs whose list has no results why that is so, in words (`RankedLists.why_empty`)."""

    query_id: str
    runs: int
    sd: float
    least: float
    greatest: float
    worst: tuple[str, ...]
    best: tuple[str, ...]
    overlap: float | None
    nothing: Mapping[str, str]

    @property
    def level(self) -> bool:
        """Whether no run is better or worse than another."""
        return self.best == self.worst

    @property
    def range(self) -> float:
        """The greatest less the least value."""
        return self.greatest - self.least


@dataclass(frozen=True, slots=True)
class DivergentQueries:
    """The queries that at least two runs are scored for, greatest spread first, then least overlap,
    then by query id."""

    measure: Measure
    k: int
    rows: tuple[DivergentQuery, ...]


def most_divergent(
    lists: RankedLists, values: Floats, measure: Measure, k: int = 10
) -> DivergentQueries:
    """Find the queries for which the runs differ most by `values`, float64[runs, queries], of the
    measure, NaN where a run is not scored.

    The overlap of two top k is the Jaccard index (Jaccard 1912): documents in both, divided by
    documents in either. 1 is the same documents, in whatever order; 0 none in common, as where one
    of the two is empty. Of two that are empty it is undefined.
    """
    tags = lists.tags
    rows: list[DivergentQuery] = []
    for query, query_id in enumerate(lists.query_ids):
        its = np.flatnonzero(~np.isnan(values[:, query]))
        if len(its) < 2:
            continue
        column = values[its, query]
        # In steps of 1e-9: what is equal to a reader is equal here.
        steps = np.rint(column / STEP)
        empty = {tags[run]: lists.why_empty(run, query) for run in its.tolist()}
        rows.append(
            DivergentQuery(
                query_id=query_id,
                runs=len(its),
                sd=spread_of(column).sd or 0.0,
                least=float(column.min()),
                greatest=float(column.max()),
                worst=tuple(tags[run] for run in its[steps == steps.min()].tolist()),
                best=tuple(tags[run] for run in its[steps == steps.max()].tolist()),
                overlap=_overlap(lists.documents[its, query, :k]),
                nothing={tag: why for tag, why in empty.items() if why},
            )
        )
    rows.sort(
        key=lambda row: (
            -round(row.sd / STEP),
            1.0 if row.overlap is None else row.overlap,
            row.query_id,
        )
    )
    return DivergentQueries(measure, k, tuple(rows))


def differ_most(judged: JudgedRuns, scores: Scores, measure: Measure) -> DivergentQueries:
    """Return the queries for which two systems have different values, the furthest apart first."""
    place = {query_id: at for at, query_id in enumerate(scores.query_ids)}
    # A query that is not scored has the last column.
    values = np.pad(scores.by_measure[str(measure)], ((0, 0), (0, 1)), constant_values=np.nan)
    values = values[:, [place.get(query_id, -1) for query_id in judged.lists.query_ids]]
    found = most_divergent(judged.lists, values, measure)
    return replace(found, rows=tuple(row for row in found.rows if not row.level))


def _overlap(documents: Ints) -> float | None:
    """Return the mean Jaccard index of every two of some lists, int64[lists, ranks]."""
    run, rank = np.nonzero(documents != NO_DOCUMENT)
    if not len(run):
        return None
    _, number = np.unique(documents[run, rank], return_inverse=True)
    holds = np.zeros((len(documents), int(number.max()) + 1))
    holds[run, number] = 1.0
    both = holds @ holds.T
    size = np.diag(both)
    either = size[:, None] + size[None, :] - both
    one, other = np.triu_indices(len(documents), 1)
    some = either[one, other] > 0
    return float((both[one, other][some] / either[one, other][some]).mean())
