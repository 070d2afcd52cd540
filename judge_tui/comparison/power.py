"""What a number of queries can show: the power of a paired t test, and the number it takes.

From the noncentral t distribution, as G*Power and statsmodels' `TTestPower` have it (Cohen, 1988).
An effect is d_z: the mean difference over the standard deviation of the differences. `alpha` is
that of a single test, before any correction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, expm1, isfinite, sqrt

from judge_tui.comparison.paired_tests import Alternative
from judge_tui.comparison.settings import refuse_alpha
from judge_tui.errors import UsageError
from judge_tui.sums import total

POWER = 0.8

_MOST_QUERIES = 10**9
"""Beyond this many nobody judges."""

_GREATEST_SHIFT = 512.0


def power_of(
    effect: float, n: int, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> float | None:
    """Return the chance that a paired t test of n queries is significant where the effect is d_z.

    Where the alternative is one-sided the effect lies on that side; its sign does not matter.
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
    """Return the smallest d_z that a paired t test of n queries detects with that power.

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
    """Return the least number of queries of which a t test detects the effect with that power.

    statsmodels' `solve_power`, rounded up. None where a thousand million do not suffice. Raises
    `UsageError` for an effect of 0, and unless 0 < alpha < 1 and alpha < power < 1.
    """
    _refuse_none(effect)
    _refuse_power(power, alpha)

    def enough(n: int) -> bool:
        return (power_of(effect, n, alpha, alternative) or 0.0) >= power

    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
        if low > _MOST_QUERIES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _refuse_power(power: float, alpha: float) -> None:
    refuse_alpha(alpha)
    if not alpha < power < 1:  # no effect at all has a power of alpha already
        raise UsageError(f"power {power} is not between alpha {alpha} and 1", "write .8")


def _refuse_none(effect: float) -> None:
    if not (isfinite(effect) and effect):
        raise UsageError(f"an effect of {effect:g} cannot be looked for", "write one such as 0.3")


@dataclass(frozen=True, slots=True)
class Plan:
    """What was asked, and what follows from it for a paired t test, uncorrected.

    Asked: `effect` (d_z; `delta` / `sd` where these were given), `queries`, `power`, `alpha`,
    `alternative`. Found: `queries_needed` to see the effect with that power, and `power_needed`,
    the power that so many have, which is at least that; `power_had`, the power of so many
    `queries` as were asked about; `detectable_effect`, the smallest that they show with that
    power, and `detectable_delta`, the same in units of the measure. What was not asked or is
    undefined is None; `why` has the reason for the latter, by name.
    """

    effect: float | None
    delta: float | None
    sd: float | None
    queries: int | None
    power: float
    alpha: float
    alternative: Alternative
    queries_needed: int | None
    power_needed: float | None
    power_had: float | None
    detectable_effect: float | None
    detectable_delta: float | None
    why: dict[str, str]


def make_plan(
    *,
    effect: float | None = None,
    delta: float | None = None,
    sd: float | None = None,
    queries: int | None = None,
    power: float = POWER,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Plan:
    """Plan a comparison by an effect, or by a mean difference and the sd of the differences.

    The sign of an effect does not matter. Raises `UsageError` where neither an effect nor a number
    of queries is given, or both an effect and a difference, and for values that make no sense.
    """
    effect = _effect(effect, delta, sd)
    if effect is None and queries is None:
        raise UsageError("neither an effect nor a number of queries", "give one of them, or both")
    _refuse_power(power, alpha)
    if queries is not None and not 1 <= queries <= _MOST_QUERIES:
        raise UsageError(f"{queries} queries are too few or too many", f"give 1 to {_MOST_QUERIES}")
    needed = had = least = reached = None
    why = {}
    if effect is not None:
        needed = queries_needed(effect, power, alpha, alternative)
        if needed is None:
            why["queries_needed"] = f"{_MOST_QUERIES:,} queries do not suffice"
        else:
            reached = power_of(effect, needed, alpha, alternative)
    if queries is not None:
        least = detectable_effect(queries, alpha, alternative, power)
        if least is None:
            why["detectable_effect"] = f"too few queries ({queries}) for any power at this alpha"
        if effect is not None:
            had = power_of(effect, queries, alpha, alternative)
            if had is None:
                why["power"] = f"a variance needs at least 2 queries, here {queries}"
    return Plan(
        effect=effect,
        delta=delta,
        sd=sd,
        queries=queries,
        power=power,
        alpha=alpha,
        alternative=alternative,
        queries_needed=needed,
        power_needed=reached,
        power_had=had,
        detectable_effect=least,
        detectable_delta=None if least is None or sd is None else least * sd,
        why=why,
    )


def _effect(effect: float | None, delta: float | None, sd: float | None) -> float | None:
    if effect is not None and (delta is not None or sd is not None):
        raise UsageError("both an effect and a difference", "give --effect, or --delta and --sd")
    if delta is not None and sd is None:
        raise UsageError(
            f"a difference of {delta:g} says nothing without its spread",
            "add --sd, the standard deviation of the differences",
        )
    if sd is not None and not (isfinite(sd) and sd > 0):
        raise UsageError(f"a standard deviation of {sd:g}", "give one above 0")
    return effect if delta is None or sd is None else delta / sd


_NEGLIGIBLE = -100.0
"""Logarithm of a weight beside the greatest: e^-100 is nothing to a float."""

_WIDEST = 40.0
"""No S and no Z is greater, but with a chance that is nothing to a float."""


def upper_tail(bound: float, df: int, shift: float = 0.0) -> float:
    """Return P(T > bound) for T = (Z + shift) / S: Z normal, S^2 chi-square of `df` over `df`.

    Integrated over u = log S by the trapezoidal rule, which converges exponentially here: within
    1e-12 of SciPy's `nctdtr`, and right also in the lower tail, where that one is not.
    """
    if shift > _WIDEST * (max(bound, 0.0) + 1):
        return 1.0
    # Along u the normal integral falls from 1 to 0 over a width of 1 / shift: steps must be finer.
    halvings = max(0, int(shift / sqrt(df) / 4)).bit_length()
    half = sqrt(0.5)
    nodes = _chi(df, halvings)
    return total(weight * erfc((bound * s - shift) * half) for s, weight in nodes) / 2


@lru_cache(maxsize=1024)
def critical_t(tail: float, df: int) -> float:
    """Return the t that is exceeded with that probability, 0 < tail < 1."""
    if tail >= 0.5:
        return -critical_t(1 - tail, df) if tail > 0.5 else 0.0
    low, high = 0.0, 1.0
    while upper_tail(high, df) > tail:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if upper_tail(middle, df) > tail:
            low = middle
        else:
            high = middle


@lru_cache(maxsize=64)
def _chi(df: int, halvings: int) -> tuple[tuple[float, float], ...]:
    """Return values of S and their weights, which add up to 1; evenly spaced by their
    logarithms."""
    step = 0.1 / sqrt(df) / 2**halvings
    nodes = []
    for direction, place in ((1, 0), (-1, 1)):
        while True:
            u = direction * place * step
            log_weight = df * (u - expm1(2 * u) / 2)
            if log_weight < _NEGLIGIBLE:
                break
            nodes.append((exp(u), exp(log_weight)))
            place += 1  # noqa: PLW2901 - counts on from where this direction begins
    whole = total(weight for _, weight in nodes)
    return tuple((s, weight / whole) for s, weight in nodes)
