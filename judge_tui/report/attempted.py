"""What came of tasks that were put with and without context, as a report: a row an arm, each arm
beside the first, and the tasks that one of two arms alone passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from judge_tui.percent import percent
from judge_tui.report.attempted_cautions import cautions_of_arm
from judge_tui.report.layout import Cell, Column, Grid, Report, plain, seconds
from judge_tui.report.money import money
from judge_tui.report.outcomes import outcomes_report
from judge_tui.significance.arms import ArmComparison

if TYPE_CHECKING:
    from judge_tui.collect import TaskOutcome
    from judge_tui.collect.tasks import Arm, Attempt
    from judge_tui.collect.tasks.cost import Calls

__all__ = ["attempted_report"]


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
    notes = [
        f"{outcome.name}, {line}" for arm in outcome.arms for line in cautions_of_arm(outcome, arm)
    ]
    grids = [_arms(outcome), *_costs(outcome)]
    said = list(notes)
    beside: Report | None = None
    if compared:
        beside = outcomes_report(
            compared,
            correction=correction,
            alpha=alpha,
            seed=seed,
            unanswered=_unanswered(outcome),
        )
        grids += [one._replace(title=f"{outcome.name}: {one.title}") for one in beside.grids]
        said += [f"{outcome.name}: {note}" for note in beside.notes]
    document = {
        "system": outcome.name,
        "identity": outcome.identity or None,
        "arms": [_document(outcome, arm) for arm in outcome.arms],
        "outcomes": beside.document if beside is not None else None,
        "warnings": notes,
    }
    header = ("system", "arm", "check", "tasks", "passed")
    rows = [
        (outcome.name, arm.name, check, *_count(outcome, arm, check))
        for arm in outcome.arms
        for check in outcome.checks
    ]
    return Report(document, header, rows, grids, said, said)


def _unanswered(outcome: TaskOutcome) -> dict[str, str]:
    """Arm -> of how many tasks, of those that have an outcome, nothing came that was checked."""
    found = {}
    for arm in outcome.arms:
        counted = [one for one in outcome.of(arm.name) if outcome.has_outcome(one)]
        if failed := sum(bool(one.failure) for one in counted):
            found[arm.name] = f"{failed:,} of {len(counted):,} tasks"
    return found


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
            arm.name,
            f"{arm.context}, top {arm.k}" if arm.context else "none",
            len(outcome.tasks),
            sum(bool(one.failure) for one in outcome.of(arm.name)),
            *(_share(*_count(outcome, arm, check)) for check in outcome.checks),
            _median(outcome.of(arm.name)),
        ]
        for arm in outcome.arms
    ]
    return Grid(f"{outcome.name}: tasks passed", columns, rows)


def _costs(outcome: TaskOutcome) -> Iterator[Grid]:
    """None where nobody said a price."""
    if not outcome.has_prices:
        return
    rows: list[list[Cell]] = []
    for arm in outcome.arms:
        put, *searched = outcome.calls[arm.name]
        cost = outcome.cost(arm.name)
        rows.append(
            [
                arm.name,
                put.count,
                sum(one.count for one in searched),
                _money(cost, 1),
                _money(cost, 1000 / len(outcome.tasks)),
            ]
        )
    names = ("calls", "of the search", "cost", "of 1,000 tasks")
    columns = [Column("arm", plain, right=False), *map(Column, names)]
    yield Grid(f"{outcome.name}: what each arm costs", columns, rows)


def _money(cost: Mapping[str, float], times: float) -> Cell:
    return " + ".join(money(times * amount, currency) for currency, amount in cost.items()) or None


def _count(outcome: TaskOutcome, arm: Arm, check: str) -> tuple[int, int]:
    """Tasks that have an outcome, and those of them that passed."""
    outcomes = [outcome.outcome(one, check) for one in outcome.of(arm.name)]
    known = [one for one in outcomes if one is not None]
    return len(known), sum(known)


def _share(tasks: int, passed: int) -> Cell:
    return f"{passed}/{tasks} {percent(passed / tasks, short=True)}" if tasks else None


def _median(attempts: Sequence[Attempt]) -> float | None:
    seconds = [one.seconds for one in attempts if not one.failure]
    return median(seconds) if seconds else None


def _document(outcome: TaskOutcome, arm: Arm) -> dict[str, Any]:
    attempts = outcome.of(arm.name)
    answered = [one for one in attempts if not one.failure]
    return {
        "arm": arm.name,
        "context": arm.context or None,
        "k": arm.k or None,
        "tasks": len(attempts),
        "checks": {check: _passed(outcome, arm, check) for check in outcome.checks},
        "failures": [
            {"task": one.task, "by": one.failed, "tries": one.tries, "why": one.failure}
            for one in attempts
            if one.failure
        ],
        "nothing_found": sum(not one.doc_ids and not one.cut for one in answered)
        if arm.context
        else None,
        "context_cut": sum(one.cut for one in answered) if arm.context else None,
        "empty": sum(one.empty for one in answered),
        "no_code": sum(one.codeless for one in answered),
        "unfenced": sum(map(outcome.is_unfenced, answered)),
        "broke_off": sum(one.finish == "length" for one in answered),
        "median_s": _median(attempts),
        "calls": [_priced(one) for one in outcome.calls[arm.name]],
        "cost": [
            {"amount": amount, "currency": currency or None}
            for currency, amount in outcome.cost(arm.name).items()
        ]
        or None,
    }


def _passed(outcome: TaskOutcome, arm: Arm, check: str) -> dict[str, Any]:
    tasks, passed = _count(outcome, arm, check)
    return {"tasks": tasks, "passed": passed, "share": passed / tasks if tasks else None}


def _priced(calls: Calls) -> dict[str, Any]:
    price = calls.price
    return {
        "system": calls.system,
        "calls": calls.count,
        "price": price.amount if price else None,
        "currency": (price.currency or None) if price else None,
    }
