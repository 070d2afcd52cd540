"""Student's t, shifted or not, without SciPy, whose import takes as long as a small comparison."""

from __future__ import annotations

from functools import lru_cache
from math import erfc, exp, expm1, sqrt

__all__ = ["critical_t", "upper_tail"]

_NEGLIGIBLE = -100.0
"""Logarithm of a weight beside the greatest: e^-100 is nothing to a float."""


def upper_tail(bound: float, df: int, shift: float = 0.0) -> float:
    """P(T > bound) for T = (Z + shift) / S: Z normal, S^2 chi-square of `df` over `df`.

    Integrated over u = log S by the trapezoidal rule, which converges exponentially here: within
    1e-12 of SciPy's `nctdtr`, and right also in the lower tail, where that one is not.
    """
    if shift > _WIDEST * (max(bound, 0.0) + 1):
        return 1.0
    # Along u the normal integral falls from 1 to 0 over a width of 1 / shift: steps must be finer.
    halvings = max(0, int(shift / sqrt(df) / 4)).bit_length()
    half = sqrt(0.5)
    total = 0.0
    for s, weight in _chi(df, halvings):
        total += weight * erfc((bound * s - shift) * half)
    return total / 2


_WIDEST = 40.0
"""No S and no Z is greater, but with a chance that is nothing to a float."""


@lru_cache(maxsize=1024)
def critical_t(tail: float, df: int) -> float:
    """The t that is exceeded with that probability, 0 < tail < 1."""
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
    """Values of S and their weights, which add up to 1; evenly spaced by their logarithms."""
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
    total = sum(weight for _, weight in nodes)
    return tuple((s, weight / total) for s, weight in nodes)
