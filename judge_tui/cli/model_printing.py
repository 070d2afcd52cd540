"""What `judge-tui model` says of models that are asked: before, meanwhile and after."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from judge_tui.cli.progress import duration, time_left
from judge_tui.counts import counted
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.models.candidate import Candidate
    from judge_tui.models.check import CheckedModel
    from judge_tui.models.cost import TokenCounts
    from judge_tui.models.judge import AskOutcome, OnProgress
    from judge_tui.models.plan import AskPlan
    from judge_tui.models.settings import JudgeSettings


def progress(
    say: Callable[[str], None], name: str, clock: Callable[[], float] = time.monotonic
) -> OnProgress:
    """What says, as questions are asked, how many were, how fast that is, and the time left."""
    begun = clock()

    def tell(done: int, total: int) -> None:
        seconds = clock() - begun
        rate = f"{done / seconds:.1f} a second" if done and seconds else ""
        left = time_left(done, total, seconds)
        say(" · ".join(filter(None, (f"{name} {done:,}/{total:,}", rate, left))))

    return tell


def print_check(candidate: Candidate, checked: CheckedModel) -> None:
    """Say what one pair told of an endpoint."""
    answer = checked.answer
    grade = f"none ({answer.reason})" if answer.grade is None else f"grade {answer.grade}"
    told = f"{checked.model or 'no model that it names'} answers in {answer.seconds or 0:.1f} s"
    lines = [
        f"{candidate.name}: {told}",
        f"  {checked.query_id} {checked.doc_id}: {grade}",
        f"  JSON schema {checked.json_schema}, logprobs {checked.logprobs}, seed {checked.seed}",
        f"  {counted(checked.pairs, 'open pair')}: about {duration(checked.seconds)}"
        + ("" if checked.usage is None else f", {_cost(candidate.settings, checked.usage)}"),
    ]
    for line in lines:
        click.echo(visible_line(line))


def print_plan(candidate: Candidate, planned: AskPlan, *, err: bool = False) -> None:
    """Say about how many pairs the model is asked now, and what that will cost."""
    parts = [
        counted(len(planned.questions), "pair"),
        f"{planned.answered:,} answered before" if planned.answered else "",
        f"{planned.without_text:,} without a text" if planned.without_text else "",
    ]
    _print_planned(candidate, planned, parts, err=err)


def print_probes(candidate: Candidate, planned: AskPlan, *, err: bool = False) -> None:
    """Say the same of probes, and which documents they take where there are none."""
    before = f"{planned.answered:,} answered before" if planned.answered else ""
    parts = [counted(len(planned.questions), "probe"), before]
    if not (planned.questions or before):
        grades = candidate.prompt.scale.grades
        least, most = min(grades), max(grades)
        what = f"documents that people graded {least}, and that it graded below {most} before"
        parts = [f"no probes yet: they take {what}"]
    _print_planned(candidate, planned, parts, err=err)


def _print_planned(candidate: Candidate, planned: AskPlan, parts: list[str], *, err: bool) -> None:
    line = f"{candidate.name}: {', '.join(filter(None, parts))}"
    if planned.questions and candidate.settings.price_in is not None:
        tokens, at_most = planned.expected
        line += f"; about {_cost(candidate.settings, tokens, 'at most ' if at_most else '')}"
    click.echo(visible_line(line), err=err)


def print_outcome(settings: JudgeSettings, outcome: AskOutcome) -> None:
    """Say who has judged, what came of it, and what it cost."""
    from judge_tui.models.cost import NOTHING

    for name, changes in outcome.judges.items():
        if changes:
            click.echo(visible_line(f"{name}: another judge than before: {changes}"))
    parts = [
        counted(outcome.graded, "pair graded", "pairs graded"),
        counted(outcome.probed, "probe graded", "probes graded") if outcome.probed else "",
        f"{outcome.known:,} answered before" if outcome.known else "",
        f"{counted(outcome.cut, 'document')} cut" if outcome.cut else "",
        _cost(settings, outcome.usage) if outcome.usage != NOTHING else "",
    ]
    if outcome.judges:
        click.echo(visible_line(f"{', '.join(outcome.judges)}: {', '.join(filter(None, parts))}"))
    _print_reasons("no grade", outcome.none)
    _print_reasons("no answer, still open", outcome.failed)


def _print_reasons(what: str, reasons: Counter[str]) -> None:
    for reason, count in reasons.most_common():
        click.echo(visible_line(f"  {what}: {count:,} ({reason})"))


def _cost(settings: JudgeSettings, usage: TokenCounts, most: str = "") -> str:
    """`most`: "at most " where so much of the answers is no more than that."""
    from judge_tui.models.cost import price

    money = price(settings, usage)
    tokens = f"{usage.tokens_in:,} tokens read and {most}{usage.tokens_out:,} written"
    return tokens if money is None else f"{tokens}, cost {most}{money:,.4f}"
