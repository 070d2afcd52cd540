"""The bootstrap interval of a mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.significance.grid import STEPS, Floats, Integers, on_grid
from judge_tui.significance.products import multiply
from judge_tui.significance.resampling import RESAMPLES, resample_counts

__all__ = ["bootstrap_interval", "bootstrap_intervals", "why_no_interval"]

_PAIRS = 512
"""Pairs at once: 40 MB of means."""


def bootstrap_interval(
    differences: Sequence[float] | Floats, seed: int, level: float = 0.95
) -> tuple[float, float] | None:
    """The percentile interval of the mean of n differences: `bootstrap_intervals` of one pair."""
    values = np.asarray(differences, dtype=np.float64)
    return bootstrap_intervals(values[np.newaxis], seed, level)[0]


def bootstrap_intervals(
    differences: Floats, seed: int, level: float = 0.95
) -> list[tuple[float, float] | None]:
    """The percentile interval of each mean (Efron, 1979): pairs x queries -> (low, high) a pair.

    From 10,000 resamples, which depend on the seed and the number of queries alone; sums are whole
    numbers of steps of 1e-9. So a pair has the same interval, to the last bit, whatever stands
    beside it. None where all values are the same, as for fewer than two queries: so is every
    resample, and an interval without width would pass for certainty (`why_no_interval`).
    """
    grid = on_grid(differences)
    varies = (grid != grid[:, :1]).any(axis=1)
    varying = grid[varies]
    found = (
        interval
        for start in range(0, len(varying), _PAIRS)
        for interval in _intervals(varying[start : start + _PAIRS], seed, level)
    )
    return [next(found) if one else None for one in varies.tolist()]


def why_no_interval(queries: int, what: str = "difference") -> str:
    """Why there is none over so many queries; `what` each of them has one of."""
    if queries < 2:
        return f"an interval needs at least 2 queries, here {queries}"
    return f"the {what} is the same for all {queries:,} queries, and so in every resample"


def _intervals(grid: Integers, seed: int, level: float) -> list[tuple[float, float]]:
    pairs, n = grid.shape
    values = np.zeros((max(2, pairs), n))
    values[:pairs] = grid
    sums = np.empty((max(2, pairs), RESAMPLES))
    done = 0
    for counts in resample_counts(n, seed):
        multiply(values, counts.T, sums[:, done : done + len(counts)])
        done += len(counts)
    ends = np.quantile(
        sums[:pairs], [(1 - level) / 2, (1 + level) / 2], axis=1, overwrite_input=True
    )
    return [(low, high) for low, high in (ends.T / n / STEPS).tolist()]
