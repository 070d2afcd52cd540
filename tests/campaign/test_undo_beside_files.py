"""Undo and redo are of what a judge did in the app: what a file gave or took back is its own."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign
from judge_tui.campaign.answers import load_answers
from judge_tui.campaign.desk import Desk, DeskPair
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.judges import add_judge
from judge_tui.errors import InputError


@pytest.fixture
def desk(campaign: Campaign) -> Desk:
    return Desk(campaign, add_judge(campaign, "ann"))


def pairs_of(desk: Desk) -> list[DeskPair]:
    return list(desk.pairs(desk.queries()[0].key))


def load(desk: Desk, grades: dict[str, int]) -> None:
    path = desk.campaign.path.with_name("more.qrels")
    path.write_text("".join(f"q1 0 {doc_id} {grade}\n" for doc_id, grade in grades.items()))
    load_qrels(desk.campaign, path, judge="ann", replace=True)


def answer(desk: Desk, doc_ids: list[str]) -> None:
    path = desk.campaign.path.with_name("answers.csv")
    columns = [f"result{place}" for place in range(1, len(doc_ids) + 1)]
    path.write_text(f"query_id,{','.join(columns)}\nq1,{','.join(doc_ids)}\n")
    load_answers(desk.campaign, path, judge="ann", replace=True)


def grades(desk: Desk) -> dict[str, int | None]:
    states = ((pair.doc_id, desk.state(pair)) for pair in pairs_of(desk))
    return {doc_id: state.grade for doc_id, state in states if state.grade is not None}


def test_what_a_mended_file_took_back_is_not_done_again(desk: Desk) -> None:
    first, second, third = pairs_of(desk)[:3]
    answer(desk, [first.doc_id, second.doc_id])
    desk.record("grade", third, grade=3)
    answer(desk, [second.doc_id])
    left = {second.doc_id: 1, third.doc_id: 3}
    assert grades(desk) == left
    undone = desk.undo()
    assert undone is not None
    assert undone.pair == third.key
    assert desk.undo() is None
    assert grades(desk) == {second.doc_id: 1}
    assert desk.redo() == undone
    assert desk.redo() is None
    assert grades(desk) == left


def test_a_file_that_comes_between_ends_no_redo(desk: Desk) -> None:
    first, second = pairs_of(desk)[:2]
    desk.record("grade", first, grade=3)
    undone = desk.undo()
    load(desk, {second.doc_id: 2})
    assert desk.redo() == undone
    assert grades(desk) == {first.doc_id: 3, second.doc_id: 2}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("grade"), st.integers(0, 2), st.integers(0, 3)),
        st.tuples(st.just("load"), st.integers(0, 2), st.integers(0, 3)),
        st.tuples(st.just("answer"), st.integers(0, 2), st.integers(0, 2)),
        st.tuples(st.sampled_from(["undo", "redo"]), st.just(0), st.just(0)),
        st.tuples(st.sampled_from(["undo", "redo"]), st.just(0), st.just(0)),
    ),
    max_size=12,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_whatever_came_from_files_no_key_touches_it(
    campaign: Campaign, steps: list[tuple[str, int, int]]
) -> None:
    name = f"judge {campaign.rows('SELECT count(*) FROM judges')[0][0]}"
    desk = Desk(campaign, add_judge(campaign, name))
    pairs = pairs_of(desk)
    by_hand: set[str] = set()
    path = campaign.path.with_name("file")

    def of_files() -> list[tuple[str]]:
        return [
            row
            for row in campaign.rows(
                "SELECT id FROM live_events WHERE judge = ? ORDER BY id", (desk.judge.key,)
            )
            if row[0] not in by_hand
        ]

    def held(pair: int) -> list[tuple[str]]:
        return campaign.rows(
            "SELECT id FROM decisions WHERE judge = ? AND pair = ?", (desk.judge.key, pair)
        )

    for step, place, grade in steps:
        doc_id = pairs[place].doc_id
        if step == "grade":
            by_hand.add(desk.record("grade", pairs[place], grade=grade).id)
        elif step == "load":
            path.write_text(f"q1 0 {doc_id} {grade}\n")
            with suppress(InputError):  # decided in the app
                load_qrels(campaign, path, judge=name, replace=True)
        elif step == "answer":
            path.write_text(f"query_id,result1,result2\nq1,{doc_id},{pairs[grade].doc_id}\n")
            load_answers(campaign, path, judge=name, replace=True)
        else:
            before = of_files()
            event = desk.undo() if step == "undo" else desk.redo()
            assert of_files() == before
            if event is not None:
                assert event.id in by_hand
                # It is seen: what holds of the pair is another decision now.
                assert ((event.id,) in held(event.pair)) == (step == "redo")
