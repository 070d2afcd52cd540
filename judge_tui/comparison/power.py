"""What a number of queries can show: the power of a paired t test, and the number it takes.

From the noncentral t distribution, as G*Power and statsmodels' `TTestPower` have it (Cohen, 1988).
An effect is d_z: the mean difference over the standard deviation of the differences. `alpha` is
that of a single test, before any correction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, expm1, isfinite, sqrt
from typing import NamedTuple

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

    statsmodels' `solve_power`, rounded up. None where a thousand million do not suffice. An effect
    is not 0, and 0 < alpha < power < 1.
    """

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


class PowerAnswer(NamedTuple):
    """What is answered, and the `effect` (d_z), the number of `queries` and the `power` that belong
    together; `delta`: the effect as a mean difference, None without a standard deviation. What is
    undefined is None, for the reason `why`."""

    answer: str
    effect: float | None
    delta: float | None
    queries: int | None
    power: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class PowerQuestion:
    """What a paired t test can show, uncorrected: by an effect (d_z), whose sign does not matter;
    by a number of `queries`; or by both. A mean difference `delta` and the standard deviation `sd`
    of the differences make an effect.

    Raises `UsageError` where neither is there, and for values that make no sense.
    """

    effect: float | None = None
    delta: float | None = None
    sd: float | None = None
    queries: int | None = None
    power: float = POWER
    alpha: float = 0.05
    alternative: Alternative = "two-sided"

    def __post_init__(self) -> None:
        if self.effect is not None and (self.delta is not None or self.sd is not None):
            what = "--effect cannot go with --delta or --sd"
            raise UsageError(what, "give --effect alone, or --delta and --sd")
        if self.delta is not None and self.sd is None:
            what = "--delta needs --sd"
            raise UsageError(what, "add --sd, the standard deviation of the differences")
        if self.sd is not None and not (isfinite(self.sd) and self.sd > 0):
            raise UsageError(f"the standard deviation is {self.sd:g}", "give a number above 0")
        if self.delta is not None and self.sd is not None:
            object.__setattr__(self, "effect", self.delta / self.sd)
        if self.effect is None and self.queries is None:
            what = "there is neither an effect nor a number of queries"
            raise UsageError(what, "give --effect, --queries or both")
        if self.effect is not None and not (isfinite(self.effect) and self.effect):
            raise UsageError(f"the effect is {self.effect:g}", "give another number, such as 0.3")
        if self.queries is not None and not 1 <= self.queries <= _MOST_QUERIES:
            raise UsageError(f"--queries is {self.queries}", f"give 1 to {_MOST_QUERIES}")
        refuse_alpha(self.alpha)
        if not self.alpha < self.power < 1:  # no effect at all has a power of alpha already
            what = f"power {self.power} is not between alpha {self.alpha} and 1"
            raise UsageError(what, "write .8")

    def answers(self) -> Iterator[PowerAnswer]:
        """Answer how many queries the effect takes, what power so many queries have, and what is
        the smallest effect that they show."""
        effect, n, how = self.effect, self.queries, (self.alpha, self.alternative)
        if effect is not None:
            delta = None if self.sd is None else effect * self.sd
            needed = queries_needed(effect, self.power, *how)
            why = f"{_MOST_QUERIES:,} queries do not suffice" if needed is None else ""
            reached = None if needed is None else power_of(effect, needed, *how)
            yield PowerAnswer("queries needed", effect, delta, needed, reached, why)
            if n is not None:
                had = power_of(effect, n, *how)
                why = f"a variance needs at least 2 queries, here {n}" if had is None else ""
                yield PowerAnswer("power with these queries", effect, delta, n, had, why)
        if n is not None:
            least = detectable_effect(n, *how, self.power)
            what = "smallest effect seen"
            if least is None:
                why = f"too few queries ({n}) for any power at this alpha"
                yield PowerAnswer(what, None, None, n, None, why)
            else:
                yield PowerAnswer(
                    what, least, None if self.sd is None else least * self.sd, n, self.power
                )


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
