"""One document that somebody wants to have judged: into the pool with it."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.pool import add_pairs
from judge_tui.pooling import PooledPair

__all__ = ["FROM_RESULTS", "Sent", "pooled_documents", "send_to_pool"]

FROM_RESULTS = "results"
"""The stratum of pairs that somebody who looked at the results sent to the pool."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of it: whether the pair is new in the pool, and whether it will come to nobody by
    itself, as pairs are assigned here and this one is not."""

    new: bool
    to_nobody: bool


def send_to_pool(campaign: Campaign, query: int, document: int) -> Sent:
    """Put the pair of a query and a document, by their keys, into the pool.

    One that is there already stays as it is. Raises `LockedError` while another program holds the
    file, `CampaignError` where nothing can be written.
    """
    with campaign.writing():
        known = campaign.rows(
            "SELECT id FROM pool WHERE query = ? AND document = ?", (query, document)
        )
        if not known:
            query_id, doc_id = campaign.rows(
                "SELECT (SELECT query_id FROM queries WHERE id = ?),"
                " (SELECT doc_id FROM documents WHERE id = ?)",
                (query, document),
            )[0]
            add_pairs(campaign, [PooledPair(query_id, doc_id, FROM_RESULTS)])
        is_assigned = campaign.rows(
            "SELECT EXISTS (SELECT 1 FROM assignments), EXISTS (SELECT 1 FROM assignments AS a"
            " JOIN pool AS p ON p.id = a.pair WHERE p.query = ? AND p.document = ?)",
            (query, document),
        )[0]
    return Sent(new=not known, to_nobody=bool(is_assigned[0]) and not is_assigned[1])


def pooled_documents(campaign: Campaign, query: int) -> frozenset[int]:
    """The documents (keys) that are in the pool of a query."""
    rows = campaign.rows("SELECT document FROM pool WHERE query = ?", (query,))
    return frozenset(document for (document,) in rows)
