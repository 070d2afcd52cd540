"""How large a difference is, and how large it must be to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from judge_tui.significance.grid import Floats, on_grid
from judge_tui.significance.result import Alternative

__all__ = ["POWER", "detectable_effect", "effect_size"]

POWER = 0.8

_GREATEST = 1e6


def effect_size(differences: Sequence[float] | Floats) -> float | None:
    """d_z = mean / sample sd of the paired differences (Cohen, 1988).

    None for fewer than two differences and where all are equal.
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2 or len(np.unique(on_grid(values))) == 1:
        return None
    return float(values.mean() / values.std(ddof=1))


def detectable_effect(
    n: int, alpha: float = 0.05, alternative: Alternative = "two-sided", power: float = POWER
) -> float | None:
    """The smallest d_z that a paired t test of n queries detects with that power.

    From the noncentral t distribution, as statsmodels' `TTestPower`; `alpha` is that of a single
    test, before any correction. None for fewer than two queries, and where SciPy cannot compute
    the distribution: an alpha near 0 at two or three queries.
    """
    from scipy.special import ncfdtr, nctdtr, stdtrit  # noqa: PLC0415 - costs 100 ms

    if n < 2:
        return None
    two_sided = alternative == "two-sided"
    bound = float(stdtrit(n - 1, 1 - alpha / 2 if two_sided else 1 - alpha))

    def seen(d: float) -> float:
        shift = d * sqrt(n)
        if two_sided:
            # T^2 is a noncentral F: both tails at once, where nctdtr is wrong about the lower one.
            return 1 - float(ncfdtr(1, n - 1, shift * shift, bound * bound))
        return 1 - float(nctdtr(n - 1, shift, bound))

    low, high = 0.0, 1.0
    while seen(high) < power and high < _GREATEST:
        low, high = high, high * 2
    for _ in range(60):  # halves the interval to the last bit of a float
        middle = (low + high) / 2
        if seen(middle) < power:
            low = middle
        else:
            high = middle
    return high if abs(seen(high) - power) < 1e-6 else None
