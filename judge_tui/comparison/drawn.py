"""The permutation test: all sign patterns counted, or as many drawn at random, the same for all
pairs: matrix products of patterns and pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from judge_tui.comparison.corrections import Floats, Integers, on_grid
from judge_tui.comparison.exact import Tails, chances_of_sums
from judge_tui.comparison.result import TestResult

__all__ = [
    "DRAWS",
    "EXACT_SIGNS",
    "drawn_tails",
    "multiply",
    "permutation",
    "permutation_tests",
]

DRAWS = 100_000
"""Sign patterns drawn where they cannot all be counted."""

_SIGNS = 8_000_000
"""Signs drawn at once, one bit each."""

_PATTERNS, _PAIRS = 250, 320
"""Patterns and pairs at once, whose sums are still in the cache when they are counted, in octets.
Fewer patterns where there are many queries: no more than `_BITS` of them."""

_BITS = 400_000


def drawn_tails(grid: Integers, seed: int) -> list[Tails]:
    """Pairs x queries -> for each pair p = (b + 1) / (draws + 1) of its sum, compared exactly."""
    if not len(grid):
        return []
    observed = grid.sum(axis=1)
    # Mirrored where that makes the sum positive, so that opposite pairs have opposite p.
    forward = np.where(observed < 0, -1, 1)
    size = np.abs(observed)
    slack = np.count_nonzero(grid, axis=1)  # half a step for each difference, in either sum
    towards, beyond, opposite = _count_draws(grid * forward[:, np.newaxis], size, slack / 2, seed)
    # The observed pattern is one of those that might have come.
    up = ((towards + 1) / (DRAWS + 1)).tolist()
    down = ((DRAWS - beyond + 1) / (DRAWS + 1)).tolist()
    both = np.where(size <= slack, 1.0, (towards + opposite + 1) / (DRAWS + 1)).tolist()
    return [
        Tails(up[place], down[place], both[place])
        if direction > 0
        else Tails(down[place], up[place], both[place])
        for place, direction in enumerate(forward.tolist())
    ]


def _count_draws(
    grid: Integers, size: Integers, half_slack: NDArray[np.float64], seed: int
) -> tuple[Integers, Integers, Integers]:
    """For each pair, how many patterns give a sum of at least `size`, above it, at most -`size`."""
    # What is added up is the positive ones, s: all of them add up to 2 * s - size. Whole numbers
    # below 2^53 in floats: exact in any order, and a matrix product is fast only for floats.
    pairs, n = grid.shape
    columns = np.zeros((n, max(2, pairs)))
    columns[:, :pairs] = grid.T
    bounds = np.zeros((3, max(2, pairs)))
    bounds[:, :pairs] = size - half_slack, size + half_slack, half_slack
    counts = np.zeros((3, max(2, pairs)), dtype=np.int64)
    chunks = [slice(start, start + _PAIRS) for start in range(0, pairs, _PAIRS)]
    chunked = [(chunk, np.ascontiguousarray(columns[:, chunk])) for chunk in chunks]
    patterns = min(_PATTERNS, max(2, _BITS // n))
    for octets in _octets(n, seed):
        for start in range(0, len(octets), patterns):
            some = octets[start : start + patterns]
            bits = np.unpackbits(some, axis=1, count=n).astype(np.float64)
            for chunk, values in chunked:
                sums = np.empty((len(bits), values.shape[1]))
                multiply(bits, values, sums)
                at_least, above, at_most = bounds[:, chunk]
                hits = np.empty((3, *sums.shape), dtype=np.bool_)
                np.greater_equal(sums, at_least, out=hits[0])
                np.greater(sums, above, out=hits[1])
                np.less_equal(sums, at_most, out=hits[2])
                counts[:, chunk] += np.add.reduce(hits.view(np.uint8), axis=1, dtype=np.uint8)
    return counts[0, :pairs], counts[1, :pairs], counts[2, :pairs]


def _octets(n: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Blocks of rows of n bits, together `DRAWS` rows; the same for the same seed and n."""
    generator = np.random.Generator(np.random.PCG64(seed))
    row = -(-n // 8)
    rows = max(1, _SIGNS // n)
    for start in range(0, DRAWS, rows):
        count = min(rows, DRAWS - start)
        yield np.frombuffer(generator.bytes(count * row), dtype=np.uint8).reshape(count, row)


_ONE_THREAD = 2**18
"""Multiplications up to which OpenBLAS keeps a product on one thread. Thousands of products of
threads that wait for each other take 5 seconds instead of a half where others work, too."""

_DEEP = 256
_FEWEST, _MOST = 64, 256
"""Rows in a piece."""


def multiply(left: Floats, right: Floats, out: Floats) -> None:
    """Write left @ right to `out`: rows x depth and depth x columns, two or more of each.

    Exact, and so the same however it is cut, where all sums are whole numbers below 2^53. (One row
    or column alone is shared among threads much sooner.)
    """
    depth, columns = right.shape
    deep = min(depth, _DEEP)
    rows = min(_MOST, max(_FEWEST, _ONE_THREAD // (deep * columns)))
    wide = _ONE_THREAD // (deep * rows)
    for top in range(0, len(left), rows):
        some = left[top : top + rows]
        for side in range(0, columns, wide):
            values = right[:, side : side + wide]
            part = out[top : top + rows, side : side + wide]
            np.matmul(some[:, :deep], values[:deep], out=part)
            for start in range(deep, depth, deep):
                part += some[:, start : start + deep] @ values[start : start + deep]


EXACT_SIGNS = 28
"""Non-zero differences up to which all sign patterns are counted, whatever the values: a
millisecond's work."""

_TABLE = 20_000
"""Greatest sum of differences, in units of their common divisor, that is counted in a table: to
count takes no more than a few times as long as to draw."""


def permutation(differences: Sequence[float] | Floats, seed: int) -> TestResult:
    """Two-sided and one-sided p of the mean of n paired differences under random sign flips.

    As `permutation_tests`, of one pair.
    """
    (result,) = permutation_tests(np.asarray(differences, dtype=np.float64)[np.newaxis], seed)
    return result


def permutation_tests(differences: Floats, seed: int) -> list[TestResult]:
    """p of the mean difference under random sign flips: pairs x queries -> one result a pair.

    Fisher's randomisation test as recommended by Smucker, Allan and Carterette (CIKM 2007). Exact
    up to 28 non-zero differences, and beyond where the differences are multiples of a common step
    (those of P@k are); else from 100,000 sign patterns drawn from `seed`, where p = (b + 1) /
    (draws + 1) (Phipson and Smyth, 2010). Sums are compared as integers, and two that rounding to
    the grid could have parted (1/3 + 1/3 and 2/3) count as equal. Identical runs: p = 1.

    All pairs share the patterns that are drawn, which depend on the seed and the number of queries
    alone: a pair has the same p whatever is tested beside it, and the opposite pair the mirrored.
    """
    grid = on_grid(differences)
    tails = [_counted(row) for row in grid]
    drawn = [place for place, counted in enumerate(tails) if counted is None]
    for place, found in zip(drawn, drawn_tails(grid[drawn], seed), strict=True):
        tails[place] = found
    return [
        TestResult(p=both, p_greater=greater, p_less=less)
        for greater, less, both in (found for found in tails if found is not None)
    ]


def _counted(grid: Integers) -> Tails | None:
    """Exact, or None where the patterns are too many to count."""
    observed = int(grid.sum())
    sizes = np.abs(grid[grid != 0])
    step = int(np.gcd.reduce(sizes)) if len(sizes) else 1
    slack = len(sizes)  # half a step of the grid for each difference, in either of two sums
    if int(sizes.sum()) // step <= _TABLE:
        return _in_a_table(sizes // step, observed // step, slack // step)
    return _in_two_halves(sizes, observed, slack) if len(sizes) <= EXACT_SIGNS else None


def _in_a_table(sizes: Integers, observed: int, slack: int) -> Tails:
    """By the distribution of the sum over all sums there are."""
    chances = chances_of_sums(sizes)

    def at_least(bound: int) -> float:
        # Index i is the sum of the positive ones: all of them add up to 2 * i - total.
        first = max(0, -((len(chances) - 1 + bound) // -2))
        return min(1.0, float(chances[first:].sum()))

    return Tails.mirrored(at_least, observed, slack)


def _in_two_halves(sizes: Integers, observed: int, slack: int) -> Tails:
    """For any values: the 2^n sums are those of two halves of 2^(n/2) each, both sorted."""
    left = np.sort(_all_sums(sizes[: len(sizes) // 2]))
    right = np.sort(_all_sums(sizes[len(sizes) // 2 :]))

    def at_least(bound: int) -> float:
        # Needles in ascending order are found several times as fast.
        above = int((len(right) - np.searchsorted(right, bound - left[::-1], side="left")).sum())
        return above / 2.0 ** len(sizes)

    return Tails.mirrored(at_least, observed, slack)


def _all_sums(sizes: Integers) -> Integers:
    sums = np.zeros(1, dtype=np.int64)
    for size in sizes:
        sums = np.concatenate((sums - size, sums + size))
    return sums
