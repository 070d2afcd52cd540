"""What the share of tasks that an arm passes, or its cost, alone does not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.collected import reason_line

if TYPE_CHECKING:
    from judge_tui.collect import TaskOutcome
    from judge_tui.collect.tasks import Arm, Attempt

__all__ = ["cautions_of_arm"]

_SHOWN = 3


def cautions_of_arm(outcome: TaskOutcome, arm: Arm) -> Iterator[str]:
    """A sentence for each, which begins with the name of the arm."""
    attempts = outcome.of(arm.name)
    answered = [one for one in attempts if not one.failure]
    of = f"of {len(attempts)}"
    for caution in (
        *_about_calls(outcome, arm),
        *_about_failures(outcome, attempts, of),
        *_about_context(arm, answered, of),
        *_about_replies(outcome, answered, of),
        *_about_checks(outcome, answered, of),
    ):
        yield f"{arm.name}: {caution}"


def _about_calls(outcome: TaskOutcome, arm: Arm) -> Iterator[str]:
    """What is missing from the cost, where anything has a price."""
    for one in outcome.calls[arm.name] if outcome.has_prices else ():
        if one.price is None and one.count:
            yield f"{one.system} has no price, and its {one.count:,} calls are not in the cost"


def _about_failures(outcome: TaskOutcome, attempts: Sequence[Attempt], of: str) -> Iterator[str]:
    """Of tasks of which nothing came that could be checked."""
    if unanswered := [one for one in attempts if one.failed == "endpoint"]:
        counts = "has no outcome" if outcome.leaves_out else "counts as passing no check"
        named = _named(unanswered)
        yield f"{len(unanswered)} {of} tasks were not answered, which {counts}: {named}"
    if searchless := [one for one in attempts if one.failed == "context"]:
        yield (
            f"{len(searchless)} {of} tasks were not put for want of context, which counts as"
            f" passing no check: {_named(searchless)}"
        )


def _about_context(arm: Arm, answered: Sequence[Attempt], of: str) -> Iterator[str]:
    if arm.context and (bare := sum(not one.doc_ids and not one.cut for one in answered)):
        yield f"{arm.context} found nothing for {bare} {of} tasks, put without context"
    if cut := sum(one.cut for one in answered):
        yield f"the context of {cut} {of} tasks was too long and is cut off"


def _about_replies(outcome: TaskOutcome, answered: Sequence[Attempt], of: str) -> Iterator[str]:
    if empty := [one for one in answered if one.empty]:
        refused = sum(bool(one.refusal) for one in empty)
        more = f", {refused} of them refusals," if refused else ""
        yield f"{len(empty)} {of} answers are empty{more} and pass no check"
    if codeless := sum(one.codeless for one in answered):
        yield f"{codeless} {of} answers have no code in them and pass no check"
    if unfenced := sum(map(outcome.is_unfenced, answered)):
        yield (f"{unfenced} {of} answers have no fenced block of code, and are checked as a whole")
    if short := sum(one.finish == "length" for one in answered):
        yield f"{short} {of} answers broke off at their greatest length"


def _about_checks(outcome: TaskOutcome, answered: Sequence[Attempt], of: str) -> Iterator[str]:
    """Of each check whose program did not come to an end by itself."""
    for check in outcome.checks:
        if late := [one for one in answered if one.checks[check].gave_up]:
            whys = "; ".join(f"{one.task}: {one.checks[check].why}" for one in late[:_SHOWN])
            yield (
                f"{check} did not come to its end for {len(late)} {of} answers: {whys}{_more(late)}"
            )


def _named(attempts: Sequence[Attempt]) -> str:
    shown = "; ".join(f"{one.task}: {reason_line(one.failure)}" for one in attempts[:_SHOWN])
    return f"{shown}{_more(attempts)}"


def _more(attempts: Sequence[Attempt]) -> str:
    return f"; and {len(attempts) - _SHOWN} more" if len(attempts) > _SHOWN else ""
