"""Fleiss' kappa: agreement of several judges, each pair judged as often as every other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge_tui.agreement.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["fleiss_kappa"]


def fleiss_kappa(table: ArrayLike) -> Estimate:
    """Fleiss' kappa, without interval. `table`: pairs x grades, how often each pair got each grade.

    Fleiss (1971), Psychol. Bull. 76:378-382. Undefined where the pairs differ in how often they
    were judged (Krippendorff's alpha is made for that), where they were judged once, and where all
    grades are the same.
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
    pairs = len(counts)
    by_grade = counts.sum(axis=0)
    if np.count_nonzero(by_grade) == 1:
        return Estimate(None, None, "all grades are the same")
    observed = (int((counts**2).sum()) - pairs * most) / (pairs * most * (most - 1))
    by_chance = int((by_grade**2).sum()) / (pairs * most) ** 2
    return Estimate((observed - by_chance) / (1 - by_chance))
