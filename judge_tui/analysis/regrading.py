"""The means of runs, and how they would be if one query were worth something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.standing import Grading, Rankings, Standing, means_of
from judge_tui.scoring import UNJUDGED, JudgedLists, JudgedQueries, Measure
from judge_tui.scoring.measure import geometric_mean, total

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Averaged", "Regrading"]


class Averaged:
    """What the averages of a measure are made of, so that one query can be put in their place."""

    def __init__(self, standing: Standing, measure: Measure) -> None:
        average = measure.definition.average
        self._logarithmic = average is geometric_mean
        self._added_up = average is total
        values = standing.values(measure)
        self._parts = np.where(standing.scored, self._part(values), 0.0)
        self._sums = self._parts.sum(axis=1)
        self._scored = standing.scored
        self._counts = standing.scored.sum(axis=1)
        self._counted = standing.rankings.counted

    @property
    def as_it_stands(self) -> NDArray[np.float64]:
        """float64[runs]: each run's mean, NaN where a run has no query that is scored."""
        return self._means(self._sums, self._counts)

    def with_query(
        self, queries: NDArray[np.int64], values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """float64[settings, runs]: each run's mean if `queries[s]`, a place, were worth
        `values[s, run]`; NaN where a run has no query that is scored.

        A query that is not scored yet joins in for the runs that it counts for.
        """
        counted = self._counted[:, queries].T
        new = np.where(counted, self._part(values), 0.0)
        sums = self._sums - self._parts[:, queries].T + new
        counts = self._counts + (counted & ~self._scored[:, queries].T)
        return self._means(sums, counts)

    def _means(self, sums: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        if not self._added_up:
            sums = sums / np.where(counts, counts, 1)
        if self._logarithmic:
            sums = np.exp(sums)
        return np.where(counts > 0, sums, np.nan)

    def _part(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        # What the geometric mean of a 0 is, is the least that it takes a value for.
        return np.log(np.fmax(values, geometric_mean([0.0]))) if self._logarithmic else values


class Regrading:
    """Rankings and the pairs that anybody graded, for one measure.

    `queries`, `documents`: int64[n], the pairs, each once, as in `Grading`. A grading is then the
    places of some of them, and their grades.
    """

    def __init__(
        self,
        rankings: Rankings,
        queries: NDArray[np.int64],
        documents: NDArray[np.int64],
        measure: Measure,
    ) -> None:
        if not measure.judged_only:
            rankings = rankings.first(measure.depth)
        self._counted = rankings.counted
        self._measure = measure
        self._queries = queries
        # Each list with the numbers of its pairs in place of their grades.
        numbers = np.arange(len(queries), dtype=np.int64)
        self._numbered = rankings.graded(Grading.of(queries, documents, numbers))

    def values(self, places: NDArray[np.int64], grades: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[runs, queries] with these grades alone: as `Standing.values` has it."""
        worth = np.full(len(self._queries), UNJUDGED)
        worth[places] = grades
        queries = self._counted.shape[1]
        known = JudgedQueries.of_grades(self._queries[places], grades, queries)
        its = self._numbered
        lists = JudgedLists.of_hits(
            its.list, its.rank, worth[its.grade], its.retrieved, its.query, known
        )
        values = self._measure.value(lists).reshape(self._counted.shape)
        values[~(self._counted & (known.judged > 0))] = np.nan
        return values

    def means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[runs], of such values: as `Standing.means` has it."""
        return means_of(values, self._measure)
