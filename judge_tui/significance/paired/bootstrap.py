"""The bootstrap test of the mean difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from judge_tui.significance.grid import STEPS, Floats, Integers, on_grid
from judge_tui.significance.products import multiply
from judge_tui.significance.resampling import RESAMPLES, resample_counts
from judge_tui.significance.result import TestResult

__all__ = ["bootstrap_tests"]

_NOISE = 1e-12
"""Squares that differ by less, beside the variance, are equal but for the rounding of floats."""

_PAIRS = 64
"""Pairs at once: 5 MB of means."""


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
    for place, result in zip(varied, _test(grid[varied], seed), strict=True):
        results[place] = result
    return results


def _test(grid: Integers, seed: int) -> Iterator[TestResult]:
    n = grid.shape[1]
    values, means = grid / STEPS, grid.sum(axis=1) / n / STEPS
    variances = values.var(axis=1, ddof=1)
    observed = means / np.sqrt(variances / n)
    # Mirrored where that makes t positive, so that opposite pairs have opposite p.
    mirror = np.where(means < 0, -1, 1)[:, np.newaxis]
    shifted = np.ascontiguousarray(((values - means[:, np.newaxis]) * mirror).T)
    counts = np.zeros((3, len(grid)), dtype=np.int64)
    chunks = [slice(start, start + _PAIRS) for start in range(0, len(grid), _PAIRS)]
    for resamples in resample_counts(n, seed):
        for chunk in chunks:
            counts[:, chunk] += _count(
                resamples, shifted[:, chunk], observed[chunk], variances[chunk]
            )
    for t, (out, up, beyond) in zip(observed.tolist(), counts.T.tolist(), strict=True):
        towards = (up + 1) / (RESAMPLES + 1)
        away = (RESAMPLES - beyond + 1) / (RESAMPLES + 1)
        greater, less = (towards, away) if t >= 0 else (away, towards)
        yield TestResult(t, (out + 1) / (RESAMPLES + 1), greater, less)


def _count(resamples: Floats, shifted: Floats, t: Floats, variances: Floats) -> Integers:
    """How many t* are at least |t| in size, at least |t|, and above |t|: 3 x pairs."""
    n, pairs = shifted.shape
    if pairs == 1:
        shifted = np.repeat(shifted, 2, axis=1)  # see `multiply`
    sums = np.empty((2, len(resamples), shifted.shape[1]))
    multiply(resamples, shifted, sums[0])
    multiply(resamples, shifted**2, sums[1])
    mean, square = sums[:, :, :pairs] / n
    # t* >= t is asked as mean*^2 >= t^2 var* / n: nothing is divided by a variance of 0.
    excess = mean**2 - t**2 * np.maximum(square - mean**2, 0) / (n - 1)
    noise, near = _NOISE * (1 + t**2) * variances / n, _NOISE * np.sqrt(variances)
    far = excess >= -noise
    found = (far, far & (mean >= -near), (excess > noise) & (mean > near))
    return np.array([each.sum(axis=0) for each in found])
