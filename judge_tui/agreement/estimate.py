"""A coefficient with its interval, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["NORMAL_95", "Estimate", "estimate", "reasons_of", "student_95", "values_of"]

NORMAL_95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution: half of a 95 % interval, in errors."""

# An error below this is the rounding of floats, not the spread of any data.
_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient. `value` is None where it is undefined, `ci95` where no interval can be given,
    and `why` says, in one clause, what is missing and for which reason.
    """

    value: float | None
    ci95: tuple[float, float] | None = None
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """`value`, `ci95`, and `why` where something is missing: plain lists, numbers, None."""
        fields: dict[str, Any] = {
            "value": self.value,
            "ci95": None if self.ci95 is None else list(self.ci95),
        }
        if self.why is not None:
            fields["why"] = self.why
        return fields


def estimate(value: float, error: float, quantile: float = NORMAL_95) -> Estimate:
    """`value` plus and minus `quantile` standard errors, kept within -1 and 1.

    An error of zero (perfect agreement; a judge who gave one grade only) would make an interval
    without width, which claims certainty that a sample cannot give: the interval is then None.
    """
    if error < _NOTHING:
        return Estimate(value, None, "no interval: the large-sample error is zero here")
    reach = quantile * error
    return Estimate(value, (max(-1.0, value - reach), min(1.0, value + reach)))


def student_95(freedom: float) -> float:
    """The 97.5 % point of Student's t. scipy.special, because scipy.stats takes 0.7 s to import."""
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(freedom, 0.975))


def values_of(estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """As the JSON has several: the value of each, and under `ci95` the interval of each."""
    fields: dict[str, Any] = {name: found.value for name, found in estimates.items()}
    fields["ci95"] = {name: found.to_dict()["ci95"] for name, found in estimates.items()}
    return fields


def reasons_of(estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """`why` as the JSON has it: what each lacks that lacks something; {} where none does."""
    reasons = {name: found.why for name, found in estimates.items() if found.why}
    return {"why": reasons} if reasons else {}
