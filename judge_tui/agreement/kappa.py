"""Cohen's kappa of two judges: plain, linear, quadratic."""

from __future__ import annotations

from collections.abc import Callable

from judge_tui.agreement.confusion import (
    NOTHING_SHARED,
    Confusion,
    margins,
    standard_error,
    total,
)
from judge_tui.agreement.estimate import Estimate, estimate
from judge_tui.errors import unknown

__all__ = ["KAPPA_WEIGHTS", "cohen_kappa"]

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
