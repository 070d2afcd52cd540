"""The bootstrap interval of a mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.significance.grid import Floats

__all__ = ["RESAMPLES", "bootstrap_interval"]

RESAMPLES = 10_000

_BLOCK = 4_000_000


def bootstrap_interval(
    differences: Sequence[float] | Floats, seed: int, level: float = 0.95
) -> tuple[float, float] | None:
    """The percentile interval of the mean of n differences (Efron, 1979), from 10,000 resamples.

    The same for the same seed. None for fewer than two differences, where there is nothing to
    resample.
    """
    values = np.asarray(differences, dtype=np.float64)
    n = len(values)
    if n < 2:
        return None
    generator = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(RESAMPLES)
    rows = max(1, _BLOCK // n)
    for start in range(0, RESAMPLES, rows):
        count = min(rows, RESAMPLES - start)
        drawn = generator.integers(0, n, size=(count, n))
        means[start : start + count] = values[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
