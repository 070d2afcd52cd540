"""What came of tasks that were put with and without context, as a report: a row an arm, each arm
beside the first, and the tasks that one of two arms alone passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from judge_tui.percent import percent
from judge_tui.report.collected import reason_line
from judge_tui.report.layout import Cell, Column, Grid, Report, plain, seconds
from judge_tui.report.money import money
from judge_tui.report.outcomes import outcomes_report
from judge_tui.significance.arms import ArmComparison

if TYPE_CHECKING:
    from judge_tui.collect import TaskOutcome
    from judge_tui.collect.tasks import Arm, Attempt

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
    beside = (
        outcomes_report(
            compared,
            correction=correction,
            alpha=alpha,
            seed=seed,
            unanswered=_unanswered(outcome),
        )
        if compared
        else None
    )
    notes = [f"{outcome.name}, {line}" for arm in outcome.arms for line in _cautions(outcome, arm)]
    grids = [_arms(outcome), *_costs(outcome)]
    said = list(notes)
    if beside is not None:
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
    if not any(one.price for calls in outcome.calls.values() for one in calls):
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


def _unpriced(outcome: TaskOutcome, arm: Arm) -> Iterator[str]:
    """What is missing from the cost of an arm."""
    if any(one.price for calls in outcome.calls.values() for one in calls):
        yield from (
            f"{arm.name}: {one.system} has no price, and its {one.count:,} calls are not in the"
            " cost"
            for one in outcome.calls[arm.name]
            if one.price is None and one.count
        )


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


def _cautions(outcome: TaskOutcome, arm: Arm) -> Iterator[str]:
    """What a share, or a cost, alone does not say of an arm."""
    yield from _unpriced(outcome, arm)
    attempts = outcome.of(arm.name)
    of = f"of {len(attempts)}"
    unanswered = [one for one in attempts if one.failed == "endpoint"]
    if unanswered:
        counts = "has no outcome" if outcome.leaves_out else "counts as passing no check"
        yield (
            f"{arm.name}: {len(unanswered)} {of} tasks were not answered, which {counts}:"
            f" {_named(unanswered)}"
        )
    searchless = [one for one in attempts if one.failed == "context"]
    if searchless:
        yield (
            f"{arm.name}: {len(searchless)} {of} tasks were not put for want of context, which"
            f" counts as passing no check: {_named(searchless)}"
        )
    answered = [one for one in attempts if not one.failure]
    if arm.context and (bare := sum(not one.doc_ids and not one.cut for one in answered)):
        yield f"{arm.name}: {arm.context} found nothing for {bare} {of} tasks, put without context"
    if cut := sum(one.cut for one in answered):
        yield f"{arm.name}: the context of {cut} {of} tasks was too long and is cut off"
    if empty := [one for one in answered if one.empty]:
        refused = sum(bool(one.refusal) for one in empty)
        more = f", {refused} of them refusals," if refused else ""
        yield f"{arm.name}: {len(empty)} {of} answers are empty{more} and pass no check"
    if codeless := sum(one.codeless for one in answered):
        yield f"{arm.name}: {codeless} {of} answers have no code in them and pass no check"
    if unfenced := sum(map(outcome.is_unfenced, answered)):
        yield (
            f"{arm.name}: {unfenced} {of} answers have no fenced block of code, and are checked"
            " as a whole"
        )
    if short := sum(one.finish == "length" for one in answered):
        yield f"{arm.name}: {short} {of} answers broke off at their greatest length"
    for check in outcome.checks:
        late = [one for one in answered if one.checks[check].gave_up]
        if late:
            whys = "; ".join(f"{one.task}: {one.checks[check].why}" for one in late[:_SHOWN])
            yield (
                f"{arm.name}: {check} did not come to its end for {len(late)} {of} answers: {whys}"
                f"{_more(late)}"
            )


def _named(attempts: Sequence[Attempt]) -> str:
    shown = "; ".join(f"{one.task}: {reason_line(one.failure)}" for one in attempts[:_SHOWN])
    return f"{shown}{_more(attempts)}"


def _more(attempts: Sequence[Attempt]) -> str:
    return f"; and {len(attempts) - _SHOWN} more" if len(attempts) > _SHOWN else ""


def _document(outcome: TaskOutcome, arm: Arm) -> dict[str, Any]:
    attempts = outcome.of(arm.name)
    answered = [one for one in attempts if not one.failure]
    counts = {check: _count(outcome, arm, check) for check in outcome.checks}
    return {
        "arm": arm.name,
        "context": arm.context or None,
        "k": arm.k or None,
        "tasks": len(attempts),
        "checks": {
            check: {"tasks": tasks, "passed": passed, "share": passed / tasks if tasks else None}
            for check, (tasks, passed) in counts.items()
        },
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
        "calls": [
            {
                "system": one.system,
                "calls": one.count,
                "price": one.price.amount if one.price else None,
                "currency": (one.price.currency or None) if one.price else None,
            }
            for one in outcome.calls[arm.name]
        ],
        "cost": [
            {"amount": amount, "currency": currency or None}
            for currency, amount in outcome.cost(arm.name).items()
        ]
        or None,
    }
