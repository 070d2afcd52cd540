"""Two judges, side by side: every coefficient that is made for two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from judge_tui.agreement.ac import ac2
from judge_tui.agreement.confusion import Confusion, total
from judge_tui.agreement.estimate import Estimate
from judge_tui.agreement.kappa import cohen_kappa
from judge_tui.agreement.percent import percent_agreement

__all__ = ["Between", "between"]


@dataclass(frozen=True, slots=True)
class Between:
    """How two judges agree on the `pairs` that both graded.

    `confusion` counts over the whole scale, the first judge's grades in the rows; `estimates` maps
    `agreement`, `kappa`, `kappa_linear`, `kappa_quadratic` and `ac2` to value and interval.
    """

    judges: tuple[str, str]
    pairs: int
    confusion: tuple[tuple[int, ...], ...]
    estimates: dict[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`; `why` holds a reason for each coefficient that lacks one."""
        fields: dict[str, Any] = {"judges": list(self.judges), "pairs": self.pairs}
        intervals: dict[str, list[float] | None] = {}
        for name, estimate in self.estimates.items():
            fields[name] = estimate.value
            intervals[name] = None if estimate.ci95 is None else list(estimate.ci95)
        fields["ci95"] = intervals
        reasons = {name: found.why for name, found in self.estimates.items() if found.why}
        if reasons:
            fields["why"] = reasons
        fields["confusion"] = [list(row) for row in self.confusion]
        return fields


def between(judges: tuple[str, str], confusion: Confusion, scale: Sequence[int]) -> Between:
    """All coefficients of two judges from their confusion matrix over the whole `scale`."""
    return Between(
        judges=judges,
        pairs=total(confusion),
        confusion=tuple(tuple(row) for row in confusion),
        estimates={
            "agreement": percent_agreement(confusion),
            "kappa": cohen_kappa(confusion),
            "kappa_linear": cohen_kappa(confusion, "linear"),
            "kappa_quadratic": cohen_kappa(confusion, "quadratic"),
            "ac2": ac2(confusion, scale),
        },
    )
