"""The three p of a symmetric statistic."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Tails"]


class Tails(NamedTuple):
    """The chance of a sum of at least the observed one, of at most it, and of at least its size."""

    greater: float
    less: float
    both: float

    @classmethod
    def mirrored(cls, at_least: Callable[[int], float], observed: int, slack: int) -> Tails:
        """Of sums whose signs may all be flipped: P(T <= x) = P(T >= -x).

        `at_least` gives P(T >= x); sums no more than `slack` apart count as equal.
        """
        size = abs(observed)
        towards, away = at_least(size - slack), at_least(-size - slack)
        both = 1.0 if size <= slack else min(1.0, 2 * towards)
        return cls(towards, away, both) if observed >= 0 else cls(away, towards, both)
