"""Experiments whose result is a yes or no: two arms over the same tasks, check by check."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.family import judge_pairs
from judge_tui.comparison.paired_tests import TestResult, mcnemar
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.comparison.verdict import Verdict
from judge_tui.errors import UsageError, unknown

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


def compare_arms(
    tasks: Sequence[str],
    arms: Sequence[str],
    checks: Sequence[str],
    passed: Mapping[tuple[str, str], Mapping[str, bool]],
    settings: ComparisonSettings,
    failed: Mapping[tuple[str, str], Collection[str]],
) -> tuple[ArmComparison, ...]:
    """Compare each arm with the baseline (the first arm unless named) by each check.

    `passed`: (check, arm) -> task -> whether it passed; `failed`: (check, arm) -> those that count
    as not passed because they failed. Exact McNemar on the discordant tasks
    (McNemar, Psychometrika 12, 1947): `TESTS["mcnemar"]`, but with a p for however few of them,
    since with fewer than six it is above .05 by itself. Raises `UsageError` for a baseline that is
    no arm, and for fewer than two arms.
    """
    if len(arms) < 2:
        raise UsageError("there is one arm alone", "a comparison needs the outcomes of two")
    baseline = arms[0] if settings.baseline is None else settings.baseline
    if baseline not in arms:
        raise unknown("arm", baseline, arms)
    which = list(product(checks, (arm for arm in arms if arm != baseline)))
    shared = []
    for check, arm in which:
        old, new = passed.get((check, baseline), {}), passed.get((check, arm), {})
        both = [task for task in tasks if task in old and task in new]
        shared.append([(task, old[task], new[task]) for task in both])
    sides = [(_values(its, 1), _values(its, 2)) for its in shared]
    tests = [
        mcnemar(before[np.newaxis], after[np.newaxis])[0]
        if len(before)
        else TestResult(why="no task has an outcome of both")
        for before, after in sides
    ]
    results = judge_pairs(sides, {"mcnemar": tests}, settings)
    compared = []
    for (check, arm), its, (before, after), result in zip(
        which, shared, sides, results, strict=True
    ):
        ci95 = bootstrap_intervals((after - before)[np.newaxis], settings.seed)[0] if its else None
        names = {task for task, _, _ in its}
        compared.append(
            ArmComparison(
                check=check,
                baseline=baseline,
                arm=arm,
                tasks=len(its),
                before=int(before.sum()),
                after=int(after.sum()),
                gained=tuple(task for task, was, now in its if now and not was),
                lost=tuple(task for task, was, now in its if was and not now),
                left_out=len(tasks) - len(its),
                failed=(
                    len(names.intersection(failed.get((check, baseline), ()))),
                    len(names.intersection(failed.get((check, arm), ()))),
                ),
                ci95=ci95,
                test=result.tests["mcnemar"],
                p_adjusted=result.p_adjusted["mcnemar"],
                verdict=result.verdict,
                why={"ci95": why_no_interval(len(its), units="tasks")} if ci95 is None else {},
            )
        )
    return tuple(compared)


def _values(shared: Sequence[tuple[str, bool, bool]], side: int) -> Floats:
    return np.array([its[side] for its in shared], dtype=np.float64)
