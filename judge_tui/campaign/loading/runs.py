"""Runs into a campaign: of each, the top of every ranked list is kept, and what it was asked.

Files are read into a temporary table first, without holding the campaign: judges go on working
meanwhile, and wait only while one run is taken over.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from judge_tui.campaign.loading.loaded import Loaded, OnBytes, fingerprint
from judge_tui.campaign.store.backend import roomy
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import now
from judge_tui.campaign.store.queries import known_queries, query_keys
from judge_tui.campaign.store.runs import AskedRows, asked_rows, write_asked
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.collected import latency_beside, refuse_other_texts
from judge_tui.formats.ids import id_in
from judge_tui.formats.latency_csv import read_latency
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.source import AsLayout
from judge_tui.formats.whole_files import queries_of_run, read_run, read_runs
from judge_tui.model import Query, Run, rank

__all__ = ["DEFAULT_DEPTH", "LoadedRun", "load_runs"]

DEFAULT_DEPTH = 100

PathLike = str | os.PathLike[str]

_Outcome: TypeAlias = tuple[float | None, str]
"""Seconds, and why it failed, as `AskedRows` have them."""


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """What came of one run: its tag, the file that it is in, and for how many of the queries that
    it was asked it found nothing, among them those at which it failed; 0 where nobody knows."""

    tag: str
    path: str
    counts: Loaded
    nothing_found: int = 0
    failed: int = 0


def load_runs(
    campaign: Campaign,
    paths: Sequence[PathLike],
    *,
    depth: int | None = None,
    tag: str | None = None,
    format: AsLayout = None,
    replace: bool = False,
    skip_unknown: bool = False,
    on_bytes: OnBytes | None = None,
) -> list[LoadedRun]:
    """Load run files, keeping the top `depth` of each query (None: 100).

    All files are read before the first run is written: with a fault in any of them, none is. Each
    run is written as a whole, in a transaction of its own, between two of which judges can write.

    `tag` names the run of a single file; without it, each has the tag that its file gives it, and
    of a file of several snapshots all are loaded, under their names. The same file under the same
    tag again is a no-op, unless for a greater depth, for queries that had been left out, where a
    campaign of before does not know how long the file's lists are, or where the file beside it says
    something else of what was asked; of a lesser depth what is kept stays.

    Raises `InputError` at the first bad line, for a query that the campaign does not have (left out
    with `skip_unknown`), where another file was loaded under the tag without `replace`, and for a
    run that was asked other texts than the campaign's queries have.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"--depth {depth} keeps nothing", "give at least 1")
    queries = known_queries(campaign, "")
    with campaign.staging("incoming_tops", _INCOMING) as connection, roomy(connection):
        tops: list[_Top] = []
        for path in paths:
            # First, as it refuses pipes, which nobody may be writing to.
            digest = fingerprint(path)
            known = queries.at(path)
            refuse_other_texts(path, known)
            if tag is None:
                runs = read_runs(path, format=format, on_read=on_bytes)
            else:
                runs = [read_run(path, tag=tag, format=format, on_read=on_bytes)]
            for run in runs:
                found = queries_of_run(path, run, known, format=format, skip_unknown=skip_unknown)
                asked = _asked(path, run, found, queries, skip_unknown=skip_unknown)
                tops.append(_stage(campaign, len(tops), path, digest, run, found, asked, depth))
        _refuse_one_tag_twice(tops)
        for top in tops:
            _run_before(connection, top, replace=replace)
        loaded = []
        for top in tops:
            with campaign.writing():
                loaded.append(_write(connection, top, replace=replace))
        return loaded


@dataclass(frozen=True, slots=True)
class _Top:
    """A run of which the top is staged as `place`; `asked` is None where nobody knows it."""

    place: int
    path: PathLike
    tag: str
    sha256: str
    depth: int
    settings: str
    left_out: int
    asked: AskedRows | None
    with_results: frozenset[int]


_INCOMING = "place INTEGER, query INTEGER, rank INTEGER, doc_id TEXT, score REAL"


def _stage(
    campaign: Campaign,
    place: int,
    path: PathLike,
    digest: str,
    run: Run,
    found: Mapping[str, Query | None],
    asked: Mapping[str, _Outcome] | None,
    depth: int | None,
) -> _Top:
    """Cut a run, and stage what is kept of it."""
    # Never less of a run than was asked for before; under another tag it is another run.
    before = campaign.rows("SELECT depth FROM runs WHERE (sha256, tag) = (?, ?)", (digest, run.tag))
    kept_down_to = max(before[0][0] if before else 0, DEFAULT_DEPTH if depth is None else depth)
    keys = query_keys(campaign)
    known = {name: keys[query.query_id] for name, query in found.items() if query is not None}
    left_out = len(found) - len(known)
    longest = max((len(run.scores.get(name, ())) for name in known), default=0)
    connection = campaign.connection
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO incoming_tops VALUES (?, ?, ?, ?, ?)",
        (
            (place, key, at, doc_id, run.scores[name][doc_id])
            for name, key in known.items()
            if name in run.scores
            for at, doc_id in enumerate(rank(run.scores[name])[:kept_down_to], 1)
        ),
    )
    connection.execute("COMMIT")
    return _Top(
        place,
        path,
        run.tag,
        digest,
        kept_down_to,
        json.dumps({"queries_left_out": left_out, "longest": longest}),
        left_out,
        None if asked is None else {keys[query_id]: how for query_id, how in asked.items()},
        frozenset(key for name, key in known.items() if run.scores.get(name)),
    )


