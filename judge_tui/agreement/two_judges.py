"""Two judges, side by side: every coefficient that is made for two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from judge_tui.agreement.ac import ac2
from judge_tui.agreement.confusion import Confusion, total
from judge_tui.agreement.estimate import Estimate, reasons_of, values_of
from judge_tui.agreement.kappa import cohen_kappa
from judge_tui.agreement.percent import percent_agreement

__all__ = ["COEFFICIENTS", "Between", "Coefficient", "between"]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A line of the registry: the key in the JSON, how tables call it, and what it makes of a
    confusion matrix over the whole scale."""

    name: str
    called: str
    of: Callable[[Confusion, Sequence[int]], Estimate]


def _kappa(weights: str) -> Callable[[Confusion, Sequence[int]], Estimate]:
    return lambda confusion, _: cohen_kappa(confusion, weights)


COEFFICIENTS: dict[str, Coefficient] = {
    one.name: one
    for one in (
        Coefficient("agreement", "agreement", lambda confusion, _: percent_agreement(confusion)),
        Coefficient("kappa", "kappa", _kappa("none")),
        Coefficient("kappa_linear", "kappa linear", _kappa("linear")),
        Coefficient("kappa_quadratic", "kappa quadratic", _kappa("quadratic")),
        Coefficient("ac2", "AC2", ac2),
    )
}
"""What is said of every two judges, in the order in which it is told."""


@dataclass(frozen=True, slots=True)
class Between:
    """How two judges agree on the `pairs` that both graded.

    `confusion` counts over the whole scale, the first judge's grades in the rows; `estimates` maps
    each of `COEFFICIENTS` to value and interval.
    """

    judges: tuple[str, str]
    pairs: int
    confusion: tuple[tuple[int, ...], ...]
    estimates: dict[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`; `why` holds a reason for each coefficient that lacks one."""
        return {
            "judges": list(self.judges),
            "pairs": self.pairs,
            **values_of(self.estimates),
            **reasons_of(self.estimates),
            "confusion": [list(row) for row in self.confusion],
        }


def between(judges: tuple[str, str], confusion: Confusion, scale: Sequence[int]) -> Between:
    """All coefficients of two judges from their confusion matrix over the whole `scale`."""
    return Between(
        judges=judges,
        pairs=total(confusion),
        confusion=tuple(tuple(row) for row in confusion),
        estimates={name: one.of(confusion, scale) for name, one in COEFFICIENTS.items()},
    )
