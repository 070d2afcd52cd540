"""A coefficient with its interval, or the reason why there is none; and how many pairs it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from judge_tui.arrays import Floats, Ints

NORMAL_95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution: half of a 95 % interval, in errors."""

NO_PAIRS = "no pair has two grades to compare"
NO_SPREAD = 1e-18
"""A variance below this is the rounding of floats: the differences are all the same."""

# An error below this is the rounding of floats, not the spread of any data.
_NO_ERROR = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient. `value` is None where it is undefined, `ci95` where no interval can be given,
    and `why` says, in one clause, what is missing and for which reason.
    """

    value: float | None
    ci95: tuple[float, float] | None = None
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return `value`, `ci95`, and `why` where something is missing, as JSON has them."""
        why = {} if self.why is None else {"why": self.why}
        return {"value": self.value, "ci95": self.ends, **why}

    @property
    def ends(self) -> list[float] | None:
        """The interval as JSON has it."""
        return None if self.ci95 is None else list(self.ci95)


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Coefficients of the grades of so many `pairs`, by name.

    `confusion`: counts over the whole scale, the first judge's grades, or a judge's first grades,
    in the rows. `judges`: the two who are compared, where they are two.
    """

    pairs: int
    estimates: Mapping[str, Estimate]
    confusion: tuple[tuple[int, ...], ...] = ()
    judges: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return them as `agreement -f json` has them: the value of each, under `ci95` the
        interval of each, and under `why` the reason for what is missing."""
        fields: dict[str, Any] = {"judges": [*self.judges]} if self.judges else {}
        fields["pairs"] = self.pairs
        fields |= values_of(self.estimates)
        if self.confusion:
            fields["confusion"] = [[*row] for row in self.confusion]
        return fields


def values_of(estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return several estimates as JSON has them."""
    fields: dict[str, Any] = {name: one.value for name, one in estimates.items()}
    fields["ci95"] = {name: one.ends for name, one in estimates.items()}
    if reasons := {name: one.why for name, one in estimates.items() if one.why}:
        fields["why"] = reasons
    return fields


def estimate(value: float, error: float, quantile: float = NORMAL_95) -> Estimate:
    """Return `value` with an interval of `quantile` standard errors around it, within -1 and 1.

    An error of zero (perfect agreement; a judge who gave one grade only) would make an interval
    without width, which claims certainty that a sample cannot give: the interval is then None.
    """
    if error < _NO_ERROR:
        return Estimate(value, None, "no interval: the large-sample error is zero here")
    reach = quantile * error
    return Estimate(value, (max(-1.0, value - reach), min(1.0, value + reach)))


def wilson(share: float, n: float) -> Estimate:
    """Return a share of `n` independent cases with Wilson's score interval; `n` is above 0.

    Wilson (1927), JASA 22:209-212: unlike value +- error, it has a width at 0 and at 1, and stays
    between them.
    """
    z2 = NORMAL_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = NORMAL_95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At 0 and 1 an end of the interval is the share itself, but for rounding.
    low = 0.0 if share == 0 else centre - reach
    high = 1.0 if share == 1 else centre + reach
    return Estimate(share, (low, high))


def student_95(freedom: float) -> float:
    """Return the 97.5 % point of Student's t."""
    # Not for whoever only shows numbers; and scipy.stats would take 0.7 s to import.
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(freedom, 0.975))


class Mean(NamedTuple):
    """The mean of `n` differences and their sample variance; 0 where there is none."""

    value: float
    variance: float
    n: int

    @property
    def estimate(self) -> Estimate:
        """The mean with Student's interval."""
        if not self.n:
            return Estimate(None, None, NO_PAIRS)
        if self.n < 2:
            return Estimate(self.value, None, "no interval: it takes two pairs")
        if self.variance < NO_SPREAD:
            why = "no interval: the difference is the same everywhere"
            return Estimate(self.value, None, why)
        reach = student_95(self.n - 1) * (self.variance / self.n) ** 0.5
        return Estimate(self.value, (self.value - reach, self.value + reach))


def mean_of(differences: Floats, times: Ints) -> Mean:
    """Return the mean of differences, each of which was seen so many `times`."""
    n = int(times.sum())
    if not n:
        return Mean(0.0, 0.0, 0)
    mean = float(times @ differences) / n
    return Mean(mean, float(times @ (differences - mean) ** 2) / max(1, n - 1), n)


FEW_PAIRS = 30
"""Below so many pairs, an interval from resamples is itself uncertain, as it is below so many
queries."""


def enough_for_kappa(grades: int) -> int:
    """Return how many pairs it takes before intervals of kappa can be relied on.

    `grades`: how many the scale has, k. 2 k^2 is what the large-sample error of weighted kappa
    needs: Cicchetti & Fleiss (1977) for 3 to 7 grades, Cicchetti (1981), Appl. Psychol. Meas.
    5:101-104, for 8 to 10. Neither looked at 2: what 3 take is taken for them, as 2 k^2 = 8 would
    be less than anybody has shown.
    """
    return 2 * max(grades, 3) ** 2
