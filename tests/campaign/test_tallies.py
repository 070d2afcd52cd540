"""The counts that triggers keep are those that the other tables say, whatever is written."""

from __future__ import annotations

import time
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.events import append_event, redo, undo
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.queries import query_keys

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


PAIR = st.integers(1, 6)
TURN = st.integers(0, 1)
STEPS = st.lists(
    st.one_of(
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
