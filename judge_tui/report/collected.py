"""What live systems answered, as a report: a row a system. Of systems that were put tasks, a row
an arm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter, methodcaller
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.analysis.warnings import warn_of_failures, warn_of_nothing_found
from judge_tui.report.layout import Column, Report, Table, excerpt, short_number, word, words

if TYPE_CHECKING:
    from judge_tui.collect import CollectedRun, TaskOutcome
    from judge_tui.collect.chat_tasks import Attempt

_REASON = 90
"""In characters."""

_MARKUP = re.compile(
    r"<(?P<unread>script|style)\b.*?(?:</(?P=unread)\s*>|$)|<[/!?a-z][^<>]*(?:>|$)",
    re.IGNORECASE | re.DOTALL,
)


def _most(run: CollectedRun) -> int:
    return max((len(reply.hits) + reply.repeated for reply in run.replies), default=0)


_SYSTEMS = [
    word("system", "system", attrgetter("tag")),
    Column("queries", "queries", get=lambda run: len(run.replies)),
    Column("failed", "failed", get=lambda run: len(run.failed)),
    Column("empty", "nothing found", get=lambda run: len(run.empty)),
    Column("results", "results", get=lambda run: sum(len(one.hits) for one in run.replies)),
    Column("most", "most", get=_most),
    Column("repeated", "repeated", get=lambda run: sum(one.repeated for one in run.replies)),
    Column("median_s", "median s", short_number, get=lambda run: run.latency[0]),
    Column("p95_s", "p95 s", short_number, get=lambda run: run.latency[1]),
    Column("", "there already", get=lambda run: len(run.earlier)),
    word("identity"),
]
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
    tables = [Table.of("", _SYSTEMS, runs, "systems")] if runs else []
    tables += [_tasks(tasks)] if tasks else []
    tables.append(Table("", [Column(key) for key in _FAILURES], failures, "failures"))
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
        *warn_of_failures("queries that failed count as nothing found", failures, asked),
        *warn_of_nothing_found([one.tag for one in runs if len(one.empty) == len(one.replies)]),
    )


def _warnings_of_task(one: TaskOutcome) -> tuple[str, ...]:
    failures = {
        arm: {it.task: reason_line(it.failure) for it in attempts if it.failure}
        for arm, attempts in one.attempts.items()
    }
    asked = {arm: len(attempts) for arm, attempts in one.attempts.items()}
    what = f"{one.name}: tasks without an answer pass no check"
    return warn_of_failures(what, {arm: its for arm, its in failures.items() if its}, asked)


def reason_line(failure: str) -> str:
    """Why a query failed, short and without the tags of a page that a server may have sent."""
    return excerpt(" ".join(_MARKUP.sub(" ", failure).split()).rstrip(":"), _REASON)


class _Arm(NamedTuple):
    """What came of an arm of a system: its answers, and which tasks pass each check."""

    outcome: TaskOutcome
    arm: str

    @property
    def context(self) -> str | None:
        return self.outcome.arms[self.arm].context

    @property
    def attempts(self) -> Sequence[Attempt]:
        return self.outcome.attempts[self.arm]

    @property
    def answered(self) -> list[Attempt]:
        return [one for one in self.attempts if not one.failure]

    def passed(self, check: str) -> int:
        return sum(self.outcome.passed.get((check, self.arm), {}).values())


def _tasks(outcomes: Sequence[TaskOutcome]) -> Table:
    """How many tasks each arm passes, check by check."""
    checks = dict.fromkeys(check for one in outcomes for check in one.checks)
    columns = [
        word("system", "system" if len(outcomes) > 1 else None, attrgetter("outcome.name")),
        *words("arm", "context"),
        Column("k", "top", get=lambda of: of.outcome.arms[of.arm].k if of.context else None),
        Column("tasks", "tasks", get=lambda of: len(of.attempts)),
        Column("unanswered", "no answer", get=lambda of: len(of.attempts) - len(of.answered)),
        Column("without_context", "nothing found", get=_without_context),
        *(Column(f"passed_{check}", check, get=methodcaller("passed", check)) for check in checks),
        Column("median_s", "median s", short_number, get=_median),
        word("identity", get=attrgetter("outcome.identity")),
    ]
    arms = [_Arm(one, arm) for one in outcomes for arm in one.arms]
    title = f"{' and '.join(one.name for one in outcomes)}: tasks passed"
    return Table.of(title, columns, arms, "arms")


def _without_context(of: _Arm) -> int:
    """Of the answers, those to a prompt without context, because nothing was found."""
    return sum(of.context is not None and not one.doc_ids for one in of.answered)


def _median(of: _Arm) -> float | None:
    return median(one.seconds for one in of.answered) if of.answered else None
