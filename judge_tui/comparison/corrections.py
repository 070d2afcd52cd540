"""Corrections for many comparisons, one line of the registry each; effect sizes; and the grid on
which differences are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge_tui.errors import UsageError

__all__ = ["CORRECTIONS", "STEP", "STEPS", "Floats", "Integers", "adjust", "effect_size", "on_grid"]


def adjust(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """Adjusted p values of one family, in the order given; its size is `len(p_values)`.

    The family is every comparison that is printed. One whose test has no p stays None and counts as
    a p of 1 would: it was looked at, too, and left out it would make the others seem surer for want
    of data. Three comparisons, two of them without a p: .0039 becomes .0117 by Holm.
    """
    adjusted = CORRECTIONS[correction]([1.0 if p is None else p for p in p_values])
    return [
        None if p is None else corrected for p, corrected in zip(p_values, adjusted, strict=True)
    ]


def _holm(p_values: list[float]) -> list[float]:
    """Step-down Bonferroni: family-wise error under any dependence (Holm, 1979)."""
    adjusted = [1.0] * len(p_values)
    greatest = 0.0
    ascending = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for done, place in enumerate(ascending):
        greatest = max(greatest, min(1.0, p_values[place] * (len(p_values) - done)))
        adjusted[place] = greatest
    return adjusted


def _benjamini_hochberg(p_values: list[float]) -> list[float]:
    """Step-up: the expected share of false discoveries (Benjamini and Hochberg, 1995)."""
    adjusted = [1.0] * len(p_values)
    least = 1.0
    descending = sorted(range(len(p_values)), key=lambda place: -p_values[place])
    for done, place in enumerate(descending):
        least = min(least, p_values[place] * len(p_values) / (len(p_values) - done))
        adjusted[place] = least
    return adjusted


CORRECTIONS: dict[str, Callable[[list[float]], list[float]]] = {
    "holm": _holm,
    "bh": _benjamini_hochberg,
    "none": list,
}


def effect_size(differences: Sequence[float] | Floats) -> float | None:
    """d_z = mean / sample sd of the paired differences (Cohen, 1988).

    None for fewer than two differences and where all are equal.
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2 or np.ptp(on_grid(values)) == 0:
        return None
    return float(values.mean() / values.std(ddof=1))


STEP = 1e-9

STEPS = 1e9
"""Steps in a whole: dividing by it gives the float nearest to a value on the grid."""

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


def on_grid(differences: Sequence[float] | Floats) -> Integers:
    """Round to steps of 1e-9: floats -> as many integers, which keep their sums exact.

    The last dimension is the queries. Raises `UsageError` where a difference is not finite, or so
    great that sums of n would not be exact in a float (about 9e6 / n: measures lie between 0 and
    1).
    """
    values = np.asarray(differences, dtype=np.float64)
    steps = np.rint(values / STEP)
    if not np.all(np.abs(steps).sum(axis=-1) < 2.0**53):
        raise UsageError(
            "the differences are not finite or too great to be compared exactly",
            "give per-query values of measures, which lie between 0 and 1",
        )
    return steps.astype(np.int64)
