"""The permutation test of the mean difference: each query's sign flipped at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from judge_tui.significance.grid import Floats, Integers, on_grid
from judge_tui.significance.paired.sums import chances_of_sums
from judge_tui.significance.result import TestResult

__all__ = ["DRAWS", "EXACT_UP_TO", "permutation"]

DRAWS = 100_000
"""Sign patterns drawn where they cannot all be had."""

EXACT_UP_TO = 32
"""Non-zero differences up to which all sign patterns are counted, whatever the values."""

_TABLE = 1_000_000
"""Greatest sum of differences, in units of their common divisor, that is counted in a table."""

_BLOCK = 8_000_000
"""Signs held in memory at once: 64 MB of them."""


def permutation(differences: Sequence[float] | Floats, seed: int) -> TestResult:
    """Two-sided and one-sided p of the mean of n paired differences under random sign flips.

    Fisher's randomisation test as recommended by Smucker, Allan and Carterette (CIKM 2007). Exact
    up to 32 non-zero differences, and beyond where the differences are multiples of a common step
    (those of P@k are); else from 100,000 sign patterns drawn from `seed`, where p = (b + 1) /
    (draws + 1) (Phipson and Smyth, 2010). Sums are compared as integers, and two that rounding to
    the grid could have parted (1/3 + 1/3 and 2/3) count as equal. Identical runs: p = 1.
    """
    grid = on_grid(differences)
    nonzero = np.abs(grid[grid != 0])
    observed = int(grid.sum())
    step = int(np.gcd.reduce(nonzero)) if len(nonzero) else 1
    table = int(nonzero.sum()) // step
    slack = len(nonzero)  # half a step for each difference, in either of two sums
    if table <= _TABLE and table * len(nonzero) <= 50 * _TABLE:
        tails = _counted(nonzero // step, observed // step, slack // step)
    elif len(nonzero) <= EXACT_UP_TO:
        tails = _halved(nonzero, observed, slack)
    else:
        tails = _drawn(nonzero, observed, slack, seed)
    return TestResult(p=tails.both, p_greater=tails.greater, p_less=tails.less)


class _Tails(NamedTuple):
    """The chance of a sum of at least the observed one, of at most it, and of at least its size."""

    greater: float
    less: float
    both: float


def _counted(sizes: Integers, observed: int, slack: int) -> _Tails:
    """Exact, by the distribution of the sum over a table of all sums there are."""
    chances = chances_of_sums(sizes)

    def at_least(bound: int) -> float:
        # Index i is the sum of the positive ones: all of them add up to 2 * i - total.
        first = max(0, -((len(chances) - 1 + bound) // -2))
        return min(1.0, float(chances[first:].sum()))

    return _both_tails(at_least, observed, slack)


def _halved(sizes: Integers, observed: int, slack: int) -> _Tails:
    """Exact for any values: the 2^n sums are those of two halves of 2^(n/2), one of them sorted."""
    left = _all_sums(sizes[: len(sizes) // 2])
    right = np.sort(_all_sums(sizes[len(sizes) // 2 :]))

    def at_least(bound: int) -> float:
        above = int((len(right) - np.searchsorted(right, bound - left, side="left")).sum())
        return above / 2.0 ** len(sizes)

    return _both_tails(at_least, observed, slack)


def _both_tails(at_least: Callable[[int], float], observed: int, slack: int) -> _Tails:
    # Flipping every sign mirrors the distribution: P(T <= x) = P(T >= -x).
    size = abs(observed) - slack
    both = 1.0 if size <= 0 else min(1.0, 2 * at_least(size))
    return _Tails(at_least(observed - slack), at_least(-observed - slack), both)


def _all_sums(sizes: Integers) -> Integers:
    sums = np.zeros(1, dtype=np.int64)
    for size in sizes:
        sums = np.concatenate((sums - size, sums + size))
    return sums


def _drawn(sizes: Integers, observed: int, slack: int, seed: int) -> _Tails:
    greater = less = both = 1  # the observed pattern is one of those that might have come
    for signs in _signs(len(sizes), seed):
        # Whole numbers below 2^53 in floats: exact, and a matrix product is fast only for floats.
        sums = signs @ sizes.astype(np.float64)
        greater += int((sums >= observed - slack).sum())
        less += int((sums <= observed + slack).sum())
        both += int((np.abs(sums) >= abs(observed) - slack).sum())
    return _Tails(greater / (DRAWS + 1), less / (DRAWS + 1), both / (DRAWS + 1))


def _signs(n: int, seed: int) -> Iterator[Floats]:
    """Blocks of rows of n signs, -1.0 or 1.0, together `DRAWS` rows; the same for the same seed."""
    generator = np.random.Generator(np.random.PCG64(seed))
    row = -(-n // 8)
    rows = max(1, _BLOCK // n)
    for start in range(0, DRAWS, rows):
        count = min(rows, DRAWS - start)
        octets = np.frombuffer(generator.bytes(count * row), dtype=np.uint8)
        bits = np.unpackbits(octets.reshape(count, row), axis=1, count=n)
        yield bits.astype(np.float64) * 2 - 1
