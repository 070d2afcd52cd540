"""What the judges did, side by side, where they differ, and what each makes of the systems."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.loading.judgments import load_gold
from judge_tui.campaign.overview.agreement import orders_now, read_ratings
from judge_tui.campaign.overview.cases import cases, opinions_of
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED, judgment_arrays
from judge_tui.campaign.store.events import append_event, undo
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.errors import UsageError
from judge_tui.formats.rows import iter_qrels
from judge_tui.scoring import parse_measure
from tests.campaigns import grade_by_file


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


def test_people_beside_a_model(campaign, judges):
    ann, bob, bot, lead = (judges[name] for name in ("ann", "bob", "bot", "lead"))
    by_pair = {1: (2, 2, 2), 2: (1, 2, 1), 3: (0, None, 3), 4: (None, None, 3), 5: (1, 1, None)}
    for pair, grades in by_pair.items():
        for judge, grade in zip((ann, bob, bot), grades, strict=True):
            if grade is not None:
                did(campaign, judge, pair, "grade", grade)
    did(campaign, bot, 4, "comment", note="to the point")
    found = cases(campaign, against=bot)
    assert [judge.name for judge in found.judges] == ["ann", "bob", "bot"]
    # 4 nobody but the model has graded; 5 the model has not; on 2 people differ.
    assert found.pairs.tolist() == [1, 2, 3, 5]
    assert found.disputed.tolist() == [False, False, True, False]
    assert not found.noted.any()
    assert [*found.judgments] == ["ann", "bob"]
    settle(campaign, lead, 2, 3)
    settle(campaign, lead, 3, 3)
    # The lead's grade is that of people, and what was settled stays.
    assert cases(campaign, against=bot).disputed.tolist() == [False, True, True, False]
    assert cases(campaign, against=bot).spread.tolist() == [0, 2, 3, 0]


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


RR = parse_measure("RR@2")

ANN = "q1 0 csv.reader 3\nq1 0 json.load 0\nq2 0 list.sort 2\nq2 0 sorted 0\n"
BOB = "q1 0 csv.reader 0\nq1 0 json.load 2\nq2 0 list.sort 0\n"
BOT = "q1 0 csv.reader 1\nq1 0 json.load 0\n"


@pytest.fixture
def judged(campaign):
    for name, text, kind in (("ann", ANN, "human"), ("bob", BOB, "human"), ("bot", BOT, "model")):
        grade_by_file(campaign, name, text, kind=kind)
    return campaign


def test_judges_are_those_who_are_asked_for_and_models_only_then(judged):
    def between(*names, models=False):
        found = orders_now(judged, RR, judges=names or None, include_models=models)
        return [two.judges for two in found.between]

    assert between() == [("ann", "bob")]
    assert between("bob", "ann") == [("bob", "ann")]
    assert between(models=True) == [("ann", "bob"), ("ann", "bot"), ("bob", "bot")]
    for names, why in ((("ann", "bot"), "'bot' is a model"), (("ann", "zoe"), "no judge 'zoe'")):
        with pytest.raises(UsageError, match=why):
            between(*names)


@pytest.fixture
def three(campaign: Campaign) -> dict[str, Judge]:
    # In another order than by name.
    return {name: add_judge(campaign, name) for name in ("cyd", "ann", "bob")}


def test_repeats_and_gold_are_beside_first_grades(campaign, three, tmp_path):
    ann, bob = three["ann"], three["bob"]
    for pair, grade in ((1, 3), (2, 0), (3, 2)):
        did(campaign, ann, pair, "grade", grade)
    for pair, grade in ((1, 2), (2, 0), (4, 1)):
        did(campaign, ann, pair, "grade", grade, turn=1)
    did(campaign, ann, 2, "skip", turn=1)  # the repeat of pair 2 was skipped in the end
    did(campaign, bob, 1, "grade", 1)
    gold = tmp_path / "gold.qrels"
    pooled = campaign.rows(
        "SELECT q.query_id, d.doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document WHERE p.id IN (1, 2) ORDER BY p.id"
    )
    gold.write_text("".join(f"{query_id} 0 {doc_id} 1\n" for query_id, doc_id in pooled))
    load_gold(campaign, gold, list(iter_qrels(gold)))

    did(campaign, ann, 1, "grade", 3)  # again: it was judged first all the same
    data = read_ratings(campaign)
    assert np.argsort(data.came[0]).tolist() == [0, 1, 2]
    # Of pairs 1, 2 and 3; pair 4 has no first grade that a repeat could be beside.
    assert data.grades.tolist() == [[3, 0, 2], [1, -1, -1]]
    assert data.repeats.tolist() == [[2, -1, -1], [-1, -1, -1]]
    assert data.gold.tolist() == [1, 1, -1]
