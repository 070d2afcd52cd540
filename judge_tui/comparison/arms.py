"""Experiments whose result is a yes or no: two arms over the same tasks, check by check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, product
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.family import PairResult, Verdict, judge_pairs
from judge_tui.comparison.paired_tests import TestResult, mcnemar
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError, unknown
from judge_tui.model import Outcomes

__all__ = ["ArmComparison", "compare_arms"]


@dataclass(frozen=True, slots=True)
class ArmComparison:
    """An arm beside the baseline by one check, over the `tasks` that both have an outcome of.

    `before` and `after`: how many of them the baseline and the arm pass. `gained`: the tasks that
    the arm alone passes, `lost`: those that the baseline alone passes; both in the order of the
    tasks. `left_out`: tasks of which one of the two, or both, has no outcome. `failed`: how many of
    the `tasks` the baseline, and the arm, failed at, which count as not passed. `ci95`: of the
    difference of the shares, by the percentile bootstrap over tasks; None where `why` has the
    reason. `p_adjusted` is corrected over everything that is compared.
    """

    check: str
    baseline: str
    arm: str
    tasks: int
    before: int
    after: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    left_out: int
    failed: tuple[int, int]
    ci95: tuple[float, float] | None
    test: TestResult
    p_adjusted: float | None
    verdict: Verdict
    why: Mapping[str, str]

    @property
    def delta(self) -> float | None:
        """The share that the arm passes, less that of the baseline; None without a task."""
        return (self.after - self.before) / self.tasks if self.tasks else None


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
    pairs = [
        _pair(outcomes, check, baseline, arm)
        for check, arm in product(outcomes.checks, arms)
        if arm != baseline
    ]
    sides = [(one.before, one.after) for one in pairs]
    tests = [
        mcnemar(before[np.newaxis], after[np.newaxis])[0]
        if len(before)
        else TestResult(why="no task has an outcome of both")
        for before, after in sides
    ]
    results = judge_pairs(sides, {"mcnemar": tests}, settings)
    return tuple(
        _compared(outcomes, pair, result, settings.seed)
        for pair, result in zip(pairs, results, strict=True)
    )


class _Pair(NamedTuple):
    """What the baseline and an arm made of the tasks that both have an outcome of."""

    check: str
    baseline: str
    arm: str
    tasks: Sequence[str]
    before: Floats
    after: Floats


def _pair(outcomes: Outcomes, check: str, baseline: str, arm: str) -> _Pair:
    old, new = (outcomes.passed.get((check, one), {}) for one in (baseline, arm))
    tasks = [task for task in outcomes.tasks if task in old and task in new]
    before, after = (np.array([of[task] for task in tasks], dtype=float) for of in (old, new))
    return _Pair(check, baseline, arm, tasks, before, after)


def _compared(outcomes: Outcomes, pair: _Pair, result: PairResult, seed: int) -> ArmComparison:
    count, change = len(pair.tasks), pair.after - pair.before
    ci95 = bootstrap_intervals(change[np.newaxis], seed)[0] if count else None
    before, after = (
        len(outcomes.failed.get((pair.check, one), set()) & {*pair.tasks})
        for one in (pair.baseline, pair.arm)
    )
    return ArmComparison(
        check=pair.check,
        baseline=pair.baseline,
        arm=pair.arm,
        tasks=count,
        before=int(pair.before.sum()),
        after=int(pair.after.sum()),
        gained=tuple(compress(pair.tasks, change > 0)),
        lost=tuple(compress(pair.tasks, change < 0)),
        left_out=len(outcomes.tasks) - count,
        failed=(before, after),
        ci95=ci95,
        test=result.tests["mcnemar"],
        p_adjusted=result.p_adjusted["mcnemar"],
        verdict=result.verdict,
        why={"ci95": why_no_interval(count, units="tasks")} if ci95 is None else {},
    )
