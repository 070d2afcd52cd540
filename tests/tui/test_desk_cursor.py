"""The way through a desk of visits, and that a repeat looks like any other document."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.pool import add_pairs
from judge_tui.tui.screens.desk_cursor import ALL_JUDGED, NOT_THERE, DeskCursor
from tests.campaigns import record, redo_last, undo_last


@pytest.fixture
def desk(campaign: Campaign, ann: Judge) -> Desk:
    """ann has both queries (six pairs) and three of them again."""
    assign(campaign, ["ann"], repeat=0.5)
    return Desk(campaign, ann)


@pytest.fixture
def cursor(desk: Desk) -> DeskCursor:
    cursor = DeskCursor(desk)
    cursor.resume()
    return cursor


def grade(cursor: DeskCursor, desk: Desk, value: int = 1) -> str:
    assert cursor.pair is not None
    record(desk, "grade", cursor.pair, grade=value)
    cursor.reread()
    return cursor.to_next_undecided()


def slot(cursor: DeskCursor) -> tuple[int, int]:
    assert cursor.pair is not None
    return cursor.pair.slot


def counted(desk: Desk) -> tuple[int, int]:
    visits = desk.queries()
    return sum(visit.decided for visit in visits), sum(visit.pairs for visit in visits)


def test_all_pairs_are_met_once_repeats_last_and_the_counts_are_exact(
    cursor: DeskCursor, desk: Desk
) -> None:
    met, numbers = [], []
    said = ""
    while not said:
        met.append(slot(cursor))
        numbers.append(cursor.query_number)
        # The list to jump in never tells of repeats.
        assert [(one.query_id, one.turn) for one in cursor.queries()] == [("q1", 0), ("q2", 0)]
        assert cursor.queries() == [one for one in desk.queries() if one.turn == 0]
        said = grade(cursor, desk)
        assert cursor.progress == counted(desk) == (len(met), 9)
    assert said == ALL_JUDGED
    assert cursor.all_judged
    assert len(set(met)) == 9
    assert [turn for _, turn in met] == [0] * 6 + [1] * 3
    # A query has one number, be it met again.
    assert numbers[:6] == [(1, 2)] * 3 + [(2, 2)] * 3
    assert set(numbers[6:]) <= {(1, 2), (2, 2)}


def test_undo_and_redo_lead_back_to_the_visit_where_it_was_done(
    cursor: DeskCursor, desk: Desk
) -> None:
    for _ in range(6):
        grade(cursor, desk)
    again = slot(cursor)
    grade(cursor, desk, 3)
    places = []
    for _ in range(2):
        undone = undo_last(desk)
        assert undone is not None
        assert cursor.to_slot((undone.pair, undone.turn)) == ""
        places.append((slot(cursor)[1], cursor.progress))
    assert places == [(1, (6, 9)), (0, (5, 9))]
    for _ in range(2):
        redone = redo_last(desk)
        assert redone is not None
        cursor.to_slot((redone.pair, redone.turn))
    assert (slot(cursor), cursor.progress) == (again, (7, 9))
    assert cursor.to_slot((again[0], 7)) == NOT_THERE
    assert cursor.to_query((cursor.visit.key, 7)) == NOT_THERE
    assert slot(cursor) == again


def test_a_repeat_never_comes_before_its_first_look(campaign: Campaign, ann: Judge) -> None:
    """Not where the pool grows behind the judge, and the new pairs are to be repeated as well."""
    assign(campaign, ["ann"], repeat=0.1)
    desk = Desk(campaign, ann)
    cursor = DeskCursor(desk)
    cursor.resume()
    for _ in range(4):
        grade(cursor, desk)
    late = [f"late{number}" for number in range(8)]
    add_pairs(campaign, [("q1", name) for name in late], "depth")
    assign(campaign, ["ann"], repeat=0.5)
    cursor = DeskCursor(desk)
    cursor.resume()
    total = cursor.progress[1]
    assert total == counted(desk)[1] == 21
    met = list(campaign.rows("SELECT pair, turn FROM events"))
    assert len(met) == 4
    while not cursor.all_judged:
        # However the judge comes to it.
        reached = {slot(cursor)}
        while cursor.step(1) == "":
            reached.add(slot(cursor))
        assert {(pair, 0) for pair, turn in reached if turn} <= set(met)
        assert cursor.progress == counted(desk) == (len(met), total)
        cursor.to_next_undecided()
        assert slot(cursor)[1] == 0 or (slot(cursor)[0], 0) in met
        met.append(slot(cursor))
        grade(cursor, desk)
    assert len(set(met)) == len(met) == total


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    repeat=st.sampled_from([None, 0.5]),
    keys=st.lists(
        st.sampled_from(["grade", "skip", "undo", "redo", "next", "back", "flag"]), max_size=12
    ),
)
def test_what_the_judge_does_is_no_change_by_others(
    campaign: Campaign, ann: Judge, repeat: float | None, keys: list[str]
) -> None:
    """The counts that a cursor keeps are those of the file, whatever was done on the way."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        campaign.execute("VACUUM INTO ?", (str(copy),))
        with open_campaign(copy) as mine:
            if repeat is not None:
                assign(mine, ["ann"], repeat=repeat)
            desk = Desk(mine, ann)
            cursor = DeskCursor(desk)
            cursor.resume()
            for key in keys:
                _do(desk, cursor, key)
                assert not cursor.catch_up(), key


def _do(desk: Desk, cursor: DeskCursor, key: str) -> None:
    assert cursor.pair is not None
    if key in ("undo", "redo"):
        event = undo_last(desk) if key == "undo" else redo_last(desk)
        if event is not None:
            cursor.to_slot((event.pair, event.turn))
    elif key in ("next", "back"):
        cursor.step(1 if key == "next" else -1)
    else:
        record(desk, key, cursor.pair, grade=1 if key == "grade" else None)
        cursor.reread()
        cursor.to_next_undecided()
