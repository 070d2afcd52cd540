"""What judges did on copies comes home, whoever loaded what meanwhile; and nothing else comes."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.adjudication import adjudication_of, settle
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import undo
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.merge import DoubleDecision, merge
from judge_tui.campaign.store.settings import change_setting
from judge_tui.errors import CampaignError, InputError
from tests.campaign.copies import copied, events_of, graded, graded_in, key_of, whole
from tests.campaigns import load_run
from tests.waiting import next_millisecond


@pytest.fixture
def other(campaign: Campaign) -> Path:
    return copied(campaign, "other.db")


def test_events_come_by_text_ids_and_again_nothing_comes(campaign, other):
    """Keys of judges, pairs, queries and documents differ in the two files."""
    graded(campaign, "zoe", "sorted", 1)
    with open_campaign(other) as away:
        undone = graded(away, "ann", "csv.reader", 0)
        assert undo(away, undone.judge) == undone
        graded(away, "ann", "csv.reader", 3)
        desk = Desk(away, add_judge(away, "ann"))
        pair = desk.pairs(1)[0]
        desk.record("comment", pair, note="a note")
        theirs = events_of(away)
    ours = events_of(campaign)
    (came,) = merge(campaign, [other])
    assert (came.events, came.known, came.pairs) == ({"ann": 4}, 0, 0)
    assert events_of(campaign) == sorted([*ours, *theirs])
    assert grades_by_judge(campaign)["ann"] == {("q1", "csv.reader"): 3}
    before = whole(campaign.path)
    came, itself = merge(campaign, [other, campaign.path])
    assert (came.events, came.known, came.itself, itself.itself) == ({}, 4, False, True)
    assert whole(campaign.path) == before


def test_what_an_event_names_comes_along_and_nothing_else(campaign, files):
    other = copied(campaign, "other.db")
    (files / "more.tsv").write_text("q8\tnew\nq9\tnever judged\n")
    (files / "more.run").write_text("q8 Q0 new.doc 1 2 more\nq9 Q0 sorted 1 1 more\n")
    (files / "docs.jsonl").write_text('{"doc_id": "new.doc", "text": "Its text."}\n')
    (files / "gold").write_text("q1 0 csv.reader 3\n")
    with open_campaign(other) as away:
        load_queries(away, files / "more.tsv")
        load_run(away, files / "more.run")
        load_document_files(away, [files / "docs.jsonl"])
        extend_pool(away)
        assign(away, ["ann", "bob"], gold=files / "gold")
        change_setting(away, "name", "renamed")
        change_setting(away, "labels", "0=off,1=near,2=on,3=spot on")
        graded(away, "ann", "new.doc", 2)
    (came,) = merge(campaign, [other])
    assert (came.events, came.pairs) == ({"ann": 1}, 1)
    assert grades_by_judge(campaign) == {"ann": {("q8", "new.doc"): 2}}
    assert campaign.rows("SELECT text FROM documents WHERE doc_id = 'new.doc'") == [("Its text.",)]
    assert campaign.rows("SELECT query_id FROM queries ORDER BY 1") == [("q1",), ("q2",), ("q8",)]
    assert [name for (name,) in campaign.rows("SELECT name FROM judges")] == ["ann"]
    assert campaign.rows(
        "SELECT p.stratum, p.round, p.probability FROM pool AS p JOIN queries AS q"
        " ON q.id = p.query WHERE q.query_id = 'q8'"
    ) == [("merged", 0, None)]
    assert campaign.rows("SELECT tag FROM runs ORDER BY 1") == [("alpha",), ("beta",)]
    for table in ("assignments", "gold"):
        assert campaign.rows(f"SELECT * FROM {table}") == []
    assert open_campaign(campaign.path).settings.name == "small"


def test_pairs_that_one_judge_decided_on_both_sides_are_listed(campaign, files):
    graded(campaign, "ann", "csv.writer", 1)
    other = copied(campaign, "other.db")
    (files / "late").write_text("q1 0 csv.reader 1\n")
    with open_campaign(other) as away:
        graded(away, "ann", "csv.writer", 0)  # known to be decided: changed, and not here since
        graded(away, "ann", "json.load", 2)
        load_judgments(away, files / "late", judge="ann")
    next_millisecond()
    graded(campaign, "ann", "csv.reader", 3)
    graded(campaign, "ann", "json.load", 1)
    graded(campaign, "bob", "csv.writer", 1)
    (came,) = merge(campaign, [other])
    holds = grades_by_judge(campaign)["ann"]
    # json.load is in two queries: the first pair of it was graded.
    pairs = {(one.query_id, one.doc_id): one.holds for one in came.decided_twice}
    assert pairs == {("q1", "csv.reader"): 3, ("q1", "json.load"): 1}
    # In the app over a file, whichever came first; else the later.
    assert (holds["q1", "csv.reader"], holds["q1", "json.load"]) == (3, 1)
    assert holds["q1", "csv.writer"] == 0


def test_what_leads_settled_on_both_sides_is_listed(campaign, other):
    pair = key_of(campaign, "csv.reader")
    settle(campaign, add_judge(campaign, "lea", role="lead"), pair, 1)
    next_millisecond()
    with open_campaign(other) as away:
        settle(away, add_judge(away, "mia", role="lead"), pair, 3)
    (came,) = merge(campaign, [other])
    assert came.decided_twice == (DoubleDecision("", "q1", "csv.reader", False, 3),)
    held = adjudication_of(campaign, pair)
    assert held is not None
    assert (held.judge.name, held.grade) == ("mia", 3)


def test_a_query_that_has_another_text_there_is_refused_and_nothing_comes(campaign, other):
    graded_in(other, "ann", {"csv.reader": 3, "sorted": 1})
    with open_campaign(other) as away, away.writing():
        away.execute("UPDATE queries SET text = 'write a CSV file' WHERE query_id = 'q1'")
    before = whole(campaign.path)
    match = "'q1' is 'read a CSV file' in the campaign, and 'write a CSV file' here"
    with pytest.raises(InputError, match=match):
        merge(campaign, [other])
    assert whole(campaign.path) == before


def test_judges_go_on_while_files_are_read(campaign, other):
    graded_in(other, "ann", {"csv.reader": 3})
    failures: list[BaseException] = []

    def judge(_name: str) -> None:
        def work() -> None:
            try:
                with open_campaign(campaign.path) as mine:
                    mine.wait_at_most(100)
                    graded(mine, "bob", "sorted", 2)
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    merge(campaign, [other], on_file=judge)
    assert failures == []
    assert set(grades_by_judge(campaign)) == {"ann", "bob"}


def test_an_interrupted_merge_and_a_held_file_leave_all_as_it_was(campaign, other):
    graded_in(other, "ann", {"csv.reader": 3})
    before = whole(campaign.path)

    def interrupted(_name: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        merge(campaign, [other], on_write=interrupted)
    campaign.wait_at_most(20)
    holder = sqlite3.connect(campaign.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(CampaignError, match="another program holds the file"):
        merge(campaign, [other])
    holder.close()
    assert whole(campaign.path) == before
