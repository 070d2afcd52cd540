"""What the exact tests count: the sums that random signs can give."""

from __future__ import annotations

import numpy as np

from judge_tui.significance.grid import Floats, Integers

__all__ = ["chances_of_sums"]


def chances_of_sums(sizes: Integers) -> Floats:
    """The chance of each sum when every one of n sizes is taken or left by a fair coin.

    `sizes` are whole numbers from 0. Index i of the result is the sum i; its length is the sum of
    all sizes plus one, the work n times that.
    """
    chances = np.zeros(int(sizes.sum()) + 1)
    chances[0] = 1.0
    for size in sizes:
        shifted = np.zeros_like(chances)
        shifted[size:] = chances[: len(chances) - size]
        chances = (chances + shifted) / 2
    return chances
