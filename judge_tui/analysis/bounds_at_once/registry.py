"""The registry: by name of the measure what bounds many lists at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from judge_tui.analysis.bounds_at_once.direction import one_way, one_way_each_side
from judge_tui.analysis.bounds_at_once.found import average_precision
from judge_tui.analysis.bounds_at_once.gain import discounted_gain
from judge_tui.scoring import Measure, Rules
from judge_tui.scoring.at_once import UNJUDGED, Lists, values_at_once
from judge_tui.scoring.bounds import bounds_of
from judge_tui.scoring.numbers import GRADED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Both: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]

__all__ = ["AT_ONCE", "bounds_at_once"]

_CELLS = 1 << 20
"""Cells of the lists that are worked on at once."""

AT_ONCE: dict[str, Callable[[Lists, Measure, Sequence[int]], Both]] = {
    "nDCG": discounted_gain,
    "RR": one_way,
    "P": one_way,
    "Success": one_way,
    "RBP": one_way,
    "R": one_way_each_side,
    "AP": average_precision,
}


def bounds_at_once(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    """float64[lists] twice: the least and the greatest value over all gradings, with `grades`
    (ascending, as few as a scale has), of the unjudged documents in each list.

    The measure is one that has bounds. Raises `UsageError` for what its strategy refuses.
    """
    find = AT_ONCE.get(measure.definition.name, _one_by_one)
    if find is discounted_gain and measure.parameter("gains") is not GRADED:
        find = _one_by_one
    score = values_at_once(lists, measure)
    low, high = score.copy(), score.copy()
    # What is judged wholly has nothing to choose.
    loose = np.flatnonzero((lists.grades == UNJUDGED).any(axis=1))
    step = max(1, _CELLS // max(lists.grades.shape[1], 1))
    for start in range(0, len(loose), step):
        rows = loose[start : start + step]
        part = Lists(lists.grades[rows], lists.query[rows], lists.known)
        for values in find(part, measure, grades):
            low[rows] = np.minimum(low[rows], values)
            high[rows] = np.maximum(high[rows], values)
    return low, high


def _one_by_one(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    found: dict[tuple[int, bytes], tuple[float, float]] = {}
    ranges = []
    for row, query, seen in zip(lists.grades, lists.query.tolist(), lists.seen(), strict=True):
        # Runs often have the same grades at the same ranks.
        key = (query, row.tobytes())
        if key not in found:
            (between,) = bounds_of(seen, [measure], Rules(), grades)
            found[key] = between or (nan, nan)
        ranges.append(found[key])
    low, high = np.array(ranges, dtype=np.float64).T
    return low, high
