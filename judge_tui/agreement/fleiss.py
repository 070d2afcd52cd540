"""Fleiss' kappa: agreement of several judges, each pair judged as often as every other."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from judge_tui.agreement.estimate import Estimate, estimate, student_95

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["fleiss_kappa"]


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
