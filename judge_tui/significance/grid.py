"""Differences as whole numbers. 0.7 - 0.5 and 0.4 - 0.2 are one difference to a reader and two to a
float; compared with `>=`, that noise decides about ties and so about p. Every test here ranks and
compares differences in steps of 1e-9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge_tui.errors import UsageError

__all__ = ["STEP", "STEPS", "Floats", "Integers", "on_grid"]

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
