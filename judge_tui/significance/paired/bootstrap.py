"""The bootstrap test of the mean difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from judge_tui.significance.grid import STEPS, Floats, on_grid
from judge_tui.significance.products import multiply
from judge_tui.significance.resampling import RESAMPLES, resample_counts
from judge_tui.significance.result import TestResult

__all__ = ["bootstrap_tests"]

_NOISE = 1e-12
"""Squares that differ by less, beside the variance, are equal but for the rounding of floats."""


def bootstrap_tests(differences: Floats, seed: int) -> list[TestResult]:
    """Paired bootstrap test, shifted to the null and studentised: pairs x queries -> results.

    Efron and Tibshirani (An Introduction to the Bootstrap, 1993, 16.4) as Sakai applies it to
    search (SIGIR 2006): t = mean / (sd / sqrt(n)) of 10,000 resamples of the differences minus
    their mean; p = (b + 1) / (resamples + 1) with b of them at least as far out as the observed
    t, which is `statistic`. A resample of one value over and over has no variance, and counts as
    far out on the side of its mean. Undefined for fewer than two differences and where all are
    equal. All pairs share the resamples, which depend on the seed and the number of queries alone.
    """
    grid = on_grid(differences)
    n = grid.shape[1]
    if n < 2:
        why = f"a variance needs at least 2 queries, here {n}"
        return [TestResult(why=why)] * len(grid)
    results = [TestResult(why="all differences are equal: they have no variance")] * len(grid)
    varied = np.flatnonzero(np.ptp(grid, axis=1))
    for place, result in zip(varied, _test(grid[varied] / STEPS, seed), strict=True):
        results[place] = result
    return results


def _test(values: Floats, seed: int) -> Iterator[TestResult]:
    n = values.shape[1]
    means = values.mean(axis=1)
    variances = values.var(axis=1, ddof=1)
    observed = means / np.sqrt(variances / n)
    pairs, width = len(values), max(2, len(values))
    # Mirrored where that makes t positive, so that opposite pairs have opposite p.
    shifted = np.zeros((n, width))
    shifted[:, :pairs] = ((values - means[:, np.newaxis]) * np.where(means < 0, -1, 1)[:, None]).T
    squares = shifted**2
    # t* >= t is asked as mean*^2 >= t^2 var* / n: nothing is divided by a variance of 0.
    squared = observed**2
    noise = _NOISE * (1 + squared) * variances / n
    near = _NOISE * np.sqrt(variances)
    out, up, beyond = np.zeros((3, pairs), dtype=np.int64)
    for counts in resample_counts(n, seed):
        sums = np.empty((2, len(counts), width))
        multiply(counts, shifted, sums[0])
        multiply(counts, squares, sums[1])
        mean, square = sums[:, :, :pairs] / n
        spread = np.maximum(square - mean**2, 0) / (n - 1)
        excess = mean**2 - squared * spread
        far = excess >= -noise
        out += far.sum(axis=0)
        up += (far & (mean >= -near)).sum(axis=0)
        beyond += ((excess > noise) & (mean > near)).sum(axis=0)
    for place, t in enumerate(observed.tolist()):
        towards = (int(up[place]) + 1) / (RESAMPLES + 1)
        away = (RESAMPLES - int(beyond[place]) + 1) / (RESAMPLES + 1)
        greater, less = (towards, away) if t >= 0 else (away, towards)
        yield TestResult(t, (int(out[place]) + 1) / (RESAMPLES + 1), greater, less)
