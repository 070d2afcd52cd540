"""The documents of a campaign: the rows of its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from judge_tui.campaign.store.backend import insertion
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.metadata import metadata_text, read_metadata
from judge_tui.model import Document

DOCUMENT_FIELDS = ("title", "text", "url", "kind", "meta")
DOCUMENT_COLUMNS = ("doc_id", *DOCUMENT_FIELDS)
_COLUMNS = ", ".join(DOCUMENT_COLUMNS)


def count_documents(campaign: Campaign) -> tuple[int, int]:
    """How many documents are known, and how many of these have no text, but an id alone."""
    known, without_text = campaign.row(
        "SELECT count(*), (SELECT count(*) FROM documents WHERE text IS NULL) FROM documents"
    )
    return known, without_text


def document_ids(campaign: Campaign) -> Iterator[str]:
    """The ids of all documents, as they are asked for."""
    return (doc_id for (doc_id,) in campaign.each("SELECT doc_id FROM documents"))


def is_document(campaign: Campaign, doc_id: str) -> bool:
    """Whether the campaign has a document of that id."""
    return bool(campaign.rows("SELECT 1 FROM documents WHERE doc_id = ?", (doc_id,)))


def add_document_ids(campaign: Campaign, doc_ids: Iterable[str]) -> None:
    """Let documents of which the ids are known join the campaign, without a text."""
    with campaign.writing():
        campaign.execute_many(
            "INSERT INTO documents (doc_id) VALUES (?) ON CONFLICT (doc_id) DO NOTHING",
            ((doc_id,) for doc_id in sorted(set(doc_ids))),
        )


def write_documents(campaign: Campaign, documents: Iterable[Document]) -> None:
    """Let documents be as these: new ones join the campaign."""
    with campaign.writing():
        campaign.execute_many(
            insertion("documents", "doc_id", *DOCUMENT_FIELDS)
            + " ON CONFLICT (doc_id) DO UPDATE SET title = excluded.title, text = excluded.text,"
            " url = excluded.url, kind = excluded.kind, meta = excluded.meta",
            (
                (one.doc_id, one.title, one.text, one.url, one.kind, metadata_text(one.meta))
                for one in documents
            ),
        )


def document_by_key(campaign: Campaign, key: int) -> tuple[Document, bool]:
    """One document, and whether its text was ever loaded. Raises as `query_by_key`."""
    row = campaign.row(f"SELECT {_COLUMNS} FROM documents WHERE id = ?", (key,))
    return document_of_row(campaign, row)


def documents_by_id(campaign: Campaign, doc_ids: Iterable[str]) -> dict[str, tuple[Document, bool]]:
    """Documents with these ids, and whether their texts were ever loaded; those that are not there
    are left out."""
    is_wanted, parameters = campaign.among("doc_id", doc_ids)
    rows = campaign.rows(f"SELECT {_COLUMNS} FROM documents WHERE {is_wanted}", parameters)
    return {row[0]: document_of_row(campaign, row) for row in rows}


def all_documents(campaign: Campaign) -> Iterator[tuple[Document, bool]]:
    """Every document, ascending by id, and whether its text was ever loaded; read inside
    `reading`."""
    rows = campaign.each(f"SELECT {_COLUMNS} FROM documents ORDER BY doc_id")
    return (document_of_row(campaign, row) for row in rows)


def document_texts(campaign: Campaign) -> Iterator[tuple[str, str, str]]:
    """The id, the title and the text of each document that has a text, ascending by id; read inside
    `reading`."""
    return campaign.each(
        "SELECT doc_id, title, text FROM documents WHERE text IS NOT NULL ORDER BY doc_id"
    )


def kinds_and_texts(campaign: Campaign) -> Iterator[tuple[str, str, bool]]:
    """The id of each document, its kind, and whether it has a text, ascending by id; read inside
    `reading`."""
    rows = campaign.each(
        "SELECT doc_id, kind, coalesce(text, '') <> '' FROM documents ORDER BY doc_id"
    )
    return ((doc_id, kind, bool(has_text)) for doc_id, kind, has_text in rows)


@dataclass(frozen=True, slots=True)
class DocumentName:
    """How a document is called; the title is empty where it has none."""

    doc_id: str
    title: str


def document_names(campaign: Campaign, keys: Iterable[int]) -> dict[int, DocumentName]:
    """The names of the documents of those keys; one that is not there is left out."""
    is_wanted, parameters = campaign.among("id", keys)
    rows = campaign.rows(f"SELECT id, doc_id, title FROM documents WHERE {is_wanted}", parameters)
    return {key: DocumentName(doc_id, title) for key, doc_id, title in rows}


def doc_ids_by_key(campaign: Campaign, keys: Iterable[int]) -> dict[int, str]:
    """The ids of some documents, by key; those that are not there are left out."""
    is_wanted, parameters = campaign.among("id", keys)
    return dict(campaign.rows(f"SELECT id, doc_id FROM documents WHERE {is_wanted}", parameters))


def titles(campaign: Campaign) -> dict[str, str]:
    """doc_id -> title, of the documents that have one."""
    return dict(campaign.rows("SELECT doc_id, title FROM documents WHERE title <> ''"))


def kinds_and_lengths(campaign: Campaign, keys: Iterable[int]) -> list[tuple[int, str, int | None]]:
    """Key, kind, and length of the text in characters, None where only the id is known, of the
    documents of those keys, ascending."""
    is_wanted, parameters = campaign.among("id", keys)
    return campaign.rows(
        f"SELECT id, kind, length(text) FROM documents WHERE {is_wanted} ORDER BY id", parameters
    )


def missing_documents(campaign: Campaign) -> list[str]:
    """The doc_ids of pooled documents without a text, in byte order."""
    unknown = campaign.rows("SELECT id, doc_id FROM documents WHERE text IS NULL ORDER BY doc_id")
    # With all texts there, as is usual, the pool need not be looked at.
    pooled = campaign.rows("SELECT DISTINCT document FROM pool") if unknown else []
    keys = {key for (key,) in pooled}
    return [doc_id for key, doc_id in unknown if key in keys]


def documents_to_judge(campaign: Campaign, query: int) -> list[Document]:
    """The documents in the pool of a query (a key), by doc_id: their titles and texts."""
    rows = campaign.rows(
        "SELECT d.doc_id, d.title, d.text FROM pool AS p JOIN documents AS d ON d.id = p.document"
        " WHERE p.query = ? ORDER BY d.doc_id",
        (query,),
    )
    return [Document(doc_id, title, text or "") for doc_id, title, text in rows]


def document_of_row(campaign: Campaign, row: Sequence[Any]) -> tuple[Document, bool]:
    """A row of `DOCUMENT_COLUMNS` as a document, and whether its text was ever loaded."""
    doc_id, title, text, url, kind, meta = row
    known = read_metadata(campaign.path, meta)
    return Document(doc_id, title, text or "", url, kind, known), text is not None
