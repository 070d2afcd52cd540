"""Experiments whose result is a yes or no: two arms over the same tasks, check by check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress, product

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.family import Verdict, judge_pairs
from judge_tui.comparison.paired_tests import TestResult, mcnemar
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError, unknown
from judge_tui.model import Outcomes

__all__ = ["ArmComparison", "compare_arms"]


_NO_TASK = TestResult(why="no task has an outcome of both")


@dataclass(frozen=True, slots=True, eq=False)
class ArmComparison:
    """An arm beside the baseline by one check, over the `tasks` that both have an outcome of.

    `before` and `after`: float64[tasks], 1 where the baseline, and the arm, passed. `left_out`: how
    many tasks have no outcome of one of the two, or of both. `failed`: how many of the `tasks` the
    baseline, and the arm, failed at, which count as not passed. `ci95`: of the difference of the
    shares, by the percentile bootstrap over tasks; None where `why` has the reason. `p_adjusted` is
    corrected over everything that is compared.
    """

    check: str
    baseline: str
    arm: str
    tasks: tuple[str, ...]
    before: Floats
    after: Floats
    left_out: int
    failed: tuple[int, int]
    ci95: tuple[float, float] | None
    why: str
    test: TestResult = _NO_TASK
    p_adjusted: float | None = None
    verdict: Verdict = Verdict.TOO_FEW

    @property
    def passed(self) -> tuple[int, int]:
        """How many of the tasks the baseline passes, and the arm."""
        return int(self.before.sum()), int(self.after.sum())

    @property
    def delta(self) -> float | None:
        """The share that the arm passes, less that of the baseline; None without a task."""
        before, after = self.passed
        return (after - before) / len(self.tasks) if self.tasks else None

    @property
    def gained(self) -> tuple[str, ...]:
        """The tasks that the arm alone passes."""
        return tuple(compress(self.tasks, self.after > self.before))

    @property
    def lost(self) -> tuple[str, ...]:
        """The tasks that the baseline alone passes."""
        return tuple(compress(self.tasks, self.after < self.before))


def compare_arms(outcomes: Outcomes, settings: ComparisonSettings) -> tuple[ArmComparison, ...]:
    """Compare each arm with the baseline (the first arm unless named) by each check.

    Exact McNemar on the discordant tasks (McNemar, Psychometrika 12, 1947): `TESTS["mcnemar"]`, but
    with a p for however few of them, since with fewer than six it is above .05 by itself. Raises
    `UsageError` for a baseline that is no arm, and for fewer than two arms.
    """
    arms = outcomes.arms
    if len(arms) < 2:
        raise UsageError("there is one arm alone", "a comparison needs the outcomes of two")
    baseline = arms[0] if settings.baseline is None else settings.baseline
    if baseline not in arms:
        raise unknown("arm", baseline, arms)
    compared = [
        _compare(outcomes, check, baseline, arm, settings.seed)
        for check, arm in product(outcomes.checks, arms)
        if arm != baseline
    ]
    tests = [
        mcnemar(one.before[np.newaxis], one.after[np.newaxis])[0] if one.tasks else one.test
        for one in compared
    ]
    sides = [(one.before, one.after) for one in compared]
    results = judge_pairs(sides, {"mcnemar": tests}, settings)
    return tuple(
        replace(
            one,
            test=result.tests["mcnemar"],
            p_adjusted=result.p_adjusted["mcnemar"],
            verdict=result.verdict,
        )
        for one, result in zip(compared, results, strict=True)
    )


def _compare(outcomes: Outcomes, check: str, baseline: str, arm: str, seed: int) -> ArmComparison:
    """All but the test."""
    old, new = (outcomes.passed.get((check, one), {}) for one in (baseline, arm))
    tasks = tuple(task for task in outcomes.tasks if task in old and task in new)
    before, after = (np.array([of[task] for task in tasks], dtype=float) for of in (old, new))
    old_failed, new_failed = (outcomes.failed.get((check, one), set()) for one in (baseline, arm))
    ci95 = bootstrap_intervals((after - before)[np.newaxis], seed)[0] if tasks else None
    return ArmComparison(
        *(check, baseline, arm, tasks, before, after),
        left_out=len(outcomes.tasks) - len(tasks),
        failed=(len(old_failed & {*tasks}), len(new_failed & {*tasks})),
        ci95=ci95,
        why=why_no_interval(len(tasks), units="tasks") if ci95 is None else "",
    )
