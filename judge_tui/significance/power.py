"""What a number of queries can show: the power of a paired t test, and the number it takes.

From the noncentral t distribution, as G*Power and statsmodels' `TTestPower` have it (Cohen, 1988).
An effect is d_z: the mean difference over the standard deviation of the differences. `alpha` is
that of a single test, before any correction.
"""

from __future__ import annotations

from functools import lru_cache
from math import isfinite, sqrt

from judge_tui.errors import UsageError
from judge_tui.significance.levels import refuse_alpha, refuse_power
from judge_tui.significance.noncentral_t import critical_t, upper_tail
from judge_tui.significance.result import Alternative

__all__ = ["MOST_QUERIES", "POWER", "detectable_effect", "power_of", "queries_needed"]

POWER = 0.8

MOST_QUERIES = 10**9
"""Beyond this many nobody judges."""

_GREATEST_SHIFT = 512.0


def power_of(
    effect: float, n: int, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> float | None:
    """The chance that a paired t test of n queries is significant where the effect is d_z.

    Of a one-sided alternative the effect lies on the side asked about; its sign does not matter.
    None for fewer than two queries.
    """
    _refuse_none(effect)
    refuse_alpha(alpha)
    if n < 2:
        return None
    df, shift = n - 1, abs(effect) * sqrt(n)
    if alternative != "two-sided":
        return upper_tail(critical_t(alpha, df), df, shift)
    bound = critical_t(alpha / 2, df)
    return min(1.0, upper_tail(bound, df, shift) + upper_tail(bound, df, -shift))


@lru_cache(maxsize=1024)
def detectable_effect(
    n: int, alpha: float = 0.05, alternative: Alternative = "two-sided", power: float = POWER
) -> float | None:
    """The smallest d_z that a paired t test of n queries detects with that power.

    None for fewer than two queries, for an alpha near 0 at two or three (no effect below about
    500 / sqrt(n) would do), and for a power no greater than alpha, which no effect at all has.
    """
    if n < 2 or not 0 < alpha < power < 1:
        return None

    def seen(d: float) -> float:
        return power_of(d, n, alpha, alternative) or 0.0

    low, high = 0.0, 1.0 / sqrt(n)
    while seen(high) < power:
        low, high = high, 2 * high
        if high * sqrt(n) > _GREATEST_SHIFT:
            return None
    for _ in range(50):
        middle = (low + high) / 2
        if seen(middle) < power:
            low = middle
        else:
            high = middle
    return high


def queries_needed(
    effect: float,
    power: float = POWER,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> int | None:
    """The least number of queries with which a paired t test sees the effect with that power.

    statsmodels' `solve_power`, rounded up. None where a thousand million do not suffice. Raises
    `UsageError` for an effect of 0, and unless 0 < alpha < 1 and alpha < power < 1.
    """
    _refuse_none(effect)
    refuse_power(power, alpha)

    def enough(n: int) -> bool:
        return (power_of(effect, n, alpha, alternative) or 0.0) >= power

    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
        if low > MOST_QUERIES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _refuse_none(effect: float) -> None:
    if not (isfinite(effect) and effect):
        raise UsageError(f"an effect of {effect:g} cannot be looked for", "write one such as 0.3")
