"""Experiments whose result is a yes or no: two arms over the same tasks, check by check."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from judge_tui.comparison.family import CORRECTIONS, Verdict, adjust, give_verdict, refuse_alpha
from judge_tui.comparison.paired_tests import TestResult, mcnemar
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.errors import UsageError, unknown

__all__ = ["ArmComparison", "compare_arms"]

_NONE: Mapping[tuple[str, str], Collection[str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ArmComparison:
    """An arm beside the baseline by one check, over the `tasks` that both have an outcome of.

    `before` and `after`: how many of them the baseline and the arm pass. `gained`: the tasks that
    the arm alone passes, `lost`: those that the baseline alone passes; both in the order of the
    tasks. `left_out`: tasks of which one of the two, or both, has no outcome; `without`: how many
    the baseline, and the arm, have none of. `failed`: how many of the `tasks` the baseline, and the
    arm, failed at, which count as not passed. `ci95`: of the difference of the shares, by the
    percentile bootstrap over tasks; None where `why` has the reason.
    `p_adjusted` is corrected over everything that is compared.
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
    without: tuple[int, int]
    failed: tuple[int, int]
    ci95: tuple[float, float] | None
    test: TestResult
    why: Mapping[str, str]
    p_adjusted: float | None = None
    verdict: Verdict = Verdict.TOO_FEW

    @property
    def delta(self) -> float | None:
        """The share that the arm passes, less that of the baseline; None without a task."""
        return (self.after - self.before) / self.tasks if self.tasks else None


def compare_arms(
    tasks: Sequence[str],
    arms: Sequence[str],
    checks: Sequence[str],
    passed: Mapping[tuple[str, str], Mapping[str, bool]],
    *,
    failed: Mapping[tuple[str, str], Collection[str]] = _NONE,
    baseline: str | None = None,
    correction: str = "holm",
    alpha: float = 0.05,
    seed: int = 0,
) -> tuple[ArmComparison, ...]:
    """Compare each arm with the baseline (the first arm unless named) by each check.

    `passed`: (check, arm) -> task -> whether it passed; `failed`: (check, arm) -> those that count
    as not passed because they failed. Exact McNemar on the discordant tasks
    (McNemar, Psychometrika 12, 1947): `TESTS["mcnemar"]`, but with a p for however few of them,
    since with fewer than six it is above .05 by itself. Raises `UsageError` for an arm or a
    correction that there is not, and for fewer than two arms.
    """
    if len(arms) < 2:
        raise UsageError("there is one arm alone", "a comparison needs the outcomes of two")
    if baseline is not None and baseline not in arms:
        raise unknown("arm", baseline, arms)
    if correction not in CORRECTIONS:
        raise unknown("correction", correction, CORRECTIONS)
    refuse_alpha(alpha)
    first = baseline if baseline is not None else arms[0]
    found = [
        _compare(tasks, check, first, arm, passed, failed, seed)
        for check in checks
        for arm in arms
        if arm != first
    ]
    adjusted = adjust([one.test.p for one in found], correction)
    return tuple(
        replace(
            one,
            p_adjusted=p,
            verdict=give_verdict(one.tasks, one.delta or 0.0, one.test, p, alpha=alpha),
        )
        for one, p in zip(found, adjusted, strict=True)
    )


def _compare(
    tasks: Sequence[str],
    check: str,
    baseline: str,
    arm: str,
    passed: Mapping[tuple[str, str], Mapping[str, bool]],
    failed: Mapping[tuple[str, str], Collection[str]],
    seed: int,
) -> ArmComparison:
    before, after = passed.get((check, baseline), {}), passed.get((check, arm), {})
    both = [task for task in tasks if task in before and task in after]
    old = np.array([[before[task] for task in both]], dtype=np.float64)
    new = np.array([[after[task] for task in both]], dtype=np.float64)
    test = mcnemar(old, new)[0] if both else TestResult(why="no task has an outcome of both")
    ci95 = bootstrap_intervals(new - old, seed)[0] if both else None
    return ArmComparison(
        check=check,
        baseline=baseline,
        arm=arm,
        tasks=len(both),
        before=int(old.sum()),
        after=int(new.sum()),
        gained=tuple(task for task in both if after[task] and not before[task]),
        lost=tuple(task for task in both if before[task] and not after[task]),
        left_out=len(tasks) - len(both),
        without=(len(tasks) - len(before), len(tasks) - len(after)),
        failed=(
            len(set(failed.get((check, baseline), ())) & set(both)),
            len(set(failed.get((check, arm), ())) & set(both)),
        ),
        ci95=ci95,
        test=test,
        why={"ci95": why_no_interval(len(both), units="tasks")} if ci95 is None else {},
    )
