"""Redo where one judge undid things on several machines: what it names holds, and is the latest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.desk import Desk, DeskPair
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.campaign.store.merge import merge
from tests.campaign.copies import copied, key_of, live_events
from tests.waiting import next_millisecond


def away(path: Path, judge: Judge, *steps: Callable[[Desk], object]) -> None:
    """What the judge does on another machine."""
    with open_campaign(path) as campaign:
        desk = Desk(campaign, judge)
        for step in steps:
            step(desk)


def pair_of(desk: Desk, doc_id: str) -> DeskPair:
    key = key_of(desk.campaign, doc_id)
    pairs = desk.pairs(desk.query_of(key))
    place = pairs.place_of(key)
    assert place is not None
    return pairs[place]


def graded(doc_id: str, grade: int) -> Callable[[Desk], object]:
    return lambda desk: desk.record("grade", pair_of(desk, doc_id), grade=grade)


def grade_of(desk: Desk, doc_id: str) -> int | None:
    return desk.state(pair_of(desk, doc_id)).grade


def test_redo_takes_back_the_undo_before_it_and_not_one_of_another_machine(campaign):
    desk = Desk(campaign, add_judge(campaign, "ann"))
    laptop = copied(campaign, "laptop.db")
    away(laptop, desk.judge, graded("csv.reader", 3))
    next_millisecond()
    graded("sorted", 1)(desk)
    next_millisecond()
    away(laptop, desk.judge, Desk.undo)
    merge(campaign, [laptop])
    undone = desk.undo()
    assert undone is not None
    assert undone.grade == 1
    assert desk.redo() == undone
    assert (grade_of(desk, "csv.reader"), grade_of(desk, "sorted")) == (None, 1)
    # The slip on the laptop came before what holds.
    assert desk.redo() is None
    assert grade_of(desk, "csv.reader") is None


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
                desk.record("grade", pairs[number], grade=grade)
            elif step == "undo":
                desk.undo()
            elif step == "redo":
                desk.redo()
            else:
                merge(desk.campaign, [paths[PLACES[number]]])
        for desk in desks.values():
            before = holding(desk)
            undone = [event for event in (desk.undo() for _ in range(undos)) if event]
            after = holding(desk)
            assert [desk.redo() for _ in undone] == undone[::-1]
            assert holding(desk) == before
            # What else a redo brings back, an undo takes away again.
            more = desk.redo()
            if more is not None:
                assert desk.undo() == more
                assert holding(desk) == before
            assert [desk.undo() for _ in undone] == undone
            assert holding(desk) == after
    finally:
        for copy in opened.values():
            copy.close()
        for path in paths.values():
            path.unlink()


def holding(desk: Desk) -> list[Event]:
    return [event for event in live_events(desk.campaign) if event.judge == desk.judge.key]
