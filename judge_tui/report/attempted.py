"""What came of tasks that were put with and without context, as a report: a row an arm, each arm
beside the first, and the tasks that one of two arms alone passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from judge_tui.comparison.arms import ArmComparison
from judge_tui.percent import percent
from judge_tui.report.collected import reason_line
from judge_tui.report.layout import Cell, Column, Grid, Report, plain, seconds
from judge_tui.report.outcomes import outcomes_report

if TYPE_CHECKING:
    from judge_tui.collect import TaskOutcome
    from judge_tui.collect.chat_tasks import Attempt

__all__ = ["attempted_report"]

_SHOWN = 3


def attempted_report(
    outcome: TaskOutcome,
    compared: Sequence[ArmComparison],
    *,
    correction: str,
    alpha: float,
    seed: int,
) -> Report:
    """Of each arm: how many tasks, how many have no answer, how many pass each check, and seconds
    an answer (median). `compared`: the arms beside the first one, as `compare_arms` has them with
    these settings; none where there is one arm alone."""
    name = outcome.name
    warnings = [f"{name}, {arm}: {one}" for arm in outcome.arms for one in _warnings(outcome, arm)]
    grids = [_arms(outcome)]
    notes: list[str] = []
    beside: Report | None = None
    if compared:
        beside = outcomes_report(compared, correction=correction, alpha=alpha, seed=seed)
        grids += [one._replace(title=f"{name}: {one.title}") for one in beside.grids]
        notes = [f"{name}: {note}" for note in beside.notes]
    document = {
        "system": name,
        "identity": outcome.identity or None,
        "arms": [_document(outcome, arm) for arm in outcome.arms],
        "outcomes": beside.document if beside is not None else None,
        "warnings": warnings,
    }
    header = ("system", "arm", "check", "tasks", "passed")
    rows = [
        (name, arm, check, *_count(outcome, arm, check))
        for arm in outcome.arms
        for check in outcome.checks
    ]
    return Report(document, header, rows, grids, notes, warnings)


def _arms(outcome: TaskOutcome) -> Grid:
    columns = [
        Column("arm", plain, right=False),
        Column("context", plain, right=False),
        Column("tasks"),
        Column("no answer"),
        *(Column(check, plain) for check in outcome.checks),
        Column("median s", seconds),
    ]
    rows: list[list[Cell]] = [
        [
            name,
            f"{arm.context}, top {arm.k}" if arm.context else "none",
            len(outcome.tasks),
            sum(bool(one.failure) for one in outcome.of(name)),
            *(_share(*_count(outcome, name, check)) for check in outcome.checks),
            _median(outcome.of(name)),
        ]
        for name, arm in outcome.arms.items()
    ]
    return Grid(f"{outcome.name}: tasks passed", columns, rows)


def _warnings(outcome: TaskOutcome, arm: str) -> Iterator[str]:
    """What the share of tasks that an arm passes does not say."""
    of = f"of {len(outcome.tasks)}"
    attempts = outcome.of(arm)
    answered = [one for one in attempts if not one.failure]
    counts = "has no outcome" if outcome.leaves_out else "counts as passing no check"
    if failed := [one for one in attempts if one.failed == "endpoint"]:
        yield f"{len(failed)} {of} tasks were not answered, which {counts}: {_reasons(failed)}"
    if failed := [one for one in attempts if one.failed == "context"]:
        yield f"{len(failed)} {of} tasks had no context and pass no check: {_reasons(failed)}"
    counted = {
        "tasks were put without context, for want of results": (
            lambda one: bool(outcome.arms[arm].context) and not one.doc_ids
        ),
        "contexts were too long and are cut off": lambda one: one.cut,
        "answers have nothing in them to be checked": (
            lambda one: any(checked.nothing for checked in one.checks.values())
        ),
        "answers broke off at their greatest length": lambda one: one.finish == "length",
        "answers had a check that did not come to its end": (
            lambda one: any(checked.gave_up for checked in one.checks.values())
        ),
    }
    for what, holds in counted.items():
        if count := sum(map(holds, answered)):
            yield f"{count} {of} {what}"


def _reasons(attempts: Sequence[Attempt]) -> str:
    shown = "; ".join(f"{one.task}: {reason_line(one.failure)}" for one in attempts[:_SHOWN])
    more = f"; and {len(attempts) - _SHOWN} more" if len(attempts) > _SHOWN else ""
    return f"{shown}{more}"


def _document(outcome: TaskOutcome, arm: str) -> dict[str, Any]:
    attempts = outcome.of(arm)
    answered = [one for one in attempts if not one.failure]
    its = outcome.arms[arm]
    return {
        "arm": arm,
        "context": its.context,
        "k": its.k if its.context else None,
        "tasks": len(attempts),
        "checks": {check: _passed(outcome, arm, check) for check in outcome.checks},
        "failures": [
            {"task": one.task, "by": one.failed, "tries": one.tries, "why": one.failure}
            for one in attempts
            if one.failure
        ],
        "context_cut": sum(one.cut for one in answered) if its.context else None,
        "broke_off": sum(one.finish == "length" for one in answered),
        "median_s": _median(attempts),
    }


def _passed(outcome: TaskOutcome, arm: str, check: str) -> dict[str, Any]:
    tasks, passed = _count(outcome, arm, check)
    return {"tasks": tasks, "passed": passed, "share": passed / tasks if tasks else None}


def _count(outcome: TaskOutcome, arm: str, check: str) -> tuple[int, int]:
    """Tasks that have an outcome, and those of them that passed."""
    its = outcome.passed[check, arm]
    return len(its), sum(its.values())


def _share(tasks: int, passed: int) -> Cell:
    return f"{passed}/{tasks} {percent(passed / tasks, short=True)}" if tasks else None


def _median(attempts: Sequence[Attempt]) -> float | None:
    times = [one.seconds for one in attempts if not one.failure]
    return median(times) if times else None
