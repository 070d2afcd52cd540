"""Each judge against what is known: their own hidden repeats, and pairs of gold grade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from judge_tui.agreement.confusion import Confusion
from judge_tui.agreement.estimate import Estimate, reasons_of, student_95
from judge_tui.agreement.two_judges import between

__all__ = ["Checked", "checked", "unchecked"]


@dataclass(frozen=True, slots=True)
class Checked:
    """How one judge's grades agree with other grades of the same `pairs`.

    `confusion` counts over the whole scale, the judge's first grades in the rows. `estimates`: as
    of `Between`, and `bias`, the mean of the judge's first grade less the other one, in grades,
    with Student's interval.
    """

    pairs: int
    confusion: tuple[tuple[int, ...], ...]
    estimates: dict[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        fields: dict[str, Any] = {"pairs": self.pairs}
        fields |= {name: found.value for name, found in self.estimates.items()}
        fields["ci95"] = {
            name: None if found.ci95 is None else list(found.ci95)
            for name, found in self.estimates.items()
        }
        fields |= reasons_of(self.estimates)
        fields["confusion"] = [list(row) for row in self.confusion]
        return fields


def checked(confusion: Confusion, scale: Sequence[int]) -> Checked:
    """All coefficients of a judge and what the judge is checked against."""
    two = between(("", ""), confusion, scale)
    return Checked(two.pairs, two.confusion, {**two.estimates, "bias": _bias(confusion, scale)})


def unchecked(scale: Sequence[int], why: str) -> Checked:
    """Of a judge of whom nothing can be checked."""
    empty = tuple((0,) * len(scale) for _ in scale)
    names = [*between(("", ""), empty, scale).estimates, "bias"]
    return Checked(0, empty, {name: Estimate(None, None, why) for name in names})


def _bias(confusion: Confusion, scale: Sequence[int]) -> Estimate:
    cells = [
        (a - b, count)
        for a, row in zip(scale, confusion, strict=True)
        for b, count in zip(scale, row, strict=True)
        if count
    ]
    n = sum(count for _, count in cells)
    mean = sum(step * count for step, count in cells) / n
    if n < 2:
        return Estimate(mean, None, "no interval: it takes two pairs")
    variance = sum(count * (step - mean) ** 2 for step, count in cells) / (n - 1)
    if variance < 1e-18:
        return Estimate(mean, None, "no interval: the difference is the same everywhere")
    reach = student_95(n - 1) * sqrt(variance / n)
    return Estimate(mean, (mean - reach, mean + reach))
