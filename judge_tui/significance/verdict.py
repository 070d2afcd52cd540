"""One of four verdicts, its direction included."""

from __future__ import annotations

from enum import StrEnum

from judge_tui.significance.result import Alternative, TestResult

__all__ = ["FEWEST_QUERIES", "Verdict", "give_verdict"]

FEWEST_QUERIES = 6
"""With 5 pairs the smallest two-sided p of Wilcoxon's test is .0625: nothing could be shown."""


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
    *,
    alpha: float,
    alternative: Alternative = "two-sided",
) -> Verdict:
    """The verdict by one test, named beforehand.

    `queries`: number of pairs; `delta`: mean difference, run minus baseline. Significant means
    `p_adjusted` < `alpha`. Better or worse needs the test and the mean to point the same way: a
    rank test can be significant for a run that wins often and little and loses seldom and much,
    and then no difference is shown.
    """
    if queries < FEWEST_QUERIES:
        return Verdict.TOO_FEW
    if p_adjusted is None or p_adjusted >= alpha:
        return Verdict.NOTHING_SHOWN
    upward = _points_upward(result, alternative)
    if upward and delta > 0:
        return Verdict.BETTER
    if not upward and delta < 0:
        return Verdict.WORSE
    return Verdict.NOTHING_SHOWN


def _points_upward(result: TestResult, alternative: Alternative) -> bool:
    if alternative != "two-sided":
        return alternative == "greater"
    return (result.p_greater or 0.0) < (result.p_less or 0.0)
