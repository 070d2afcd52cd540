"""What a disagreement does to the order of the systems."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.regrading import Regrading
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.scoring import Measure
from judge_tui.scoring.measure import STEP, geometric_mean
from judge_tui.sums import total

if TYPE_CHECKING:
    from judge_tui.arrays import Bools, Floats, Ints

_CHUNK = 2_000
"""Disagreements worked out together: a few tens of MB with 50 runs."""


@dataclass(frozen=True, slots=True)
class Effects:
    """Arrays of n disagreements, in the order in which they were asked about.

    `swaps`: int64, the pairs of systems that do not have the same order as it stands and under all
    grades given; `change`: float64, the largest change of a difference of two systems' means
    between two of these, in the measure's unit; `spread`: int64, the greatest less the least grade
    given.
    """

    swaps: Ints
    change: Floats
    spread: Ints

    @property
    def order(self) -> Ints:
        """int64[n]: their places, most swaps first, then the largest change, then the widest
        spread, and those alike as they were given."""
        # On the grid: two changes that are the same to a reader keep the order they came in.
        return np.lexsort((-self.spread, -on_grid(self.change[:, None])[:, 0], -self.swaps))


def effects_of(judged: JudgedRuns, pairs: Ints, given: Bools, measure: Measure) -> Effects:
    """Set each pair to each of the grades it was given, everything else as it stands, and score.

    What the pair is now counts as well: where no policy decides it, it is unjudged, and settling it
    may change the order whatever the grade.

    `pairs`: int64[n], their places; `given`: bool[n, greatest + 1], the grades that the judges of
    each gave. The order of two systems is which mean is greater, or that they are equal in steps of
    1e-9; means are over each run's own scored queries, as everywhere; a query that has no grade at
    all joins in under every grade given, and what it is now is left aside. A run that is never
    scored has no place in the order.
    """
    swaps, change = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs))
    # Pairs of one query share what their lists are worth where the document is not in them.
    by_query = np.argsort(judged.queries[pairs], kind="stable")
    means, regrading = _Means(judged, measure), Regrading(judged, measure)
    for begin in range(0, len(pairs), _CHUNK):
        some = by_query[begin : begin + _CHUNK]
        found = _means_of_each(regrading, pairs[some], given[some], means)
        change[some] = _largest_change(found)
        swaps[some] = _swaps(found, change[some])
    last = given.shape[1] - 1
    spread = last - given[:, ::-1].argmax(axis=1) - given.argmax(axis=1)
    return Effects(swaps, change, np.where(given.any(axis=1), spread, 0))


def _largest_change(means: Floats) -> Floats:
    """Return the largest change of any mean, float64[n], in means[n, settings, runs]."""
    largest = np.zeros(len(means))
    for one, other in combinations(range(means.shape[1]), 2):
        moved = means[:, other] - means[:, one]
        # fmax and fmin pass over what is not a number: runs that are never scored.
        apart = np.fmax.reduce(moved, axis=1) - np.fmin.reduce(moved, axis=1)
        np.fmax(largest, apart, out=largest)
    return largest


def _swaps(means: Floats, change: Floats) -> Ints:
    """Count, int64[n], the pairs of runs in means[n, settings, runs] whose order is not always the
    same.

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


def _means_of_each(regrading: Regrading, pairs: Ints, given: Bools, means: _Means) -> Floats:
    """Return float64[n, settings, runs]: the means under each grade given, and as it stands; a pair
    with fewer grades than another has its first again, which makes no difference to anything."""
    judged = regrading.judged
    case, grade = np.nonzero(given)
    worth = regrading.settle(pairs[case], grade)
    each = means.with_query(judged.queries[pairs[case]], worth)
    first = np.concatenate([[0], np.cumsum(given.sum(axis=1))[:-1]])
    most = int(given.sum(axis=1).max(initial=1))
    place = np.arange(len(case)) - first[case]
    # A pair without a grade has no setting, and no mean.
    padded = np.full((len(given), most + 1, each.shape[1]), np.nan)
    rated = given.any(axis=1)
    padded[rated] = each[first[rated]][:, None]
    padded[case, place] = each
    stands = rated & judged.graded_queries[judged.queries[pairs]]
    padded[stands, most] = means.as_it_stands
    return padded


class _Means:
    """The means of runs, and how they would be if one query were worth something else."""

    def __init__(self, judged: JudgedRuns, measure: Measure) -> None:
        average = measure.definition.average
        self._logarithmic = average is geometric_mean
        self._added_up = average is total
        self._parts = np.where(judged.scored, self._part(judged.values(measure)), 0.0)
        self._sums = self._parts.sum(axis=1)
        self._scored = judged.scored
        self._counts = judged.scored.sum(axis=1)
        self._counted = judged.lists.counted

    @property
    def as_it_stands(self) -> Floats:
        """Return float64[runs]: each run's mean, NaN where a run has no query that is scored."""
        return self._means(self._sums, self._counts)

    def with_query(self, queries: Ints, values: Floats) -> Floats:
        """Return float64[settings, runs]: each run's mean if `queries[s]`, a place, were worth
        `values[s, run]`; NaN where a run has no query that is scored.

        A query that is not scored yet joins in for the runs that it counts for.
        """
        counted = self._counted[:, queries].T
        new = np.where(counted, self._part(values), 0.0)
        sums = self._sums - self._parts[:, queries].T + new
        counts = self._counts + (counted & ~self._scored[:, queries].T)
        return self._means(sums, counts)

    def _means(self, sums: Floats, counts: Ints) -> Floats:
        if not self._added_up:
            sums = sums / np.where(counts, counts, 1)
        if self._logarithmic:
            sums = np.exp(sums)
        return np.where(counts > 0, sums, np.nan)

    def _part(self, values: Floats) -> Floats:
        # What the geometric mean of a 0 is, is the least that it takes a value for.
        return np.log(np.fmax(values, geometric_mean([0.0]))) if self._logarithmic else values
