"""The coefficients of two judges, with their intervals: percent agreement, Cohen's kappa and Gwet's
AC2, from how often which grade met which.

A new coefficient of two judges takes a function from a `Confusion` and the scale to an `Estimate`,
a line in `COEFFICIENTS` and its values by hand in `tests/agreement/test_coefficients.py`; JSON and
CSV follow. `NAMES` in `report/agreement.py` is for a name that is not its key, `_SHOWN` there says
what tables have room for. Coefficients of more than two judges are in `alpha.py` (all together) and
`pooled.py` (two by two, or one beside the others).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TypeAlias

from judge_tui.agreement.estimates import (
    NO_PAIRS,
    Coefficients,
    Estimate,
    estimate,
    student_95,
    wilson,
)
from judge_tui.sums import total

Confusion: TypeAlias = Sequence[Sequence[int]]
"""Counts over the whole scale, square, grades that nobody gave included: the first judge's grades
in the rows, the second's in the columns."""


def percent_agreement(confusion: Confusion) -> Estimate:
    """Return the share, 0 to 1, of the shared pairs that got one grade, with Wilson's interval."""
    n = _pairs(confusion)
    if n == 0:
        return Estimate(None, None, NO_PAIRS)
    return wilson(sum(confusion[i][i] for i in range(len(confusion))) / n, n)


KAPPA_WEIGHTS: dict[str, Callable[[int], int]] = {
    "none": lambda steps: int(steps > 0),
    "linear": lambda steps: steps,
    "quadratic": lambda steps: steps * steps,
}
"""Name -> the weight of a disagreement whose two grades are so many steps of the scale apart."""


def cohen_kappa(confusion: Confusion, weights: str = "none") -> Estimate:
    """Return agreement beyond chance by the two judges' own habits: 1 is perfect, 0 is chance.

    `weights`: a key of `KAPPA_WEIGHTS`; distances are steps on the scale, whatever the grades are
    called, as in scikit-learn's `cohen_kappa_score` with `labels=`, statsmodels and R's irr.

    Cohen (1960), Educ. Psychol. Meas. 20:37-46; weighted: Cohen (1968), Psychol. Bull. 70:213-220.
    The interval is value +- 1.96 large-sample standard errors: Fleiss, Cohen & Everitt (1969),
    Psychol. Bull. 72:323-327. Undefined where both judges gave one and the same grade throughout:
    then chance alone agrees fully.
    """
    n = _pairs(confusion)
    if n == 0:
        return Estimate(None, None, NO_PAIRS)
    grades = range(len(confusion))
    rows, columns = _margins(confusion)
    loss = [[KAPPA_WEIGHTS[weights](abs(i - j)) for j in grades] for i in grades]
    # Whole numbers until the one division, so that "undefined" is exact.
    observed = sum(loss[i][j] * confusion[i][j] for i in grades for j in grades)
    expected = sum(loss[i][j] * rows[i] * columns[j] for i in grades for j in grades)
    if expected == 0:
        return Estimate(None, None, "both judges gave one and the same grade to every pair")
    remaining = n * observed / expected

    worst = loss[0][-1]
    credit = [[1 - loss[i][j] / worst for j in grades] for i in grades]
    by_row = [total(credit[i][j] * columns[j] for j in grades) / n for i in grades]
    by_column = [total(credit[i][j] * rows[i] for i in grades) / n for j in grades]
    influence = [
        [credit[i][j] - remaining * (by_row[i] + by_column[j]) for j in grades] for i in grades
    ]
    by_chance = expected / (worst * n * n)
    return estimate(1 - remaining, _standard_error(confusion, influence) / by_chance)


def ac2(confusion: Confusion, scale: Sequence[int]) -> Estimate:
    """Return AC2 with quadratic weights: a disagreement counts by the squared difference of the
    grades.

    `scale`: the grades that the rows and columns stand for, ascending; they are taken as numbers,
    as irrCAC takes them, so that on a scale 0, 1, 3 the step from 1 to 3 is twice that from 0 to 1.
    A grade that nobody gave still counts as one that could have been given. Gwet (2014), Handbook
    of Inter-Rater Reliability, 4th ed. Interval as `gwet.ac1.table` of irrCAC has it: Student's t
    with n - 1 degrees of freedom. Undefined only where the judges share no pair.
    """
    n = _pairs(confusion)
    if n == 0:
        return Estimate(None, None, NO_PAIRS)
    span = max(scale) - min(scale)
    credit = [[1 - ((a - b) / span) ** 2 for b in scale] for a in scale]
    grades = range(len(scale))
    rows, columns = _margins(confusion)
    share = [(rows[g] + columns[g]) / (2 * n) for g in grades]
    spread = total(map(total, credit)) / (len(grades) * (len(grades) - 1))
    observed = total(credit[i][j] * confusion[i][j] for i in grades for j in grades) / n
    by_chance = spread * total(p * (1 - p) for p in share)
    # At most spread / q * (q - 1) < 1, so that the division is always defined.
    value = (observed - by_chance) / (1 - by_chance)
    influence = [
        [credit[i][j] - 2 * (1 - value) * spread * (1 - (share[i] + share[j]) / 2) for j in grades]
        for i in grades
    ]
    error = _standard_error(confusion, influence) / (1 - by_chance)
    return estimate(value, error, student_95(n - 1) if n > 1 else 0.0)


def _pairs(confusion: Confusion) -> int:
    return sum(map(sum, confusion))


def _margins(confusion: Confusion) -> tuple[list[int], list[int]]:
    """Count how often each grade was given: by the first judge, by the second."""
    return [sum(row) for row in confusion], [sum(column) for column in zip(*confusion, strict=True)]


def _standard_error(confusion: Confusion, influence: Sequence[Sequence[float]]) -> float:
    """Return the large-sample standard error of a mean over the pairs, where a pair that falls into
    a cell counts as that cell's `influence`. Kappa and AC differ only in what a cell's influence
    is.

    The variance is taken around the mean, not as a difference of two large sums, so that it is
    zero where it should be and never negative.
    """
    n = _pairs(confusion)
    cells = [
        (count, value)
        for counts, values in zip(confusion, influence, strict=True)
        for count, value in zip(counts, values, strict=True)
        if count
    ]
    mean = total(count * value for count, value in cells) / n
    variance = total(count * (value - mean) ** 2 for count, value in cells) / n
    return sqrt(variance / n)


COEFFICIENTS: dict[str, Callable[[Confusion, Sequence[int]], Estimate]] = {
    "agreement": lambda confusion, _: percent_agreement(confusion),
    "kappa": lambda confusion, _: cohen_kappa(confusion),
    "kappa_linear": lambda confusion, _: cohen_kappa(confusion, "linear"),
    "kappa_quadratic": lambda confusion, _: cohen_kappa(confusion, "quadratic"),
    "ac2": ac2,
}
"""Key in the JSON -> function of a confusion matrix and the scale; in the order of reports."""


def between(
    confusion: Confusion, scale: Sequence[int], judges: tuple[str, ...] = ()
) -> Coefficients:
    """Return all coefficients of two judges, or of one judge's first grades and other grades."""
    return Coefficients(
        pairs=_pairs(confusion),
        estimates={name: one(confusion, scale) for name, one in COEFFICIENTS.items()},
        confusion=tuple(tuple(row) for row in confusion),
        judges=judges,
    )
