"""Corrections of p values for the many comparisons that are made at once.

A new correction takes a function from p values to adjusted ones and a line in `CORRECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["CORRECTIONS", "adjust"]


def adjust(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """Adjust the p values of one family, in the order given; its size is `len(p_values)`.

    The family is every comparison that is printed. One whose test has no p stays None and counts as
    a p of 1 would: it was looked at, too, and without it the others would seem more significant for
    want of data. Three comparisons, two of them without a p: .0039 becomes .0117 by Holm.
    """
    adjusted = CORRECTIONS[correction]([1.0 if p is None else p for p in p_values])
    return [
        None if p is None else corrected for p, corrected in zip(p_values, adjusted, strict=True)
    ]


def _holm(p_values: list[float]) -> list[float]:
    """Adjust by step-down Bonferroni: family-wise error under any dependence (Holm, 1979)."""
    adjusted = [1.0] * len(p_values)
    greatest = 0.0
    ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
    for done, index in enumerate(ascending):
        greatest = max(greatest, min(1.0, p_values[index] * (len(p_values) - done)))
        adjusted[index] = greatest
    return adjusted


def _benjamini_hochberg(p_values: list[float]) -> list[float]:
    """Adjust by steps up: the expected share of false discoveries (Benjamini and Hochberg,
    1995)."""
    adjusted = [1.0] * len(p_values)
    least = 1.0
    descending = sorted(range(len(p_values)), key=lambda index: -p_values[index])
    for done, index in enumerate(descending):
        least = min(least, p_values[index] * len(p_values) / (len(p_values) - done))
        adjusted[index] = least
    return adjusted


CORRECTIONS: dict[str, Callable[[list[float]], list[float]]] = {
    "holm": _holm,
    "bh": _benjamini_hochberg,
    "none": list,
}
