"""One query, one document, or what a pair is called, by the file's own keys."""

from __future__ import annotations

from typing import Any

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.metadata import read_metadata
from judge_tui.campaign.words import RESTORE
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Query

__all__ = ["document_by_key", "query_by_key"]


def query_by_key(campaign: Campaign, key: int) -> Query:
    """One query, whole. Raises `CampaignError` where there is none of that key."""
    query_id, text, description, narrative, query_class, meta = _one(
        campaign,
        "SELECT query_id, text, description, narrative, class, meta FROM queries WHERE id = ?",
        key,
    )
    known = read_metadata(campaign.path, meta)
    return Query(query_id, text, description, narrative, query_class, known)


def document_by_key(campaign: Campaign, key: int) -> tuple[Document, bool]:
    """One document, and whether its text was ever loaded. Raises as `query_by_key`."""
    doc_id, title, text, url, kind, meta = _one(
        campaign, "SELECT doc_id, title, text, url, kind, meta FROM documents WHERE id = ?", key
    )
    known = read_metadata(campaign.path, meta)
    return Document(doc_id, title, text or "", url, kind, known), text is not None


def _one(campaign: Campaign, sql: str, key: int) -> Any:
    rows = campaign.rows(sql, (key,))
    if not rows:
        what = "a row that was there is gone: another program changed the tables"
        raise CampaignError(campaign.path, what, RESTORE)
    return rows[0]
