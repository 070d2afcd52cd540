"""The bootstrap over queries: the interval of a mean, and the test of a mean difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from judge_tui.comparison.corrections import STEPS, Floats, Integers, on_grid
from judge_tui.comparison.drawn import multiply
from judge_tui.comparison.result import TestResult

__all__ = [
    "RESAMPLES",
    "bootstrap_interval",
    "bootstrap_intervals",
    "bootstrap_tests",
    "resample_counts",
    "why_no_interval",
]

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


def why_no_interval(n: int, what: str = "difference", *, units: str = "queries") -> str:
    """Why there is none over so many `units`; `what` each of them has one of."""
    if n < 2:
        return f"an interval needs at least 2 {units}, here {n}"
    return f"the {what} is the same for all {n:,} {units}, and so in every resample"


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


_NOISE = 1e-12
"""Squares that differ by less, beside the variance, are equal but for the rounding of floats."""

_PAIRS_TESTED = 64
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
    chunks = [slice(start, start + _PAIRS_TESTED) for start in range(0, len(grid), _PAIRS_TESTED)]
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
