"""The mean of differences of grades, with Student's interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.agreement.estimate import Estimate, student_95

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["NO_SPREAD", "Mean", "mean_of"]

NO_SPREAD = 1e-18
"""A variance below this is the rounding of floats: the differences are all the same."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `n` differences and their sample variance; 0 where there is none."""

    value: float
    variance: float
    n: int

    @property
    def estimate(self) -> Estimate:
        """With Student's interval."""
        if not self.n:
            return Estimate(None, None, "no pair has two grades to compare")
        if self.n < 2:
            return Estimate(self.value, None, "no interval: it takes two pairs")
        if self.variance < NO_SPREAD:
            why = "no interval: the difference is the same everywhere"
            return Estimate(self.value, None, why)
        reach = student_95(self.n - 1) * (self.variance / self.n) ** 0.5
        return Estimate(self.value, (self.value - reach, self.value + reach))


def mean_of(differences: NDArray[np.float64], times: NDArray[np.int64]) -> Mean:
    """Of differences of which each was seen so many times."""
    n = int(times.sum())
    if not n:
        return Mean(0.0, 0.0, 0)
    mean = float(times @ differences) / n
    return Mean(mean, float(times @ (differences - mean) ** 2) / max(1, n - 1), n)
