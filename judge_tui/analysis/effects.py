"""What a disagreement does to the order of the systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.regrading import Averaged
from judge_tui.analysis.standing import Grading, Standing
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.scoring import UNJUDGED, JudgedLists, JudgedQueries, Measure
from judge_tui.scoring.measure import STEP

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Effects", "effects_of"]

_CHUNK = 2_000
"""Disagreements worked out together: a few tens of MB with 50 runs."""

_CHUNK_CELLS = 4_000_000
"""Grades of lists scored together."""


@dataclass(frozen=True, slots=True)
class Effects:
    """Arrays of n disagreements, in the order in which they were asked about.

    `swaps`: int64, the pairs of systems that do not have the same order as it stands and under all
    grades given; `change`: float64, the largest change of a difference of two systems' means
    between two of these, in the measure's unit; `spread`: int64, the greatest less the least grade
    given.
    """

    swaps: NDArray[np.int64]
    change: NDArray[np.float64]
    spread: NDArray[np.int64]

    @property
    def order(self) -> NDArray[np.int64]:
        """int64[n]: their places, most swaps first, then the largest change, then the widest
        spread, and those alike as they were given."""
        # On the grid: two changes that are the same to a reader keep the order they came in.
        return np.lexsort((-self.spread, -on_grid(self.change[:, None])[:, 0], -self.swaps))


def effects_of(
    standing: Standing,
    queries: NDArray[np.int64],
    documents: NDArray[np.int64],
    given: NDArray[np.bool_],
    measure: Measure,
) -> Effects:
    """Set each pair to each of the grades it was given, everything else as it stands, and score.

    What the pair is now counts as well: where no policy decides it, it is unjudged, and settling it
    may change the order whatever the grade.

    `queries`: int64[n], places in the rankings, and `documents`: int64[n] beside them, the pairs;
    `given`: bool[n, greatest + 1], the grades that the judges of each gave. The order of two
    systems is which mean is greater, or that they are equal in steps of 1e-9; means are over each
    run's own scored queries, as everywhere; a query that has no grade at all joins in under every
    grade given, and what it is now is left aside. A run that is never scored has no place in the
    order.
    """
    n = len(queries)
    swaps, change = np.zeros(n, dtype=np.int64), np.zeros(n)
    # Pairs of one query share what their lists are worth where the document is not in them.
    by_query = np.argsort(queries, kind="stable")
    for begin in range(0, n, _CHUNK):
        some = by_query[begin : begin + _CHUNK]
        found = _means(standing, queries[some], documents[some], given[some], measure)
        change[some] = _largest_change(found)
        swaps[some] = _swaps(found, change[some])
    return Effects(swaps, change, _spread(given))


def _spread(given: NDArray[np.bool_]) -> NDArray[np.int64]:
    last = given.shape[1] - 1
    spread = last - given[:, ::-1].argmax(axis=1) - given.argmax(axis=1)
    return np.where(given.any(axis=1), spread, 0)


def _largest_change(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n], of means[n, settings, runs]."""
    largest = np.zeros(len(means))
    for one, other in combinations(range(means.shape[1]), 2):
        moved = means[:, other] - means[:, one]
        # fmax and fmin pass over what is not a number: runs that are never scored.
        apart = np.fmax.reduce(moved, axis=1) - np.fmin.reduce(moved, axis=1)
        np.fmax(largest, apart, out=largest)
    return largest


