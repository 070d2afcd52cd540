"""How the values of several queries become one number, the same to the last digit everywhere."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["mean", "total"]


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return total(values) / len(values)


def total(values: Sequence[float]) -> float:
    """The sum of the values."""
    # From left to right, as trec_eval adds: `sum` rounds otherwise from Python 3.12 on.
    result = 0.0
    for value in values:
        result += value
    return result
