"""Each judge against what is known: their own hidden repeats, and pairs of gold grade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from judge_tui.agreement.confusion import Confusion
from judge_tui.agreement.estimate import Estimate, reasons_of, values_of
from judge_tui.agreement.mean import mean_of
from judge_tui.agreement.two_judges import COEFFICIENTS, between

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
        return {
            "pairs": self.pairs,
            **values_of(self.estimates),
            **reasons_of(self.estimates),
            "confusion": [list(row) for row in self.confusion],
        }


def checked(confusion: Confusion, scale: Sequence[int]) -> Checked:
    """All coefficients of a judge and what the judge is checked against."""
    two = between(("", ""), confusion, scale)
    return Checked(two.pairs, two.confusion, {**two.estimates, "bias": _bias(confusion, scale)})


def unchecked(scale: Sequence[int], why: str) -> Checked:
    """Of a judge of whom nothing can be checked."""
    empty = tuple((0,) * len(scale) for _ in scale)
    names = (*COEFFICIENTS, "bias")
    return Checked(0, empty, {name: Estimate(None, None, why) for name in names})


def _bias(confusion: Confusion, scale: Sequence[int]) -> Estimate:
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    grades = np.asarray(scale, dtype=float)
    steps = grades[:, None] - grades
    return mean_of(steps.ravel(), np.ravel(confusion)).estimate