def _asked(
    path: PathLike,
    run: Run,
    found: Mapping[str, Query | None],
    queries: KnownQueries,
    *,
    skip_unknown: bool,
) -> dict[str, _Outcome] | None:
    """What the run was asked, by query_id, as it says itself, or the NAME.latency.csv beside it;
    None where neither does."""
    if run.asked:
        return {query.query_id: (None, "") for name in run.asked if (query := found[name])}
    beside = latency_beside(path)
    asked = read_latency(beside) if beside is not None else None
    if beside is None or asked is None:
        return None
    known = queries.at(beside)
    query_of = known.find if skip_unknown else known.get
    by_query: dict[str, _Outcome] = {}
    for one in asked:
        query_id = id_in(one.query_id)
        # Of a run that was cut off, nobody knows what else was asked: as for `score`.
        if one.results and query_id not in run.scores:
            continue
        query = query_of(one.line, query_id)
        if query is not None:
            by_query[query.query_id] = one.seconds, one.failure
    return by_query


def _refuse_one_tag_twice(tops: Sequence[_Top]) -> None:
    by_tag: dict[str, _Top] = {}
    for top in tops:
        first = by_tag.setdefault(top.tag, top)
        if first.sha256 != top.sha256:
            raise UsageError(
                f"{first.path} and {top.path} have the same tag {top.tag!r}",
                "load them singly and name one otherwise with --tag",
            )


@dataclass(frozen=True, slots=True)
class _RunBefore:
    """The run that has the tag, whether it is of the same file, and all that is kept of that."""

    key: int
    same_file: bool
    complete: bool


def _run_before(connection: sqlite3.Connection, top: _Top, *, replace: bool) -> _RunBefore | None:
    """What the campaign has under the tag. Raises `InputError` for another file, without
    `replace`."""
    known = connection.execute(
        "SELECT id, sha256, depth, settings FROM runs WHERE tag = ?", (top.tag,)
    ).fetchone()
    if known is None:
        return None
    key, sha256, depth, settings = known
    same_file = sha256 == top.sha256
    if not same_file and not replace:
        raise InputError(
            top.path,
            None,
            f"run {quoted(top.tag)} is in the campaign already, from another file",
            "name this one otherwise with --tag, or put it in its place with --replace",
        )
    complete = same_file and depth >= top.depth and settings == top.settings
    return _RunBefore(key, same_file, complete)


def _write(connection: sqlite3.Connection, top: _Top, *, replace: bool) -> LoadedRun:
    """Take over what was staged of one run."""
    known = _run_before(connection, top, replace=replace)
    asked = top.asked
    if known is not None:
        before = asked_rows(connection, known.key)
        if known.complete:
            if asked is None or asked == before:
                return _outcome(top, Loaded(unchanged=1, left_out=top.left_out))
            write_asked(connection, known.key, asked)
            return _outcome(top, Loaded(replaced=1, left_out=top.left_out))
        if asked is None and known.same_file:
            asked = before
        connection.execute("DELETE FROM asked WHERE run = ?", (known.key,))
        connection.execute("DELETE FROM results WHERE run = ?", (known.key,))
        connection.execute("DELETE FROM runs WHERE id = ?", (known.key,))
    cursor = connection.execute(
        "INSERT INTO runs (tag, source, sha256, loaded_at, depth, settings)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            top.tag,
            Path(top.path).name,
            top.sha256,
            now(),
            top.depth,
            top.settings,
        ),
    )
    run = cursor.lastrowid
    assert run is not None  # noqa: S101 - one row was just inserted
    write_asked(connection, run, asked or {})
    connection.execute(
        "INSERT OR IGNORE INTO documents (doc_id) SELECT doc_id FROM incoming_tops"
        " WHERE place = ? ORDER BY rowid",
        (top.place,),
    )
    connection.execute(
        "INSERT INTO results (run, query, rank, document, score)"
        " SELECT ?, query, rank, d.id, score FROM incoming_tops CROSS JOIN documents AS d"
        " USING (doc_id) WHERE place = ? ORDER BY incoming_tops.rowid",
        (run, top.place),
    )
    added = 0 if known else 1
    return _outcome(top, Loaded(added=added, replaced=1 - added, left_out=top.left_out))


def _outcome(top: _Top, counts: Loaded) -> LoadedRun:
    asked = top.asked or {}
    return LoadedRun(
        top.tag,
        os.fspath(top.path),
        counts,
        nothing_found=sum(key not in top.with_results for key in asked),
        failed=sum(bool(failure) for _, failure in asked.values()),
    )
