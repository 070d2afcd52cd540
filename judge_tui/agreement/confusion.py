"""What two judges did to the same pairs: a square table of counts over the campaign's whole scale,
the first judge's grades in the rows, the second's in the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

from judge_tui.errors import UsageError

__all__ = ["NOTHING_SHARED", "Confusion", "Weights", "margins", "standard_error", "total"]

Confusion: TypeAlias = Sequence[Sequence[int]]
Weights: TypeAlias = Sequence[Sequence[float]]
"""Credit for each cell, 1 on the diagonal, 0 for the worst disagreement; square."""

NOTHING_SHARED = "the two judges have no pair in common"


def total(confusion: Confusion) -> int:
    """How many pairs both judged. Raises `UsageError` where the table is not square."""
    if any(len(row) != len(confusion) for row in confusion) or len(confusion) < 2:
        raise UsageError(
            "a confusion matrix is square, with a row and a column for each grade of the scale",
            "count over the whole scale, grades that nobody gave included",
        )
    return sum(map(sum, confusion))


def margins(confusion: Confusion) -> tuple[list[int], list[int]]:
    """How often each grade was given: by the first judge, by the second."""
    return [sum(row) for row in confusion], [sum(column) for column in zip(*confusion, strict=True)]


def standard_error(confusion: Confusion, influence: Sequence[Sequence[float]]) -> float:
    """The large-sample standard error of a mean over the pairs, where a pair that falls into a cell
    counts as that cell's `influence`. Kappa and AC differ only in what a cell's influence is.

    The variance is taken around the mean, not as a difference of two large sums, so that it is
    zero where it should be and never negative.
    """
    n = total(confusion)
    cells = [
        (count, value)
        for counts, values in zip(confusion, influence, strict=True)
        for count, value in zip(counts, values, strict=True)
        if count
    ]
    mean = sum(count * value for count, value in cells) / n
    variance = sum(count * (value - mean) ** 2 for count, value in cells) / n
    return sqrt(variance / n)
