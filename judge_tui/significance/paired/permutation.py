"""The permutation test of the mean difference: each query's sign flipped at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from judge_tui.significance.grid import Floats, Integers, on_grid
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
    (draws + 1) (Phipson and Smyth, 2010). Sums are compared as integers. Identical runs: p = 1.
    """
    grid = on_grid(differences)
    nonzero = np.abs(grid[grid != 0])
    observed = int(grid.sum())
    step = int(np.gcd.reduce(nonzero)) if len(nonzero) else 1
    table = int(nonzero.sum()) // step
    if table <= _TABLE and table * len(nonzero) <= 50 * _TABLE:
        greater, less, both = _counted(nonzero // step, observed // step)
    elif len(nonzero) <= EXACT_UP_TO:
        greater, less, both = _halved(nonzero, observed)
    else:
        greater, less, both = _drawn(nonzero, observed, seed)
    return TestResult(p=both, p_greater=greater, p_less=less)


def _counted(sizes: Integers, observed: int) -> tuple[float, float, float]:
    """Exact, by the distribution of the sum over a table of all sums there are."""
    chances = np.zeros(int(sizes.sum()) + 1)
    chances[0] = 1.0
    for size in sizes:
        shifted = np.zeros_like(chances)
        shifted[size:] = chances[: len(chances) - size]
        chances = (chances + shifted) / 2
    # Index i stands for the sum 2 * i - total.
    total = len(chances) - 1
    place, mirror = (total + observed) // 2, (total - observed) // 2
    greater = min(1.0, float(chances[place:].sum()))
    less = min(1.0, float(chances[: place + 1].sum()))
    low, high = min(place, mirror), max(place, mirror)
    both = 1.0 if low == high else float(chances[: low + 1].sum() + chances[high:].sum())
    return greater, less, min(1.0, both)


def _halved(sizes: Integers, observed: int) -> tuple[float, float, float]:
    """Exact for any values: the 2^n sums are those of two halves of 2^(n/2), one of them sorted."""
    left = _all_sums(sizes[: len(sizes) // 2])
    right = np.sort(_all_sums(sizes[len(sizes) // 2 :]))
    patterns = 2.0 ** len(sizes)

    def at_least(bound: int) -> int:
        return int((len(right) - np.searchsorted(right, bound - left, side="left")).sum())

    greater = at_least(observed)
    less = at_least(-observed)  # the distribution is symmetric
    both = int(patterns) if observed == 0 else 2 * at_least(abs(observed))
    return greater / patterns, less / patterns, both / patterns


def _all_sums(sizes: Integers) -> Integers:
    sums = np.zeros(1, dtype=np.int64)
    for size in sizes:
        sums = np.concatenate((sums - size, sums + size))
    return sums


def _drawn(sizes: Integers, observed: int, seed: int) -> tuple[float, float, float]:
    greater = less = both = 0
    for signs in _signs(len(sizes), seed):
        # Whole numbers below 2^53 in floats: exact, and a matrix product is fast only for floats.
        sums = signs @ sizes.astype(np.float64)
        greater += int((sums >= observed).sum())
        less += int((sums <= observed).sum())
        both += int((np.abs(sums) >= abs(observed)).sum())
    return (greater + 1) / (DRAWS + 1), (less + 1) / (DRAWS + 1), (both + 1) / (DRAWS + 1)


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
