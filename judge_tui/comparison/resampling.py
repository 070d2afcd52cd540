"""What is drawn at random: the permutation test, and the bootstrap over queries.

What is drawn depends on the seed and the number of queries alone, and all pairs share it: a pair
has the same p and the same interval, to the last bit, whatever stands beside it, and the opposite
pair the mirrored p. Sums are whole numbers below 2^53 in floats, exact in any order, and so a
matrix product gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from judge_tui.arrays import Floats, Ints
from judge_tui.comparison.paired_tests import (
    STEPS,
    TestResult,
    chances_of_sums,
    on_grid,
    varying,
    without_variance,
)

DRAWS = 100_000
"""Sign patterns drawn where they cannot all be counted."""

_EXACT_SIGNS = 28
"""Non-zero differences up to which all sign patterns are counted, whatever the values: a
millisecond's work."""

_TABLE = 20_000
"""Greatest sum of differences, in units of their common divisor, that is counted in a table: to
count takes no more than a few times as long as to draw."""


def permutation(differences: Floats, seed: int) -> list[TestResult]:
    """Test mean differences by random sign flips: pairs x queries -> one result a pair.

    Fisher's randomisation test as recommended by Smucker, Allan and Carterette (CIKM 2007). Exact
    up to 28 non-zero differences, and beyond where the differences are multiples of a common step
    (those of P@k are); else from 100,000 sign patterns drawn from `seed`, where p = (b + 1) /
    (draws + 1) (Phipson and Smyth, 2010). Sums are compared as integers, and two that rounding to
    the grid could have parted (1/3 + 1/3 and 2/3) count as equal. Identical runs: p = 1.
    """
    grid = on_grid(differences)
    found = {place: counted for place, row in enumerate(grid) if (counted := _counted(row))}
    drawn = [place for place in range(len(grid)) if place not in found]
    if drawn:
        found.update(zip(drawn, _drawn(grid[drawn], seed), strict=True))
    return [found[place] for place in range(len(grid))]


