"""How alike two orders of the same systems are."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.significance import on_grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["kendall_tau", "order_of", "swapped", "tau_ap"]


def order_of(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.int8]:
    """int8[n, n]: 1 where the system of the row has the greater value, -1 where the smaller one, 0
    where the two are equal in steps of 1e-9. Values are finite."""
    array = np.asarray(values, dtype=np.float64)
    # Pair by pair: sums along a row, which the grid keeps exact, are not needed.
    apart = on_grid((array[:, None] - array)[..., None])[..., 0]
    return np.sign(apart).astype(np.int8)


def kendall_tau(one: NDArray[np.int8], other: NDArray[np.int8]) -> float | None:
    """Kendall's tau-b of two orders as `order_of` has them (Kendall, 1945; SciPy's `kendalltau`).

    Pairs that are tied in one of the orders count as neither the same nor opposite, and the
    greatest value is 1 all the same. None where an order ties all systems.
    """
    untied = int(np.count_nonzero(one)), int(np.count_nonzero(other))
    if not all(untied):
        return None
    agreeing = int((one.astype(np.int64) * other).sum())
    return agreeing / sqrt(untied[0] * untied[1])


def tau_ap(one: NDArray[np.int8], other: NDArray[np.int8]) -> float | None:
    """AP correlation of two orders, in which the top counts more than the bottom.

    Yilmaz, Aslam and Robertson (SIGIR 2008) compare with a true order; here neither is, so that
    it is the mean of the two directions. With ties it is the tau_AP,b of Urbano and Marrero (ICTIR
    2017): items tied at the top have nothing above them, and what is tied in one of the orders only
    is not in the same order. None where an order ties all systems.
    """
    found = _directed(one, other), _directed(other, one)
    return None if found[0] is None or found[1] is None else (found[0] + found[1]) / 2


def _directed(order: NDArray[np.int8], reference: NDArray[np.int8]) -> float | None:
    above = order < 0
    count = above.sum(axis=1)
    below = count > 0
    if not below.any():
        return None
    right = (above & (reference < 0)).sum(axis=1)
    return float(2 * (right[below] / count[below]).mean() - 1)


def swapped(one: NDArray[np.int8], other: NDArray[np.int8]) -> list[tuple[int, int]]:
    """The pairs of systems that stand in strictly opposite orders, by their places, ascending."""
    opposite = np.triu(one.astype(np.int64) * other < 0)
    return [(int(first), int(second)) for first, second in np.argwhere(opposite)]
