"""Sums that are the same to the last digit in every Python."""

from __future__ import annotations

from collections.abc import Iterable


def total(values: Iterable[float]) -> float:
    """The sum of the values, from left to right: `sum` rounds otherwise from Python 3.12 on."""
    result = 0.0
    for value in values:
        result += value
    return result
