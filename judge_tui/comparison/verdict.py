"""What may be said of a run beside its baseline."""

from __future__ import annotations

from enum import StrEnum

from judge_tui.comparison.paired_tests import TestResult
from judge_tui.comparison.registry import FEWEST_QUERIES
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.scoring.measure import STEP

__all__ = ["Verdict", "give_verdict"]


class Verdict(StrEnum):
    """What may be said of a run beside its baseline."""

    BETTER = "better"
    WORSE = "worse"
    NOTHING_SHOWN = "no difference shown"
    TOO_FEW = "too few queries"


def give_verdict(
    queries: int,
    delta: float,
    result: TestResult,
    p_adjusted: float | None,
    settings: ComparisonSettings,
) -> Verdict:
    """Judge a run by one test, named beforehand.

    `queries`: number of pairs; `delta`: mean difference, run minus baseline, which points nowhere
    where it is smaller than 1e-9. Significant means `p_adjusted` < alpha. Better or worse needs
    the test and the mean to point the same way: a rank test can be significant for a run that wins
    often and little and loses seldom and much, and then no difference is shown.
    """
    if queries < FEWEST_QUERIES:
        return Verdict.TOO_FEW
    if p_adjusted is None or p_adjusted >= settings.alpha:
        return Verdict.NOTHING_SHOWN
    upward = settings.alternative == "greater"
    if settings.alternative == "two-sided":
        upward = (result.p_greater or 0.0) < (result.p_less or 0.0)
    if upward and delta >= STEP:
        return Verdict.BETTER
    if not upward and delta <= -STEP:
        return Verdict.WORSE
    return Verdict.NOTHING_SHOWN
