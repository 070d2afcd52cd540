"""What live systems answered, as a report: a row a system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.analysis.warnings import of_failures, of_nothing_found
from judge_tui.report.grids import Cell, Column, Grid, Report, seconds

if TYPE_CHECKING:
    from judge_tui.collect import CollectedRun

__all__ = ["collected_report", "reason_line", "warnings_of"]

_REASON = 90
"""In characters."""

_MARKUP = re.compile(
    r"<(?P<unread>script|style)\b.*?(?:</(?P=unread)\s*>|$)|<[/!?a-z][^<>]*(?:>|$)",
    re.IGNORECASE | re.DOTALL,
)
_KEYS = ("system", "queries", "failed", "empty", "results", "most", "repeated", "median_s", "p95_s")
_COLUMNS = (
    Column("system", right=False),
    Column("queries"),
    Column("failed"),
    Column("nothing found"),
    Column("results"),
    Column("most"),
    Column("repeated"),
    Column("median s", seconds),
    Column("p95 s", seconds),
)


def collected_report(runs: Sequence[CollectedRun], tasks: Sequence[Report] = ()) -> Report:
    """Of each system: queries, how many failed or found nothing, results, the most of one query,
    and seconds a query (median and 95th percentile, the nearest rank, of the queries that were
    answered). Behind them `tasks`, see `attempted_report`; where there are these alone, their rows
    are those of the CSV."""
    rows = [_row(one) for one in runs]
    warnings = [*warnings_of(runs)]
    warnings += [warning for one in tasks for warning in one.warnings]
    document: dict[str, Any] = {
        "schema_version": 1,
        "systems": [
            {
                **dict(zip(_KEYS, row, strict=True)),
                "identity": one.identity or None,
                "failures": [
                    {"query_id": reply.query_id, "tries": reply.tries, "why": reply.failure}
                    for reply in one.failed
                ],
            }
            for one, row in zip(runs, rows, strict=True)
        ],
        "warnings": [*warnings],
    }
    if tasks:
        document["tasks"] = [one.document for one in tasks]
    kept = [(*row, one.kept) for row, one in zip(rows, runs, strict=True)]
    grids = [Grid("", (*_COLUMNS, Column("there already")), kept)]
    grids += [grid for one in tasks for grid in one.grids]
    if tasks and not runs:
        passed = [row for one in tasks for row in one.rows]
        return Report(document, tasks[0].header, passed, grids, warnings)
    return Report(document, _KEYS, rows, grids, warnings)


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


def _row(one: CollectedRun) -> tuple[Cell, ...]:
    return (
        one.tag,
        len(one.replies),
        len(one.failed),
        len(one.empty),
        sum(len(reply.hits) for reply in one.replies),
        max((len(reply.hits) + reply.repeated for reply in one.replies), default=0),
        sum(reply.repeated for reply in one.replies),
        *one.latency,
    )
