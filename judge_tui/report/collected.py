"""What live systems answered, as a report: a row a system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import Cell, Column, Grid, Report, seconds

if TYPE_CHECKING:
    from judge_tui.collect import CollectedRun

__all__ = ["collected_report", "reason_line"]

_REASONS_SHOWN = 3
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
    warnings = [
        f"{one.tag}: {len(one.failed)} of {len(one.replies)} queries failed, which counts as "
        f"nothing found: {_reasons(one)}"
        for one in runs
        if one.failed
    ]
    warnings += [
        f"{one.tag}: nothing found for any query; check where its results are sought"
        for one in runs
        if len(one.empty) == len(one.replies)
    ]
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
        "warnings": warnings,
    }
    if tasks:
        document["tasks"] = [one.document for one in tasks]
        warnings += [str(warning) for one in tasks for warning in one.warnings]
    grids = [Grid("", _COLUMNS, rows)] if runs or not tasks else []
    grids += [grid for one in tasks for grid in one.grids]
    notes = [note for one in tasks for note in one.notes]
    if tasks and not runs:
        passed = [row for one in tasks for row in one.rows]
        return Report(document, tasks[0].header, passed, grids, notes, warnings)
    return Report(document, _KEYS, rows, grids, notes, warnings)


def reason_line(failure: str) -> str:
    """Why a query failed, short and without the tags of a page that a server may have sent."""
    words = " ".join(_MARKUP.sub(" ", failure).split()).rstrip(":")
    return words if len(words) <= _REASON else f"{words[: _REASON - 1].rstrip()}…"


def _reasons(one: CollectedRun) -> str:
    """The first reasons, each once, with the first query that failed for it."""
    alike: dict[str, list[str]] = {}
    for reply in one.failed:
        alike.setdefault(reason_line(reply.failure), []).append(reply.query_id)
    reasons = [
        f"{first}{f' and {len(others):,} more' if others else ''}: {why}"
        for why, (first, *others) in alike.items()
    ]
    more = [f"{one.latency_path.name} has the reason of each"] * (len(reasons) > _REASONS_SHOWN)
    return "; ".join([*reasons[:_REASONS_SHOWN], *more])


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
