"""The documents of a campaign: those that a run retrieved or a grade names, with their texts."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded, OnRows, silent
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import iter_documents, read_checkout
from judge_tui.model import Document

__all__ = ["document_keys", "load_checkout", "load_documents", "missing_documents"]

_REPORT_EVERY = 10_000


@dataclass(slots=True)
class _Counts:
    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    left_out: int = 0


def load_documents(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    keep_all: bool = False,
    replace: bool = False,
    on_rows: OnRows = silent,
) -> Loaded:
    """Give texts to the documents of the campaign; those that no run or grade names are left out.

    `keep_all` keeps them as well. Raises `InputError` at the first bad line, and where a document
    has another text already: judges may have graded that one. `replace` changes it all the same.
    The file is streamed: memory follows the longest document.
    """
    counts = _Counts()
    seen: dict[str, int] = {}
    with campaign.writing() as connection:
        for line, document in iter_documents(path, format=format):
            if line % _REPORT_EVERY == 0:
                on_rows(line)
            key = document_key(connection, document.doc_id)
            if key is None and not keep_all:
                counts.left_out += 1
                continue
            first = seen.setdefault(document.doc_id, line)
            if first != line:
                raise InputError(
                    path,
                    line,
                    f"document {document.doc_id!r} came before, on line {first}",
                    "keep one of the two",
                )
            outcome = _put(connection, key, document, replace=replace)
            if outcome is None:
                raise InputError(
                    path,
                    line,
                    f"document {document.doc_id!r} is in the campaign with another text",
                    "judges may have seen that one; change it with --replace",
                )
            setattr(counts, outcome, getattr(counts, outcome) + 1)
    return Loaded(counts.added, counts.replaced, counts.unchanged, counts.left_out)


def load_checkout(
    campaign: Campaign, root: str | os.PathLike[str], *, replace: bool = False
) -> Loaded:
    """Give texts to ids of the form `path` or `path:start-end` from the files below `root`.

    Only ids without a text yet are looked up, all of them with `replace`. What is not found there
    is said in the notes.
    """
    missing: list[str] = []
    counts = _Counts()
    with campaign.writing() as connection:
        where = "" if replace else " WHERE text IS NULL"
        ids = [
            doc_id
            for (doc_id,) in connection.execute(f"SELECT doc_id FROM documents{where} ORDER BY id")  # noqa: S608
        ]
        found = read_checkout(
            ids, root, missing=lambda doc_id, why: missing.append(f"{doc_id}: {why}")
        )
        for document in found:
            key = document_key(connection, document.doc_id)
            outcome = _put(connection, key, document, replace=True)
            if outcome is not None:
                setattr(counts, outcome, getattr(counts, outcome) + 1)
    return Loaded(counts.added, counts.replaced, counts.unchanged, len(missing), tuple(missing))


def missing_documents(campaign: Campaign) -> list[str]:
    """The doc_ids of pooled documents without a text, in byte order."""
    rows = campaign.connection.execute(
        "SELECT doc_id FROM documents WHERE text IS NULL"
        " AND id IN (SELECT document FROM pool) ORDER BY doc_id"
    )
    return [doc_id for (doc_id,) in rows]


def document_key(connection: sqlite3.Connection, doc_id: str) -> int | None:
    """The integer key of one document, None where it is not in the campaign."""
    row = connection.execute("SELECT id FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
    return None if row is None else int(row[0])


def document_keys(connection: sqlite3.Connection, doc_ids: Iterable[str]) -> dict[str, int]:
    """The integer keys by doc_id; ids new to the campaign join it, without a text."""
    connection.executemany(
        "INSERT OR IGNORE INTO documents (doc_id) VALUES (?)", ((doc_id,) for doc_id in doc_ids)
    )
    return dict(connection.execute("SELECT doc_id, id FROM documents"))


def _put(
    connection: sqlite3.Connection, key: int | None, document: Document, *, replace: bool
) -> str | None:
    """Write one document; what became of it, None where another text stands in the way."""
    try:
        meta = json.dumps(document.meta, ensure_ascii=False)
        row = (document.title, document.text, document.url, document.kind, meta)
    except (TypeError, ValueError) as error:
        raise UsageError(f"document {document.doc_id!r} has metadata that is no JSON") from error
    if key is None:
        connection.execute(
            "INSERT INTO documents (title, text, url, kind, meta, doc_id)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (*row, document.doc_id),
        )
        return "added"
    known = connection.execute(
        "SELECT title, text, url, kind, meta FROM documents WHERE id = ?", (key,)
    ).fetchone()
    if known == row:
        return "unchanged"
    if known[1] is not None and not replace:
        return None
    connection.execute(
        "UPDATE documents SET title = ?, text = ?, url = ?, kind = ?, meta = ? WHERE id = ?",
        (*row, key),
    )
    return "added" if known[1] is None else "replaced"
