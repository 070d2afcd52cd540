"""What the judges did, side by side: only what holds, only the first look, only who counts."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.cases import cases, opinions_of
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED, judgment_arrays
from judge_tui.campaign.store.events import append_event, undo
from judge_tui.campaign.store.judges import Judge, add_judge


@pytest.fixture
def judges(campaign: Campaign) -> dict[str, Judge]:
    return {
        name: add_judge(campaign, name, kind="model" if name == "bot" else "human")
        for name in ("bob", "ann", "bot", "idle", "lead")
    }


def did(campaign, judge, pair, action, grade=None, **more):
    return append_event(campaign, judge=judge.key, pair=pair, action=action, grade=grade, **more)


def test_side_by_side(campaign, judges):
    ann, bob, bot = judges["ann"], judges["bob"], judges["bot"]
    did(campaign, ann, 1, "grade", 3)
    did(campaign, bob, 1, "grade", 0)
    did(campaign, ann, 2, "skip")
    did(campaign, bob, 2, "cannot")
    did(campaign, bob, 3, "grade", 1)
    did(campaign, bob, 3, "grade", 2)
    did(campaign, ann, 3, "grade", 2)
    # The hidden repeat never counts; what is undone is as if it had never been.
    did(campaign, ann, 3, "grade", 0, turn=1)
    did(campaign, ann, 4, "grade", 1)
    undo(campaign, ann.key)
    did(campaign, bot, 5, "grade", 1)
    found = cases(campaign)
    assert [judge.name for judge in found.judges] == ["ann", "bob"]
    assert found.pairs.tolist() == [1, 2, 3]
    assert found.grades.tolist() == [[3, 0], [SKIPPED, CANNOT], [2, 2]]
    its = judgment_arrays(campaign, bob.key)
    assert (its.slots.tolist(), its.codes.tolist()) == ([2, 4, 6], found.grades[:, 1].tolist())
    assert found.disputed.tolist() == [True, False, False]
    assert found.spread.tolist() == [3, 0, 0]
    assert [(pairs.tolist(), grades.tolist()) for pairs, grades in found.judgments.values()] == [
        ([1, 3], [3, 2]),
        ([1, 3], [0, 2]),
    ]
    assert found.settled.tolist() == [NOT_DECIDED] * 3
    rows = campaign.rows("SELECT query, document FROM pool WHERE id <= 3 ORDER BY id")
    assert list(zip(found.queries.tolist(), found.documents.tolist(), strict=True)) == rows
    with_models = cases(campaign, include_models=True)
    assert [judge.name for judge in with_models.judges] == ["ann", "bob", "bot"]
    assert with_models.pairs.tolist() == [1, 2, 3, 5]
    assert with_models.grades[:, 2].tolist() == [NOT_DECIDED] * 3 + [1]


def test_the_lead_is_no_judge_by_settling(campaign, judges):
    did(campaign, judges["ann"], 1, "grade", 3)
    did(campaign, judges["bob"], 1, "grade", 1)
    settle(campaign, judges["lead"], 1, 2, "as the guidelines say")
    settle(campaign, judges["lead"], 2, 2)
    found = cases(campaign)
    assert [judge.name for judge in found.judges] == ["ann", "bob"]
    assert found.pairs.tolist() == [1]
    assert found.settled.tolist() == [2]
    assert found.disputed.tolist() == [True]
    assert [one.judge.name for one in opinions_of(campaign, 1)] == ["ann", "bob"]
    assert opinions_of(campaign, 2) == []
    # But one who judges as well is.
    did(campaign, judges["lead"], 1, "grade", 0)
    assert cases(campaign).grades.tolist() == [[3, 1, 0]]


def test_opinions(campaign, judges):
    ann, bob, bot = judges["ann"], judges["bob"], judges["bot"]
    did(campaign, bob, 1, "grade", 0, looked=4.5)
    did(campaign, bob, 1, "comment", note="no \x1b[31m CSV")
    did(campaign, ann, 1, "grade", 3, looked=2.0)
    did(campaign, ann, 1, "cannot", looked=9.0)
    did(campaign, ann, 1, "grade", 1, turn=1, looked=1.0)
    did(campaign, ann, 1, "comment", note="later", turn=1)
    did(campaign, ann, 1, "flag")
    did(campaign, bot, 1, "skip")
    first, second = opinions_of(campaign, 1)
    assert (first.judge, first.decision, first.grade, first.seconds) == (ann, "cannot", None, 9.0)
    assert (first.note, first.flagged) == ("later", True)
    assert (second.judge, second.decision, second.grade, second.seconds) == (bob, "grade", 0, 4.5)
    assert (second.note, second.flagged) == ("no \x1b[31m CSV", False)
    named = [one.judge.name for one in opinions_of(campaign, 1, include_models=True)]
    assert named == ["ann", "bob", "bot"]
    undo(campaign, bob.key)
    undo(campaign, bob.key)
    assert [one.judge.name for one in opinions_of(campaign, 1)] == ["ann"]


def test_as_the_opinions_say(campaign, judges):
    """The two readers, one of arrays and one of rows, against each other on a random history."""
    draw = np.random.default_rng(3)
    names = ("ann", "bob", "bot", "lead")
    for _ in range(300):
        judge = judges[names[draw.integers(4)]]
        action = ("grade", "grade", "skip", "cannot", "flag", "unflag", "comment", "undo")[
            draw.integers(8)
        ]
        if action == "undo":
            undo(campaign, judge.key)
            continue
        grade = int(draw.integers(4)) if action == "grade" else None
        note = ("", "odd")[draw.integers(2)] if action == "comment" else ""
        turn = int(draw.random() < 0.2)
        did(campaign, judge, int(draw.integers(1, 7)), action, grade, note=note, turn=turn)
    for include_models in (False, True):
        found = cases(campaign, include_models=include_models)
        codes = {None: NOT_DECIDED, "skip": SKIPPED, "cannot": CANNOT}
        for place, pair in enumerate(found.pairs.tolist()):
            opinions = opinions_of(campaign, pair, include_models=include_models)
            by_name = {one.judge.name: one for one in opinions}
            for column, judge in enumerate(found.judges):
                one = by_name.get(judge.name)
                expected = NOT_DECIDED
                if one is not None:
                    expected = one.grade if one.grade is not None else codes[one.decision]
                assert found.grades[place, column] == expected
            assert found.flagged[place] == any(one.flagged for one in opinions)
            assert found.noted[place] == any(one.note for one in opinions)
        for pair in set(range(1, 7)) - set(found.pairs.tolist()):
            assert opinions_of(campaign, pair, include_models=include_models) == []
