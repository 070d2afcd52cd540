"""Sign patterns drawn at random, the same for all pairs: matrix products of patterns and pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from judge_tui.significance.grid import Integers
from judge_tui.significance.paired.tails import Tails
from judge_tui.significance.products import multiply

__all__ = ["DRAWS", "drawn_tails"]

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
