"""The counts that triggers keep are those that the other tables say, whatever is written."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign import tallies as module
from judge_tui.campaign.event_id import next_event_id
from judge_tui.campaign.events import append_event, redo, undo
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.merge import merge
from judge_tui.campaign.queries import query_keys
from judge_tui.campaign.tallies import counted_at_once
from tests.campaign.copies import copied, graded_in

COUNTED = """
    SELECT judge, query, turn, sum(assigned), sum(decided), sum(assigned AND decided) FROM (
        SELECT judge, pair, turn, max(assigned) AS assigned, max(decided) AS decided FROM (
            SELECT judge, pair, turn, 1 AS assigned, 0 AS decided FROM assignments
            UNION ALL SELECT judge, pair, 0, 0, 1 FROM decisions
            UNION ALL SELECT judge, pair, 1, 0, 1 FROM repeats)
        GROUP BY judge, pair, turn)
    JOIN pool ON pool.id = pair GROUP BY judge, query, turn ORDER BY judge, query, turn
"""


def tallies(campaign: Campaign) -> list[tuple[Any, ...]]:
    return campaign.rows(
        "SELECT judge, query, turn, assigned, decided, decided_assigned FROM tallies"
        " WHERE assigned OR decided ORDER BY judge, query, turn"
    )


def pooled(campaign: Campaign) -> list[tuple[Any, ...]]:
    return campaign.rows("SELECT query, pairs FROM pooled ORDER BY query")


def write(
    connection: sqlite3.Connection,
    judge: int,
    pair: int,
    turn: int,
    action: str,
    target: str | None = None,
) -> str:
    event = next_event_id(connection.execute("SELECT max(id) FROM events").fetchone()[0])
    connection.execute(
        "INSERT INTO events (id, judge, pair, turn, action, note, target, written_at)"
        " VALUES (?, ?, ?, ?, ?, '', ?, '')",
        (event, judge, pair, turn, action, target),
    )
    return event


def triggers(campaign: Campaign) -> list[tuple[str, str]]:
    return campaign.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")


PAIR = st.integers(1, 6)
TURN = st.integers(0, 1)
MANY = 1_000_000
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("bulk"), PAIR, TURN),
        st.tuples(st.just("undo in bulk"), PAIR, TURN),
        st.tuples(st.sampled_from(["grade", "skip", "flag"]), PAIR, TURN),
        st.tuples(st.sampled_from(["undo", "redo"]), st.just(0), st.just(0)),
        st.tuples(st.sampled_from(["assign", "take"]), PAIR, TURN),
    ),
    max_size=30,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(STEPS)
def test_tallies_are_what_can_be_counted(campaign: Campaign, steps: list[Any]) -> None:
    judge = add_judge(campaign, f"judge {time.time_ns()}").key
    for action, pair, turn in steps:
        if action == "undo":
            undo(campaign, judge)
        elif action == "redo":
            redo(campaign, judge)
        elif action == "assign":
            with campaign.writing() as connection:
                connection.execute(
                    "INSERT OR IGNORE INTO assignments VALUES (?, ?, ?, 5, ?)",
                    (judge, pair, turn, "repeat" if turn else "normal"),
                )
        elif action == "take":
            with campaign.writing() as connection:
                connection.execute(
                    "DELETE FROM assignments WHERE judge = ? AND pair = ? AND turn = ?",
                    (judge, pair, turn),
                )
        elif action == "bulk":
            with campaign.writing() as connection, counted_at_once(connection, [judge], MANY):
                for one in (pair, pair, 1):
                    write(connection, judge, one, turn, "cannot")
        elif action == "undo in bulk":
            with campaign.writing() as connection, counted_at_once(connection, [judge], MANY):
                event = write(connection, judge, pair, turn, "skip")
                write(connection, judge, pair, turn, "undo", event)
        else:
            grade = 2 if action == "grade" else None
            append_event(campaign, judge=judge, pair=pair, turn=turn, action=action, grade=grade)
        assert tallies(campaign) == campaign.rows(COUNTED)


def test_a_grown_pool_is_counted(campaign: Campaign) -> None:
    by_query = "SELECT query, count(*) FROM pool GROUP BY query ORDER BY query"
    assert pooled(campaign) == campaign.rows(by_query) != []
    campaign.connection.execute(
        "INSERT INTO pool (query, document, priority, stratum)"
        " SELECT ?, id, 0, 'loaded' FROM documents WHERE doc_id = 'list.sort'",
        (query_keys(campaign)["q1"],),
    )
    assert pooled(campaign) == campaign.rows(by_query)


def test_a_position_that_is_changed_moves_the_visit(campaign: Campaign) -> None:
    judge = add_judge(campaign, "ann").key
    campaign.connection.execute("INSERT INTO assignments VALUES (?, 1, 0, 5, 'normal')", (judge,))
    campaign.connection.execute("UPDATE assignments SET position = 9")
    assert campaign.rows("SELECT position FROM tallies") == [(9,)]


def test_an_older_file_is_counted_as_it_is_opened(campaign: Campaign) -> None:
    ann, bob = add_judge(campaign, "ann").key, add_judge(campaign, "bob").key
    for pair in (1, 2, 3):
        append_event(campaign, judge=ann, pair=pair, action="grade", grade=1)
    undo(campaign, ann)
    append_event(campaign, judge=ann, pair=4, turn=1, action="grade", grade=1)
    connection = campaign.connection
    connection.executemany(
        "INSERT INTO assignments VALUES (?, ?, ?, 7, ?)",
        [(ann, 1, 0, "normal"), (ann, 4, 1, "repeat"), (bob, 5, 0, "normal")],
    )
    kept, sizes = tallies(campaign), pooled(campaign)
    for name, kind in connection.execute(
        "SELECT name, type FROM sqlite_schema WHERE type = 'trigger'"
        " AND (name LIKE '%count%' OR name LIKE 'assignments_%')"
    ).fetchall():
        connection.execute(f"DROP {kind} {name}")
    connection.execute("DROP TABLE tallies")
    connection.execute("DROP TABLE pooled")
    connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm003_tallies'")
    connection.execute("UPDATE campaign SET schema_version = 2")
    connection.execute("PRAGMA user_version = 2")
    campaign.close()
    with open_campaign(campaign.path) as again:
        assert tallies(again) == kept == again.rows(COUNTED)
        assert pooled(again) == sizes
        undo(again, ann)
        assert tallies(again) == again.rows(COUNTED)


@pytest.mark.parametrize("events", [1, MANY])
def test_rows_in_any_order_are_counted(campaign: Campaign, events: int) -> None:
    """Within one statement an undo may come before what it undoes."""
    judge = add_judge(campaign, "ann").key
    first, second, third = "a", "b", "c"
    with campaign.writing() as connection, counted_at_once(connection, [judge], events):
        connection.execute(
            "INSERT INTO events (id, judge, pair, action, note, target, written_at) VALUES"
            " (?4, ?1, 2, 'redo', '', ?3, ''), (?3, ?1, 2, 'undo', '', ?2, ''),"
            " (?2, ?1, 2, 'skip', '', NULL, ''), (?6, ?1, 3, 'undo', '', ?5, ''),"
            " (?5, ?1, 3, 'skip', '', NULL, '')",
            (judge, first, second, third, "d", "e"),
        )
    assert tallies(campaign) == campaign.rows(COUNTED)
    assert sum(row[4] for row in tallies(campaign)) == 1


def test_what_is_counted_at_once_leaves_the_triggers_as_they_were(campaign: Campaign) -> None:
    judge, other = (add_judge(campaign, name).key for name in ("ann", "bob"))
    append_event(campaign, judge=other, pair=1, action="grade", grade=1)
    before = triggers(campaign)
    with campaign.writing() as connection, counted_at_once(connection, [judge], MANY):
        assert len(triggers(campaign)) == len(before) - 2
        write(connection, judge, 1, 0, "skip")
    assert triggers(campaign) == before
    append_event(campaign, judge=judge, pair=2, action="grade", grade=1)
    assert tallies(campaign) == campaign.rows(COUNTED)
    assert sum(row[4] for row in tallies(campaign)) == 3


def test_where_it_fails_the_triggers_are_as_they_were(campaign: Campaign) -> None:
    judge = add_judge(campaign, "ann").key
    before = triggers(campaign)

    def interrupted() -> None:
        with campaign.writing() as connection, counted_at_once(connection, [judge], MANY):
            write(connection, judge, 1, 0, "skip")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert triggers(campaign) == before
    assert campaign.rows("SELECT count(*) FROM events") == [(0,)]
    append_event(campaign, judge=judge, pair=2, action="grade", grade=1)
    assert tallies(campaign) == campaign.rows(COUNTED) != []


def test_nothing_is_counted_at_once_outside_of_a_transaction(campaign: Campaign) -> None:
    with pytest.raises(RuntimeError), counted_at_once(campaign.connection, [1], MANY):
        pass
    assert len(triggers(campaign)) > 2


def test_a_merge_and_a_load_of_many_are_counted_while_others_judge(
    campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = copied(campaign, "ann.db")
    graded_in(ann, "ann", {"csv.reader": 3, "sorted": 1})
    (files / "cid.qrels").write_text("q1 0 csv.reader 3\nq2 0 sorted 1\nq2 0 outside.pool 0\n")
    before = triggers(campaign)
    monkeypatch.setattr(module, "_FEW", 1)
    with open_campaign(campaign.path) as app:
        bob = add_judge(app, "bob").key
        append_event(app, judge=bob, pair=1, action="grade", grade=1)
        merge(campaign, [ann])
        append_event(app, judge=bob, pair=2, action="grade", grade=1)
        load_qrels(campaign, files / "cid.qrels", judge="cid")
        append_event(app, judge=bob, pair=3, action="grade", grade=1)
        undo(app, bob)
        assert tallies(app) == app.rows(COUNTED)
        assert sum(row[4] for row in tallies(app)) == 2 + 2 + 3
    assert triggers(campaign) == before
    again = copied(campaign, "again.db")
    assert merge(campaign, [again]).conflicts == ()
