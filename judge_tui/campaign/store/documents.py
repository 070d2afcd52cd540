"""The documents of a campaign: the rows of its table."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.campaign.store.backend import among, has_nul
from judge_tui.campaign.store.columns import read_metadata
from judge_tui.campaign.store.connection import Campaign
from judge_tui.model import Document

if TYPE_CHECKING:
    pass

__all__ = [
    "Named",
    "all_documents",
    "count_documents",
    "count_without_text",
    "doc_ids_by_key",
    "document_by_key",
    "document_key",
    "document_keys",
    "documents_to_judge",
    "kinds_and_lengths",
    "missing_documents",
    "named_documents",
    "titles",
]


def count_documents(campaign: Campaign) -> int:
    """How many documents are known, if only by their ids."""
    return int(campaign.row("SELECT count(*) FROM documents")[0])


def count_without_text(campaign: Campaign) -> int:
    """How many documents are known by their ids alone."""
    return int(campaign.row("SELECT count(*) FROM documents WHERE text IS NULL")[0])


def missing_documents(campaign: Campaign) -> list[str]:
    """The doc_ids of pooled documents without a text, in byte order."""
    unknown = campaign.rows("SELECT id, doc_id FROM documents WHERE text IS NULL ORDER BY doc_id")
    # With all texts there, as is usual, the pool need not be looked at.
    pooled = campaign.rows("SELECT DISTINCT document FROM pool") if unknown else []
    keys = {key for (key,) in pooled}
    return [doc_id for key, doc_id in unknown if key in keys]


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


def document_by_key(campaign: Campaign, key: int) -> tuple[Document, bool]:
    """One document, and whether its text was ever loaded. Raises as `query_by_key`."""
    doc_id, title, text, url, kind, meta = campaign.row(
        "SELECT doc_id, title, text, url, kind, meta FROM documents WHERE id = ?", (key,)
    )
    known = read_metadata(campaign.path, meta)
    return Document(doc_id, title, text or "", url, kind, known), text is not None


def doc_ids_by_key(campaign: Campaign, keys: Iterable[int]) -> dict[int, str]:
    """The ids of some documents, by key; those that are not there are left out."""
    rows = campaign.rows(
        "SELECT id, doc_id FROM documents WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keys)),),
    )
    return dict(rows)


def kinds_and_lengths(campaign: Campaign, keys: Iterable[int]) -> list[tuple[int, str, int | None]]:
    """Key, kind, and length of the text in characters, None where only the id is known, of the
    documents of those keys, ascending."""
    is_wanted, parameters = among("id", keys)
    # Of texts, only the few that cannot be measured there are read.
    rows = campaign.rows(
        f"SELECT id, kind, length(text), CASE WHEN {has_nul('text')} THEN text END"
        f" FROM documents WHERE {is_wanted} ORDER BY id",
        parameters,
    )
    return [(key, kind, length if text is None else len(text)) for key, kind, length, text in rows]


@dataclass(frozen=True, slots=True)
class Named:
    """How a document is called; the title is empty where it has none."""

    doc_id: str
    title: str


def named_documents(campaign: Campaign, keys: Iterable[int]) -> dict[int, Named]:
    """The names of the documents of those keys; one that is not there is left out."""
    rows = campaign.rows(
        "SELECT id, doc_id, title FROM documents WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(set(keys))),),
    )
    return {key: Named(doc_id, title) for key, doc_id, title in rows}


def titles(campaign: Campaign) -> dict[str, str]:
    """doc_id -> title, of the documents that have one."""
    return dict(campaign.rows("SELECT doc_id, title FROM documents WHERE title <> ''"))


def all_documents(campaign: Campaign) -> Iterator[tuple[Document, bool]]:
    """Every document, by doc_id, and whether its text was ever loaded; read as they are asked for:
    put it inside `campaign.reading()`."""
    for doc_id, title, text, url, kind, meta in campaign.each(
        "SELECT doc_id, title, text, url, kind, meta FROM documents ORDER BY doc_id"
    ):
        known = read_metadata(campaign.path, meta)
        yield Document(doc_id, title, text or "", url, kind, known), text is not None


def documents_to_judge(campaign: Campaign, query: int) -> list[Document]:
    """The documents in the pool of a query (a key), by doc_id: their titles and texts."""
    rows = campaign.rows(
        "SELECT d.doc_id, d.title, d.text FROM pool AS p JOIN documents AS d ON d.id = p.document"
        " WHERE p.query = ? ORDER BY d.doc_id",
        (query,),
    )
    return [Document(doc_id, title, text or "") for doc_id, title, text in rows]
