"""How values lie: the least, the middle, the mean, and how far they spread."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.scoring import mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SPREAD", "Spread", "spread_of"]

SPREAD = "population standard deviation: of n values, divided by n"
"""What every spread here is."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Of `n` values the least, the median (of two in the middle their mean), the arithmetic mean,
    the greatest and the population standard deviation; None where there is no value."""

    n: int
    least: float | None
    median: float | None
    mean: float | None
    greatest: float | None
    sd: float | None


def spread_of(values: NDArray[np.float64]) -> Spread:
    """Of float64[n]; NaN is no value."""
    known = values[~np.isnan(values)].tolist()
    if not known:
        return Spread(0, None, None, None, None, None)
    middle = mean(known)
    sd = mean([(value - middle) ** 2 for value in known]) ** 0.5
    return Spread(len(known), min(known), median(known), middle, max(known), sd)