def _counted(grid: Ints) -> TestResult | None:
    """Return the exact result of one pair, None where its patterns are too many to count."""
    observed = int(grid.sum())
    sizes = np.abs(grid[grid != 0])
    step = int(np.gcd.reduce(sizes)) if len(sizes) else 1
    slack = len(sizes)  # half a step of the grid for each difference, in either of two sums
    if int(sizes.sum()) // step <= _TABLE:
        return _mirrored(_table(sizes // step), observed // step, slack // step)
    if len(sizes) <= _EXACT_SIGNS:
        return _mirrored(_two_halves(sizes), observed, slack)
    return None


def _mirrored(at_least: Callable[[int], float], observed: int, slack: int) -> TestResult:
    """Return the result of sums whose signs may all be flipped: P(T <= x) = P(T >= -x).

    `at_least` gives P(T >= x); sums no more than `slack` apart count as equal.
    """
    size = abs(observed)
    towards, away = at_least(size - slack), at_least(-size - slack)
    both = 1.0 if size <= slack else min(1.0, 2 * towards)
    greater, less = (towards, away) if observed >= 0 else (away, towards)
    return TestResult(p=both, p_greater=greater, p_less=less)


def _table(sizes: Ints) -> Callable[[int], float]:
    """Return the function P(T >= x) by the distribution of all sums."""
    chances = chances_of_sums(sizes)

    def at_least(bound: int) -> float:
        # Index i is the sum of the positive ones: all of them add up to 2 * i - total.
        first = max(0, -((len(chances) - 1 + bound) // -2))
        return min(1.0, float(chances[first:].sum()))

    return at_least


def _two_halves(sizes: Ints) -> Callable[[int], float]:
    """Return the function P(T >= x) for any values: the 2^n sums are those of two halves of 2^(n/2)
    each, sorted."""
    left = np.sort(_all_sums(sizes[: len(sizes) // 2]))
    right = np.sort(_all_sums(sizes[len(sizes) // 2 :]))

    def at_least(bound: int) -> float:
        # Needles in ascending order are found several times as fast.
        above = int((len(right) - np.searchsorted(right, bound - left[::-1], side="left")).sum())
        return above / 2.0 ** len(sizes)

    return at_least


def _all_sums(sizes: Ints) -> Ints:
    sums = np.zeros(1, dtype=np.int64)
    for size in sizes:
        sums = np.concatenate((sums - size, sums + size))
    return sums


def _drawn(grid: Ints, seed: int) -> Iterator[TestResult]:
    """Yield results with p = (b + 1) / (draws + 1): the observed pattern is one of those that might
    have come."""
    observed = grid.sum(axis=1)
    # Mirrored where that makes the sum positive, so that opposite pairs have opposite p.
    forward = np.where(observed < 0, -1, 1)
    size = np.abs(observed)
    slack = np.count_nonzero(grid, axis=1)  # half a step for each difference, in either sum
    # What is added up is the positive ones, s: all of them add up to 2 * s - size.
    bounds = np.array([size - slack / 2, size + slack / 2, slack / 2])
    columns = (grid * forward[:, np.newaxis]).T.astype(np.float64)
    towards, beyond, opposite = _count_patterns(columns, bounds, seed)
    up = (towards + 1) / (DRAWS + 1)
    down = (DRAWS - beyond + 1) / (DRAWS + 1)
    both = np.where(size <= slack, 1.0, (towards + opposite + 1) / (DRAWS + 1))
    greater, less = np.where(forward > 0, (up, down), (down, up))
    for p, p_greater, p_less in zip(both.tolist(), greater.tolist(), less.tolist(), strict=True):
        yield TestResult(p=p, p_greater=p_greater, p_less=p_less)


_SIGNS = 8_000_000
"""Signs drawn at once, one bit each."""

_SUMS = 200_000
"""Sums of patterns at once, which are still in the cache when they are counted."""

_OCTET = 255
"""Patterns at once, at most: their counts are octets."""


def _count_patterns(columns: Floats, bounds: Floats, seed: int) -> Ints:
    """Count the patterns whose positive differences add up to at least the first bound, to more
    than the second, and to at most the third: queries x pairs -> 3 x pairs."""
    n, pairs = columns.shape
    at_least, above, at_most = bounds
    counts = np.zeros((3, pairs), dtype=np.int64)
    patterns = min(_OCTET, max(2, _SUMS // max(n, pairs)))
    # Products as small as these take ten times as long where threads wait for each other.
    with threadpool_limits(limits=1, user_api="blas"):
        for octets in _octets(n, seed):
            for start in range(0, len(octets), patterns):
                some = octets[start : start + patterns]
                sums = np.unpackbits(some, axis=1, count=n).astype(np.float64) @ columns
                for which, hits in enumerate((sums >= at_least, sums > above, sums <= at_most)):
                    counts[which] += np.add.reduce(hits.view(np.uint8), axis=0, dtype=np.uint8)
    return counts


def _octets(n: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Yield blocks of rows of n bits, together `DRAWS` rows; the same for the same seed and n."""
    generator = np.random.Generator(np.random.PCG64(seed))
    row = -(-n // 8)
    rows = max(1, _SIGNS // n)
    for start in range(0, DRAWS, rows):
        count = min(rows, DRAWS - start)
        yield np.frombuffer(generator.bytes(count * row), dtype=np.uint8).reshape(count, row)


RESAMPLES = 10_000

_COUNTS = 1_000_000
"""Counts at once: 8 MB of them."""


def _resample_counts(n: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of n queries is drawn in resamples of n: blocks of resamples x queries.

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


_LEVEL = 0.95

_PAIRS_RESAMPLED = 512
"""Pairs at once: 40 MB of means."""


def bootstrap_intervals(values: Floats, seed: int) -> list[tuple[float, float] | None]:
    """Return the 95 % percentile interval of each mean (Efron, 1979): pairs x queries -> (low,
    high).

    From 10,000 resamples, summed in whole numbers of steps of 1e-9. None where all values are the
    same, as for fewer than two queries: so is every resample, and an interval without width would
    pass for certainty (`why_no_interval`).
    """
    grid = on_grid(values)
    found: list[tuple[float, float] | None] = [None] * len(grid)
    varied = np.flatnonzero(varying(grid))
    for start in range(0, len(varied), _PAIRS_RESAMPLED):
        places = varied[start : start + _PAIRS_RESAMPLED]
        for place, (low, high) in zip(places, _ends(grid[places], seed).tolist(), strict=True):
            found[place] = low, high
    return found


def _ends(grid: Ints, seed: int) -> Floats:
    pairs, n = grid.shape
    values = grid.astype(np.float64)
    sums = np.empty((pairs, RESAMPLES))
    done = 0
    with threadpool_limits(limits=1, user_api="blas"):
        for counts in _resample_counts(n, seed):
            np.matmul(values, counts.T, out=sums[:, done : done + len(counts)])
            done += len(counts)
    # Interpolated as numpy.quantile does. To part the sums at one place, twice, takes a half of the
    # time of sorting; to part them at four places at once, twice as long.
    at = np.array([(1 - _LEVEL) / 2, (1 + _LEVEL) / 2]) * (RESAMPLES - 1)
    (first, last), part = at.astype(np.int64).tolist(), at % 1
    sums.partition(last, axis=1)
    sums[:, :last].partition(first + 1, axis=1)
    low = np.column_stack([sums[:, : first + 1].max(axis=1), sums[:, last]])
    high = np.column_stack([sums[:, first + 1], sums[:, last + 1 :].min(axis=1)])
    ends: Floats = np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1 - part))
    ends /= n
    ends /= STEPS
    return ends


def why_no_interval(n: int, what: str = "difference") -> str:
    """Say why there is no interval over `n` queries, each of which has one `what`."""
    if n < 2:
        return f"an interval needs at least 2 queries, here {n}"
    return f"the {what} is the same for all {n:,} queries, and so in every resample"


_NOISE = 1e-12
"""Squares that differ by less, beside the variance, are equal but for the rounding of floats."""

_PAIRS_TESTED = 64
"""Pairs at once: 5 MB of means."""


def bootstrap(differences: Floats, seed: int) -> list[TestResult]:
    """Run the paired bootstrap test, shifted to the null and studentised: pairs x queries ->
    results.

    Efron and Tibshirani (An Introduction to the Bootstrap, 1993, 16.4) as Sakai applies it to
    search (SIGIR 2006): t = mean / (sd / sqrt(n)) of 10,000 resamples of the differences minus
    their mean; p = (b + 1) / (resamples + 1) with b of them at least as far out as the observed
    t, which is `statistic`. A resample of one value over and over has no variance, and counts as
    far out on the side of its mean. Undefined for fewer than two differences and where all are
    equal.
    """
    grid = on_grid(differences)
    results = [TestResult(why=without_variance(grid.shape[1]))] * len(grid)
    varied = np.flatnonzero(varying(grid))
    if len(varied):
        for place, result in zip(varied, _studentised(grid[varied], seed), strict=True):
            results[place] = result
    return results


def _studentised(grid: Ints, seed: int) -> Iterator[TestResult]:
    n = grid.shape[1]
    values, means = grid / STEPS, grid.sum(axis=1) / n / STEPS
    variances = values.var(axis=1, ddof=1)
    observed = means / np.sqrt(variances / n)
    # Mirrored where that makes t positive, so that opposite pairs have opposite p.
    mirror = np.where(means < 0, -1, 1)[:, np.newaxis]
    shifted = np.ascontiguousarray(((values - means[:, np.newaxis]) * mirror).T)
    counts = np.zeros((3, len(grid)), dtype=np.int64)
    chunks = [slice(start, start + _PAIRS_TESTED) for start in range(0, len(grid), _PAIRS_TESTED)]
    with threadpool_limits(limits=1, user_api="blas"):
        for resamples in _resample_counts(n, seed):
            for chunk in chunks:
                counts[:, chunk] += _count_far(
                    resamples, shifted[:, chunk], observed[chunk], variances[chunk]
                )
    for t, (out, up, beyond) in zip(observed.tolist(), counts.T.tolist(), strict=True):
        towards = (up + 1) / (RESAMPLES + 1)
        away = (RESAMPLES - beyond + 1) / (RESAMPLES + 1)
        greater, less = (towards, away) if t >= 0 else (away, towards)
        yield TestResult(t, (out + 1) / (RESAMPLES + 1), greater, less)


def _count_far(resamples: Floats, shifted: Floats, t: Floats, variances: Floats) -> Ints:
    """Count the t* that are at least |t| in size, at least |t|, and above |t|: 3 x pairs."""
    n = len(shifted)
    mean, square = resamples @ shifted / n, resamples @ shifted**2 / n
    # t* >= t is asked as mean*^2 >= t^2 var* / n: nothing is divided by a variance of 0.
    excess = mean**2 - t**2 * np.maximum(square - mean**2, 0) / (n - 1)
    noise, near = _NOISE * (1 + t**2) * variances / n, _NOISE * np.sqrt(variances)
    far = excess >= -noise
    found = (far, far & (mean >= -near), (excess > noise) & (mean > near))
    return np.array([each.sum(axis=0) for each in found])
