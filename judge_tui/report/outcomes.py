"""Paired outcomes as a report: each arm beside the baseline by each check, and the tasks that one
of them alone passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge_tui.comparison.arms import ArmComparison
from judge_tui.comparison.family import Verdict
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.report.basis import undefined_table
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    difference,
    probability,
    short_difference,
    span,
    text,
    toned,
)

__all__ = ["outcome_settings", "outcome_tables", "outcomes_report"]

_COMPARISON = (
    text("check", "check"),
    Column("baseline"),
    text("arm", "arm"),
    Column("tasks", "tasks"),
    Column("left_out", "left out"),
    Column("baseline_passed", "baseline"),
    Column("passed", "passed"),
    Column("baseline_failed", "baseline failed"),
    Column("failed", "failed"),
    Column("delta", "delta", difference),
    Column("ci95_low"),
    Column("ci95_high"),
    Column("", "95 % interval"),
    Column("gained", "gained"),
    Column("lost", "lost"),
    Column("p", "mcnemar p", probability),
    Column("p_adjusted", "adjusted", probability),
    text("verdict", "verdict"),
)
_DISCORDANT = (
    *(text("check", "check"), text("arm", "arm")),
    *(text("task", "task"), text("passed_by", "passed by")),
)


def outcomes_report(compared: Sequence[ArmComparison], settings: ComparisonSettings) -> Report:
    """One row an arm and check, then the discordant tasks."""
    tables = list(outcome_tables({"": compared}, settings))
    baseline = compared[0].baseline
    return Report(tables, settings={"baseline": baseline, **outcome_settings(settings)})


def outcome_settings(settings: ComparisonSettings) -> dict[str, Any]:
    """What the JSON says of the test."""
    return {
        "test": "mcnemar",
        "correction": settings.correction,
        "alpha": settings.alpha,
        "seed": settings.seed,
    }


def outcome_tables(
    by_system: Mapping[str, Sequence[ArmComparison]], settings: ComparisonSettings
) -> Iterator[Table]:
    """The comparisons, the discordant tasks, and why a number is not there. `by_system`: of each
    system that was put tasks, "" where the tasks are those of a file; each is a family of its
    own."""
    compared = [(system, one) for system, every in by_system.items() for one in every]
    named = [text("system", "system" if len(by_system) > 1 else None)] if any(by_system) else []
    baselines = dict.fromkeys(one.baseline for _, one in compared)
    families = dict.fromkeys(f"{len(every)}" for every in by_system.values())
    title = (
        f"Compared with {' and '.join(baselines)}: exact McNemar, alpha {settings.alpha:g},"
        f" correction {settings.correction} over {' and '.join(families)}"
    )
    rows = [(*([system] if named else []), *_row(one)) for system, one in compared]
    yield Table("comparisons", [*named, *_COMPARISON], rows, title)
    discordant = [
        (*([system] if named else []), one.check, one.arm, task, arm)
        for system, one in compared
        for tasks, arm in ((one.gained, one.arm), (one.lost, one.baseline))
        for task in tasks
    ]
    yield Table("discordant", [*named, *_DISCORDANT], discordant, "Discordant tasks")
    yield undefined_table(_undefined([one for _, one in compared]))


def _row(one: ArmComparison) -> tuple[Cell, ...]:
    few = one.verdict is Verdict.TOO_FEW
    return (
        *(one.check, one.baseline, one.arm, len(one.tasks), one.left_out),
        *(*one.passed, *one.failed, one.delta),
        *(*(one.ci95 or (None, None)), span(one.ci95, short_difference)),
        *(len(one.gained), len(one.lost), one.test.p, one.p_adjusted),
        "too few tasks" if few else toned(one.verdict),
    )


def _undefined(compared: Sequence[ArmComparison]) -> Iterator[tuple[str, str]]:
    for one in compared:
        for what, why in (("interval", one.why), ("p", one.test.why)):
            if why:
                yield f"{what} of {one.check}, {one.arm}", why