def _swaps(means: NDArray[np.float64], change: NDArray[np.float64]) -> NDArray[np.int64]:
    """int64[n]: the pairs of runs in means[n, settings, runs] whose order is not always the same.

    `change`: how far two means can move against each other; only runs that are so near can swap.
    """
    swaps = np.zeros(len(means), dtype=np.int64)
    # What is less than this is the rounding of floats.
    moving = np.flatnonzero(change > STEP / 1000)
    means = means[moving]
    by_mean = np.argsort(means[:, 0], axis=1)
    ascending = np.take_along_axis(means[:, 0], by_mean, axis=1)
    within = change[moving, None] + 2 * STEP
    for lag in range(1, means.shape[2]):
        near = ascending[:, lag:] - ascending[:, :-lag] <= within
        case, place = np.nonzero(near)
        if not len(case):
            # Those farther apart in this order are no nearer.
            break
        one, other = by_mean[case, place], by_mean[case, place + lag]
        order = np.sign(on_grid(means[case, :, one] - means[case, :, other]))
        unlike = case[(order != order[:, :1]).any(axis=1)]
        swaps[moving] += np.bincount(unlike, minlength=len(moving))
    return swaps


def _means(
    standing: Standing,
    queries: NDArray[np.int64],
    documents: NDArray[np.int64],
    given: NDArray[np.bool_],
    measure: Measure,
) -> NDArray[np.float64]:
    """float64[n, settings, runs]: the means under each grade given, and as it stands; a pair with
    fewer grades than another has its first again, which makes no difference to anything."""
    case, grade = np.nonzero(given)
    query = queries[case]
    worth = _values(standing, query, documents[case], grade, measure)
    averaged = Averaged(standing, measure)
    means = averaged.with_query(query, worth)
    first = np.concatenate([[0], np.cumsum(given.sum(axis=1))[:-1]])
    most = int(given.sum(axis=1).max(initial=1))
    place = np.arange(len(case)) - first[case]
    # A pair without a grade has no setting, and no mean.
    padded = np.full((len(given), most + 1, means.shape[1]), np.nan)
    rated = given.any(axis=1)
    padded[rated] = means[first[rated]][:, None]
    padded[case, place] = means
    stands = rated & standing.judged[queries]
    padded[stands, most] = averaged.as_it_stands
    return padded


def _values(
    standing: Standing,
    query: NDArray[np.int64],
    document: NDArray[np.int64],
    grade: NDArray[np.int64],
    measure: Measure,
) -> NDArray[np.float64]:
    """float64[settings, runs]: every run's value for the query of each setting, which is a pair
    with a grade."""
    rankings, grading = standing.rankings, standing.grading
    now = grading.grades_of(query, document, UNJUDGED)
    known = standing.known[query]
    settings, graded = np.arange(len(query)), now != UNJUDGED
    known[settings[graded], now[graded]] -= 1
    known[settings, grade] += 1
    queries = JudgedQueries.of_counts(known)

    # Each list with the numbers of its pairs in place of their grades.
    more = np.unique(np.stack([query[~graded], document[~graded]]), axis=1)
    grade_now = np.append(grading.grades, np.full(more.shape[1], UNJUDGED))
    pairs = Grading.of(
        np.append(grading.queries, more[0]),
        np.append(grading.documents, more[1]),
        np.arange(len(grade_now)),
    )
    pair = pairs.grades_of(query, document, UNJUDGED)
    if not measure.judged_only:
        rankings = rankings.first(measure.depth)
    numbered = rankings.graded(pairs)
    runs = len(rankings.tags)
    values = np.empty((len(query), runs))
    of_run = np.arange(runs)[:, None] * len(rankings.query_ids)
    for some in _parts(len(query), runs * rankings.documents.shape[2]):
        lists = numbered.rows((of_run + query[some]).reshape(-1))
        setting = np.tile(settings[some], runs)
        of_hit = setting[lists.list]
        grades = np.where(lists.grade == pair[of_hit], grade[of_hit], grade_now[lists.grade])
        found = measure.value(
            JudgedLists.of_hits(lists.list, lists.rank, grades, lists.retrieved, setting, queries)
        )
        values[some] = found.reshape(runs, -1).T
    return values


def _parts(count: int, cells: int) -> Iterator[slice]:
    """Slices of so many rows of `cells` cells each."""
    size = max(1, _CHUNK_CELLS // max(cells, 1))
    return (slice(begin, min(begin + size, count)) for begin in range(0, count, size))
