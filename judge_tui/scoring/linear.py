"""Measures that are sums over a list: what each rank is worth, times what the document gains."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.ranked_measures import gain_of


class LinearMeasure(NamedTuple):
    """A measure as sum of discount x gain over the ranks, over that of the ideal list where it is
    `normalised`.

    `discount`: float64[depth], of each rank; `gain`: of a document by its grade.
    """

    discount: Floats
    gain: Callable[[int], float]
    normalised: bool = False


def linear(measure: Measure, longest: int) -> LinearMeasure | None:
    """Return a measure (P, RBP or nDCG) as a sum over lists of at most so many results; None for a
    measure that is none."""
    if measure.judged_only:
        return None
    ranks = np.arange(1, min(measure.depth, longest) + 1)
    match measure.definition.name:
        case "P":
            discount = np.full(len(ranks), 1 / measure.depth)
        case "RBP":
            p = measure.number("p")
            discount = (1 - p) * p ** (ranks - 1)
        case "nDCG":
            return LinearMeasure(1 / np.log2(ranks + 1), gain_of(measure), normalised=True)
        case _:
            return None
    return LinearMeasure(discount, lambda grade: float(grade >= measure.rel))
