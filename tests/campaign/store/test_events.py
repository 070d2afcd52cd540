"""Events: only added, in the order of their ids; what holds of them, and what judges are told."""

from __future__ import annotations

import time
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign import Campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.store.desk import Desk, DeskPair, pairs_set_aside
from judge_tui.campaign.store.event import Event, fold, next_event_id
from judge_tui.campaign.store.events import append_from_file, last_slot, take_back_grades
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.statistics import GradeCount, judge_statistics
from tests.campaigns import record, redo_last, undo_last


@pytest.fixture
def desk(campaign: Campaign) -> Desk:
    return Desk(campaign, add_judge(campaign, "ann"))


def first_pairs(desk: Desk) -> list[DeskPair]:
    return desk.pairs(desk.queries()[0].key)


def test_event_ids_are_uuid7_and_ascend():
    last: str | None = None
    for _ in range(5000):
        fresh = next_event_id(last)
        assert last is None or fresh > last
        last = fresh
    value = uuid.UUID(last)
    # RFC 9562, section 5.7: version 7, variant 10.
    assert value.version == 7
    assert value.variant == uuid.RFC_4122


def test_a_clock_set_back_does_not_disturb_the_order():
    tomorrow = int((time.time() + 86_400) * 1000)
    ahead = str(uuid.UUID(int=tomorrow << 80 | 7 << 76 | 0xFFF << 64 | 0b10 << 62))
    after = next_event_id(ahead)
    assert after > ahead
    assert next_event_id(after) > after


@pytest.mark.about_files
@pytest.mark.parametrize("assigned", [False, True])
def test_a_judges_screen_reads_no_run_rank_score_or_other_judge(campaign, tmp_path, assigned):
    """Blind: the statements that SQLite ran are the witness."""
    add_judge(campaign, "bob")
    desk = Desk(campaign, add_judge(campaign, "ann"))
    if assigned:
        gold = tmp_path / "gold.qrels"
        gold.write_text("q1 0 csv.reader 3\n", encoding="utf-8")
        assign(campaign, ["ann", "bob"], overlap=1, repeat=0.5, gold=gold)
    statements: list[str] = []
    campaign.backend.connection.set_trace_callback(statements.append)
    for query in desk.queries():
        desk.query(query.key)
        for pair in desk.pairs(*query.visit):
            desk.look(pair)
            desk.ranks_of(pair)
            record(desk, "grade", pair, grade=1)
            desk.state(pair)
    undo_last(desk)
    redo_last(desk)
    judge_statistics(campaign, desk.judge.key)
    pairs_set_aside(desk)
    last_slot(desk.campaign, desk.judge.key)
    campaign.backend.connection.set_trace_callback(None)
    sql = "\n".join(statements).lower()
    assert "insert into events" in sql
    for word in ("runs", "results", "rank", "score", "stratum", "gold", "purpose"):
        assert word not in sql, word
    done = [one for one in statements if "FROM events" in one or "FROM judgments" in one]
    other_judges = [one for one in done if "judge = " not in one and "max(id)" not in one]
    assert done
    assert other_judges == []
    given = [one for one in statements if one.startswith("SELECT") and "assignments" in one]
    [how_dealt] = {one for one in given if "judge = " not in one}
    assert how_dealt.startswith("SELECT CASE WHEN EXISTS (SELECT 1 FROM assignments) THEN ")


def test_what_a_file_gave_is_nothing_that_the_judge_did(campaign, desk):
    first, second = first_pairs(desk)[:2]
    key = desk.judge.key
    record(desk, "grade", first, grade=1)
    with campaign.writing():
        judged = [(first.key, "grade", 3, "", None), (second.key, "skip", None, "", None)]
        append_from_file(campaign, key, judged)
    assert desk.state(first).grade == 1
    undone = undo_last(desk)
    assert undone is not None
    assert undone.grade == 1
    assert desk.state(first).grade == 3
    assert undo_last(desk) is None
    assert redo_last(desk) == undone
    # It neither moves the judge nor ends what may be redone.
    undo_last(desk)
    with campaign.writing():
        append_from_file(campaign, key, [(second.key, "grade", 0, "", None)])
        take_back_grades(campaign, key, [second.key])
    assert last_slot(desk.campaign, desk.judge.key) == first.slot
    assert redo_last(desk) == undone


APP, FILE = "2026-01-01T00:00:00", None


def event(number: int, action: str, grade: int | None = None, **more: object) -> Event:
    painted = more.pop("painted_at", APP)
    return Event(f"e{number:02}", 1, 1, action, grade, painted_at=painted, **more)  # type: ignore[arg-type]


CASES = [
    # What is done, by a file where it ends with f; and what holds.
    ("", None),
    ("1 2", 2),
    ("1f 2f", 2),
    ("1 2f", 1),
    ("cannot 2f", "cannot"),
    # A skip of the app yields to a later file that grades.
    ("skip 2f", 2),
    ("2f skip", "skip"),
    ("skip skipf", "skip"),
    # What was undone does not hold, unless that was redone; a file comes to light.
    ("1 2 undo:1", 1),
    ("1 2f undo:0", 2),
    ("1 undo:0 redo:1", 1),
]


