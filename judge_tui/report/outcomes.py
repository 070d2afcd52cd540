"""Paired outcomes as a report: each arm beside the baseline by each check, and the tasks that one
of them alone passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import Any

from judge_tui.comparison.comparison import Comparison, Comparisons
from judge_tui.comparison.family import Verdict
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.model import Outcomes
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


def outcomes_report(outcomes: Outcomes, compared: Comparisons) -> Report:
    """One row an arm and check, then the discordant tasks."""
    settings = {"baseline": compared.baseline, **outcome_settings(compared.settings)}
    return Report(list(outcome_tables({"": (outcomes, compared)})), settings=settings)


def outcome_settings(settings: ComparisonSettings) -> dict[str, Any]:
    """What the JSON says of the test."""
    return {
        "test": settings.verdict_by,
        "correction": settings.correction,
        "alpha": settings.alpha,
        "seed": settings.seed,
    }


def outcome_tables(by_system: Mapping[str, tuple[Outcomes, Comparisons]]) -> Iterator[Table]:
    """The comparisons, the discordant tasks, and why a number is not there. `by_system`: of each
    system that was put tasks, "" where the tasks are those of a file; each is a family of its
    own."""
    named = [text("system", "system" if len(by_system) > 1 else None)] if any(by_system) else []
    families = [compared for _, compared in by_system.values()]
    baselines = dict.fromkeys(str(one.baseline) for one in families)
    title = (
        f"Compared with {' and '.join(baselines)}: exact McNemar, alpha"
        f" {families[0].settings.alpha:g}, correction {families[0].settings.correction} over"
        f" {' and '.join(dict.fromkeys(str(one.family) for one in families))}"
    )
    rows: list[list[Cell]] = []
    discordant: list[list[Cell]] = []
    for system, (outcomes, compared) in by_system.items():
        head = [system] if named else []
        for one in compared:
            rows.append([*head, *_row(outcomes, one)])
            discordant += [
                [*head, one.measure, one.tag, task, arm]
                for tasks, arm in (
                    (one.changed.added, one.tag),
                    (one.changed.removed, one.baseline),
                )
                for task in tasks
            ]
    yield Table("comparisons", [*named, *_COMPARISON], rows, title)
    yield Table("discordant", [*named, *_DISCORDANT], discordant, "Discordant tasks")
    yield undefined_table(why for its in by_system.values() for why in _undefined(*its))


def _row(outcomes: Outcomes, one: Comparison) -> Iterator[Cell]:
    tasks = {*chain(*one.changed)}
    yield from (one.measure, one.baseline, one.tag, one.queries, len(outcomes.tasks) - one.queries)
    yield from (int(one.before.sum()), int(one.after.sum()))
    for arm in (one.baseline, one.tag):
        yield len(outcomes.failed.get((one.measure, arm), set()) & tasks)
    yield from (one.delta, *(one.ci95 or (None, None)), span(one.ci95, short_difference))
    yield from (one.wins, one.losses, one.tests[one.verdict_by].p, one.p_adjusted[one.verdict_by])
    yield "too few tasks" if one.verdict is Verdict.TOO_FEW else toned(one.verdict)


def _undefined(outcomes: Outcomes, compared: Comparisons) -> Iterator[tuple[str, str]]:
    for one in compared:
        for what, why in (("interval", one.why.get("ci95")), ("p", one.tests[one.verdict_by].why)):
            if why:
                yield f"{what} of {one.measure}, {one.tag}", why
    there = {(one.measure, one.tag) for one in compared}
    for check, arm in product(outcomes.checks, outcomes.arms):
        if arm != compared.baseline and (check, arm) not in there:
            yield f"comparison of {check}, {arm}", "no task has an outcome of both"
