"""The coefficients of two judges, and of all: percent agreement, kappa, AC1 and AC2, Fleiss' kappa,
with their intervals, or the reason why there is none; and what a value of alpha allows to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from judge_tui.errors import UsageError, unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "COEFFICIENTS",
    "FEW_PAIRS",
    "FIRM",
    "KAPPA_WEIGHTS",
    "NORMAL_95",
    "NOTHING_SHARED",
    "NO_SPREAD",
    "TENTATIVE",
    "Between",
    "Coefficient",
    "Confusion",
    "Estimate",
    "Mean",
    "ac2",
    "band",
    "between",
    "cohen_kappa",
    "enough_for_kappa",
    "estimate",
    "fleiss_kappa",
    "margins",
    "mean_of",
    "percent_agreement",
    "reasons_of",
    "shown_alpha",
    "shown_span",
    "standard_error",
    "student_95",
    "total",
    "values_of",
    "verdict_of",
    "wilson",
]

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


TENTATIVE = 0.667
FIRM = 0.80
FEW_PAIRS = 30
"""Below so many pairs, an interval from resamples is itself uncertain, as it is below so many
queries."""


def band(alpha: float) -> str:
    """`weak` below .667, `firm` from .80 on, `tentative` between.

    Krippendorff (2004), Content Analysis, 2nd ed., 11.4: rely on data from .80 on, draw tentative
    conclusions from .667 on.
    """
    if alpha >= FIRM:
        return "firm"
    return "tentative" if alpha >= TENTATIVE else "weak"


def shown_alpha(alpha: float, decimals: int = 2) -> str:
    """Rounded; cut instead where rounding leads into another band, so that number and word agree:
    .797 is 0.797 and tentative, .6669 is 0.666 and weak."""
    # Added to a zero, what rounds to -0 is 0.
    rounded = f"{round(alpha, decimals) + 0.0:.{decimals}f}"
    if band(float(rounded)) == band(alpha):
        return rounded
    # The bands begin at thousandths: what is cut there is never above the edge.
    return str(Decimal(alpha).quantize(Decimal((0, (1,), -max(3, decimals))), ROUND_FLOOR))


def shown_span(ci95: tuple[float, float]) -> str:
    """An interval of alpha: `0.41 to 0.797`."""
    low, high = ci95
    return f"{shown_alpha(low)} to {shown_alpha(high)}"


def verdict_of(alpha: Estimate, pairs: int) -> str:
    """The band with what speaks against taking it at its word: `firm, but from only 4 pairs, and
    the interval reaches down to .41 (weak)`. `pairs`: with grades of two judges or more."""
    if alpha.value is None:
        return f"undefined: {alpha.why}"
    strength = band(alpha.value)
    doubts = []
    if pairs < FEW_PAIRS:
        doubts.append(f"from only {pairs} pair{'s' * (pairs != 1)}")
    if alpha.ci95 is None:
        doubts.append("without an interval")
    else:
        low, high = alpha.ci95
        if band(low) != strength:
            doubts.append(f"the interval reaches down to {shown_alpha(low)} ({band(low)})")
        elif band(high) != strength:
            doubts.append(f"the interval reaches up to {shown_alpha(high)} ({band(high)})")
    return f"{strength}, but {' and '.join(doubts)}" if doubts else strength


def enough_for_kappa(grades: int) -> int:
    """From how many pairs on the intervals of kappa on so many grades can be relied on.

    2 k^2 is what the large-sample error of weighted kappa needs: Cicchetti & Fleiss (1977) for 3 to
    7 grades, Cicchetti (1981), Appl. Psychol. Meas. 5:101-104, for 8 to 10. Neither looked at 2:
    what 3 take is taken for them, as 2 k^2 = 8 would be less than anybody has shown.
    """
    return 2 * max(grades, 3) ** 2


NO_SPREAD = 1e-18
"""A variance below this is the rounding of floats: the differences are all the same."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `n` differences and their sample variance; 0 where there is none."""

    value: float
    variance: float
    n: int

    @property
    def estimate(self) -> Estimate:
        """With Student's interval."""
        if not self.n:
            return Estimate(None, None, "no pair has two grades to compare")
        if self.n < 2:
            return Estimate(self.value, None, "no interval: it takes two pairs")
        if self.variance < NO_SPREAD:
            why = "no interval: the difference is the same everywhere"
            return Estimate(self.value, None, why)
        reach = student_95(self.n - 1) * (self.variance / self.n) ** 0.5
        return Estimate(self.value, (self.value - reach, self.value + reach))


