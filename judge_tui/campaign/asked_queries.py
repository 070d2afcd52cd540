"""What runs were asked, which most run files cannot say of a query without results: it counts as
nothing found, and is never dropped from a mean.

It comes from the file that `collect` writes beside a run (`formats.latency_csv`), or from the run's
own where that names such queries, too, as Quepid's detailed CSV does. Of other runs nothing is
known, and a query that they have no result for is left out of their numbers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.campaign.file import Campaign
from judge_tui.formats.latency_csv import latency_of

__all__ = [
    "AskedRows",
    "AskedRun",
    "asked_rows",
    "asked_runs",
    "failures_of",
    "nothing_found",
    "write_asked",
]

AskedRows: TypeAlias = Mapping[int, tuple[float | None, str]]
"""Key of a query -> its seconds, None where nobody knows them, and why it failed, "" where it did
not."""


@dataclass(frozen=True, slots=True)
class AskedRun:
    """What is known of a run: it was asked so many `queries`, of which `nothing_found` have no
    result; at `failed` of these the system failed. `median_s` and `p95_s` (the nearest rank): the
    seconds of the others as far as they are known, None where none are."""

    queries: int
    nothing_found: int
    failed: int
    median_s: float | None
    p95_s: float | None


def asked_rows(connection: sqlite3.Connection, run: int) -> AskedRows:
    """What is kept of the run with that key; nothing where nothing is known of it."""
    return {
        query: (seconds, failure)
        for query, seconds, failure in connection.execute(
            "SELECT query, seconds, failure FROM asked WHERE run = ? ORDER BY query", (run,)
        )
    }


def write_asked(connection: sqlite3.Connection, run: int, rows: AskedRows) -> None:
    """Put them in the place of what was known of the run."""
    connection.execute("DELETE FROM asked WHERE run = ?", (run,))
    connection.executemany(
        "INSERT INTO asked (run, query, seconds, failure) VALUES (?, ?, ?, ?)",
        ((run, query, *known) for query, known in sorted(rows.items())),
    )


def failures_of(campaign: Campaign, run: int) -> dict[str, str]:
    """query_id -> why the system failed at it, of the run with that key, ascending by query_id."""
    return dict(
        campaign.rows(
            "SELECT query_id, failure FROM asked AS a JOIN queries AS q ON q.id = a.query"
            " WHERE a.run = ? AND failure <> '' ORDER BY query_id",
            (run,),
        )
    )


def nothing_found(campaign: Campaign, run: int) -> list[str]:
    """The queries that the run with that key was asked and has no result for, ascending."""
    rows = campaign.rows(
        "SELECT query_id FROM asked AS a JOIN queries AS q ON q.id = a.query WHERE a.run = ?"
        " AND NOT EXISTS (SELECT 1 FROM results AS r WHERE (r.run, r.query) = (a.run, a.query))"
        " ORDER BY query_id",
        (run,),
    )
    return [query_id for (query_id,) in rows]


def asked_runs(campaign: Campaign) -> dict[str, AskedRun]:
    """tag -> what is known, for the runs of which anything is."""
    rows = campaign.rows(
        "SELECT r.tag, a.seconds, a.failure <> '', EXISTS (SELECT 1 FROM results AS o"
        " WHERE o.run = a.run AND o.query = a.query)"
        " FROM asked AS a JOIN runs AS r ON r.id = a.run ORDER BY r.loaded_at, r.id, a.seconds"
    )
    by_tag: dict[str, list[tuple[float | None, bool, bool]]] = {}
    for tag, seconds, failed, found in rows:
        by_tag.setdefault(tag, []).append((seconds, bool(failed), bool(found)))
    return {tag: _summed_up(queries) for tag, queries in by_tag.items()}


def _summed_up(queries: Sequence[tuple[float | None, bool, bool]]) -> AskedRun:
    """`queries`: seconds, ascending; whether it failed; whether anything was found."""
    latency = latency_of([one for one, failed, _ in queries if one is not None and not failed])
    return AskedRun(
        queries=len(queries),
        nothing_found=sum(not found for _, _, found in queries),
        failed=sum(failed for _, failed, _ in queries),
        median_s=latency.median,
        p95_s=latency.p95,
    )
