"""Matrix products in pieces that stay in the cache and on one thread."""

from __future__ import annotations

import numpy as np

from judge_tui.significance.grid import Floats

__all__ = ["multiply"]

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
