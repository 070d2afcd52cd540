"""What runs were asked, which most run files cannot say of a query without results: it counts as
nothing found, and is never dropped from a mean.

It comes from the file that `collect` writes beside a run (`formats.latency_csv`), or from the run's
own where that names such queries, too, as Quepid's detailed CSV does. Of other runs nothing is
known, and a query that they have no result for is left out of their numbers.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.found_queries import FoundQueries
from judge_tui.errors import InputError
from judge_tui.formats import encode_id
from judge_tui.formats.asked_beside import latency_beside
from judge_tui.formats.latency_csv import read_latency
from judge_tui.latency import latency_of
from judge_tui.model import Run
from judge_tui.nothing_found import failed_among

if TYPE_CHECKING:
    pass

__all__ = [
    "AskedRows",
    "AskedRun",
    "Beside",
    "asked_beside",
    "asked_in_file",
    "asked_rows",
    "asked_runs",
    "failures_of",
    "nothing_found",
    "unknown_runs",
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


@dataclass(frozen=True, slots=True)
class Beside:
    """What the file beside a run, or its own, says: `rows`, None where it says nothing of this run;
    a line to be told, "" for none."""

    rows: AskedRows | None
    note: str = ""


def asked_beside(
    queries: FoundQueries,
    path: str | os.PathLike[str],
    keys: Mapping[str, int],
    *,
    skip_unknown: bool,
) -> Beside:
    """Read it, where there is one. `keys`: of the campaign's queries.

    Raises `InputError` for a bad row, and for a query that the campaign does not have (left out
    with `skip_unknown`).
    """
    beside = latency_beside(path)
    if beside is None:
        return Beside(None)
    asked = read_latency(beside)
    if asked is None:
        return Beside(None, f"{beside.name} is none of collect's: left aside")
    queries = queries.of_file(beside)
    rows: dict[int, tuple[float, str]] = {}
    nothing = failed = 0
    for one in asked:
        query_id = queries.id_of(
            _Named(one.line, encode_id(one.query_id)), skip_unknown=skip_unknown
        )
        if query_id is None:
            continue
        if keys[query_id] in rows:
            what = f"query {query_id!r} of the campaign is in an earlier line already"
            raise InputError(beside, one.line, what, "give each query its own id")
        rows[keys[query_id]] = one.seconds, one.failure
        nothing += not one.results
        failed += bool(one.failure)
    return Beside(rows, _told(beside, len(rows), nothing, failed))


def asked_in_file(path: str | os.PathLike[str], run: Run, known: Mapping[str, int]) -> Beside:
    """What a run file says that names queries without results, too. `known`: the keys of those of
    its queries that the campaign has."""
    rows = {key: (None, "") for query_id, key in known.items() if query_id in run.asked}
    nothing = len(known.keys() & run.asked - run.scores.keys())
    return Beside(rows, _told(Path(path), len(rows), nothing, 0))


@dataclass(frozen=True, slots=True)
class _Named:
    line: int
    query_id: str


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


def unknown_runs(campaign: Campaign) -> list[str]:
    """The runs that lack queries of the campaign and of which nothing is known, as of those that
    were loaded before this was kept, where of others something is: tags, as they were loaded."""
    rows = campaign.rows(
        "SELECT tag FROM runs AS r WHERE depth > 0 AND EXISTS (SELECT 1 FROM asked)"
        " AND NOT EXISTS (SELECT 1 FROM asked WHERE run = r.id) AND EXISTS (SELECT 1"
        " FROM queries AS q WHERE NOT EXISTS (SELECT 1 FROM results AS o"
        " WHERE (o.run, o.query) = (r.id, q.id))) ORDER BY loaded_at, id"
    )
    return [tag for (tag,) in rows]


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


def _told(path: Path, queries: int, nothing: int, failed: int) -> str:
    if not nothing:
        return ""
    fate = "it counts" if nothing == 1 else "they count"
    return (
        f"{path.name}: {nothing:,} of {queries:,} queries found nothing"
        f"{failed_among(nothing, failed)}: {fate} as 0 once what other systems found there, if"
        " anything, has a grade"
    )
