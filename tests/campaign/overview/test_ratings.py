"""What is read of a campaign for agreement: what holds, when it came, and what it is checked by."""

from __future__ import annotations

import random

import numpy as np
import pytest

from judge_tui.agreement.ratings import NOT_GRADED
from judge_tui.campaign.loading.judgments import load_gold
from judge_tui.campaign.overview.agreement import read_ratings
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.events import append_event, redo, undo
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.formats.rows import iter_qrels
from tests.campaign.copies import states
from tests.in_the_app import SEEN


@pytest.fixture
def judges(campaign: Campaign) -> dict[str, Judge]:
    # In another order than by name.
    return {name: add_judge(campaign, name) for name in ("cyd", "ann", "bob")}


def do(
    campaign: Campaign, judge: Judge, pair: int, grade: int | None, action: str = "", turn: int = 0
) -> None:
    append_event(
        campaign,
        judge=judge.key,
        pair=pair,
        action=action or ("skip" if grade is None else "grade"),
        grade=grade,
        turn=turn,
        painted_at=SEEN,
    )


def test_when_a_grade_came_is_when_the_pair_was_first_graded(campaign, judges):
    ann, bob = judges["ann"], judges["bob"]
    for judge, pair, grade in ((ann, 5, 1), (bob, 2, 1), (ann, 2, 0), (ann, 1, 3), (bob, 5, 2)):
        do(campaign, judge, pair, grade)
    do(campaign, ann, 5, 2)  # the first document again: it was judged first all the same
    data = read_ratings(campaign)
    of_ann = data.came[data.judges.index("ann")]
    # Pairs 1, 2 and 5 stand at 0, 1 and 2.
    assert np.argsort(of_ann).tolist() == [2, 1, 0]
    # The second grade of pair 2 came before that of pair 5; pair 1 has one.
    assert {half: pairs.tolist() for half, pairs in data.slices("half").items()} == {
        "first half": [1],
        "second half": [2],
    }


def test_repeats_and_gold_are_beside_first_grades(campaign, judges, tmp_path):
    ann, bob = judges["ann"], judges["bob"]
    for pair, grade in ((1, 3), (2, 0), (3, 2)):
        do(campaign, ann, pair, grade)
    for pair, grade in ((1, 2), (2, 0), (4, 1)):
        do(campaign, ann, pair, grade, turn=1)
    do(campaign, ann, 2, None, turn=1)  # the repeat of pair 2 was skipped in the end
    do(campaign, bob, 1, 1)
    gold = tmp_path / "gold.qrels"
    pooled = campaign.rows(
        "SELECT q.query_id, d.doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document WHERE p.id IN (1, 2) ORDER BY p.id"
    )
    gold.write_text("".join(f"{query_id} 0 {doc_id} 1\n" for query_id, doc_id in pooled))
    load_gold(campaign, gold, list(iter_qrels(gold)))

    data = read_ratings(campaign)
    # Of pairs 1, 2 and 3; pair 4 has no first grade that a repeat could be beside.
    assert data.grades.tolist() == [[3, 0, 2], [1, -1, -1]]
    assert data.repeats.tolist() == [[2, -1, -1], [-1, -1, -1]]
    assert data.gold.tolist() == [1, 1, -1]


def test_queries_and_classes_are_those_of_the_pairs(campaign, judges):
    pairs = campaign.rows("SELECT id, query FROM pool ORDER BY id")
    for pair, _ in pairs:
        do(campaign, judges["ann"], pair, 0)
    data = read_ratings(campaign)
    named = dict(campaign.rows("SELECT id, query_id FROM queries"))
    assert [data.query_ids[at] for at in data.queries] == [named[query] for _, query in pairs]
    classes = dict(campaign.rows("SELECT query_id, class FROM queries"))
    assert dict(zip(data.query_ids, data.classes, strict=True)) == classes


@pytest.mark.parametrize("seed", range(6))
def test_any_history_reads_as_the_events_fold(campaign, judges, seed):
    draw = random.Random(seed)
    for _ in range(120):
        judge = draw.choice(list(judges.values()))
        match draw.randrange(8):
            case 0:
                undo(campaign, judge.key)
            case 1:
                redo(campaign, judge.key)
            case 2:
                do(campaign, judge, draw.randint(1, 6), None, turn=draw.randrange(2))
            case _:
                do(campaign, judge, draw.randint(1, 6), draw.randrange(4), turn=draw.randrange(2))
    data = read_ratings(campaign)
    held = states(campaign)
    graded = sorted(
        {pair for (_, pair, turn), it in held.items() if it.grade is not None and not turn}
    )
    for name in judges:
        first, later = (
            {pair: it.grade for (who, pair, at), it in held.items() if (who, at) == (name, turn)}
            for turn in (0, 1)
        )
        row = data.judges.index(name)
        for at, pair in enumerate(graded):
            grade = NOT_GRADED if first.get(pair) is None else first[pair]
            assert data.grades[row, at] == grade
            repeat = None if grade == NOT_GRADED else later.get(pair)
            assert data.repeats[row, at] == (NOT_GRADED if repeat is None else repeat)
        came = sorted(
            (it.first_grade, pair)
            for (who, pair, turn), it in held.items()
            if (who, turn) == (name, 0) and it.grade is not None
        )
        order = [graded[at] for at in np.argsort(data.came[row]) if data.grades[row, at] >= 0]
        assert order == [pair for _, pair in came]
