"""A coefficient with its interval, or the reason why there is none; and how strong an alpha is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from math import sqrt
from typing import TYPE_CHECKING, Any

from judge_tui.counts import counted

if TYPE_CHECKING:
    from judge_tui.arrays import Floats, Ints

NORMAL_95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution: half of a 95 % interval, in errors."""

NO_PAIRS = "no pair has two grades to compare"

# A variance, and an error, below these are the rounding of floats, not the spread of any data.
_NO_SPREAD = 1e-18
_NO_ERROR = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient. `value` is None where it is undefined, `ci95` where no interval can be given,
    and `why` says, in one clause, what is missing and for which reason."""

    value: float | None
    ci95: tuple[float, float] | None = None
    why: str | None = None

    @property
    def ends(self) -> list[float] | None:
        """The interval as JSON has it."""
        return None if self.ci95 is None else list(self.ci95)

    def to_dict(self) -> dict[str, Any]:
        """Return `value`, `ci95`, and `why` where something is missing, as JSON has them."""
        why = {} if self.why is None else {"why": self.why}
        return {"value": self.value, "ci95": self.ends, **why}


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
        fields |= {"pairs": self.pairs, **values_of(self.estimates)}
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


def student_95(freedom: int) -> float:
    """Return the 97.5 % point of Student's t."""
    # Not for whoever only shows numbers; and scipy.stats would take 0.7 s to import.
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(freedom, 0.975))


def mean_of(differences: Floats, times: Ints) -> Estimate:
    """Return the mean of differences, each of which was seen so many `times`, with Student's
    interval."""
    n = int(times.sum())
    if not n:
        return Estimate(None, None, NO_PAIRS)
    mean = float(times @ differences) / n
    if n < 3:
        return Estimate(mean, None, "no interval: it takes three pairs")
    variance = float(times @ (differences - mean) ** 2) / (n - 1)
    if variance < _NO_SPREAD:
        return Estimate(mean, None, "no interval: the difference is the same everywhere")
    reach = student_95(n - 1) * (variance / n) ** 0.5
    return Estimate(mean, (mean - reach, mean + reach))


FEW_PAIRS = 30
"""With fewer pairs every interval is itself uncertain."""

TENTATIVE = 0.667
FIRM = 0.80


def strength_of(alpha: float) -> str:
    """Return how strong an alpha is: `weak` below .667, `firm` from .80 on, `tentative` between.

    Krippendorff (2004), Content Analysis, 2nd ed., 11.4: rely on data from .80 on, draw tentative
    conclusions from .667 on.
    """
    if alpha >= FIRM:
        return "firm"
    return "tentative" if alpha >= TENTATIVE else "weak"


def shown_alpha(alpha: float, decimals: int = 2) -> str:
    """Round an alpha, to as many more decimals as it takes for the number to be as strong as the
    word says: .797 is 0.797 and tentative, not 0.80."""
    for more in count(decimals):
        # Added to a zero, what rounds to -0 is 0.
        rounded = f"{round(alpha, more) + 0.0:.{more}f}"
        if strength_of(float(rounded)) == strength_of(alpha):
            break
    return rounded


def shown_span(ci95: tuple[float, float]) -> str:
    """Write an interval of alpha: `0.41 to 0.797`."""
    low, high = ci95
    return f"{shown_alpha(low)} to {shown_alpha(high)}"


def verdict_of(alpha: Estimate, pairs: int) -> str:
    """Say how strong an alpha is, and what speaks against relying on that: `firm, but from only 4
    pairs, and the interval reaches down to .41 (weak)`. `pairs`: those graded by two judges or
    more."""
    if alpha.value is None:
        return f"undefined: {alpha.why}"
    strength = strength_of(alpha.value)
    doubts = []
    if pairs < FEW_PAIRS:
        doubts.append(f"from only {counted(pairs, 'pair')}")
    if alpha.ci95 is None:
        doubts.append("without an interval")
    for way, end in zip(("down", "up"), alpha.ci95 or (), strict=False):
        if strength_of(end) != strength:
            doubts.append(f"the interval reaches {way} to {shown_alpha(end)} ({strength_of(end)})")
            break
    return f"{strength}, but {' and '.join(doubts)}" if doubts else strength
