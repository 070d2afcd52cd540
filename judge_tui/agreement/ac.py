"""Gwet's AC1 and AC2 of two judges: agreement that stays sensible where one grade is common."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.agreement.confusion import (
    NOTHING_SHARED,
    Confusion,
    Weights,
    margins,
    standard_error,
    total,
)
from judge_tui.agreement.estimate import Estimate, estimate, student_95
from judge_tui.errors import UsageError

__all__ = ["ac1", "ac2"]


def ac1(confusion: Confusion) -> Estimate:
    """AC1: every disagreement counts alike.

    `confusion`: counts over the whole scale, square; a grade that nobody gave still counts as one
    that could have been given. Gwet (2008), Br. J. Math. Stat. Psychol. 61:29-48. Value and
    interval are those of `gwet.ac1.table` in irrCAC: Student's t with n - 1 degrees of freedom.
    Undefined only where the judges share no pair.
    """
    grades = range(len(confusion))
    return _gwet(confusion, [[float(i == j) for j in grades] for i in grades])


def ac2(confusion: Confusion, scale: Sequence[int]) -> Estimate:
    """AC2 with quadratic weights: a disagreement counts by the squared difference of the grades.

    `scale`: the grades that the rows and columns stand for, ascending; they are taken as numbers,
    as irrCAC takes them, so that on a scale 0, 1, 3 the step from 1 to 3 is twice that from 0 to 1.
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed. Interval as in `ac1`.
    Raises `UsageError` where scale and table differ in size.
    """
    if len(scale) != len(confusion):
        raise UsageError(
            f"the confusion matrix has {len(confusion)} rows and the scale {len(scale)} grades",
            "count over the whole scale, grades that nobody gave included",
        )
    span = max(scale) - min(scale)
    return _gwet(confusion, [[1 - ((a - b) / span) ** 2 for b in scale] for a in scale])


def _gwet(confusion: Confusion, credit: Weights) -> Estimate:
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
