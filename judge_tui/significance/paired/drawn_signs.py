"""Sign patterns drawn at random, the same for all pairs: matrix products of patterns and pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from judge_tui.significance.grid import Integers
from judge_tui.significance.paired.tails import Tails

__all__ = ["DRAWS", "drawn_tails"]

DRAWS = 100_000
"""Sign patterns drawn where they cannot all be counted."""

_SIGNS = 8_000_000
"""Signs drawn at once, one bit each."""

_ONE_THREAD = 2**18
"""Multiplications in a product up to which OpenBLAS keeps it on one thread. Thousands of products
of two threads that wait for each other take 5 seconds instead of a half where others work, too."""


def drawn_tails(grid: Integers, seed: int) -> list[Tails]:
    """Pairs x queries -> for each pair p = (b + 1) / (draws + 1) of its sum, compared exactly."""
    if not len(grid):
        return []
    observed = grid.sum(axis=1)
    # Mirrored where that makes the sum positive, so that opposite pairs have opposite p.
    forward = np.where(observed < 0, -1, 1)
    size = np.abs(observed)
    slack = np.count_nonzero(grid, axis=1)  # half a step for each difference, in either sum
    towards, beyond, opposite = _count(grid * forward[:, np.newaxis], size, slack / 2, seed)
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


def _count(
    grid: Integers, size: Integers, half_slack: NDArray[np.float64], seed: int
) -> tuple[Integers, Integers, Integers]:
    """For each pair, how many patterns give a sum of at least `size`, above it, at most -`size`."""
    # What is added up is the positive ones, s: all of them add up to 2 * s - size. Whole numbers
    # below 2^53 in floats: exact in any order, and a matrix product is fast only for floats.
    columns = np.ascontiguousarray(grid.T, dtype=np.float64)
    at_least, above, at_most = size - half_slack, size + half_slack, half_slack
    towards, beyond, opposite = np.zeros((3, len(grid)), dtype=np.int64)
    patterns, pairs = _block(*grid.shape)
    chunks = [slice(start, start + pairs) for start in range(0, len(grid), pairs)]
    chunked = [(chunk, np.ascontiguousarray(columns[:, chunk])) for chunk in chunks]
    n = grid.shape[1]
    for octets in _octets(n, seed):
        for start in range(0, len(octets), patterns):
            some = octets[start : start + patterns]
            bits = np.unpackbits(some, axis=1, count=n).astype(np.float64)
            for chunk, values in chunked:
                sums = bits @ values
                towards[chunk] += _true(sums >= at_least[chunk])
                beyond[chunk] += _true(sums > above[chunk])
                opposite[chunk] += _true(sums <= at_most[chunk])
    return towards, beyond, opposite


def _block(pairs: int, n: int) -> tuple[int, int]:
    """Patterns and pairs in a product: at most 255 patterns, which are counted in octets."""
    if n > 256:
        return 250, 4096
    patterns = min(250, max(32, _ONE_THREAD // (n * min(pairs, 160))))
    return patterns, max(1, _ONE_THREAD // (n * patterns))


def _true(where: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """How many of each column."""
    counts: NDArray[np.uint8] = np.add.reduce(where.view(np.uint8), axis=0, dtype=np.uint8)
    return counts


def _octets(n: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Blocks of rows of n bits, together `DRAWS` rows; the same for the same seed and n."""
    generator = np.random.Generator(np.random.PCG64(seed))
    row = -(-n // 8)
    rows = max(1, _SIGNS // n)
    for start in range(0, DRAWS, rows):
        count = min(rows, DRAWS - start)
        yield np.frombuffer(generator.bytes(count * row), dtype=np.uint8).reshape(count, row)
