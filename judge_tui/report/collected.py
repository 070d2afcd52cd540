"""What live systems answered, as a report: a row a system. Of systems that were put tasks, a row
an arm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from judge_tui.analysis.warnings import of_failures, of_nothing_found
from judge_tui.percent import percent
from judge_tui.report.layout import Cell, Column, Report, Table, short_number, text

if TYPE_CHECKING:
    from judge_tui.collect import CollectedRun, TaskOutcome

__all__ = ["collected_report", "reason_line", "warnings_of"]

_REASON = 90
"""In characters."""

_MARKUP = re.compile(
    r"<(?P<unread>script|style)\b.*?(?:</(?P=unread)\s*>|$)|<[/!?a-z][^<>]*(?:>|$)",
    re.IGNORECASE | re.DOTALL,
)

_SYSTEMS = (
    text("system", "system"),
    Column("queries", "queries"),
    Column("failed", "failed"),
    Column("empty", "nothing found"),
    Column("results", "results"),
    Column("most", "most"),
    Column("repeated", "repeated"),
    Column("median_s", "median s", short_number),
    Column("p95_s", "p95 s", short_number),
    Column("", "there already"),
    text("identity"),
)
_FAILURES = ("system", "arm", "query_id", "tries", "why")


def collected_report(runs: Sequence[CollectedRun], tasks: Sequence[TaskOutcome] = ()) -> Report:
    """Of each system: queries, how many failed or found nothing, results, the most of one query,
    and seconds a query (median and 95th percentile, the nearest rank, of the queries that were
    answered). Of `tasks`: how many have no answer, how many pass each check, and seconds an answer
    (median)."""
    failures = [
        [one.tag, None, reply.query_id, reply.tries, reply.failure]
        for one in runs
        for reply in one.failed
    ]
    failures += [
        [one.name, arm, attempt.task, attempt.tries, attempt.failure]
        for one in tasks
        for arm, attempts in one.attempts.items()
        for attempt in attempts
        if attempt.failure
    ]
    tables = [Table("systems", _SYSTEMS, list(map(_system, runs)))] if runs else []
    tables += _tasks(tasks) if tasks else []
    tables.append(Table("failures", [Column(key) for key in _FAILURES], failures))
    warnings = [*warnings_of(runs), *(line for one in tasks for line in _warnings_of_task(one))]
    return Report(tables, warnings=warnings)


def warnings_of(runs: Sequence[CollectedRun]) -> tuple[str, ...]:
    """What a reader must know of systems that failed, or found nothing at all."""
    failures = {
        one.tag: {reply.query_id: reason_line(reply.failure) for reply in one.failed}
        for one in runs
        if one.failed
    }
    asked = {one.tag: len(one.replies) for one in runs}
    return (
        *of_failures("queries that failed count as nothing found", failures, asked),
        *of_nothing_found([one.tag for one in runs if len(one.empty) == len(one.replies)]),
    )


def _warnings_of_task(one: TaskOutcome) -> tuple[str, ...]:
    failures = {
        arm: {it.task: reason_line(it.failure) for it in attempts if it.failure}
        for arm, attempts in one.attempts.items()
    }
    asked = {arm: len(attempts) for arm, attempts in one.attempts.items()}
    what = f"{one.name}: tasks without an answer pass no check"
    return of_failures(what, {arm: its for arm, its in failures.items() if its}, asked)


def reason_line(failure: str) -> str:
    """Why a query failed, short and without the tags of a page that a server may have sent."""
    words = " ".join(_MARKUP.sub(" ", failure).split()).rstrip(":")
    return words if len(words) <= _REASON else f"{words[: _REASON - 1].rstrip()}…"


def _system(one: CollectedRun) -> list[Cell]:
    return [
        one.tag,
        len(one.replies),
        len(one.failed),
        len(one.empty),
        sum(len(reply.hits) for reply in one.replies),
        max((len(reply.hits) + reply.repeated for reply in one.replies), default=0),
        sum(reply.repeated for reply in one.replies),
        *one.latency,
        one.kept,
        one.identity or None,
    ]


def _tasks(outcomes: Sequence[TaskOutcome]) -> Iterator[Table]:
    """How many tasks each arm passes, check by check; for programs a row a check."""
    keys = ("system", "arm", "check", "tasks", "passed")
    rows: list[list[Cell]] = [
        [one.name, arm, check, len(passed), sum(passed.values())]
        for one in outcomes
        for (check, arm), passed in one.passed.items()
    ]
    yield Table("checks", [Column(key) for key in keys], rows)
    checks = list(dict.fromkeys(check for one in outcomes for check in one.checks))
    columns = [
        text("system", "system" if len(outcomes) > 1 else None),
        text("arm", "arm"),
        text("context", "context"),
        Column("k", "top"),
        Column("tasks", "tasks"),
        Column("unanswered", "no answer"),
        Column("without_context", "nothing found"),
        Column("broke_off", "broke off"),
        *(Column("", check) for check in checks),
        Column("median_s", "median s", short_number),
        text("identity"),
    ]
    arms = [_arm(one, arm, checks) for one in outcomes for arm in one.arms]
    yield Table(
        "arms", columns, arms, f"{' and '.join(one.name for one in outcomes)}: tasks passed"
    )


def _arm(outcome: TaskOutcome, arm: str, checks: Sequence[str]) -> list[Cell]:
    """Its answers: how many there are, how many were to a prompt without context because nothing
    was found, or broke off at their greatest length, and which share passes each check."""
    context, k = outcome.arms[arm].context, outcome.arms[arm].k
    attempts = outcome.attempts[arm]
    answered = [one for one in attempts if not one.failure]
    return [
        *(outcome.name, arm, context, k if context else None, len(attempts)),
        len(attempts) - len(answered),
        sum(context is not None and not one.doc_ids for one in answered),
        sum(one.finish == "length" for one in answered),
        *(_share(outcome.passed.get((check, arm), {})) for check in checks),
        median(one.seconds for one in answered) if answered else None,
        outcome.identity or None,
    ]


def _share(passed: Mapping[str, bool]) -> Cell:
    count = sum(passed.values())
    return f"{count}/{len(passed)} {percent(count / len(passed), short=True)}" if passed else None
