"""What live systems answered, as a report: a row a system. Of systems that were put tasks, a row
an arm, each arm beside the first, and the tasks that one of two arms alone passes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from judge_tui.analysis.warnings import of_failures, of_nothing_found
from judge_tui.percent import percent
from judge_tui.report.layout import Cell, Column, Report, Table, short_number, text
from judge_tui.report.outcomes import outcome_settings, outcome_tables

if TYPE_CHECKING:
    from judge_tui.collect import CollectedRun, TaskOutcome
    from judge_tui.collect.chat_tasks import Attempt
    from judge_tui.comparison.comparison import Comparisons

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
_FAILURES = ("system", "arm", "query_id", "by", "tries", "why")


def collected_report(
    runs: Sequence[CollectedRun],
    tasks: Sequence[TaskOutcome] = (),
    compared: Mapping[str, Comparisons] | None = None,
) -> Report:
    """Of each system: queries, how many failed or found nothing, results, the most of one query,
    and seconds a query (median and 95th percentile, the nearest rank, of the queries that were
    answered). Of `tasks`: how many have no answer, how many pass each check, and seconds an answer
    (median); `compared`: of each system the arms beside the first one.
    """
    failures = [
        [one.tag, None, reply.query_id, None, reply.tries, reply.failure]
        for one in runs
        for reply in one.failed
    ]
    failures += [
        [one.name, attempt.arm, attempt.task, attempt.failed, attempt.tries, attempt.failure]
        for one in tasks
        for attempt in _attempts(one)
        if attempt.failure
    ]
    tables = [Table("systems", _SYSTEMS, list(map(_system, runs)))] if runs else []
    tables += _tasks(tasks) if tasks else []
    tested: dict[str, Any] = {}
    if compared:
        outcomes = {one.name: one.outcomes for one in tasks}
        tables += outcome_tables({name: (outcomes[name], its) for name, its in compared.items()})
        tested = outcome_settings(next(iter(compared.values())).settings)
    tables.append(Table("failures", [Column(key) for key in _FAILURES], failures))
    warnings = [*warnings_of(runs), *(line for one in tasks for line in _warnings(one))]
    return Report(tables, settings=tested, warnings=warnings)


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


_COUNTS = ("without context", "context cut", "nothing to check", "broke off", "check not ended")
"""Columns of what is counted of answers that were given."""


def _tasks(outcomes: Sequence[TaskOutcome]) -> Iterator[Table]:
    """How many tasks each arm passes, check by check; for programs a row a check."""
    passed = {
        (one.name, arm, check): values
        for one in outcomes
        for (check, arm), values in one.outcomes.passed.items()
    }
    keys = ("system", "arm", "check", "tasks", "passed")
    rows = [(*of, len(values), sum(values.values())) for of, values in passed.items()]
    yield Table("checks", [Column(key) for key in keys], rows)
    checks = list(dict.fromkeys(check for one in outcomes for check in one.checks))
    arms = [(one, arm) for one in outcomes for arm in one.arms]
    counts = [_counts(one, arm) for one, arm in arms]
    columns = [
        text("system", "system" if len(outcomes) > 1 else None),
        text("arm", "arm"),
        text("context", "context"),
        Column("k", "top"),
        Column("tasks", "tasks"),
        Column("unanswered", "no answer"),
        *(Column("", check) for check in checks),
        Column("median_s", "median s", short_number),
        *(
            Column(title.replace(" ", "_"), title if any(of) else None)
            for title, of in zip(_COUNTS, zip(*counts, strict=True), strict=True)
        ),
        text("identity"),
    ]
    yield Table(
        "arms",
        columns,
        [
            [
                *(one.name, arm, one.arms[arm].context or None),
                one.arms[arm].k if one.arms[arm].context else None,
                len(one.tasks),
                sum(bool(attempt.failure) for attempt in one.of(arm)),
                *(_share(passed.get((one.name, arm, check), {})) for check in checks),
                _median(one.of(arm)),
                *count,
                one.identity or None,
            ]
            for (one, arm), count in zip(arms, counts, strict=True)
        ],
        f"{' and '.join(one.name for one in outcomes)}: tasks passed",
    )


def _counts(outcome: TaskOutcome, arm: str) -> tuple[int, ...]:
    """How many answers were to a prompt that had no context, for want of results, or a part of it;
    have nothing in them to be checked; broke off at their greatest length; or had a check that did
    not come to its end."""
    answered = [one for one in outcome.of(arm) if not one.failure]
    checked = [list(one.checks.values()) for one in answered]
    return (
        sum(bool(outcome.arms[arm].context) and not one.doc_ids for one in answered),
        sum(one.cut for one in answered),
        sum(any(check.nothing for check in checks) for checks in checked),
        sum(one.finish == "length" for one in answered),
        sum(any(check.gave_up for check in checks) for checks in checked),
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


def _attempts(outcome: TaskOutcome) -> Iterator[Attempt]:
    return (attempt for arm in outcome.arms for attempt in outcome.of(arm))


def _share(passed: Mapping[str, bool]) -> Cell:
    count = sum(passed.values())
    return f"{count}/{len(passed)} {percent(count / len(passed), short=True)}" if passed else None


def _median(attempts: Iterable[Attempt]) -> float | None:
    times = [one.seconds for one in attempts if not one.failure]
    return median(times) if times else None
