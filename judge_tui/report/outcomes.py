"""Paired outcomes as a report: each arm beside the baseline by each check, and the tasks that one
of them alone passes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from operator import attrgetter

from judge_tui.comparison.comparison import Comparison, Comparisons
from judge_tui.comparison.family import Verdict
from judge_tui.model import Outcomes
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    difference,
    interval,
    probability,
    short_difference,
    toned,
    undefined_table,
    word,
    words,
)


def outcomes_report(outcomes: Outcomes, compared: Comparisons) -> Report:
    """One row an arm and check, then the discordant tasks, and why a number is not there."""
    used = compared.settings
    title = (
        f"Compared with {compared.baseline}: exact McNemar, alpha {used.alpha:g}, correction"
        f" {used.correction} over {compared.family}"
    )
    discordant = [
        (one.measure, one.tag, task, arm)
        for one in compared
        for tasks, arm in ((one.changed.added, one.tag), (one.changed.removed, one.baseline))
        for task in tasks
    ]
    return Report(
        [
            Table.of(title, _columns(outcomes), compared, "comparisons").if_any(
                "left_out", "baseline_failed", "failed"
            ),
            Table(
                "Discordant tasks",
                words("check", "arm", "task", "passed_by"),
                discordant,
                "discordant",
            ),
            undefined_table(_undefined(outcomes, compared)),
        ],
        {
            "baseline": compared.baseline,
            "test": used.verdict_by,
            "correction": used.correction,
            "alpha": used.alpha,
            "seed": used.seed,
        },
    )


def _columns(outcomes: Outcomes) -> list[Column]:
    def failed(one: Comparison, arm: str) -> int:
        return len(outcomes.failed.get((one.measure, arm), set()) & {*chain(*one.changed)})

    return [
        word("check", "check", attrgetter("measure")),
        Column("baseline"),
        word("arm", "arm", attrgetter("tag")),
        Column("tasks", "tasks", get=attrgetter("queries")),
        Column("left_out", "left out", get=lambda one: len(outcomes.tasks) - one.queries),
        Column("baseline_passed", "baseline", get=lambda one: int(one.before.sum())),
        Column("passed", "passed", get=lambda one: int(one.after.sum())),
        Column("baseline_failed", "baseline failed", get=lambda one: failed(one, one.baseline)),
        Column("failed", "failed", get=lambda one: failed(one, one.tag)),
        Column("delta", "delta", difference),
        interval(show=short_difference),
        Column("gained", "gained", get=attrgetter("wins")),
        Column("lost", "lost", get=attrgetter("losses")),
        Column("p", "mcnemar p", probability, get=lambda one: one.tests[one.verdict_by].p),
        Column(
            "p_adjusted", "adjusted", probability, get=lambda one: one.p_adjusted[one.verdict_by]
        ),
        word("verdict", "verdict", _verdict),
    ]


def _verdict(one: Comparison) -> Cell:
    return "too few tasks" if one.verdict is Verdict.TOO_FEW else toned(one.verdict)


def _undefined(outcomes: Outcomes, compared: Comparisons) -> Iterator[tuple[str, str]]:
    for one in compared:
        for what, why in (("interval", one.why.get("ci95")), ("p", one.tests[one.verdict_by].why)):
            if why:
                yield f"{what} of {one.measure}, {one.tag}", why
    there = {(one.measure, one.tag) for one in compared}
    for check, arm in product(outcomes.checks, outcomes.arms):
        if arm != compared.baseline and (check, arm) not in there:
            yield f"comparison of {check}, {arm}", "no task has an outcome of both"
