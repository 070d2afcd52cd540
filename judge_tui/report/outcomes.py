"""Paired outcomes as a report: each arm beside the baseline by each check, and the tasks that one
of them alone passes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from judge_tui.report.arm_columns import arm_cells, arm_columns
from judge_tui.report.layout import Cell, Column, Grid, Report, plain
from judge_tui.report.verdicts import toned
from judge_tui.significance import Verdict
from judge_tui.significance.arms import ArmComparison

__all__ = ["outcomes_report"]

_FEWEST = 6
_NONE: Mapping[str, str] = MappingProxyType({})
_HEADER = (
    "check",
    "baseline",
    "arm",
    "tasks",
    "baseline_passed",
    "passed",
    "delta",
    "low",
    "high",
    "gained",
    "lost",
    "left_out",
    "p",
    "p_adjusted",
    "verdict",
    "gained_tasks",
    "lost_tasks",
    "baseline_failed",
    "failed",
)


def outcomes_report(
    compared: Sequence[ArmComparison],
    *,
    correction: str,
    alpha: float,
    seed: int,
    left_out: Sequence[str] = (),
    unanswered: Mapping[str, str] = _NONE,
    cautions: Sequence[str] = (),
) -> Report:
    """One row an arm and check; in the JSON the discordant tasks by name, and in the CSV, in two
    cells that are JSON lists. `left_out`: columns beside `passed`, which are no checks;
    `unanswered`: arm -> how many of its tasks nothing answered, in words, where these count as not
    passed; `cautions`: what else is to be known of the outcomes."""
    warnings = [*cautions]
    warnings += [line for one in compared for line in _cautions(one)]
    notes = [
        *_left_out(left_out),
        *(f"warning: {warning}" for warning in warnings),
        "p by exact McNemar on the tasks that one of the two alone passes; verdict by p"
        f" {'uncorrected' if correction == 'none' else f'corrected ({correction})'} over a family"
        f" of {len(compared)}, alpha {alpha:g}; interval by bootstrap over tasks, seed {seed}",
    ]
    return Report(
        document={
            "schema_version": 1,
            "settings": {
                "baseline": compared[0].baseline,
                "test": "mcnemar",
                "correction": correction,
                "alpha": alpha,
                "seed": seed,
            },
            "comparisons": [_document(one) for one in compared],
            "warnings": warnings,
        },
        header=_HEADER,
        rows=[_row(one) for one in compared],
        grids=[
            grid for grid in (_compared(compared, unanswered), _discordant(compared)) if grid.rows
        ],
        notes=notes,
    )


def _compared(compared: Sequence[ArmComparison], unanswered: Mapping[str, str]) -> Grid:
    columns = [
        Column("check", plain, right=False),
        Column("arm", plain, right=False),
        Column("tasks"),
        *arm_columns("baseline", "passed"),
    ]
    rows: list[list[Cell]] = [
        [
            one.check,
            one.arm,
            one.tasks,
            *arm_cells(one, _verdict(one, in_words=True)),
        ]
        for one in compared
    ]
    title = f"Compared with {compared[0].baseline}"
    if unanswered:
        told = ", ".join(f"{arm} failed at {count}" for arm, count in unanswered.items())
        resting = [any(one.failed) for one in compared]
        which = "every difference rests" if all(resting) else "verdicts that say so rest"
        title += f" ({told}, and {which} on that, too)" if any(resting) else f" ({told})"
    return Grid(title, columns, rows)


def _discordant(compared: Sequence[ArmComparison]) -> Grid:
    columns = [Column(name, plain, right=False) for name in ("check", "arm", "task", "passed by")]
    rows: list[list[Cell]] = []
    for one in compared:
        rows += [[one.check, one.arm, task, f"{one.arm} alone"] for task in one.gained]
        rows += [[one.check, one.arm, task, f"{one.baseline} alone"] for task in one.lost]
    return Grid("Discordant tasks", columns, rows)


def _left_out(columns: Sequence[str]) -> Iterator[str]:
    if columns:
        one = len(columns) == 1
        yield (
            f"{'column' if one else 'columns'} {', '.join(columns)} {'is' if one else 'are'} left"
            f" out beside passed; if {'it is a check' if one else 'they are checks'}, too, name"
            " each check with --check"
        )


def _cautions(one: ArmComparison) -> list[str]:
    who = f"{one.check}, {one.arm}"
    said = []
    if one.left_out:
        count = "1 task" if one.left_out == 1 else f"{one.left_out:,} tasks"
        named = zip((one.baseline, one.arm), one.without, strict=True)
        whose = " and ".join(f"{arm} has no outcome of {its:,}" for arm, its in named if its)
        said.append(f"{who}: {count} left out, as {whose}")
    said += (f"{who}: no interval: {why}" for why in _of_tasks(one.why).values())
    if one.test.why:
        said.append(f"{who}: no p: {one.test.why.replace('query', 'task')}")
    elif (discordant := len(one.gained) + len(one.lost)) < _FEWEST:
        count = "1 discordant task is" if discordant == 1 else f"{discordant} discordant tasks are"
        said.append(f"{who}: {count} fewer than {_FEWEST}, with which no p is below .05")
    return said


def _verdict(one: ArmComparison, *, in_words: bool = False) -> Cell:
    """`in_words`: with the failures that it rests on, which files have as numbers."""
    if one.verdict is Verdict.TOO_FEW:
        return "too few tasks"
    return toned(
        one.verdict, f"{one.verdict}, with failures" if in_words and any(one.failed) else None
    )


def _row(one: ArmComparison) -> tuple[Cell, ...]:
    low, high = one.ci95 or (None, None)
    return (
        one.check,
        one.baseline,
        one.arm,
        one.tasks,
        one.before,
        one.after,
        one.delta,
        low,
        high,
        len(one.gained),
        len(one.lost),
        one.left_out,
        one.test.p,
        one.p_adjusted,
        plain(_verdict(one)),
        json.dumps(one.gained),
        json.dumps(one.lost),
        *one.failed,
    )


def _document(one: ArmComparison) -> dict[str, Any]:
    test: dict[str, Any] = {
        "statistic": one.test.statistic,
        "p": one.test.p,
        "p_greater": one.test.p_greater,
        "p_less": one.test.p_less,
        "p_adjusted": one.p_adjusted,
    }
    if one.test.why:
        test["why"] = one.test.why.replace("query", "task")
    return {
        "check": one.check,
        "baseline": one.baseline,
        "arm": one.arm,
        "tasks": one.tasks,
        "baseline_passed": one.before,
        "passed": one.after,
        "delta": one.delta,
        "ci95": None if one.ci95 is None else list(one.ci95),
        "gained": list(one.gained),
        "lost": list(one.lost),
        "left_out": one.left_out,
        "tests": {"mcnemar": test},
        "verdict": plain(_verdict(one)),
        "baseline_failed": one.failed[0],
        "failed": one.failed[1],
        **({"why": _of_tasks(one.why)} if one.why else {}),
    }


def _of_tasks(why: Mapping[str, str]) -> dict[str, str]:
    return {name: reason.replace("queries", "tasks") for name, reason in why.items()}