def mean_of(differences: NDArray[np.float64], times: NDArray[np.int64]) -> Mean:
    """Of differences of which each was seen so many times."""
    n = int(times.sum())
    if not n:
        return Mean(0.0, 0.0, 0)
    mean = float(times @ differences) / n
    return Mean(mean, float(times @ (differences - mean) ** 2) / max(1, n - 1), n)


def percent_agreement(confusion: Confusion) -> Estimate:
    """The share, 0 to 1, of the shared pairs that got one grade, with Wilson's score interval.

    Wilson (1927), JASA 22:209-212: unlike value +- error, it has a width at 0 and at 1, and stays
    between them. Undefined where the judges share no pair.
    """
    n = total(confusion)
    if n == 0:
        return Estimate(None, None, NOTHING_SHARED)
    return wilson(sum(confusion[i][i] for i in range(len(confusion))) / n, n)


def wilson(share: float, n: float) -> Estimate:
    """A share of `n` independent cases with Wilson's score interval; `n` is above 0."""
    z2 = NORMAL_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = NORMAL_95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At 0 and 1 an end of the interval is the share itself, but for rounding.
    low = 0.0 if share == 0 else centre - reach
    high = 1.0 if share == 1 else centre + reach
    return Estimate(share, (low, high))


Confusion: TypeAlias = Sequence[Sequence[int]]
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


KAPPA_WEIGHTS: dict[str, Callable[[int], int]] = {
    "none": lambda steps: int(steps > 0),
    "linear": lambda steps: steps,
    "quadratic": lambda steps: steps * steps,
}
"""How much a disagreement counts, by how many steps of the scale the two grades lie apart."""


def cohen_kappa(confusion: Confusion, weights: str = "none") -> Estimate:
    """Agreement beyond what the two judges' own habits give by chance: 1 is perfect, 0 is chance.

    `confusion`: counts over the whole scale, square. `weights`: a key of `KAPPA_WEIGHTS`; distances
    are steps on the scale, whatever the grades are called, as in scikit-learn's
    `cohen_kappa_score` with `labels=`, statsmodels and R's irr.

    Cohen (1960), Educ. Psychol. Meas. 20:37-46; weighted: Cohen (1968), Psychol. Bull. 70:213-220.
    The interval is value +- 1.96 large-sample standard errors: Fleiss, Cohen & Everitt (1969),
    Psychol. Bull. 72:323-327. Undefined where both judges gave one and the same grade throughout:
    then chance alone agrees fully. Raises `UsageError` for unknown weights.
    """
    if weights not in KAPPA_WEIGHTS:
        raise unknown("weighting", weights, KAPPA_WEIGHTS)
    n = total(confusion)
    if n == 0:
        return Estimate(None, None, NOTHING_SHARED)
    grades = range(len(confusion))
    rows, columns = margins(confusion)
    loss = [[KAPPA_WEIGHTS[weights](abs(i - j)) for j in grades] for i in grades]
    # Whole numbers until the one division, so that "undefined" is exact.
    observed = sum(loss[i][j] * confusion[i][j] for i in grades for j in grades)
    expected = sum(loss[i][j] * rows[i] * columns[j] for i in grades for j in grades)
    if expected == 0:
        return Estimate(None, None, "both judges gave one and the same grade to every pair")
    remaining = n * observed / expected

    worst = loss[0][-1]
    credit = [[1 - loss[i][j] / worst for j in grades] for i in grades]
    by_row = [sum(credit[i][j] * columns[j] for j in grades) / n for i in grades]
    by_column = [sum(credit[i][j] * rows[i] for i in grades) / n for j in grades]
    influence = [
        [credit[i][j] - remaining * (by_row[i] + by_column[j]) for j in grades] for i in grades
    ]
    by_chance = expected / (worst * n * n)
    return estimate(1 - remaining, standard_error(confusion, influence) / by_chance)


