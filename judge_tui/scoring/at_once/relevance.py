"""Measures that ask of each document whether it is relevant, of many lists at once.

Each does what the measure of its name does, in the same order, so that not even the last digit
differs; where the numbers come from is told there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge_tui.scoring.at_once.lists import Lists
from judge_tui.scoring.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "average_precision",
    "judged",
    "precision",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
    "success",
]


def reciprocal_rank(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.rr`."""
    relevant = lists.within(measure.depth) >= measure.rel
    total = np.zeros(len(relevant))
    # From the last rank to the first, which stays.
    for place in range(relevant.shape[1] - 1, -1, -1):
        total[relevant[:, place]] = 1 / (place + 1)
    return total


def precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.p`."""
    return _found(lists, measure) / measure.depth


def recall(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.r`."""
    found = _found(lists, measure)
    return _shares(found, lists.relevant_known(measure.rel))


def success(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.success`."""
    return (_found(lists, measure) > 0).astype(np.float64)


def judged(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.judged`."""
    looked_at = np.minimum(lists.retrieved, measure.depth)
    return _shares((lists.within(measure.depth) >= 0).sum(axis=1), looked_at)


def average_precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.ap`."""
    found = np.zeros(len(lists.grades), dtype=np.int64)
    total = np.zeros(len(lists.grades))
    for place, grades in enumerate(lists.within(measure.depth).T):
        relevant = grades >= measure.rel
        found += relevant
        total += np.where(relevant, found / (place + 1), 0.0)
    return _shares(total, lists.relevant_known(measure.rel))


def r_precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.rprec`."""
    known = lists.relevant_known(measure.rel)
    ranks = np.arange(1, lists.grades.shape[1] + 1)
    relevant = (lists.grades >= measure.rel) & (ranks <= known[:, None])
    return _shares(relevant.sum(axis=1), known)


def rank_biased_precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.rbp`."""
    p = measure.number("p")
    total = np.zeros(len(lists.grades))
    for place, grades in enumerate(lists.within(measure.depth).T):
        total += np.where(grades >= measure.rel, p**place, 0.0)
    weighed: NDArray[np.float64] = (1.0 - p) * total
    return weighed


def _found(lists: Lists, measure: Measure) -> NDArray[np.int64]:
    """int64[lists]: the relevant documents within the cutoff."""
    found: NDArray[np.int64] = (lists.within(measure.depth) >= measure.rel).sum(axis=1)
    return found


def _shares(
    part: NDArray[np.float64] | NDArray[np.int64], whole: NDArray[np.int64]
) -> NDArray[np.float64]:
    """float64[lists]: 0 where there is no part."""
    shares = np.zeros(len(part))
    np.divide(part, whole, out=shares, where=part > 0)
    return shares
