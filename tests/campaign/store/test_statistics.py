"""A judge's own numbers, counted from real events."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.desk import Desk, DeskPair, pairs_set_aside
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.campaign.store.statistics import GradeCount, judge_statistics


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


@pytest.fixture
def desk(campaign: Campaign, ann: Judge) -> Desk:
    return Desk(campaign, ann)


@pytest.fixture
def pairs(desk: Desk) -> list[DeskPair]:
    return [pair for query in desk.queries() for pair in desk.pairs(query.key)]


def later(pair: DeskPair) -> DeskPair:
    """The hidden repeat of a pair."""
    return DeskPair(pair.key, pair.doc_id, pair.state, turn=1)


def test_what_holds_is_counted_and_time_is_summed(campaign, desk, pairs):
    desk.record("grade", pairs[0], grade=3, looked=10.0)
    desk.record("grade", pairs[1], grade=3, looked=20.0)
    desk.record("grade", pairs[2], grade=0, looked=6.0)
    desk.record("skip", pairs[3], looked=2.0)
    desk.record("cannot", pairs[4], looked=4.0)
    desk.record("flag", pairs[4], looked=1.0)
    desk.record("flag", pairs[0], looked=1.0)
    desk.record("unflag", pairs[0], looked=1.0)
    # Decided and undone: the time was worked, the grade does not count.
    desk.record("grade", pairs[5], grade=1, looked=100.0)
    desk.undo()
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
        desk.record("grade", pair, grade=first)
        desk.record("grade", later(pair), grade=again)
        told = judge_statistics(campaign, desk.judge.key).repeats
        assert told == (tuple(grades[:5]) if place >= 4 else ())
    desk.undo()
    desk.undo()
    desk.undo()
    assert judge_statistics(campaign, desk.judge.key).repeats == ()


def test_after_the_flags_come_skips_then_what_cannot_be_judged_then_comments(desk, pairs):
    for note in ("first", "gone", ""):
        desk.record("comment", pairs[5 if note == "first" else 4], note=note)
    desk.record("cannot", pairs[0])
    desk.record("skip", pairs[1])
    desk.record("skip", pairs[2])
    desk.record("flag", pairs[2])
    desk.record("skip", pairs[3])
    desk.record("grade", pairs[3], grade=1)
    desk.record("skip", pairs[4])
    desk.undo()
    desk.record("skip", later(pairs[1]))
    aside = pairs_set_aside(desk)
    expected = (pairs[2], later(pairs[1]), pairs[0], pairs[5])
    assert [one.pair.slot for one in aside] == [pair.slot for pair in expected]
    assert (aside[0].pair.state.decision, aside[0].pair.state.flagged) == ("skip", True)


def test_a_document_set_aside_at_both_its_turns_is_listed_once(desk, pairs):
    """Two lines with one id would give the repeat away."""
    desk.record("flag", pairs[2])
    desk.record("flag", pairs[3])
    desk.record("flag", later(pairs[2]))
    desk.record("skip", later(pairs[3]))
    assert [one.pair.slot for one in pairs_set_aside(desk)] == [
        pairs[3].slot,
        later(pairs[2]).slot,
    ]
