"""Matrix products in pieces that stay in the cache and on one thread."""

from __future__ import annotations

import numpy as np

from judge_tui.significance.grid import Floats

__all__ = ["multiply", "rows_at_once"]

_ONE_THREAD = 2**18
"""Multiplications up to which OpenBLAS keeps a product on one thread. Thousands of products of
threads that wait for each other take 5 seconds instead of a half where others work, too."""

_DEEP = 256
_WIDE = 160
_FEWEST_ROWS, _MOST_ROWS = 32, 250


def rows_at_once(depth: int, columns: int) -> int:
    """How many rows of so many numbers a piece takes to make good use of a thread; at most 250."""
    multiplied = min(depth, _DEEP) * max(2, min(columns, _WIDE))
    return min(_MOST_ROWS, max(_FEWEST_ROWS, _ONE_THREAD // multiplied))


def multiply(left: Floats, right: Floats, out: Floats) -> None:
    """Write left @ right to `out`: rows x depth and depth x columns, two or more of each.

    Exact, and so the same however it is cut, where all sums are whole numbers below 2^53. (One row
    or column alone is shared among threads much sooner.)
    """
    depth, columns = right.shape
    rows = rows_at_once(depth, columns)
    wide = _ONE_THREAD // (rows * min(depth, _DEEP))
    for top in range(0, len(left), rows):
        some = left[top : top + rows]
        for side in range(0, columns, wide):
            values = right[:, side : side + wide]
            part = out[top : top + rows, side : side + wide]
            np.matmul(some[:, :_DEEP], values[:_DEEP], out=part)
            for start in range(_DEEP, depth, _DEEP):
                part += some[:, start : start + _DEEP] @ values[start : start + _DEEP]
