"""What judges did on copies and bundles comes home, whoever loaded what meanwhile, and nothing
else; a bundle has all that its judge needs, and nothing that tells."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.overview.progress import progress
from judge_tui.campaign.overview.status import next_steps
from judge_tui.campaign.store.adjudication import adjudication_of, settle
from judge_tui.campaign.store.bundle import export_bundle
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import undo
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.campaign.store.merge import DoubleDecision, merge
from judge_tui.campaign.store.pool import is_part
from judge_tui.campaign.store.settings import change_setting
from judge_tui.errors import CampaignError, InputError, LockedError, UsageError
from tests.campaign.copies import as_file, copied, events_of, graded, graded_in, key_of, whole
from tests.campaigns import load_run, record
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
        record(desk, "comment", pair, note="a note")
        theirs = events_of(away)
    ours = events_of(campaign)
    (came,) = merge(campaign, [other])
    assert (came.events, came.known, came.pairs) == ({"ann": 4}, 0, 0)
    assert events_of(campaign) == sorted([*ours, *theirs])
    assert grades_by_judge(campaign)["ann"] == {("q1", "csv.reader"): 3}
    before = whole(campaign.path)
    came, itself = merge(campaign, [other, as_file(campaign)])
    assert (came.events, came.known, came.itself) == ({}, 4, False)
    assert (itself.events, itself.itself) == ({}, isinstance(campaign.path, Path))
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
    with open_campaign(campaign.path) as again:
        assert again.settings.name == "small"


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
    with open_campaign(campaign.path) as holder, holder.writing():
        holder.execute("UPDATE campaign SET name = name")
        with pytest.raises(LockedError):
            merge(campaign, [other])
    assert whole(campaign.path) == before


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
            [one.look(pair) for visit in one.queries() for pair in one.pairs(visit.key)]
            for one in (desk, home)
        )
        assert here == there
    pairs = planned.rows(
        "SELECT count(*) FROM (SELECT pair FROM assignments WHERE judge = 1"
        " UNION SELECT pair FROM events WHERE judge = 1) AS theirs"
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
    assert rows(path, "SELECT * FROM rounds") == []
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
                record(desk, "grade", pair, grade=2)
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


@pytest.mark.about_files
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
