"""Query by query: two runs beside each other, one run alone, and where all are furthest apart."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.slices import spread_of
from judge_tui.analysis.standing import NO_DOCUMENT, Rankings, Standing
from judge_tui.comparison.compare import measures_needed
from judge_tui.comparison.comparison import BUCKETS, bucket_of
from judge_tui.comparison.family import means_of
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import Measure
from judge_tui.scoring.measure import STEP

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LEVEL",
    "Delta",
    "Deltas",
    "Divided",
    "DividedQuery",
    "OwnValue",
    "OwnValues",
    "deltas",
    "divided",
    "divided_by",
    "own_values",
    "place_of_run",
    "places_of",
]


@dataclass(frozen=True, slots=True)
class Delta:
    """One query: what it is worth in the baseline and in the run, the difference, and what became
    of it (one of `comparison.BUCKETS`). `query`: its place in the rankings. `nothing`: of either
    run why its list has no results, "" where it has some (`Rankings.nothing`)."""

    query: int
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
    that one of them alone is scored for; the interval is drawn from `seed`.
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
    seed: int

    @property
    def buckets(self) -> dict[str, int]:
        """How many queries are in each bucket."""
        return {name: sum(row.bucket == name for row in self.rows) for name in BUCKETS}

    @property
    def why(self) -> dict[str, str]:
        """Why there is no interval, where there is none."""
        return {"ci95": why_no_interval(len(self.rows))} if self.ci95 is None else {}


def deltas(
    standing: Standing,
    measure: Measure,
    baseline: str,
    tag: str,
    *,
    among: Set[str] | None = None,
    seed: int = 0,
) -> Deltas:
    """Compare two runs query by query; differences of less than 5e-10 are ties, as everywhere.

    The numbers are those of `compare`, whose usual seed is 0. `among`: the ids of the queries that
    count, None for all.

    Raises `UsageError` for a run that is not there, for a run beside itself, and for a measure of
    which more is not better.
    """
    before, after = places_of(standing, baseline, tag)
    found = measures_needed([measure])[-1]
    ids = standing.rankings.query_ids
    counts = np.array([among is None or query_id in among for query_id in ids], dtype=bool)
    one, other = standing.scored[before] & counts, standing.scored[after] & counts
    both = one & other
    places = both.nonzero()[0].tolist()
    values, hits = standing.values(measure), standing.values(found)
    differences = values[after, places] - values[before, places]
    steps = on_grid(differences).tolist()
    found_before, found_now = ((hits[run, places] > 0).tolist() for run in (before, after))
    rows = [
        Delta(
            query=place,
            query_id=ids[place],
            before=float(values[before, place]),
            after=float(values[after, place]),
            difference=float(differences[at]),
            bucket=bucket_of(steps[at], found_before[at], found_now[at]),
            nothing=(
                standing.rankings.nothing(before, place),
                standing.rankings.nothing(after, place),
            ),
        )
        for at, place in sorted(enumerate(places), key=lambda one: (-steps[one[0]], ids[one[1]]))
    ]
    return Deltas(
        measure=measure,
        baseline=baseline,
        tag=tag,
        rows=tuple(rows),
        mean=means_of(values[before, places], values[after, places]).delta if rows else None,
        ci95=bootstrap_intervals(differences[np.newaxis], seed)[0] if rows else None,
        wins=sum(step > 0 for step in steps),
        ties=steps.count(0),
        losses=sum(step < 0 for step in steps),
        only_baseline=int((one & ~both).sum()),
        only_run=int((other & ~both).sum()),
        seed=seed,
    )


def places_of(standing: Standing, *tags: str) -> tuple[int, ...]:
    """Where runs that are shown beside each other stand in the rankings. Raises `UsageError` for a
    run that is not there, and for a run beside itself."""
    places = tuple(place_of_run(standing, tag) for tag in tags)
    if len(set(tags)) < len(tags):
        raise UsageError(
            f"run {tags[-1]!r} beside itself shows nothing", "name two runs, or this one once"
        )
    return places


def place_of_run(standing: Standing, tag: str) -> int:
    """Where the run stands in the rankings. Raises `UsageError` where it does not."""
    tags = standing.rankings.tags
    if tag not in tags:
        raise unknown("run", tag, tags)
    return tags.index(tag)


@dataclass(frozen=True, slots=True)
class OwnValue:
    """One query: what it is worth in the run. `query`: its place in the rankings. `nothing`: why
    its list has no results, "" where it has some (`Rankings.nothing`)."""

    query: int
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
    standing: Standing, measure: Measure, tag: str, *, among: Set[str] | None = None
) -> OwnValues:
    """What each query is worth in a run; the numbers are those of `score`. Values that differ by
    less than 5e-10 are ties. `among`: the ids of the queries that count, None for all.

    Raises `UsageError` for a run that is not there.
    """
    run = place_of_run(standing, tag)
    ids = standing.rankings.query_ids
    counts = np.array([among is None or query_id in among for query_id in ids], dtype=bool)
    places = (standing.scored[run] & counts).nonzero()[0]
    values = standing.values(measure)[run][places]
    order = sorted(
        zip(places.tolist(), values.tolist(), np.rint(values / STEP).tolist(), strict=True),
        key=lambda one: (one[2], ids[one[0]]),
    )
    rows = tuple(
        OwnValue(place, ids[place], value, standing.rankings.nothing(run, place))
        for place, value, _ in order
    )
    mean = measure.definition.average(values.tolist()) if rows else None
    return OwnValues(measure, tag, rows, mean)


LEVEL = "all level"
"""In the place of the best and of the worst run, where no run is either."""


@dataclass(frozen=True, slots=True)
class DividedQuery:
    """One query: over the `runs` that are scored for it the population standard deviation of their
    values, the least and the greatest value with the runs that have them (in the order of the
    runs), and how alike their lists are: the mean Jaccard index of the top k of every two of them,
    those left out that are both empty; None where no run has results. `nothing`: of each of these
    runs whose list has no results why that is so, in words (`Rankings.nothing`)."""

    query: int
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
class Divided:
    """The queries that at least two runs are scored for, greatest spread first, then least overlap,
    then by query id. `alone` counts those that only one run is scored for."""

    measure: Measure
    k: int
    rows: tuple[DividedQuery, ...]
    alone: int


def divided(standing: Standing, measure: Measure, k: int = 10) -> Divided:
    """Where the runs differ most by the measure: `divided_by` the values that it has."""
    return divided_by(standing.rankings, measure, standing.values(measure), standing.scored, k)


def divided_by(
    rankings: Rankings,
    measure: Measure,
    values: NDArray[np.float64],
    scored: NDArray[np.bool_],
    k: int = 10,
) -> Divided:
    """Where the runs differ most by `values`, float64[runs, queries], of those that are `scored`,
    bool[runs, queries].

    The overlap of two top k is the Jaccard index (Jaccard 1912): documents in both, divided by
    documents in either. 1 is the same documents, in whatever order; 0 none in common, as where one
    of the two is empty. Of two that are empty it is undefined.
    """
    tags, ids = rankings.tags, rankings.query_ids
    rows: list[DividedQuery] = []
    alone = 0
    for query, query_id in enumerate(ids):
        its = np.flatnonzero(scored[:, query])
        if len(its) < 2:
            alone += len(its)
            continue
        column = values[its, query]
        least, greatest = float(column.min()), float(column.max())
        # In steps of 1e-9: what is equal to a reader is equal here.
        steps = np.rint(column / STEP)
        rows.append(
            DividedQuery(
                query=query,
                query_id=query_id,
                runs=len(its),
                sd=spread_of(column).sd or 0.0,
                least=least,
                greatest=greatest,
                worst=tuple(tags[run] for run in its[steps == steps.min()].tolist()),
                best=tuple(tags[run] for run in its[steps == steps.max()].tolist()),
                overlap=_overlap(rankings.documents[its, query, :k]),
                nothing={
                    tags[run]: why for run in its.tolist() if (why := rankings.nothing(run, query))
                },
            )
        )
    rows.sort(
        key=lambda row: (
            -round(row.sd / STEP),
            1.0 if row.overlap is None else row.overlap,
            row.query_id,
        )
    )
    return Divided(measure, k, tuple(rows), alone)


def _overlap(lists: NDArray[np.int64]) -> float | None:
    """The mean Jaccard index of every two of some lists, int64[lists, ranks]."""
    run, rank = np.nonzero(lists != NO_DOCUMENT)
    if not len(run):
        return None
    _, number = np.unique(lists[run, rank], return_inverse=True)
    holds = np.zeros((len(lists), int(number.max()) + 1))
    holds[run, number] = 1.0
    both = holds @ holds.T
    size = np.diag(both)
    either = size[:, None] + size[None, :] - both
    one, other = np.triu_indices(len(lists), 1)
    some = either[one, other] > 0
    return float((both[one, other][some] / either[one, other][some]).mean())