@pytest.mark.parametrize(("done", "holds"), CASES)
def test_what_holds(done, holds):
    events = []
    for number, word in enumerate(done.split()):
        action, _, target = word.removesuffix("f").partition(":")
        grade = int(action) if action.isdigit() else None
        events.append(
            event(
                number,
                "grade" if action.isdigit() else action,
                grade,
                painted_at=FILE if word.endswith("f") else APP,
                target=f"e{int(target):02}" if target else None,
            )
        )
    for order in (events, events[::-1]):
        state = fold(order)
        assert (state.decision if state.grade is None else state.grade) == holds


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["grade", "skip", "cannot", "flag", "unflag", "comment", "undo"]),
            st.sampled_from([APP, FILE]),
            st.integers(0, 3),
        ),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_events_come_changes_nothing(steps, draw):
    events = [
        event(
            number,
            action,
            grade if action == "grade" else None,
            note=str(grade) if action == "comment" else "",
            target=f"e{grade:02}" if action == "undo" else None,
            painted_at=painted,
        )
        for number, (action, painted, grade) in enumerate(steps)
    ]
    shuffled = draw.sample(events, len(events))
    assert fold(shuffled) == fold(events)
    # Taken in twice, as from two files that have the same.
    assert fold({one.id: one for one in shuffled + events}.values()) == fold(events)


@pytest.fixture
def pairs(desk: Desk) -> list[DeskPair]:
    return [pair for query in desk.queries() for pair in desk.pairs(query.key)]


def later(pair: DeskPair) -> DeskPair:
    """The hidden repeat of a pair."""
    return DeskPair(pair.key, pair.doc_id, pair.state, turn=1)


def test_what_holds_is_counted_and_time_is_summed(campaign, desk, pairs):
    record(desk, "grade", pairs[0], grade=3, looked=10.0)
    record(desk, "grade", pairs[1], grade=3, looked=20.0)
    record(desk, "grade", pairs[2], grade=0, looked=6.0)
    record(desk, "skip", pairs[3], looked=2.0)
    record(desk, "cannot", pairs[4], looked=4.0)
    record(desk, "flag", pairs[4], looked=1.0)
    record(desk, "flag", pairs[0], looked=1.0)
    record(desk, "unflag", pairs[0], looked=1.0)
    # Decided and undone: the time was worked, the grade does not count.
    record(desk, "grade", pairs[5], grade=1, looked=100.0)
    undo_last(desk)
    numbers = judge_statistics(campaign, desk.judge.key)
    assert (numbers.graded, numbers.skipped, numbers.cannot, numbers.flagged) == (3, 1, 1, 1)
    assert numbers.decided == 5
    assert numbers.looked == 142.0
    assert numbers.median == 6.0
    assert numbers.recent == (4.0, 2.0, 6.0, 20.0, 10.0)
    assert numbers.by_grade == {0: GradeCount(1, 6.0), 3: GradeCount(2, 15.0)}


def test_repeats_are_told_five_at_a_time(campaign, desk, pairs):
    """One more after each document would say which one was the repeat."""
    grades = [(0, 0), (1, 2), (3, 3), (2, 2), (1, 1), (0, 3)]
    for place, (pair, (first, again)) in enumerate(zip(pairs, grades, strict=True)):
        record(desk, "grade", pair, grade=first)
        record(desk, "grade", later(pair), grade=again)
        told = judge_statistics(campaign, desk.judge.key).repeats
        assert told == (tuple(grades[:5]) if place >= 4 else ())
    undo_last(desk)
    undo_last(desk)
    undo_last(desk)
    assert judge_statistics(campaign, desk.judge.key).repeats == ()


def test_after_the_flags_come_skips_then_what_cannot_be_judged_then_comments(desk, pairs):
    for note in ("first", "gone", ""):
        record(desk, "comment", pairs[5 if note == "first" else 4], note=note)
    record(desk, "cannot", pairs[0])
    record(desk, "skip", pairs[1])
    record(desk, "skip", pairs[2])
    record(desk, "flag", pairs[2])
    record(desk, "skip", pairs[3])
    record(desk, "grade", pairs[3], grade=1)
    record(desk, "skip", pairs[4])
    undo_last(desk)
    record(desk, "skip", later(pairs[1]))
    aside = pairs_set_aside(desk)
    expected = (pairs[2], later(pairs[1]), pairs[0], pairs[5])
    assert [one.pair.slot for one in aside] == [pair.slot for pair in expected]
    assert (aside[0].pair.state.decision, aside[0].pair.state.flagged) == ("skip", True)


def test_a_document_set_aside_at_both_its_turns_is_listed_once(desk, pairs):
    """Two lines with one id would give the repeat away."""
    record(desk, "flag", pairs[2])
    record(desk, "flag", pairs[3])
    record(desk, "flag", later(pairs[2]))
    record(desk, "skip", later(pairs[3]))
    assert [one.pair.slot for one in pairs_set_aside(desk)] == [
        pairs[3].slot,
        later(pairs[2]).slot,
    ]
