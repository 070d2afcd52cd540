"""Queries and documents by the file's own keys."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.metadata import read_metadata
from judge_tui.campaign.words import RESTORE
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query

__all__ = [
    "QueryName",
    "doc_ids_by_key",
    "document_by_key",
    "query_by_key",
    "query_names",
    "row_by_key",
]


@dataclass(frozen=True, slots=True)
class QueryName:
    """What a query is called, and the class that slices are made by."""

    query_id: str
    text: str
    query_class: str


def query_by_key(campaign: Campaign, key: int) -> Query:
    """One query, whole. Raises `CampaignError` where there is none of that key."""
    query_id, text, description, narrative, query_class, meta = row_by_key(
        campaign,
        "SELECT query_id, text, description, narrative, class, meta FROM queries WHERE id = ?",
        key,
    )
    known = read_metadata(campaign.path, meta)
    return Query(query_id, text, description, narrative, query_class, known)


def document_by_key(campaign: Campaign, key: int) -> tuple[Document, bool]:
    """One document, and whether its text was ever loaded. Raises as `query_by_key`."""
    doc_id, title, text, url, kind, meta = row_by_key(
        campaign, "SELECT doc_id, title, text, url, kind, meta FROM documents WHERE id = ?", key
    )
    known = read_metadata(campaign.path, meta)
    return Document(doc_id, title, text or "", url, kind, known), text is not None


def query_names(campaign: Campaign) -> dict[int, QueryName]:
    """All queries, as they were loaded, by key."""
    rows = campaign.rows("SELECT id, query_id, text, class FROM queries ORDER BY id")
    return {key: QueryName(*row) for key, *row in rows}


def doc_ids_by_key(campaign: Campaign, keys: Iterable[int]) -> dict[int, str]:
    """The ids of some documents, by key; those that are not there are left out."""
    rows = campaign.rows(
        "SELECT id, doc_id FROM documents WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keys)),),
    )
    return dict(rows)


def row_by_key(campaign: Campaign, sql: str, key: int) -> Any:
    """The row that must be there. Raises `CampaignError` where somebody took it away."""
    rows = campaign.rows(sql, (key,))
    if not rows:
        what = "a row that was there is gone: another program changed the tables"
        raise CampaignError(campaign.path, what, RESTORE)
    return rows[0]
