"""A file that another program wrote into is said to be damaged, wherever it is met."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import append_event, redo, undo
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.campaign.store.queries import all_queries
from judge_tui.errors import CampaignError


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


@pytest.mark.parametrize("meta", ["[", "[1]", "1", "null", "[" * 100_000])
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


def test_rows_that_are_gone(campaign: Campaign, ann: Judge) -> None:
    desk = Desk(campaign, ann)
    visit = desk.queries()[0]
    pair = desk.pairs(visit.key)[0]
    campaign.execute("PRAGMA foreign_keys = OFF")
    campaign.execute("DELETE FROM pool")
    campaign.execute("DELETE FROM queries")
    for read in (
        lambda: desk.query(visit.key),
        lambda: desk.document(pair),
        lambda: desk.query_of(pair.key),
        lambda: desk.pairs(visit.key),
    ):
        with pytest.raises(CampaignError, match="another program changed the tables"):
            read()


def test_the_id_of_an_event_that_is_none(campaign: Campaign, ann: Judge) -> None:
    desk = Desk(campaign, ann)
    pair = desk.pairs(desk.queries()[0].key)[0]
    desk.record("grade", pair, grade=1)
    campaign.execute(
        "INSERT INTO events (id, judge, pair, action, grade, note, painted_at, written_at)"
        " SELECT 'zzz', judge, pair, action, grade, note, painted_at, written_at FROM events"
    )
    for write in (
        lambda: append_event(campaign, judge=ann.key, pair=pair.key, action="grade", grade=2),
        lambda: undo(campaign, ann.key),
    ):
        with pytest.raises(CampaignError, match="the file is damaged"):
            write()
    assert redo(campaign, ann.key) is None
    assert campaign.rows("SELECT count(*) FROM events") == [(2,)]
