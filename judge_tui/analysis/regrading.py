"""The same runs graded again and again: what can be prepared once is prepared once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.grading import Grading
from judge_tui.analysis.rankings import NO_DOCUMENT, Rankings
from judge_tui.analysis.standing import means_of
from judge_tui.scoring import Measure
from judge_tui.scoring.at_once import AT_ONCE, NOTHING, UNJUDGED, Lists, values_at_once

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Regrading"]


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
        greatest: int,
        measure: Measure,
    ) -> None:
        """`greatest`: of the scale's grades."""
        if measure.definition.name in AT_ONCE:
            rankings = rankings.first(measure.depth)
        self._rankings, self._counted = rankings, rankings.counted
        self._measure = measure
        self._width = greatest + 1
        self._queries = queries
        n = len(queries)
        numbered = Grading.of(queries, documents, np.arange(n, dtype=np.int64))
        query = np.arange(len(rankings.query_ids), dtype=np.int64)
        place = numbered.grades_of(query[None, :, None], rankings.documents, n)
        place[rankings.documents == NO_DOCUMENT] = n + 1
        self._query = np.tile(query, len(rankings.tags))
        self._place = place.reshape(len(self._query), place.shape[2])

    def values(self, places: NDArray[np.int64], grades: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[runs, queries] with these grades alone: as `Standing.values` has it."""
        worth = np.full(len(self._queries) + 2, UNJUDGED, dtype=np.int16)
        worth[places] = grades
        worth[-1] = NOTHING
        queries = self._counted.shape[1]
        known = np.bincount(
            self._queries[places] * self._width + grades, minlength=queries * self._width
        ).reshape(queries, self._width)
        lists = Lists(worth[self._place], self._query, known)
        values = values_at_once(lists, self._measure).reshape(self._counted.shape)
        values[~(self._counted & self._rankings.counting(known))] = np.nan
        return values

    def means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[runs], of such values: as `Standing.means` has it."""
        return means_of(values, self._measure)
