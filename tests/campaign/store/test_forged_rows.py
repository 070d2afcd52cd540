"""A file that another program wrote into is said to be damaged, wherever it is met."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.campaign.store.queries import all_queries
from judge_tui.errors import CampaignError


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


@pytest.mark.parametrize("meta", ["[", "1", "[" * 100_000])
@pytest.mark.parametrize("table", ["documents", "queries"])
def test_metadata_that_is_no_object(campaign: Campaign, ann: Judge, table: str, meta: str) -> None:
    desk = Desk(campaign, ann)
    (first, *_), key = desk.pairs(desk.queries()[0].key), desk.queries()[0].key
    campaign.execute(f"UPDATE {table} SET meta = ?", (meta,))
    read: Callable[[], object] = (
        (lambda: desk.query(key)) if table == "queries" else (lambda: desk.document(first))
    )
    with pytest.raises(CampaignError, match="restore a copy"):
        read()
    if table == "queries":
        with pytest.raises(CampaignError, match="restore a copy"):
            all_queries(campaign)
