"""The documents of a campaign: those that a run retrieved or a grade names, with their texts.

Files are read into a temporary table first, without holding the campaign: judges go on working
while a corpus is read, and wait only for the moment in which its texts are taken over.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded, OnRows, silent
from judge_tui.errors import InputError
from judge_tui.formats import decode_id, iter_documents, read_checkout
from judge_tui.model import Document

__all__ = ["document_keys", "load_document_files", "load_documents", "missing_documents"]

PathLike = str | os.PathLike[str]

_REPORT_EVERY = 10_000


def load_documents(
    campaign: Campaign,
    path: PathLike,
    *,
    format: str | None = None,
    keep_all: bool = False,
    replace: bool = False,
) -> Loaded:
    """Load one file or folder of documents; see `load_document_files`."""
    return load_document_files(campaign, [path], format=format, keep_all=keep_all, replace=replace)[
        0
    ]


def load_document_files(
    campaign: Campaign,
    paths: Sequence[PathLike],
    *,
    root: PathLike | None = None,
    format: str | None = None,
    keep_all: bool = False,
    replace: bool = False,
    on_rows: OnRows = silent,
) -> list[Loaded]:
    """Give texts to the documents of the campaign, from files, folders and a checkout, or none.

    Of `paths`, documents that no run or grade names are left out unless `keep_all`. From `root`,
    ids of the form `path` or `path:start-end` that have no text yet (all, with `replace`) get
    theirs; what is not found there is said in the notes. One `Loaded` for each path, then one for
    the root.

    Raises `InputError` at the first bad line, and where a document has another text already:
    judges may have graded that one. `replace` changes it all the same. The files are streamed.
    """
    sources = [*paths, *([root] if root is not None else [])]
    with _staging(campaign) as connection:
        outcomes = [
            _stage_file(campaign, place, path, format, keep_all, on_rows)
            for place, path in enumerate(paths)
        ]
        if root is not None:
            outcomes.append(_stage_checkout(campaign, len(paths), root, replace))
        connection.execute("COMMIT")
        with campaign.writing():
            return [
                _take_over(connection, place, path, outcome, replace=replace)
                for place, (path, outcome) in enumerate(zip(sources, outcomes, strict=True))
            ]


def missing_documents(campaign: Campaign) -> list[str]:
    """The doc_ids of pooled documents without a text, in byte order."""
    # The + keeps SQLite from looking up all pooled documents where few have no text.
    rows = campaign.rows(
        "SELECT doc_id FROM documents WHERE text IS NULL"
        " AND +id IN (SELECT document FROM pool) ORDER BY doc_id"
    )
    return [doc_id for (doc_id,) in rows]


def document_keys(connection: sqlite3.Connection, doc_ids: Iterable[str]) -> dict[str, int]:
    """The integer keys of these doc_ids; ids new to the campaign join it, without a text."""
    connection.execute("DROP TABLE IF EXISTS temp.wanted")
    connection.execute("CREATE TEMP TABLE wanted (doc_id TEXT PRIMARY KEY) WITHOUT ROWID")
    connection.executemany(
        "INSERT OR IGNORE INTO wanted VALUES (?)", ((doc_id,) for doc_id in doc_ids)
    )
    connection.execute("INSERT OR IGNORE INTO documents (doc_id) SELECT doc_id FROM wanted")
    keys = dict(
        connection.execute("SELECT d.doc_id, d.id FROM wanted JOIN documents AS d USING (doc_id)")
    )
    connection.execute("DROP TABLE temp.wanted")
    return keys


def document_key(connection: sqlite3.Connection, doc_id: str) -> int | None:
    """The integer key of one document, None where it is not in the campaign."""
    row = connection.execute("SELECT id FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
    return None if row is None else int(row[0])


@contextmanager
def _staging(campaign: Campaign) -> Iterator[sqlite3.Connection]:
    """A temporary table `incoming`, and a transaction that writes to nothing else.

    Reading what the campaign knows is part of it; the campaign's file is not locked.
    """
    campaign.refuse_nesting("loading documents")
    connection = campaign.connection
    with campaign.in_words():
        try:
            connection.execute(_INCOMING)
            connection.execute("BEGIN")
            yield connection
        finally:
            # After a full disk SQLite may have rolled back by itself, and the table with it.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute("DROP TABLE IF EXISTS temp.incoming")


_INCOMING = (
    "CREATE TEMP TABLE incoming (source INTEGER, line INTEGER, doc_id TEXT, title TEXT,"
    " text TEXT, url TEXT, kind TEXT, meta TEXT, PRIMARY KEY (source, doc_id)) WITHOUT ROWID"
)


def _stage_file(
    campaign: Campaign,
    place: int,
    path: PathLike,
    format: str | None,
    keep_all: bool,
    on_rows: OnRows,
) -> Loaded:
    left_out = 0
    skipped: list[str] = []

    def skip(doc_id: str, why: str) -> None:
        skipped.append(f"{doc_id}: {why}")

    for count, (line, document) in enumerate(
        iter_documents(path, format=format, skipped=skip), start=1
    ):
        if count % _REPORT_EVERY == 0:
            on_rows(count)
        doc_id = decode_id(document.doc_id)
        if not keep_all and document_key(campaign.connection, doc_id) is None:
            left_out += 1
        elif not _stage(campaign.connection, place, line, doc_id, document):
            raise InputError(
                path,
                line,
                f"document {document.doc_id!r} is one with an earlier line: white space in an id"
                " may be written as %20",
                "keep one of the two, or write a real %20 as %2520",
            )
    return Loaded(left_out=left_out, notes=tuple(skipped))


def _stage_checkout(campaign: Campaign, place: int, root: PathLike, replace: bool) -> Loaded:
    missing: list[str] = []
    where = "" if replace else " AND text IS NULL"
    rows = campaign.rows(
        "SELECT doc_id FROM documents WHERE doc_id NOT IN (SELECT doc_id FROM incoming)"  # noqa: S608
        f"{where} ORDER BY id"
    )
    ids = [doc_id for (doc_id,) in rows]
    found = read_checkout(ids, root, missing=lambda doc_id, why: missing.append(f"{doc_id}: {why}"))
    for line, document in enumerate(found, start=1):
        _stage(campaign.connection, place, line, document.doc_id, document)
    return Loaded(left_out=len(missing), notes=tuple(missing))


def _stage(
    connection: sqlite3.Connection, place: int, line: int, doc_id: str, document: Document
) -> bool:
    """Put a document into the waiting room; False where one of that id waits there already."""
    meta = json.dumps(document.meta, ensure_ascii=False)
    row = (place, line, doc_id, document.title, document.text, document.url, document.kind, meta)
    cursor = connection.execute(
        "INSERT OR IGNORE INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row
    )
    return cursor.rowcount == 1


_SAME = "(d.title, d.text, d.url, d.kind, d.meta) IS (i.title, i.text, i.url, i.kind, i.meta)"
_BOTH = "incoming AS i JOIN documents AS d USING (doc_id) WHERE i.source = ?"


def _take_over(
    connection: sqlite3.Connection, place: int, path: PathLike, outcome: Loaded, *, replace: bool
) -> Loaded:
    """Write what was staged from one place; the counts are of documents."""
    changed = f"FROM {_BOTH} AND d.text IS NOT NULL AND NOT {_SAME}"
    if not replace:
        other = connection.execute(
            f"SELECT i.line, i.doc_id {changed} ORDER BY i.line LIMIT 1",
            (place,),
        ).fetchone()
        if other is not None:
            raise InputError(
                path,
                other[0],
                f"document {other[1]!r} is in the campaign with another text",
                "judges may have seen that one; change it with --replace",
            )

    def count(what: str) -> int:
        return int(connection.execute(f"SELECT count(*) {what}", (place,)).fetchone()[0])

    replaced = count(changed)
    unchanged = count(f"FROM {_BOTH} AND {_SAME}")
    staged = count("FROM incoming WHERE source = ?")
    connection.execute(
        "UPDATE documents AS d SET title = i.title, text = i.text, url = i.url, kind = i.kind,"  # noqa: S608
        f" meta = i.meta FROM incoming AS i"
        f" WHERE i.source = ? AND i.doc_id = d.doc_id AND NOT {_SAME}",
        (place,),
    )
    connection.execute(
        "INSERT INTO documents (doc_id, title, text, url, kind, meta)"
        " SELECT doc_id, title, text, url, kind, meta FROM incoming AS i WHERE source = ?"
        " AND NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.doc_id = i.doc_id) ORDER BY line",
        (place,),
    )
    return Loaded(
        added=staged - replaced - unchanged,
        replaced=replaced,
        unchanged=unchanged,
        left_out=outcome.left_out,
        notes=outcome.notes,
    )
