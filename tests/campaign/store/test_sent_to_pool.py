"""One document sent to the pool by its keys."""

from __future__ import annotations

from judge_tui.campaign import Campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.store.pool import pool_size, pooled_documents, send_to_pool


def keys(campaign: Campaign, query_id: str, doc_id: str) -> tuple[int, int]:
    return campaign.rows(
        "SELECT (SELECT id FROM queries WHERE query_id = ?),"
        " (SELECT id FROM documents WHERE doc_id = ?)",
        (query_id, doc_id),
    )[0]


def test_a_pair_joins_the_pool_once_and_last_of_its_query(campaign: Campaign) -> None:
    query, document = keys(campaign, "q1", "sorted")
    before = pool_size(campaign)
    assert document not in pooled_documents(campaign, query)
    assert send_to_pool(campaign, query, document)
    assert not send_to_pool(campaign, query, document)
    assert document in pooled_documents(campaign, query)
    after = pool_size(campaign)
    assert after.pairs == before.pairs + 1
    assert after.by_stratum == {**before.by_stratum, "results": 1}
    rows = campaign.rows("SELECT stratum FROM pool WHERE query = ? ORDER BY id", (query,))
    assert [stratum for (stratum,) in rows][-1] == "results"


def test_the_pool_is_extended_around_it(campaign: Campaign) -> None:
    query, document = keys(campaign, "q1", "sorted")
    send_to_pool(campaign, query, document)
    assert extend_pool(campaign, depth=10) == 0
