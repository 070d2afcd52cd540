"""Bounds of average precision, of many lists at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from judge_tui.analysis.bounds_at_once.graded import graded, graded_alike
from judge_tui.scoring import Measure
from judge_tui.scoring.at_once import UNJUDGED, Lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]

__all__ = ["average_precision"]


def average_precision(lists: Lists, measure: Measure, grades: Sequence[int]) -> tuple[Reals, Reals]:
    """`bounds.average_precision`: every number of relevant ones is tried, in one pass."""
    rel = measure.rel
    if grades[0] >= rel or grades[-1] < rel:
        # Only one number can be relevant: all or none.
        return graded_alike(lists, measure, grades[0]), graded_alike(lists, measure, grades[-1])
    open_ = lists.grades == UNJUDGED
    depth = min(measure.depth, lists.grades.shape[1])
    unjudged, relevant = open_[:, :depth], lists.grades[:, :depth] >= rel
    rank = np.arange(1, depth + 1)
    each = np.where(relevant, 1 / rank, 0.0)
    ahead = relevant.cumsum(axis=1)
    start = (ahead * each).sum(axis=1)
    behind = each.sum(axis=1, keepdims=True) - each.cumsum(axis=1)
    alone = (1 + ahead) / rank + behind
    count, within = open_.sum(axis=1), unjudged.sum(axis=1)
    beyond, known = count - within, lists.relevant_known(rel)

    # How many stand before each place, from the front for the earliest and the back for the latest.
    number = unjudged.cumsum(axis=1)
    earliest = alone + (number - 1) / rank
    share = np.where(unjudged, 1 / rank, 0.0)
    latest = alone + share.sum(axis=1, keepdims=True) - share.cumsum(axis=1)
    most = _best_number(start, np.where(unjudged, earliest, 0.0), unjudged, known, np.argmax)
    back = slice(None, None, -1)
    least = beyond + _best_number(
        start,
        np.where(unjudged, latest, 0.0)[:, back],
        unjudged[:, back],
        known + beyond,
        np.argmin,
    )
    place = open_.cumsum(axis=1)
    low = np.where(place > (count - least)[:, None], grades[-1], grades[0])
    high = np.where(place <= most[:, None], grades[-1], grades[0])
    return graded(lists, measure, low), graded(lists, measure, high)


def _best_number(
    start: Reals,
    steps: Reals,
    unjudged: NDArray[np.bool_],
    known: Integers,
    choose: Callable[..., NDArray[np.intp]],
) -> Integers:
    """How many of the places of each list are taken, in their order, for the best quotient."""
    taken = np.concatenate([np.zeros((len(start), 1), dtype=np.int64), unjudged.cumsum(axis=1)], 1)
    sums = np.concatenate([start[:, None], start[:, None] + steps.cumsum(axis=1)], axis=1)
    # A place that is not unjudged repeats the quotient before it, and the first one is chosen.
    at = choose(sums / np.maximum(known[:, None] + taken, 1), axis=1)
    return np.take_along_axis(taken, at[:, None], axis=1)[:, 0]
