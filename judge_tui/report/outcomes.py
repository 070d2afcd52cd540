"""Paired outcomes as a report: each arm beside the baseline by each check, and the tasks that one
of them alone passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge_tui.comparison.arms import ArmComparison
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.comparison.verdict import Verdict
from judge_tui.report.grids import Cell, Field, Records, Report, difference, plain, probability
from judge_tui.report.undefined import undefined_grid
from judge_tui.report.verdicts import toned

__all__ = ["outcomes_report"]

_FIELDS = (
    Field("check", "check", plain, right=False),
    Field("baseline"),
    Field("arm", "arm", plain, right=False),
    Field("tasks", "tasks"),
    Field("left_out", "left out"),
    Field("baseline_passed", "baseline"),
    Field("passed", "passed"),
    Field("baseline_failed", "baseline failed"),
    Field("failed", "failed"),
    Field("delta", "delta", difference),
    Field("low", "95% low", difference),
    Field("high", "95% high", difference),
    Field("gained", "gained"),
    Field("lost", "lost"),
    Field("p", "mcnemar p", probability),
    Field("p_adjusted", "adjusted", probability),
    Field("verdict", "verdict", plain, right=False),
)
_DISCORDANT = ("check", "arm", "task", "passed_by")


def outcomes_report(compared: Sequence[ArmComparison], settings: ComparisonSettings) -> Report:
    """One row an arm and check, then the discordant tasks."""
    arms = Records(
        "comparisons",
        _FIELDS,
        list(map(_row, compared)),
        f"Compared with {compared[0].baseline}: exact McNemar, alpha {settings.alpha:g},"
        f" correction {settings.correction} over {len(compared)}",
    )
    discordant = Records(
        "discordant",
        [Field(key, key.replace("_", " "), plain, right=False) for key in _DISCORDANT],
        [
            (one.check, one.arm, task, who)
            for one in compared
            for tasks, who in ((one.gained, one.arm), (one.lost, one.baseline))
            for task in tasks
        ],
        "Discordant tasks",
    )
    return Report(
        document={
            "schema_version": 1,
            "settings": {
                "baseline": compared[0].baseline,
                "test": "mcnemar",
                "correction": settings.correction,
                "alpha": settings.alpha,
                "seed": settings.seed,
            },
            "comparisons": arms.to_dicts(),
            "discordant": discordant.to_dicts(),
            "warnings": [],
        },
        header=arms.header,
        rows=arms.lines(),
        grids=[arms.grid(), discordant.grid(), undefined_grid(_undefined(compared))],
    )


def _row(one: ArmComparison) -> tuple[Cell, ...]:
    few = one.verdict is Verdict.TOO_FEW
    return (
        *(one.check, one.baseline, one.arm, one.tasks, one.left_out),
        *(one.before, one.after, *one.failed, one.delta, *(one.ci95 or (None, None))),
        *(len(one.gained), len(one.lost), one.test.p, one.p_adjusted),
        "too few tasks" if few else toned(one.verdict),
    )


def _undefined(compared: Sequence[ArmComparison]) -> Iterator[tuple[str, str]]:
    for one in compared:
        for what, why in (("interval", one.why.get("ci95", "")), ("p", one.test.why)):
            if why:
                yield f"{what} of {one.check}, {one.arm}", why
