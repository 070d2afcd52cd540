"""Runs of another copy of the campaign, joined to those that are here.

A run of the same tag and the same file may reach deeper, or know more queries, on one side: then it
is taken from there. Its depth says that nothing above it is missing, so parts are never put
together from two sides; but for a run of depth 0, which is a part and says so.
"""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from typing import NamedTuple

__all__ = ["join_runs"]


class _Kept(NamedTuple):
    """How much of a run one side keeps."""

    depth: int
    queries: int

    def __str__(self) -> str:
        return f"the top {self.depth:,} of {self.queries:,} queries"


def join_runs(
    connection: sqlite3.Connection, source: int
) -> tuple[int, list[tuple[str, str, str, str]]]:
    """How many runs came or were replaced by more of themselves, and what differs.

    A difference is tag, field, what is here, what is there; `incoming_runs` and `incoming_results`
    hold what was staged under the number `source`.
    """
    came = 0
    differences: list[tuple[str, str, str, str]] = []
    # In the order in which they were loaded, wherever that was.
    rows = connection.execute(
        "SELECT t.key, t.tag, o.id, o.sha256, t.sha256, o.depth, t.depth FROM temp.incoming_runs"
        " AS t LEFT JOIN main.runs AS o ON o.tag = t.tag WHERE t.source = ?"
        " ORDER BY t.loaded_at, t.key",
        (source,),
    ).fetchall()
    for there, tag, here, our_sha, their_sha, our_depth, their_depth in rows:
        if here is None:
            key = _add(connection, source, there)
            _add_results(connection, source, there, key)
            _add_asked(connection, source, there, key)
            came += 1
        elif our_sha != their_sha:
            differences.append((tag, "file", f"sha256 {our_sha[:12]}", f"sha256 {their_sha[:12]}"))
        else:
            more, told = _join_same_file(
                connection, source, there, here, tag, our_depth, their_depth
            )
            came += more
            differences += told
            if not told:
                differences += _join_asked(connection, source, there, here, tag)
    return came, differences


def _join_same_file(
    connection: sqlite3.Connection,
    source: int,
    there: int,
    here: int,
    tag: str,
    our_depth: int,
    their_depth: int,
) -> tuple[int, list[tuple[str, str, str, str]]]:
    connection.execute(
        "UPDATE main.runs AS o SET loaded_at = min(o.loaded_at, t.loaded_at)"
        " FROM temp.incoming_runs AS t WHERE (t.source, t.key) = (?, ?) AND o.id = ?",
        (source, there, here),
    )
    staged = {"source": source, "there": there, "here": here}
    if not connection.execute(f"SELECT 1 {_STAGED} LIMIT 1", staged).fetchone():
        return 0, []
    if connection.execute(_CONTRADICTION, staged).fetchone():
        return 0, [(tag, "results", "as loaded here", "others, of the same file")]
    ours = _Kept(our_depth, connection.execute(_OUR_QUERIES, staged).fetchone()[0])
    theirs = _Kept(their_depth, connection.execute(_THEIR_QUERIES, staged).fetchone()[0])
    shared = connection.execute(_SHARED_QUERIES, staged).fetchone()[0]
    if theirs.depth == ours.depth == 0:
        _add_results(connection, source, there, here)
        return 0, []
    if ours.depth >= theirs.depth and shared == theirs.queries:
        return 0, []
    if theirs.depth >= ours.depth and shared == ours.queries:
        _add_results(connection, source, there, here)
        connection.execute(_REACH_DEEPER, staged)
        return 1, []
    return 0, [(tag, "depth", str(ours), str(theirs))]


def _add(connection: sqlite3.Connection, source: int, there: int) -> int:
    cursor = connection.execute(
        "INSERT INTO runs (tag, source, sha256, loaded_at, depth, settings)"
        " SELECT tag, file, sha256, loaded_at, depth, settings FROM temp.incoming_runs"
        " WHERE (source, key) = (?, ?)",
        (source, there),
    )
    key = cursor.lastrowid
    assert key is not None  # noqa: S101 - one row was just inserted
    return key


