"""Bootstrap resamples of queries, the same for all comparisons of as many queries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from judge_tui.significance.grid import Floats

__all__ = ["RESAMPLES", "resample_counts"]

RESAMPLES = 10_000

_COUNTS = 1_000_000
"""Counts at once: 8 MB of them."""


def resample_counts(n: int, seed: int) -> Iterator[Floats]:
    """How often each of n queries is drawn in a resample of n: blocks of resamples x queries.

    Together `RESAMPLES` rows, the same for the same seed. A product of a block with the values of
    any number of pairs gives their resampled sums.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, _COUNTS // n)
    for start in range(0, RESAMPLES, rows):
        count = min(rows, RESAMPLES - start)
        drawn = generator.integers(0, n, size=(count, n))
        drawn += np.arange(count)[:, np.newaxis] * n
        counts = np.bincount(drawn.ravel(), minlength=count * n)
        yield counts.reshape(count, n).astype(np.float64)
