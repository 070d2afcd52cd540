"""Merging: what judges did on copies comes together, whole, in any order, as often as one likes."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, event_id, open_campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.documents import load_documents
from judge_tui.campaign.events import append_event, redo, undo
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.judges import add_judge, find_judge
from judge_tui.campaign.merge import DecidedOtherwise, merge
from judge_tui.campaign.pool import add_pairs, extend_pool, pair_keys
from judge_tui.campaign.queries import load_queries
from judge_tui.campaign.runs import all_runs, kept_rankings
from judge_tui.errors import LockedError
from judge_tui.pooling import PooledPair
from tests.campaign.copies import (
    copied,
    events_of,
    graded,
    graded_in,
    key_of,
    tampered,
    whole,
)
from tests.loading_runs import load_run


def count(campaign: Campaign, table: str) -> int:
    return campaign.rows(f"SELECT count(*) FROM {table}")[0][0]


def differing(merged) -> list[tuple[str, str, str, str, str]]:
    return [(one.of, one.name, one.field, one.here, one.there) for one in merged.conflicts]


def test_two_judges_come_home(campaign: Campaign) -> None:
    ann, bob = copied(campaign, "ann.db"), copied(campaign, "bob.db")
    graded_in(ann, "ann", {"csv.reader": 3, "sorted": 1})
    graded_in(bob, "bob", {"csv.reader": 2})
    merged = merge(campaign, [ann, bob])
    assert [came.events for came in merged.files] == [{"ann": 2}, {"bob": 1}]
    assert [came.judges for came in merged.files] == [1, 1]
    assert merged.conflicts == ()
    assert grades_by_judge(campaign) == {
        "ann": {("q1", "csv.reader"): 3, ("q2", "sorted"): 1},
        "bob": {("q1", "csv.reader"): 2},
    }
    judge = find_judge(campaign, "ann")
    assert sum(query.decided for query in Desk(campaign, judge).queries()) == 2


def test_again_nothing_comes_and_nothing_changes(campaign: Campaign) -> None:
    ann = copied(campaign, "ann.db")
    graded_in(ann, "ann", {"csv.reader": 3})
    merge(campaign, [ann])
    before = whole(campaign.path)
    (came,) = merge(campaign, [ann]).files
    assert (came.events, came.events_there, came.judges) == ({}, 1, 0)
    assert whole(campaign.path) == before


def test_the_other_file_is_left_as_it_was(campaign: Campaign) -> None:
    ann = copied(campaign, "ann.db")
    graded_in(ann, "ann", {"csv.reader": 3})
    ann.chmod(0o444)
    before = ann.read_bytes(), ann.stat().st_mtime_ns
    beside = sorted(path.name for path in ann.parent.iterdir())
    merge(campaign, [ann])
    assert (ann.read_bytes(), ann.stat().st_mtime_ns) == before
    assert sorted(path.name for path in ann.parent.iterdir()) == beside


def test_what_is_still_in_the_log_of_an_open_file_counts(campaign: Campaign) -> None:
    with open_campaign(copied(campaign, "ann.db")) as ann:
        graded(ann, "ann", "csv.reader", 3)
        before = ann.path.read_bytes()
        (came,) = merge(campaign, [ann.path]).files
        assert came.events == {"ann": 1}
        assert ann.path.read_bytes() == before
        # And whoever has it open goes on.
        graded(ann, "ann", "sorted", 1)
        assert merge(campaign, [ann.path]).files[0].events == {"ann": 1}


def test_a_file_that_was_copied_with_its_log_while_open(campaign: Campaign, files: Path) -> None:
    away = files / "away"
    away.mkdir()
    with open_campaign(copied(campaign, "ann.db")) as ann:
        graded(ann, "ann", "csv.reader", 3)
        for end in ("", "-wal"):
            shutil.copy(f"{ann.path}{end}", away)
    before = {path.name: path.read_bytes() for path in away.iterdir()}
    assert merge(campaign, [away / "ann.db"]).files[0].events == {"ann": 1}
    assert {path.name: path.read_bytes() for path in away.iterdir()} == before


def test_a_name_that_is_no_plain_one(campaign: Campaign, files: Path) -> None:
    ann = copied(campaign, "ann #1?mode=rw%20&x.db")
    graded_in(ann, "ann", {"csv.reader": 3})
    assert merge(campaign, [ann]).files[0].events == {"ann": 1}


def test_a_file_of_the_first_schema(campaign: Campaign, files: Path) -> None:
    """Made by hand as the first release made it; its campaign_id follows from what it holds."""
    from sqlite_utils import Database

    from judge_tui.campaign.schema import migrations

    old = files / "old.db"
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute("PRAGMA application_id = 1247040841")
        migrations.apply(
            Database(connection, use_counts_table=False), stop_before="m002_assignments"
        )
        connection.execute(
            "INSERT INTO campaign VALUES (1, 'old', '0=no,1=yes', '', 5, 0, 1, '2026-01-01')"
        )
        connection.execute("INSERT INTO queries VALUES (1, 'q', 'find', '', '', '', '{}')")
        connection.execute("INSERT INTO documents (id, doc_id) VALUES (1, 'd')")
        connection.execute("INSERT INTO pool VALUES (1, 1, 1, 1.0, 'depth')")
        connection.execute("PRAGMA user_version = 1")
    shutil.copy(old, files / "home.db")
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute("INSERT INTO judges VALUES (1, 'ann', 'judge', 'human')")
        connection.execute(
            "INSERT INTO events (id, judge, pair, action, grade, note, written_at) VALUES"
            " ('019aa000-0000-7000-8000-000000000000', 1, 1, 'grade', 1, '', '2026-01-02T03:04:05')"
        )
    before = old.read_bytes()
    with open_campaign(files / "home.db") as home:
        assert merge(home, [old]).files[0].events == {"ann": 1}
        assert grades_by_judge(home) == {"ann": {("q", "d"): 1}}
    assert old.read_bytes() == before


def test_the_campaign_itself(campaign: Campaign, files: Path) -> None:
    graded(campaign, "ann", "csv.reader", 3)
    (files / "link.db").symlink_to(campaign.path)
    before = events_of(campaign)
    merged = merge(campaign, [campaign.path, files / "link.db"])
    assert [came.itself for came in merged.files] == [True, True]
    assert events_of(campaign) == before


def test_undo_and_redo_on_two_machines(campaign: Campaign) -> None:
    first = graded(campaign, "ann", "csv.reader", 3)
    one, two = copied(campaign, "one.db"), copied(campaign, "two.db")
    with open_campaign(one) as away:
        undo(away, first.judge)
    with open_campaign(two) as away:
        graded(away, "ann", "sorted", 1)
    merge(campaign, [one, two])
    assert grades_by_judge(campaign) == {"ann": {("q2", "sorted"): 1}}
    with open_campaign(one) as away:
        redo(away, first.judge)
    merge(campaign, [two, one])
    assert grades_by_judge(campaign) == {"ann": {("q1", "csv.reader"): 3, ("q2", "sorted"): 1}}


def test_where_one_judge_worked_on_two_machines_the_later_decision_holds(
    campaign: Campaign,
) -> None:
    graded(campaign, "ann", "sorted", 0)
    one, two = copied(campaign, "one.db"), copied(campaign, "two.db")
    graded_in(one, "ann", {"csv.reader": 3})
    # To regrade what both have known is no parting of the ways.
    graded_in(two, "ann", {"csv.reader": 1, "sorted": 2})
    merged = merge(campaign, [two, one])
    assert [came.decided_otherwise for came in merged.files] == [
        (),
        (DecidedOtherwise(str(one), "ann", "q1", "csv.reader", False, 1, 3, 1),),
    ]
    assert merged.conflicts == ()
    assert grades_by_judge(campaign) == {"ann": {("q1", "csv.reader"): 1, ("q2", "sorted"): 2}}
    assert merge(campaign, [one, two]).files[0].decided_otherwise == ()


def test_new_events_sort_after_those_of_a_clock_that_is_ahead(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = copied(campaign, "ahead.db")
    ahead_by = 10**18  # ns: more than thirty years
    true_time = event_id.time.time_ns
    with monkeypatch.context() as patch:
        patch.setattr(event_id.time, "time_ns", lambda: true_time() + ahead_by)
        graded_in(ahead, "ann", {"csv.reader": 3})
    merge(campaign, [ahead])
    last = events_of(campaign)[-1][0]
    event = graded(campaign, "ann", "csv.reader", 1)
    assert event.id > last
    assert grades_by_judge(campaign) == {"ann": {("q1", "csv.reader"): 1}}


def test_everything_is_a_union(campaign: Campaign, files: Path) -> None:
    """Both sides got a query, a document, a run, pairs and a judge, some of them the same."""
    other = copied(campaign, "other.db")
    add_judge(campaign, "ann")
    (files / "q3.jsonl").write_text('{"query_id": "q3", "text": "parse dates"}\n')
    (files / "q4.jsonl").write_text('{"query_id": "q4", "text": "open a socket"}\n')
    (files / "here.run").write_text("q3 Q0 date.parse 1 1.0 here\nq1 Q0 shared 2 0.5 here\n")
    (files / "there.run").write_text("q4 Q0 socket 1 1.0 there\nq1 Q0 shared 2 0.5 there\n")
    (files / "texts.jsonl").write_text('{"doc_id": "shared", "text": "Known there."}\n')
    load_queries(campaign, files / "q3.jsonl")
    load_run(campaign, files / "here.run")
    extend_pool(campaign, depth=10)
    with open_campaign(other) as away:
        load_queries(away, files / "q4.jsonl")
        load_run(away, files / "there.run")
        load_documents(away, files / "texts.jsonl")
        extend_pool(away, depth=10)
        with away.writing() as connection:
            connection.execute("INSERT INTO gold VALUES (?, 2)", (key_of(away, "socket"),))
        graded(away, "ann", "socket", 2)
        graded(away, "bob", "shared", 1)
    merged = merge(campaign, [other])
    (came,) = merged.files
    assert merged.conflicts == ()
    assert (came.queries, came.documents, came.texts, came.pairs) == (1, 1, 1, 1)
    assert (came.judges, came.gold, came.runs, came.pairs_only_here) == (1, 1, 1, 1)
    assert set(pair_keys(campaign)) > {("q3", "date.parse"), ("q4", "socket"), ("q1", "shared")}
    assert kept_rankings(campaign)["there"] == {"q1": ["shared"], "q4": ["socket"]}
    assert [run.tag for run in all_runs(campaign)] == ["alpha", "beta", "here", "there"]
    text = campaign.rows("SELECT text FROM documents WHERE doc_id = 'shared'")
    assert text == [("Known there.",)]
    # The other way round it is the same, but for what only this side had.
    with open_campaign(other) as away:
        (back,) = merge(away, [campaign.path]).files
        assert (back.queries, back.documents, back.texts, back.pairs) == (1, 1, 0, 1)
        assert set(pair_keys(away)) == set(pair_keys(campaign))
        assert events_of(away) == events_of(campaign)


CHANGES = {
    "another text of a document": (
        "UPDATE documents SET text = 'Other.' WHERE doc_id = 'sorted'",
        ("document", "sorted", "text", "Returns a sorted list.", "Other."),
    ),
    "another title of a document": (
        "UPDATE documents SET title = 'x' WHERE doc_id = 'sorted'",
        ("document", "sorted", "title", "", "x"),
    ),
    "another text of a query": (
        "UPDATE queries SET text = 'Sort lists, fast' WHERE query_id = 'q2'",
        ("query", "q2", "text", "sort lists", "Sort lists, fast"),
    ),
    "another class of a query": (
        "UPDATE queries SET class = 'survey' WHERE query_id = 'q2'",
        ("query", "q2", "class", "lookup", "survey"),
    ),
    "another gold grade": (
        "UPDATE gold SET grade = 0",
        ("gold", "q1 csv.reader", "grade", "3", "0"),
    ),
    "another kind of judge": (
        "UPDATE judges SET kind = 'model' WHERE name = 'zoe'",
        ("judge", "zoe", "kind", "human", "model"),
    ),
    "another role": (
        "UPDATE judges SET role = 'lead' WHERE name = 'zoe'",
        ("judge", "zoe", "role", "judge", "lead"),
    ),
    "another file under a tag": (
        "UPDATE runs SET sha256 = 'abc' WHERE tag = 'alpha'",
        ("run", "alpha", "file", None, "sha256 abc"),
    ),
    "other results of the same file": (
        "UPDATE runs SET depth = 101 WHERE tag = 'alpha'",
        "UPDATE results SET score = 9 WHERE run = 1 AND rank = 1",
        ("run", "alpha", "results", "as loaded here", "others, of the same file"),
    ),
    "another name": ("UPDATE campaign SET name = 'x'", ("campaign", "small", "name", "small", "x")),
    "other guidelines": (
        "UPDATE campaign SET guidelines = 'x'",
        ("campaign", "small", "guidelines", "# How to judge\n\nRead, then grade.", "x"),
    ),
    "ranks shown": (
        "UPDATE campaign SET show_ranks = 1",
        ("campaign", "small", "show_ranks", "False", "True"),
    ),
}


@pytest.mark.parametrize("changed", CHANGES)
def test_what_differs_is_named_and_stays_and_the_rest_comes(
    campaign: Campaign, changed: str
) -> None:
    *statements, expected = CHANGES[changed]
    add_judge(campaign, "zoe")
    with campaign.writing() as connection:
        connection.execute("INSERT INTO gold VALUES (?, 3)", (key_of(campaign, "csv.reader"),))
    other = copied(campaign, "other.db")
    graded_in(other, "zoe", {"csv.reader": 3})
    tampered(other, *statements)
    tables = ("campaign", "queries", "documents", "gold", "judges", "runs", "results")
    before = [campaign.rows(f"SELECT * FROM {table}") for table in tables]
    merged = merge(campaign, [other])
    (told,) = differing(merged)
    assert told == tuple(
        told[place] if value is None else value for place, value in enumerate(expected)
    )
    assert [campaign.rows(f"SELECT * FROM {table}") for table in tables] == before
    assert merged.files[0].events == {"zoe": 1}


def test_a_long_text_that_differs_is_told_by_its_length_and_hash(campaign: Campaign) -> None:
    other = copied(campaign, "other.db")
    tampered(other, f"UPDATE documents SET text = '{'x' * 1000}' WHERE doc_id = 'sorted'")
    ((*_, there),) = differing(merge(campaign, [other]))
    # By sha256sum.
    assert there == "1,000 characters, sha256 44f8354494a5"


def test_a_run_that_reaches_deeper_replaces_its_beginning(campaign: Campaign, files: Path) -> None:
    lines = [f"q1 Q0 doc{place} {place} {20 - place} long\n" for place in range(1, 11)]
    (files / "long.run").write_text("".join(lines))
    other = copied(campaign, "other.db")
    load_run(campaign, files / "long.run", depth=3)
    with open_campaign(other) as away:
        load_run(away, files / "long.run", depth=7)
    (came,) = merge(campaign, [other]).files
    assert came.runs == 1
    assert [run.depth for run in all_runs(campaign)] == [100, 100, 7]
    assert len(kept_rankings(campaign)["long"]["q1"]) == 7
    with open_campaign(other) as away:
        assert merge(away, [campaign.path]).files[0].runs == 0
        assert kept_rankings(away) == kept_rankings(campaign)


def test_two_parts_of_a_run_are_never_put_together(campaign: Campaign, files: Path) -> None:
    """Deeper there, more queries here: either depth would be wrong for the union."""
    (files / "q3.jsonl").write_text('{"query_id": "q3", "text": "parse dates"}\n')
    (files / "long.run").write_text(
        "q1 Q0 a 1 3 long\nq1 Q0 b 2 2 long\nq3 Q0 c 1 3 long\nq3 Q0 d 2 2 long\n"
    )
    other = copied(campaign, "other.db")
    load_queries(campaign, files / "q3.jsonl")
    load_run(campaign, files / "long.run", depth=1)
    with open_campaign(other) as away:
        load_run(away, files / "long.run", depth=2, skip_unknown=True)
    merged = merge(campaign, [other])
    assert differing(merged) == [
        ("run", "long", "depth", "the top 1 of 2 queries", "the top 2 of 1 queries")
    ]
    assert kept_rankings(campaign)["long"] == {"q1": ["a"], "q3": ["c"]}


def test_assignments_of_both_sides_hold_and_the_order_here_stays(campaign: Campaign) -> None:
    ann = add_judge(campaign, "ann")
    keys = [key_of(campaign, name) for name in ("csv.reader", "csv.writer")]
    with campaign.writing() as connection:
        connection.execute(
            "INSERT INTO assignments VALUES (?, ?, 0, 5, 'normal')", (ann.key, keys[0])
        )
    other = copied(campaign, "other.db")
    with open_campaign(other) as away, away.writing() as connection:
        connection.execute("UPDATE assignments SET position = 9, purpose = 'gold'")
        connection.execute(
            "INSERT INTO assignments VALUES (?, ?, 0, 9, 'overlap')", (ann.key, keys[1])
        )
        connection.execute(
            "INSERT INTO assignments VALUES (?, ?, 1, 12, 'repeat')", (ann.key, keys[0])
        )
    with open_campaign(other) as away:
        append_event(away, judge=ann.key, pair=keys[0], turn=1, action="grade", grade=1)
        append_event(away, judge=ann.key, pair=keys[1], action="flag")
    (came,) = merge(campaign, [other]).files
    assert (came.assignments, came.placed_otherwise) == (2, 2)
    assert campaign.rows("SELECT pair, turn, position, purpose FROM assignments") == [
        (keys[0], 0, 5, "gold"),
        (keys[0], 1, 12, "repeat"),
        (keys[1], 0, 5, "overlap"),
    ]
    visits = Desk(campaign, ann).queries()
    assert [(visit.query_id, visit.turn, visit.pairs) for visit in visits] == [
        ("q1", 0, 2),
        ("q1", 1, 1),
    ]


def test_judges_go_on_while_files_are_read(campaign: Campaign) -> None:
    ann, bob = copied(campaign, "ann.db"), copied(campaign, "bob.db")
    graded_in(ann, "ann", {"csv.reader": 3})
    graded_in(bob, "bob", {"csv.reader": 2})
    with open_campaign(campaign.path) as app:
        app.wait_at_most(0)
        grades = iter((0, 1))

        def judge_at_work(_name: str) -> None:
            graded(app, "cid", "csv.reader", next(grades))

        merge(campaign, [ann, bob], on_file=judge_at_work)
        graded(app, "cid", "sorted", 2)
        expected = {
            "ann": {("q1", "csv.reader"): 3},
            "bob": {("q1", "csv.reader"): 2},
            "cid": {("q1", "csv.reader"): 1, ("q2", "sorted"): 2},
        }
        assert grades_by_judge(app) == grades_by_judge(campaign) == expected
        assert count(campaign, "events") == 5


def test_nothing_of_the_merge_stays_in_the_connection(campaign: Campaign) -> None:
    ann = copied(campaign, "ann.db")
    merge(campaign, [ann])
    assert campaign.rows("SELECT name FROM temp.sqlite_schema") == []
    assert [row[1] for row in campaign.rows("PRAGMA database_list")] in (["main"], ["main", "temp"])


def test_merging_knows_every_table_and_column(campaign: Campaign) -> None:
    """Who adds one decides here how it comes home, and whether a bundle may tell it."""
    rows = campaign.rows(
        "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c"
        " WHERE m.type = 'table' AND m.name <> '_sqlite_migrations'"
    )
    tables: dict[str, set[str]] = {}
    for table, column in rows:
        tables.setdefault(table, set()).add(column)
    counted = {"pooled", "tallies"}  # by triggers, from the others
    assert {table: columns for table, columns in tables.items() if table not in counted} == {
        "campaign": {
            *("id", "campaign_id", "name", "scale", "guidelines", "seed", "show_ranks"),
            *("schema_version", "created", "show_fields", "include_models"),
        },
        "queries": {"id", "query_id", "text", "description", "narrative", "class", "meta"},
        "documents": {"id", "doc_id", "title", "text", "url", "kind", "meta"},
        "runs": {"id", "tag", "source", "sha256", "loaded_at", "depth", "settings"},
        "results": {"run", "query", "rank", "document", "score"},
        "asked": {"run", "query", "seconds", "failure"},
        "pool": {"id", "query", "document", "priority", "stratum"},
        "judges": {"id", "name", "role", "kind"},
        "assignments": {"judge", "pair", "turn", "position", "purpose"},
        "gold": {"pair", "grade"},
        "events": {
            *("id", "judge", "pair", "turn", "action", "grade", "note", "target", "looked"),
            *("painted_at", "written_at", "over"),
        },
    }


def test_a_campaign_that_somebody_holds_is_not_merged_into(campaign: Campaign) -> None:
    ann = copied(campaign, "ann.db")
    graded_in(ann, "ann", {"csv.reader": 3})
    campaign.wait_at_most(0)
    with open_campaign(campaign.path) as app, app.writing():
        with pytest.raises(LockedError):
            merge(campaign, [ann])
        assert campaign.rows("SELECT name FROM temp.sqlite_schema") == []
    assert events_of(campaign) == []
    assert merge(campaign, [ann]).files[0].events == {"ann": 1}


def test_an_interrupted_merge_leaves_nothing(campaign: Campaign) -> None:
    ann, bob = copied(campaign, "ann.db"), copied(campaign, "bob.db")
    graded_in(ann, "ann", {"csv.reader": 3})

    def interrupt(name: str) -> None:
        if name == str(bob):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        merge(campaign, [ann, bob], on_file=interrupt)
    assert campaign.rows("SELECT name FROM temp.sqlite_schema") == []
    assert events_of(campaign) == []
    assert merge(campaign, [ann, bob]).files[0].events == {"ann": 1}


def test_the_work_grows_with_the_events_and_not_with_their_square(campaign: Campaign) -> None:
    """Twice the events on both sides are twice the work, counted in SQLite's own steps."""

    names = [f"d{number:03}" for number in range(400)]
    add_pairs(campaign, [PooledPair("q1", name, 0, "depth") for name in names])

    def steps_of(events: int) -> int:
        home, other = copied(campaign, f"home {events}.db"), copied(campaign, f"{events}.db")
        for path in (home, other):
            with open_campaign(path) as one, one.writing():
                judge = add_judge(one, path.stem).key
                for pair in range(1, events + 1):
                    append_event(one, judge=judge, pair=pair, action="skip")
        steps = 0

        def step() -> int:
            nonlocal steps
            steps += 1
            return 0

        with open_campaign(home) as one:
            one.connection.set_progress_handler(step, 10)
            merge(one, [other])
        return steps

    assert steps_of(400) < 3 * steps_of(200)
