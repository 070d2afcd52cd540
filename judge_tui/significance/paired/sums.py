"""What the exact tests count: the sums that random signs can give."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from judge_tui.significance.grid import Floats, Integers

__all__ = ["chances_of_sums"]


def chances_of_sums(sizes: Integers) -> Floats:
    """The chance of each sum when every one of n sizes is taken or left by a fair coin.

    `sizes` are whole numbers from 0. Index i of the result is the sum i; its length is the sum of
    all sizes plus one, the work n times that. It is not to be written to.
    """
    return _chances(np.sort(sizes).tobytes())


@lru_cache(maxsize=16)  # runs without ties all have the ranks 1 to n
def _chances(ascending: bytes) -> Floats:
    sizes = np.frombuffer(ascending, dtype=np.int64)
    chances = np.zeros(int(sizes.sum()) + 1)
    chances[0] = 1.0
    reached = 1
    for size in sizes.tolist():
        halves = chances[:reached] / 2
        chances[:reached] = halves
        chances[size : size + reached] += halves
        reached += size
    chances.setflags(write=False)
    return chances
