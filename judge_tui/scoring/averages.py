"""How the values of several queries become one number, the same to the last digit everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

__all__ = ["geometric_mean", "mean", "total"]

_LEAST = 0.00001


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


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean of at least one value, each taken for at least 0.00001.

    trec_eval's rule (`MIN_GEO_MEAN`): one query that scores 0 would make everything 0.
    """
    return exp(total([log(max(value, _LEAST)) for value in values]) / len(values))