def _add_results(connection: sqlite3.Connection, source: int, there: int, here: int) -> None:
    connection.execute(
        "INSERT INTO results (run, query, rank, document, score)"
        " SELECT :here, q.id, t.rank, d.id, t.score FROM temp.incoming_results AS t"
        " JOIN main.queries AS q ON q.query_id = t.query_id"
        " JOIN main.documents AS d ON d.doc_id = t.doc_id"
        " WHERE t.source = :source AND t.run = :there ORDER BY q.id, t.rank"
        " ON CONFLICT (run, query, rank) DO NOTHING",
        {"source": source, "there": there, "here": here},
    )


def _join_asked(
    connection: sqlite3.Connection, source: int, there: int, here: int, tag: str
) -> list[tuple[str, str, str, str]]:
    """What the system was asked, where only the other side knows; what differs, where both do."""
    staged = {"source": source, "there": there, "here": here}
    ours = connection.execute(_OUR_ASKED, staged).fetchall()
    theirs = connection.execute(_THEIR_ASKED, staged).fetchall()
    if not ours:
        _add_asked(connection, source, there, here)
    elif theirs and ours != theirs:
        return [(tag, "asked", _asked_in_words(ours), _asked_in_words(theirs))]
    return []


def _add_asked(connection: sqlite3.Connection, source: int, there: int, here: int) -> None:
    connection.execute(
        "INSERT INTO asked (run, query, seconds, failure)"
        " SELECT :here, q.id, t.seconds, t.failure FROM temp.incoming_asked AS t"
        " JOIN main.queries AS q ON q.query_id = t.query_id"
        " WHERE t.source = :source AND t.run = :there ORDER BY q.id",
        {"source": source, "there": there, "here": here},
    )


def _asked_in_words(rows: list[tuple[str, float | None, str]]) -> str:
    digest = sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()
    failed = sum(bool(failure) for _, _, failure in rows)
    return f"{len(rows):,} queries, {failed:,} failed, sha256 {digest[:12]}"


_OUR_ASKED = (
    "SELECT q.query_id, a.seconds, a.failure FROM main.asked AS a"
    " JOIN main.queries AS q ON q.id = a.query WHERE a.run = :here ORDER BY q.query_id"
)
_THEIR_ASKED = (
    "SELECT query_id, seconds, failure FROM temp.incoming_asked"
    " WHERE source = :source AND run = :there ORDER BY query_id"
)
_STAGED = "FROM temp.incoming_results AS t WHERE t.source = :source AND t.run = :there"
_OUR_QUERIES = "SELECT count(DISTINCT query) FROM main.results WHERE run = :here"
_THEIR_QUERIES = f"SELECT count(DISTINCT t.query_id) {_STAGED}"
_SHARED_QUERIES = (
    "SELECT count(*) FROM (SELECT DISTINCT t.query_id"  # noqa: S608
    f" {_STAGED}) AS s JOIN main.queries AS q ON q.query_id = s.query_id"
    " WHERE EXISTS (SELECT 1 FROM main.results AS o WHERE (o.run, o.query) = (:here, q.id))"
)
_CONTRADICTION = (
    "SELECT 1 FROM temp.incoming_results AS t"
    " JOIN main.queries AS q ON q.query_id = t.query_id"
    " JOIN main.results AS o ON (o.run, o.query, o.rank) = (:here, q.id, t.rank)"
    " JOIN main.documents AS d ON d.id = o.document"
    " WHERE t.source = :source AND t.run = :there AND (d.doc_id, o.score) <> (t.doc_id, t.score)"
    " LIMIT 1"
)
_REACH_DEEPER = (
    "UPDATE main.runs AS o SET depth = t.depth, settings = t.settings, source = t.file"
    " FROM temp.incoming_runs AS t WHERE (t.source, t.key) = (:source, :there) AND o.id = :here"
)
