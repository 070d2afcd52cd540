"""Query by query: two runs beside each other, one run alone, and where all are furthest apart."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.analysis.run_slices import spread_of
from judge_tui.arrays import Floats, Ints
from judge_tui.comparison.compare import measures_needed
from judge_tui.comparison.comparison import BUCKETS, bucket_of
from judge_tui.comparison.family import means_of
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.scoring import Measure
from judge_tui.scoring.measure import STEP

__all__ = [
    "LEVEL",
    "Delta",
    "Deltas",
    "DivergentQueries",
    "DivergentQuery",
    "OwnValue",
    "OwnValues",
    "deltas",
    "most_divergent",
    "own_values",
]

_SEED = 0
"""The seed of the bootstrap, which is that of `compare`."""


@dataclass(frozen=True, slots=True)
class Delta:
    """One query: what it is worth in the baseline and in the run, the difference, and what became
    of it (one of `comparison.BUCKETS`). `nothing`: of either run why its list has no results, ""
    where it has some (`RankedLists.why_empty`)."""

    query_id: str
    before: float
    after: float
    difference: float
    bucket: str
    nothing: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Deltas:
    """The queries that both runs are scored for, greatest gain first, ties by query id.

    `mean` is of the differences, with its 95 % bootstrap interval, None where `why` has the
    reason; both are None where there is no query. `only_baseline` and `only_run` count the queries
    that one of them alone is scored for.
    """

    measure: Measure
    baseline: str
    tag: str
    rows: tuple[Delta, ...]
    mean: float | None
    ci95: tuple[float, float] | None
    wins: int
    ties: int
    losses: int
    only_baseline: int
    only_run: int

    @property
    def buckets(self) -> dict[str, int]:
        """How many queries are in each bucket."""
        return {name: sum(row.bucket == name for row in self.rows) for name in BUCKETS}

    @property
    def why(self) -> str | None:
        """Why there is no interval, where there is none."""
        return why_no_interval(len(self.rows)) if self.ci95 is None else None


def deltas(
    judged: JudgedRuns,
    measure: Measure,
    baseline: str,
    tag: str,
    among: Set[str] | None = None,
) -> Deltas:
    """Compare two runs query by query; differences of less than 5e-10 are ties, as everywhere.

    The numbers are those of `compare`. `among`: the ids of the queries that count, None for all.

    Raises `UsageError` for a run that is not there, for a run beside itself, and for a measure of
    which more is not better.
    """
    before, after = judged.lists.indexes_of_runs(baseline, tag)
    found = measures_needed([measure])[-1]
    ids = judged.lists.query_ids
    scored = judged.scored & judged.lists.are_among(among)
    both = np.flatnonzero(scored[before] & scored[after])
    values, hits = judged.values(measure)[:, both], judged.values(found)[:, both] > 0
    differences = values[after] - values[before]
    steps = on_grid(differences)
    # Queries stand by their ids, and those alike stay so.
    order = np.argsort(-steps, kind="stable")
    columns = (both, values[before], values[after], differences, steps, hits[before], hits[after])
    rows = tuple(
        Delta(
            query_id=ids[query],
            before=one,
            after=other,
            difference=difference,
            bucket=bucket_of(step, *found_by),
            nothing=(judged.lists.why_empty(before, query), judged.lists.why_empty(after, query)),
        )
        for query, one, other, difference, step, *found_by in zip(
            *(column[order].tolist() for column in columns), strict=True
        )
    )
    return Deltas(
        measure=measure,
        baseline=baseline,
        tag=tag,
        rows=rows,
        mean=means_of(values[before], values[after]).delta if rows else None,
        ci95=bootstrap_intervals(differences[np.newaxis], _SEED)[0] if rows else None,
        wins=int((steps > 0).sum()),
        ties=int((steps == 0).sum()),
        losses=int((steps < 0).sum()),
        only_baseline=int((scored[before] & ~scored[after]).sum()),
        only_run=int((scored[after] & ~scored[before]).sum()),
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

    @property
    def zeros(self) -> int:
        """How many queries are worth 0."""
        return sum(row.value == 0 for row in self.rows)


def own_values(
    judged: JudgedRuns, measure: Measure, tag: str, among: Set[str] | None = None
) -> OwnValues:
    """Return what each query is worth in a run; the numbers are those of `score`. Values that
    differ by less than 5e-10 are ties. `among`: the ids of the queries that count, None for all.

    Raises `UsageError` for a run that is not there.
    """
    lists, run = judged.lists, judged.lists.index_of_run(tag)
    queries = np.flatnonzero(judged.scored[run] & lists.are_among(among))
    values = judged.values(measure)[run][queries]
    # Queries stand by their ids, and those alike stay so.
    order = np.argsort(np.rint(values / STEP), kind="stable")
    rows = tuple(
        OwnValue(lists.query_ids[query], value, lists.why_empty(run, query))
        for query, value in zip(queries[order].tolist(), values[order].tolist(), strict=True)
    )
    return OwnValues(measure, tag, rows, measure.mean(values) if rows else None)


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
