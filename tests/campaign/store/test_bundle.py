"""The file that one judge takes along: all that is needed, nothing that tells, and home again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.overview.progress import progress
from judge_tui.campaign.overview.status import next_steps
from judge_tui.campaign.store.bundle import export_bundle
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.campaign.store.merge import merge
from judge_tui.campaign.store.pool import is_part
from judge_tui.campaign.store.settings import change_setting
from judge_tui.errors import CampaignError, UsageError
from tests.campaign.copies import copied, events_of, graded

STRANGER = "Secretive"


@pytest.fixture
def planned(campaign: Campaign, files: Path) -> Campaign:
    """Pairs assigned to ann and a judge of telling name, gold pairs, repeats, some grades."""
    (files / "gold.qrels").write_text("q1 0 json.load 0\nq2 0 gold.pair 3\n")
    assign(campaign, ["ann", STRANGER], overlap=0.5, repeat=0.5, gold=files / "gold.qrels")
    for name, doc_id, grade in (("ann", "csv.reader", 3), (STRANGER, "sorted", 1)):
        graded(campaign, name, doc_id, grade, note=f"{name} was here")
    return campaign


def desk_order(campaign: Campaign, judge: str) -> list[tuple[str, int, list[str]]]:
    desk = Desk(campaign, find_judge(campaign, judge))
    return [
        (visit.query_id, visit.turn, [pair.doc_id for pair in desk.pairs(visit.key, visit.turn)])
        for visit in desk.queries()
    ]


def rows(path: Path, sql: str) -> list[tuple]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def test_a_bundle_has_what_the_judge_needs_in_the_same_order(planned, files):
    bundled = export_bundle(planned, files / "ann.db", judge="ann")
    with open_campaign(files / "ann.db") as away:
        assert away.settings == planned.settings
        assert desk_order(away, "ann") == desk_order(planned, "ann")
        mine = [row for row in events_of(planned) if row[1] == "ann"]
        assert events_of(away) == mine
        desk, home = (Desk(one, find_judge(one, "ann")) for one in (away, planned))
        here, there = (
            [one.document(pair) for visit in one.queries() for pair in one.pairs(visit.key)]
            for one in (desk, home)
        )
        assert here == there
    pairs = planned.rows(
        "SELECT count(*) FROM (SELECT pair FROM assignments WHERE judge = 1"
        " UNION SELECT pair FROM events WHERE judge = 1)"
    )[0][0]
    assert (bundled.pairs, bundled.decided, bundled.queries) == (pairs, 1, 2)
    # gold.pair has no text anywhere.
    assert (bundled.without_text, bundled.new) == (1, False)
    assert bundled.size == (files / "ann.db").stat().st_size


def test_a_bundle_is_blind_to_whoever_opens_the_file(planned, files):
    change_setting(planned, "baseline", "alpha")
    path, before = files / "ann.db", set(files.iterdir())
    export_bundle(planned, path, judge="ann")
    assert set(files.iterdir()) - before == {path}
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "PRAGMA foreign_key_check") == []
    content = path.read_bytes()
    assert b"ann was here" in content
    assert [told for told in (STRANGER, "alpha", "beta") if told.encode() in content] == []
    chosen = rows(path, "SELECT DISTINCT stratum, round, probability FROM pool")
    assert chosen == [("", 0, None)]
    assert rows(path, "SELECT name FROM judges") == [("ann",)]
    assert rows(path, "SELECT DISTINCT purpose, turn FROM assignments ORDER BY turn") == [
        ("normal", 0),
        ("repeat", 1),
    ]
    for table in ("gold", "runs", "results", "asked"):
        assert rows(path, f"SELECT count(*) FROM {table}") == [(0,)]
    # The keys follow the ids, not the runs that brought the documents.
    assert rows(path, "SELECT doc_id FROM documents ORDER BY id") == rows(
        path, "SELECT doc_id FROM documents ORDER BY doc_id"
    )
    assert rows(path, "SELECT id FROM pool ORDER BY id") == rows(
        path, "SELECT id FROM pool ORDER BY query, document"
    )


def test_what_was_done_on_a_bundle_comes_home_and_nothing_else(planned, files):
    export_bundle(planned, files / "ann.db", judge="ann")
    tables = ("queries", "documents", "pool", "gold", "judges", "assignments", "runs", "results")
    before = [planned.rows(f"SELECT * FROM {table}") for table in tables]
    with open_campaign(files / "ann.db") as away:
        desk = Desk(away, find_judge(away, "ann"))
        for visit in desk.queries():
            for pair in desk.pairs(visit.key, visit.turn):
                desk.record("grade", pair, grade=2)
        done = events_of(away)
    (came,) = merge(planned, [files / "ann.db"])
    assert (came.events, came.pairs) == ({"ann": len(done) - 1}, 0)
    assert [planned.rows(f"SELECT * FROM {table}") for table in tables] == before
    assert [row for row in events_of(planned) if row[1] == "ann"] == done
    desk = Desk(planned, find_judge(planned, "ann"))
    assert all(visit.decided == visit.pairs for visit in desk.queries())


def test_without_assignments_it_is_the_whole_pool_even_for_somebody_new(campaign, files):
    graded(campaign, "ann", "sorted", 1)
    bundled = export_bundle(campaign, files / "zoe.db", judge=" zoe ")
    assert (bundled.judge, bundled.new, bundled.pairs, bundled.decided) == ("zoe", True, 6, 0)
    with open_campaign(files / "zoe.db") as away:
        assert add_judge(away, "zoe").kind == "human"
        graded(away, "zoe", "sorted", 3)
    assert find_judge(campaign, "zoe") is None
    (came,) = merge(campaign, [files / "zoe.db"])
    assert came.events == {"zoe": 1}
    assert campaign.rows("SELECT DISTINCT stratum FROM pool") == [("depth",)]


def test_a_pair_that_went_to_somebody_else_comes_along_if_it_was_judged(campaign, files):
    event = graded(campaign, "ann", "csv.reader", 3)
    other = campaign.rows("SELECT id FROM pool WHERE id <> ? ORDER BY id LIMIT 1", (event.pair,))
    with campaign.writing():
        campaign.execute(
            "INSERT INTO assignments VALUES (?, ?, 0, 0, 'normal')", (event.judge, other[0][0])
        )
    assert export_bundle(campaign, files / "ann.db", judge="ann").pairs == 2


def test_a_bundle_says_what_to_do_with_it_and_is_not_dealt_anew(planned, files):
    assert not is_part(planned)
    export_bundle(planned, files / "ann.db", judge="ann")
    with open_campaign(files / "ann.db") as bundle:
        assert is_part(bundle)
        steps = next_steps(progress(bundle))
        assert str(steps[-1]) == "Send this file home; there: judge-tui merge FILE"
        assert steps[0].what.startswith("ann: ")
        with pytest.raises(UsageError, match="one judge's part"):
            assign(bundle, ["ann", "bob"])


def test_a_file_that_was_replaced_has_no_bundle(planned, files):
    """The judge would get what somebody else's campaign has, or nothing at all."""
    copied(planned, "copy.db").replace(planned.path)
    with pytest.raises(CampaignError, match="deleted, moved or replaced while it was open"):
        export_bundle(planned, files / "ann.db", judge="ann")
    assert not (files / "ann.db").exists()


def test_who_gets_no_bundle(planned, files):
    add_judge(planned, "idle")
    for judge in ("anne", "idle"):
        with pytest.raises(UsageError):
            export_bundle(planned, files / "x.db", judge=judge)
    assert not list(files.glob("*x.db*"))
