"""The documents of a campaign: the rows of its table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from judge_tui.campaign.file import Campaign

__all__ = ["document_key", "document_keys", "missing_documents"]


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
