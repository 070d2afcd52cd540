"""The permutation test of the mean difference: each query's sign flipped at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.significance.grid import Floats, Integers, on_grid
from judge_tui.significance.paired.drawn_signs import DRAWS, drawn_tails
from judge_tui.significance.paired.sums import chances_of_sums
from judge_tui.significance.paired.tails import Tails
from judge_tui.significance.result import TestResult

__all__ = ["DRAWS", "EXACT_UP_TO", "permutation", "permutation_tests"]

EXACT_UP_TO = 28
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
    return _in_two_halves(sizes, observed, slack) if len(sizes) <= EXACT_UP_TO else None


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
