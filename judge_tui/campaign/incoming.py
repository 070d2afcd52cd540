"""What another copy of the campaign has and this one lacks, put into temporary tables.

This is the long part of merging and holds nothing: judges go on working while another file is
compared with theirs. Rows keep the other file's integer keys beside a number for the file, only to
belong together; what they are is told by their text ids.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge_tui.campaign.columns import DOCUMENT_FIELDS, EVENT_FIELDS, QUERY_FIELDS
from judge_tui.campaign.events import DECISIONS
from judge_tui.campaign.file import Campaign
from judge_tui.model import composed

__all__ = ["altered_event", "incoming", "stage"]

_COLUMNS = {
    "judges": ("key", "name", "role", "kind", "here"),
    "queries": ("key", "query_id", *QUERY_FIELDS),
    "documents": ("key", "doc_id", *DOCUMENT_FIELDS),
    "pairs": ("key", "query_id", "doc_id", "priority", "stratum", "here"),
    "gold": ("key", "grade"),
    "assignments": ("judge", "key", "turn", "position", "purpose", "touched"),
    "runs": ("key", "tag", "file", "sha256", "loaded_at", "depth", "settings"),
    "results": ("run", "query_id", "rank", "doc_id", "score"),
    "asked": ("run", "query_id", "seconds", "failure"),
    "events": ("id", "judge", "pair", *EVENT_FIELDS),
    "known": ("id",),
    "decided": ("id", "judge", "pair", "turn", "action", "grade"),
    "settled": ("id", "judge", "pair", "grade", "holds"),
}
_KEYS = {
    "assignments": "judge, key, turn",
    "results": "run, query_id, rank",
    "asked": "run, query_id",
    "events": "id",
    "known": "id",
    "decided": "id",
    "settled": "id",
}
_NUMBERS = {
    **dict.fromkeys(("key", "judge", "pair", "run", "here", "turn", "grade"), "INTEGER"),
    **dict.fromkeys(("position", "rank", "depth", "touched", "holds"), "INTEGER"),
    **dict.fromkeys(("priority", "score", "seconds", "looked"), "REAL"),
}

_CACHE_KIBIBYTES = 200_000

_DECISION = f"action IN {DECISIONS}"


@contextmanager
def incoming(campaign: Campaign) -> Iterator[sqlite3.Connection]:
    """The temporary tables `incoming_…`, empty; they are gone when the block is left.

    `here` is the key that a judge or a pair has in the campaign, NULL where it is new; the query
    and document of a pair are told only where it is new. An assignment is `touched` where the other
    file has an event of it. `known` are decisions of the other file that the campaign has too, on
    pairs for which new ones come. `decided` is what holds there of such pairs. `settled` is all
    that leads settled there; one of each pair `holds`, unless it was taken back.
    """
    campaign.refuse_nesting("merging")
    connection = campaign.connection
    with campaign.in_words():
        try:
            for name, columns in _COLUMNS.items():
                # Of other types than in the campaign, no column would be found by its index.
                typed = ", ".join(f"{column} {_NUMBERS.get(column, 'TEXT')}" for column in columns)
                connection.execute(
                    f"CREATE TEMP TABLE incoming_{name} (source INTEGER, {typed},"
                    f" PRIMARY KEY (source, {_KEYS.get(name, 'key')})) WITHOUT ROWID"
                )
            with _room(connection, "main", "temp"):
                yield connection
        finally:
            for name in _COLUMNS:
                connection.execute(f"DROP TABLE IF EXISTS temp.incoming_{name}")


@contextmanager
def _room(connection: sqlite3.Connection, *schemas: str) -> Iterator[None]:
    """Memory for indexes that are read and written all over: the usual 2 MB would not hold them."""
    usual = [connection.execute(f"PRAGMA {name}.cache_size").fetchone()[0] for name in schemas]
    try:
        for name in schemas:
            connection.execute(f"PRAGMA {name}.cache_size = -{_CACHE_KIBIBYTES}")
        yield
    finally:
        for name, size in zip(schemas, usual, strict=True):
            connection.execute(f"PRAGMA {name}.cache_size = {size}")


def stage(connection: sqlite3.Connection, source: int, path: Path) -> int:
    """Compare the file at `path`, a checked copy, with the campaign; returns its count of events.

    What is new or differs is kept under the number `source`. Nothing is locked.
    """
    connection.execute("ATTACH ? AS theirs", (str(path),))
    try:
        connection.execute("BEGIN")
        try:
            with _room(connection, "theirs"):
                _stage_judges(connection, source)
                for sql in _STAGING:
                    connection.execute(sql, {"source": source})
            count = connection.execute("SELECT count(*) FROM theirs.events").fetchone()[0]
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    finally:
        connection.execute("DETACH theirs")
    return int(count)


def _stage_judges(connection: sqlite3.Connection, source: int) -> None:
    """Each by the name that the campaign has, or would give: the same in whatever form of Unicode.
    Of a file of an earlier version that has one name in two forms, both stay as they are."""
    here = dict(connection.execute("SELECT name, id FROM main.judges ORDER BY id DESC"))
    called = {composed(name): name for name in here}
    there = connection.execute("SELECT id, name, role, kind FROM theirs.judges").fetchall()
    forms = Counter(composed(name) for _, name, _, _ in there)
    for key, own, role, kind in there:
        form = composed(own)
        name = own if own in here or forms[form] > 1 else called.get(form, form)
        connection.execute(
            "INSERT INTO temp.incoming_judges VALUES (?, ?, ?, ?, ?, ?)",
            (source, key, name, role, kind, here.get(name)),
        )


def altered_event(connection: sqlite3.Connection, source: int) -> str | None:
    """The id of an event that the campaign has with another content, None where there is none."""
    fields = ", ".join(f"t.{field}" for field in EVENT_FIELDS)
    ours = ", ".join(f"o.{field}" for field in EVENT_FIELDS)
    # A copy may have one judge as two, of one name in two forms of Unicode (`_stage_judges`).
    connection.create_function("composed", 1, composed, deterministic=True)
    row = connection.execute(
        "SELECT o.id FROM temp.incoming_events AS t JOIN main.events AS o ON o.id = t.id"  # noqa: S608
        " JOIN temp.incoming_judges AS j ON (j.source, j.key) = (t.source, t.judge)"
        " JOIN main.judges AS oj ON oj.id = o.judge"
        " JOIN temp.incoming_pairs AS p ON (p.source, p.key) = (t.source, t.pair)"
        f" WHERE t.source = ? AND (composed(j.name), p.here, {fields})"
        f" IS NOT (composed(oj.name), o.pair, {ours})"
        " LIMIT 1",
        (source,),
    ).fetchone()
    return None if row is None else str(row[0])


def _columns(table: str, names: tuple[str, ...]) -> str:
    return ", ".join(f"{table}.{name}" for name in names)


_STAGING = (
    f"INSERT INTO temp.incoming_queries SELECT :source, id, query_id, {', '.join(QUERY_FIELDS)}"  # noqa: S608
    " FROM theirs.queries",
    f"INSERT INTO temp.incoming_documents SELECT :source, t.id, t.doc_id,"  # noqa: S608
    f" {_columns('t', DOCUMENT_FIELDS)} FROM theirs.documents AS t"
    " LEFT JOIN main.documents AS o ON o.doc_id = t.doc_id"
    " WHERE o.id IS NULL OR (t.text IS NOT NULL"
    f" AND ({_columns('t', DOCUMENT_FIELDS)}) IS NOT ({_columns('o', DOCUMENT_FIELDS)}))",
    "INSERT INTO temp.incoming_pairs SELECT :source, t.id,"
    " CASE WHEN o.id IS NULL THEN q.query_id END, CASE WHEN o.id IS NULL THEN d.doc_id END,"
    " t.priority, CASE WHEN o.id IS NULL OR o.stratum = '' THEN t.stratum ELSE '' END, o.id"
    " FROM theirs.pool AS t"
    " JOIN theirs.queries AS q ON q.id = t.query JOIN theirs.documents AS d ON d.id = t.document"
    " LEFT JOIN main.queries AS oq ON oq.query_id = q.query_id"
    " LEFT JOIN main.documents AS od ON od.doc_id = d.doc_id"
    " LEFT JOIN main.pool AS o ON o.query = oq.id AND o.document = od.id",
    "INSERT INTO temp.incoming_gold SELECT :source, pair, grade FROM theirs.gold",
    "INSERT INTO temp.incoming_assignments"
    " SELECT :source, t.judge, t.pair, t.turn, t.position, t.purpose,"
    " EXISTS (SELECT 1 FROM theirs.events AS e"
    "  WHERE (e.judge, e.pair, e.turn) = (t.judge, t.pair, t.turn) AND e.action <> 'adjudicate')"
    " FROM theirs.assignments AS t"
    " CROSS JOIN temp.incoming_judges AS j ON (j.source, j.key) = (:source, t.judge)"
    " CROSS JOIN temp.incoming_pairs AS p ON (p.source, p.key) = (:source, t.pair)"
    " LEFT JOIN main.assignments AS o ON (o.judge, o.pair, o.turn) = (j.here, p.here, t.turn)"
    " WHERE (o.position, o.purpose) IS NOT (t.position, t.purpose)",
    "INSERT INTO temp.incoming_runs"
    " SELECT :source, id, tag, source, sha256, loaded_at, depth, settings FROM theirs.runs",
    # The results of a run that is here just so are not looked at again; one of depth 0 is a part.
    "INSERT INTO temp.incoming_results"
    " SELECT :source, t.run, q.query_id, t.rank, d.doc_id, t.score FROM theirs.results AS t"
    " JOIN theirs.queries AS q ON q.id = t.query JOIN theirs.documents AS d ON d.id = t.document"
    " JOIN theirs.runs AS r ON r.id = t.run LEFT JOIN main.runs AS o ON o.tag = r.tag"
    " WHERE o.id IS NULL OR (o.sha256 = r.sha256"
    " AND (r.depth = 0 OR (o.depth, o.settings) <> (r.depth, r.settings)))",
    "INSERT INTO temp.incoming_asked SELECT :source, t.run, q.query_id, t.seconds, t.failure"
    " FROM theirs.asked AS t JOIN theirs.queries AS q ON q.id = t.query",
    # Events that are here to the letter are not looked at again; the others come, or are told.
    f"INSERT INTO temp.incoming_events SELECT :source, t.id, t.judge, t.pair,"  # noqa: S608
    f" {_columns('t', EVENT_FIELDS)} FROM theirs.events AS t"
    " CROSS JOIN temp.incoming_judges AS j ON (j.source, j.key) = (:source, t.judge)"
    " CROSS JOIN temp.incoming_pairs AS p ON (p.source, p.key) = (:source, t.pair)"
    " LEFT JOIN main.events AS o ON o.id = t.id"
    f" WHERE (t.id, j.here, p.here, {_columns('t', EVENT_FIELDS)}) IS NOT"
    f" (o.id, o.judge, o.pair, {_columns('o', EVENT_FIELDS)})",
    "INSERT INTO temp.incoming_known SELECT :source, e.id"  # noqa: S608
    " FROM (SELECT DISTINCT judge, pair, turn FROM temp.incoming_events"
    f"  WHERE source = :source AND {_DECISION}) AS t"
    " JOIN theirs.events AS e ON (e.judge, e.pair, e.turn) = (t.judge, t.pair, t.turn)"
    # With IN, SQLite would try every event of the campaign at every pair.
    f" WHERE e.{_DECISION} AND EXISTS (SELECT 1 FROM main.events AS o WHERE o.id = e.id)",
    "INSERT INTO temp.incoming_decided SELECT :source, e.id, e.judge, e.pair, e.turn, e.action,"  # noqa: S608
    " e.grade FROM (SELECT DISTINCT judge, pair, turn FROM temp.incoming_events"
    f"  WHERE source = :source AND {_DECISION}) AS t"
    " JOIN theirs.events AS e ON e.id = (SELECT max(l.id) FROM theirs.live_events AS l"
    f"  WHERE (l.judge, l.pair, l.turn) = (t.judge, t.pair, t.turn) AND +l.{_DECISION})",
    "INSERT INTO temp.incoming_settled SELECT :source, id, judge, pair, grade,"
    " id IN (SELECT id FROM theirs.adjudications) FROM theirs.events WHERE action = 'adjudicate'",
)
