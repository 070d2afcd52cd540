"""What came of tasks that were put with and without context, as a report: a row an arm, each arm
beside the first, and the tasks that one of two arms alone passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from judge_tui.analysis.warnings import of_failures
from judge_tui.comparison.arms import ArmComparison
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.percent import percent
from judge_tui.report.collected import reason_line
from judge_tui.report.grids import Cell, Column, Grid, Report, plain, seconds
from judge_tui.report.outcomes import outcomes_report

if TYPE_CHECKING:
    from judge_tui.collect import TaskOutcome
    from judge_tui.collect.chat_tasks import Attempt

__all__ = ["attempted_report"]


def attempted_report(
    outcome: TaskOutcome, compared: Sequence[ArmComparison], settings: ComparisonSettings
) -> Report:
    """Of each arm: how many tasks, how many have no answer, how many pass each check, and seconds
    an answer (median). `compared`: the arms beside the first one, as `compare_arms` has them with
    these settings; none where there is one arm alone."""
    name = outcome.name
    warnings = [*_warnings(outcome)]
    grids = [_arms(outcome)]
    beside: Report | None = None
    if compared:
        beside = outcomes_report(compared, settings)
        grids += [one._replace(title=f"{name}: {one.title}") for one in beside.grids]
    document = {
        "system": name,
        "identity": outcome.identity or None,
        "arms": [_document(outcome, arm) for arm in outcome.arms],
        "outcomes": beside.document if beside is not None else None,
        "warnings": [*warnings],
    }
    header = ("system", "arm", "check", "tasks", "passed")
    rows = [
        (name, arm, check, *_count(outcome, arm, check))
        for arm in outcome.arms
        for check in outcome.checks
    ]
    return Report(document, header, rows, grids, warnings)


def _arms(outcome: TaskOutcome) -> Grid:
    counts = {arm: _counts(outcome, arm) for arm in outcome.arms}
    told = [what for what in _COUNTED if any(its[what] for its in counts.values())]
    columns = [
        Column("arm", plain, right=False),
        Column("context", plain, right=False),
        Column("tasks"),
        Column("no answer"),
        *(Column(check, plain) for check in outcome.checks),
        Column("median s", seconds),
        *(Column(what) for what in told),
    ]
    rows: list[list[Cell]] = [
        [
            name,
            f"{arm.context}, top {arm.k}" if arm.context else "none",
            len(outcome.tasks),
            sum(bool(one.failure) for one in outcome.of(name)),
            *(_share(*_count(outcome, name, check)) for check in outcome.checks),
            _median(outcome.of(name)),
            *(counts[name][what] for what in told),
        ]
        for name, arm in outcome.arms.items()
    ]
    return Grid(f"{outcome.name}: tasks passed", columns, rows)


_COUNTED: dict[str, str] = {
    "without context": "without_context",
    "context cut": "context_cut",
    "nothing to check": "nothing_to_check",
    "broke off": "broke_off",
    "check not ended": "check_not_ended",
}
"""What is counted of answers that were given: its column -> its key."""


def _counts(outcome: TaskOutcome, arm: str) -> dict[str, int]:
    """How many answers were to a prompt that had no context, for want of results, or a part of it;
    have nothing in them to be checked; broke off at their greatest length; or had a check that did
    not come to its end."""
    answered = [one for one in outcome.of(arm) if not one.failure]
    checked = [list(one.checks.values()) for one in answered]
    return dict(
        zip(
            _COUNTED,
            (
                sum(bool(outcome.arms[arm].context) and not one.doc_ids for one in answered),
                sum(one.cut for one in answered),
                sum(any(its.nothing for its in one) for one in checked),
                sum(one.finish == "length" for one in answered),
                sum(any(its.gave_up for its in one) for one in checked),
            ),
            strict=True,
        )
    )


def _warnings(outcome: TaskOutcome) -> Iterator[str]:
    """Of the tasks that have no answer."""
    for by, what in (
        ("endpoint", f"{outcome.name}: tasks that were not answered pass no check"),
        ("context", f"{outcome.name}: tasks whose search failed pass no check"),
    ):
        failures = {
            arm: {one.task: reason_line(one.failure) for one in attempts}
            for arm in outcome.arms
            if (attempts := [one for one in outcome.of(arm) if one.failed == by])
        }
        yield from of_failures(what, failures, dict.fromkeys(failures, len(outcome.tasks)))


def _document(outcome: TaskOutcome, arm: str) -> dict[str, Any]:
    attempts = outcome.of(arm)
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
        **{_COUNTED[what]: count for what, count in _counts(outcome, arm).items()},
        **({} if its.context else {"context_cut": None}),
        "median_s": _median(attempts),
    }


def _passed(outcome: TaskOutcome, arm: str, check: str) -> dict[str, Any]:
    tasks, passed = _count(outcome, arm, check)
    return {"tasks": tasks, "passed": passed, "share": passed / tasks if tasks else None}


def _count(outcome: TaskOutcome, arm: str, check: str) -> tuple[int, int]:
    """Tasks that have an outcome, and those of them that passed."""
    passed = outcome.outcomes.passed[check, arm]
    return len(passed), sum(passed.values())


def _share(tasks: int, passed: int) -> Cell:
    return f"{passed}/{tasks} {percent(passed / tasks, short=True)}" if tasks else None


def _median(attempts: Sequence[Attempt]) -> float | None:
    times = [one.seconds for one in attempts if not one.failure]
    return median(times) if times else None
