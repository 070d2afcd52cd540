"""Measures that are sums over a list: what each rank is worth, times what the document gains."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Floats, Ints
from judge_tui.errors import UsageError
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


def _rbp(measure: Measure, ranks: Ints) -> Floats:
    p = measure.number("p")
    return np.asarray((1 - p) * p ** (ranks - 1))


LINEAR: dict[str, Callable[[Measure, Ints], Floats]] = {
    "P": lambda measure, ranks: np.full(len(ranks), 1 / measure.depth),
    "RBP": _rbp,
    "nDCG": lambda _measure, ranks: np.asarray(1 / np.log2(ranks + 1)),
}
"""The discount at each rank, by the name of a measure."""


def is_linear(measure: Measure) -> bool:
    """Whether a measure is a sum over ranks, one of `LINEAR`."""
    return measure.definition.name in LINEAR and not measure.judged_only


def linear(measure: Measure, longest: int) -> LinearMeasure | None:
    """Return a measure as a sum over lists of at most so many results; None where it is none."""
    if not is_linear(measure):
        return None
    name = measure.definition.name
    discount = LINEAR[name](measure, np.arange(1, min(measure.depth, longest) + 1))
    if name == "nDCG":
        return LinearMeasure(discount, gain_of(measure), normalised=True)
    return LinearMeasure(discount, lambda grade: float(grade >= measure.rel))


def require_linear(measure: Measure, longest: int) -> LinearMeasure:
    """Return `linear`. Raises `UsageError` for a measure that is none."""
    sums = linear(measure, longest)
    if sums is None:
        names = [f"{name}@k" for name in LINEAR]
        raise UsageError(
            f"{measure} is no sum over the ranks of a list",
            f"name {', '.join(names[:-1])} or {names[-1]}",
        )
    return sums