def ac2(confusion: Confusion, scale: Sequence[int]) -> Estimate:
    """AC2 with quadratic weights: a disagreement counts by the squared difference of the grades.

    `scale`: the grades that the rows and columns stand for, ascending; they are taken as numbers,
    as irrCAC takes them, so that on a scale 0, 1, 3 the step from 1 to 3 is twice that from 0 to 1.
    `confusion`: counts over the whole scale, square; a grade that nobody gave still counts as one
    that could have been given. Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed. Interval
    as `gwet.ac1.table` of irrCAC has it: Student's t with n - 1 degrees of freedom. Undefined only
    where the judges share no pair. Raises `UsageError` where scale and table differ in size.
    """
    if len(scale) != len(confusion):
        raise UsageError(
            f"the confusion matrix has {len(confusion)} rows and the scale {len(scale)} grades",
            "count over the whole scale, grades that nobody gave included",
        )
    span = max(scale) - min(scale)
    credit = [[1 - ((a - b) / span) ** 2 for b in scale] for a in scale]
    n = total(confusion)
    if n == 0:
        return Estimate(None, None, NOTHING_SHARED)
    grades = range(len(confusion))
    rows, columns = margins(confusion)
    share = [(rows[g] + columns[g]) / (2 * n) for g in grades]
    spread = sum(map(sum, credit)) / (len(grades) * (len(grades) - 1))
    observed = sum(credit[i][j] * confusion[i][j] for i in grades for j in grades) / n
    by_chance = spread * sum(p * (1 - p) for p in share)
    # At most spread / q * (q - 1) < 1, so that the division is always defined.
    value = (observed - by_chance) / (1 - by_chance)
    influence = [
        [credit[i][j] - 2 * (1 - value) * spread * (1 - (share[i] + share[j]) / 2) for j in grades]
        for i in grades
    ]
    error = standard_error(confusion, influence) / (1 - by_chance)
    return estimate(value, error, student_95(n - 1) if n > 1 else 0.0)


def fleiss_kappa(table: ArrayLike, times: ArrayLike | None = None) -> Estimate:
    """Fleiss' kappa. `table`: pairs x grades, how often each pair got each grade; `times`: how many
    pairs each row stands for, one where it is not given.

    Fleiss (1971), Psychol. Bull. 76:378-382. The interval is that of `fleiss` in irrCAC: Student's
    t with n - 1 degrees of freedom and the linearised variance over n pairs of Gwet (2014),
    Handbook of Inter-Rater Reliability, 4th ed., chapter 5. Undefined where the pairs
    differ in how often they were judged (Krippendorff's alpha is made for that), where they were
    judged once, and where all grades are the same.
    """
    import numpy as np  # noqa: PLC0415

    counts = np.asarray(table, dtype=np.int64)
    if counts.size == 0:
        return Estimate(None, None, "no pair was judged")
    judged = counts.sum(axis=1)
    least, most = int(judged.min()), int(judged.max())
    if least != most:
        return Estimate(
            None, None, f"some pairs have {least} and some {most} grades: all need as many"
        )
    if most < 2:
        return Estimate(None, None, "no pair was graded by two judges")
    weights = np.ones(len(counts), dtype=np.int64) if times is None else np.asarray(times)
    pairs = int(weights.sum())
    by_grade = weights @ counts
    if np.count_nonzero(by_grade) == 1:
        return Estimate(None, None, "all grades are the same")
    observed = (int((weights @ counts**2).sum()) - pairs * most) / (pairs * most * (most - 1))
    by_chance = int((by_grade**2).sum()) / (pairs * most) ** 2
    value = (observed - by_chance) / (1 - by_chance)
    if pairs < 2:
        return Estimate(value, None, "no interval: it takes two pairs")

    # Rows alike are added up as one, and the sum is exact, so that in whatever order pairs, judges
    # and grades stand, every digit is the same.
    counts, row = np.unique(counts, axis=0, return_inverse=True)
    weights = np.bincount(row.ravel(), weights=weights)
    agreed = ((counts**2).sum(axis=1) - most) / (most * (most - 1))
    by_habit = counts @ by_grade / (pairs * most**2)
    influence = (agreed - by_chance) / (1 - by_chance)
    influence -= 2 * (1 - value) * (by_habit - by_chance) / (1 - by_chance)
    variance = fsum(weights * (influence - value) ** 2) / (pairs * (pairs - 1))
    return estimate(value, variance**0.5, student_95(pairs - 1))


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
