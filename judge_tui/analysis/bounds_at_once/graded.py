"""What lists are worth once every unjudged document in them has a grade."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge_tui.scoring import Measure
from judge_tui.scoring.at_once import UNJUDGED, Lists, values_at_once

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["graded", "graded_alike"]


def graded(lists: Lists, measure: Measure, given: NDArray[np.integer]) -> NDArray[np.float64]:
    """float64[lists]: the measure with the `given` grade in each unjudged place."""
    unjudged = lists.grades == UNJUDGED
    greatest = int(given.max(initial=0))
    known = np.zeros((len(unjudged), max(lists.known.shape[1], greatest + 1)), dtype=np.int64)
    known[:, : lists.known.shape[1]] = lists.known[lists.query]
    for grade in range(greatest + 1):
        known[:, grade] += np.count_nonzero(unjudged & (given == grade), axis=1)
    top = slice(None, measure.depth)
    seen = np.where(unjudged[:, top], given[:, top], lists.grades[:, top])
    return values_at_once(Lists(seen, np.arange(len(seen)), known), measure)


def graded_alike(lists: Lists, measure: Measure, grade: int) -> NDArray[np.float64]:
    """The same with one grade in all unjudged places."""
    return graded(lists, measure, np.full(lists.grades.shape, grade))
