"""Undo and redo, of judging and of settling, here and on several machines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.adjudication import (
    adjudication_of,
    adjudications_of,
    redo_adjudication,
    settle,
    undo_adjudication,
)
from judge_tui.campaign.store.desk import Desk, DeskPair, PairState
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.campaign.store.merge import merge
from tests.campaign.copies import copied, live_events
from tests.campaigns import record, redo_last, undo_last


@pytest.fixture
def lead(campaign: Campaign) -> Judge:
    return add_judge(campaign, "lea", role="lead")


def settled(campaign, pair):
    found = adjudication_of(campaign, pair)
    return None if found is None else (found.judge.name, found.grade, found.reason)


def test_of_two_leads_the_later_holds_and_each_takes_back_their_own(campaign, lead):
    other = add_judge(campaign, "max", role="lead")
    settle(campaign, lead, 1, 2)
    settle(campaign, other, 1, 0)
    assert settled(campaign, 1) == ("max", 0, "")
    assert [(one.grade, one.holds) for one in adjudications_of(campaign, 1)] == [
        (2, False),
        (0, True),
    ]
    assert undo_adjudication(campaign, lead) is not None
    assert settled(campaign, 1) == ("max", 0, "")
    assert redo_adjudication(campaign, lead) is not None
    assert undo_adjudication(campaign, other) is not None
    assert settled(campaign, 1) == ("lea", 2, "")


def test_taken_back_on_two_machines(campaign, lead):
    settle(campaign, lead, 1, 2)
    copies = [copied(campaign, name) for name in ("one.db", "two.db")]
    for path in copies:
        with open_campaign(path) as elsewhere:
            assert undo_adjudication(elsewhere, lead) is not None
    merge(campaign, copies)
    assert settled(campaign, 1) is None
    assert redo_adjudication(campaign, lead) is not None
    assert settled(campaign, 1) == ("lea", 2, "")
    assert redo_adjudication(campaign, lead) is None


def test_a_long_history_is_gone_through_to_its_beginning(campaign, lead):
    grades = [number % 4 for number in range(40)]
    for grade in grades:
        settle(campaign, lead, 1, grade)
    undone = [undo_adjudication(campaign, lead) for _ in grades]
    assert [event.grade for event in undone] == grades[::-1]
    assert undo_adjudication(campaign, lead) is None
    assert [redo_adjudication(campaign, lead).grade for _ in grades] == grades


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from(["do", "do", "undo", "redo"]),
            st.integers(1, 3),
            st.integers(0, 3),
        ),
        max_size=30,
    )
)
def test_two_stacks_that_know_nothing_of_each_other(campaign, steps):
    """Against the textbook model: for each history a list of what was done and what was undone."""
    lead = add_judge(campaign, f"lead {time.time_ns()}", role="lead")
    desk = Desk(campaign, lead)
    done, undone = ([], []), ([], [])
    for settling, action, pair, grade in steps:
        if action == "do":
            if settling:
                settle(campaign, lead, pair, grade)
            else:
                record(desk, "grade", DeskPair(pair, "", PairState()), grade=grade)
            done[settling].append((pair, grade))
            undone[settling].clear()
            continue
        if settling:
            step = undo_adjudication if action == "undo" else redo_adjudication
            event = step(campaign, lead)
        else:
            event = undo_last(desk) if action == "undo" else redo_last(desk)
        source, target = (done, undone) if action == "undo" else (undone, done)
        expected = source[settling].pop() if source[settling] else None
        assert (None if event is None else (event.pair, event.grade)) == expected
        if expected is not None:
            target[settling].append(expected)
    holds = dict(done[True])
    for pair in (1, 2, 3):
        of_lead = [one.grade for one in adjudications_of(campaign, pair) if one.judge == lead]
        assert of_lead[-1:] == ([holds[pair]] if pair in holds else [])
        graded = dict(done[False])
        assert desk.state(DeskPair(pair, "", PairState())).grade == graded.get(pair)


PLACES = ("home.db", "laptop.db", "phone.db")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(PLACES),
        st.sampled_from(("grade", "grade", "undo", "undo", "redo", "merge")),
        st.integers(0, 2),
        st.integers(0, 3),
    ),
    max_size=16,
)


@given(steps=STEPS, undos=st.integers(1, 4))
def test_whatever_copies_came_together_redo_is_undo_backwards(campaign, steps, undos):
    name = f"judge {campaign.rows('SELECT count(*) FROM judges')[0][0]}"
    judge = add_judge(campaign, name)
    paths = {place: copied(campaign, place) for place in PLACES}
    opened = {place: open_campaign(path) for place, path in paths.items()}
    try:
        desks = {place: Desk(copy, judge) for place, copy in opened.items()}
        pairs = list(desks[PLACES[0]].pairs(desks[PLACES[0]].queries()[0].key))
        for place, step, number, grade in steps:
            desk = desks[place]
            if step == "grade":
                record(desk, "grade", pairs[number], grade=grade)
            elif step == "undo":
                undo_last(desk)
            elif step == "redo":
                redo_last(desk)
            else:
                merge(desk.campaign, [paths[PLACES[number]]])
        for desk in desks.values():
            before = holding(desk)
            undone = [event for event in (undo_last(desk) for _ in range(undos)) if event]
            after = holding(desk)
            assert [redo_last(desk) for _ in undone] == undone[::-1]
            assert holding(desk) == before
            # What else a redo brings back, an undo takes away again.
            more = redo_last(desk)
            if more is not None:
                assert undo_last(desk) == more
                assert holding(desk) == before
            assert [undo_last(desk) for _ in undone] == undone
            assert holding(desk) == after
    finally:
        for copy in opened.values():
            copy.close()
        for path in paths.values():
            path.unlink()


def holding(desk: Desk) -> list[Event]:
    return [event for event in live_events(desk.campaign) if event.judge == desk.judge.key]
