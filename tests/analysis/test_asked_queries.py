"""Queries that a run was asked and has no result for: they count, as nothing found, everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.effects import effects_of
from judge_tui.analysis.failures import failures, first_relevant
from judge_tui.analysis.leaderboard import leaderboard, mean_bounds
from judge_tui.analysis.queries import deltas
from judge_tui.scoring import MEASURES, parse_measure, parse_measures
from tests.analysis.small import GREATEST, judged_runs_of, qrels_of, runs_of
from tests.scored import score_run, score_runs, score_sources

# x finds the right document first for q1, fails at q2 and finds nothing for q3; y answers q1 and q2
# and nobody knows whether it was asked q3; q4 is judged by nobody.
LISTS = {"x": {"q1": "ab"}, "y": {"q1": "ba", "q2": "c", "q4": "z"}}
GRADES = {"q1": "a1 b0", "q2": "c2", "q3": "d1"}
ASKED = {"x": ["q1", "q2", "q3", "q4"]}
FAILED = {("x", "q2"): "HTTP 500"}
RR = parse_measure("RR")


@pytest.fixture
def judged():
    return judged_runs_of(LISTS, GRADES, ASKED, FAILED)


def test_means_count_them_as_0(judged):
    # x: (1 + 0 + 0) / 3 over q1, q2, q3; y: (1/2 + 1) / 2 over q1 and q2.
    assert judged.means(RR).tolist() == [1 / 3, 3 / 4]
    rows = leaderboard(judged, [RR]).rows
    assert [(r.queries, r.missing_run, r.nothing_found, r.failed, r.left_out) for r in rows] == [
        (3, 2, 2, 1, 0),
        (2, 1, 0, 0, 1),
    ]


def test_a_run_of_which_nothing_is_known_is_as_it_was():
    judged = judged_runs_of(LISTS, GRADES)
    assert judged.means(RR).tolist() == [1.0, 3 / 4]
    assert [row.missing_run for row in leaderboard(judged, [RR]).rows] == [2, 1]


def test_two_runs_are_compared_over_them(judged):
    found = deltas(judged, RR, "x", "y")
    # q1: 1/2 - 1; q2: 1 - 0; q3 is x's alone.
    assert {row.query_id: row.difference for row in found.rows} == {"q1": -0.5, "q2": 1.0}
    assert (found.only_baseline, found.only_run) == (1, 0)


def test_failures_tell_why(judged):
    rows = failures(judged, "x").rows
    assert [(row.query_id, row.answered, row.failed) for row in rows] == [
        ("q2", False, "HTTP 500"),
        ("q3", False, ""),
    ]


def test_first_relevant_has_them_among_those_without_one(judged):
    x, y = first_relevant(judged).runs
    assert (x.queries, x.none, y.queries, y.none) == (3, 2, 2, 0)


def test_bounds_of_what_found_nothing_are_what_it_is_worth(judged):
    # No list of x holds an unjudged document: judging cannot move it.
    assert mean_bounds(judged, [RR], range(GREATEST + 1)).of["RR"]["x"] == (1 / 3, 1 / 3)


def test_a_disagreement_weighs_less_in_a_mean_over_them():
    # P@1: settling q1's a moves x by 1/2 of its mean where q2 counts, and by 1 where it does not.
    lists, grades = {"x": {"q1": "a"}, "y": {"q1": "b", "q2": "c"}}, {"q1": "a-1 b1", "q2": "c1"}
    given_grades = np.array([[True, True, False, False]])
    change = [
        effects_of(
            judged_runs_of(lists, grades, asked),
            np.array([0]),
            given_grades,
            parse_measure("P@1"),
        ).change.tolist()
        for asked in (None, {"x": ["q1", "q2"]})
    ]
    assert change == [[1.0], [0.5]]


letters = st.lists(st.sampled_from("abcdef"), unique=True, max_size=4).map("".join)
some_lists = st.fixed_dictionaries(
    {tag: st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), letters) for tag in "xy"}
)
some_grades = st.fixed_dictionaries(
    {
        query: st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1).map(
            lambda of: " ".join(f"{one}{grade}" for one, grade in of.items())
        )
        for query in ("q1", "q2", "q3")
    }
)
some_asked = st.fixed_dictionaries(
    {tag: st.sets(st.sampled_from(["q1", "q2", "q3"]), min_size=1) for tag in "xy"}
)
EVERY = parse_measures(
    [
        name if definition.cutoff != "required" else f"{name}@2"
        for name, definition in MEASURES.items()
        if definition.at is None
        and not definition.of_order
        and not any(p.default is None for p in definition.parameters)
    ]
)


@given(some_lists, some_grades, some_asked)
def test_a_standing_a_run_and_what_is_read_give_the_same(lists, grades, asked):
    measures = EVERY
    runs, qrels = runs_of(lists, asked), qrels_of(grades)
    scored = score_runs(qrels, runs, measures)
    assert score_sources(qrels, runs, measures) == scored
    found = judged_runs_of(lists, grades, asked).scores(measures)
    for one, other in zip(found.runs, scored.runs, strict=True):
        assert (one.query_ids, one.missing_run) == (other.query_ids, other.missing_run)
        for name, values in one.values.items():
            assert values == pytest.approx(other.values[name], nan_ok=True), name


@given(some_lists, some_grades)
def test_a_run_that_was_asked_everything_is_scored_as_complete(lists, grades):
    (run, _), qrels = runs_of(lists, dict.fromkeys("xy", GRADES)), qrels_of(grades)
    if any(run.scores.values()):
        complete = score_run(qrels, runs_of(lists)[0], EVERY, complete=True)
        assert score_run(qrels, run, EVERY) == complete


@given(some_lists, some_grades, some_asked)
def test_regrading_has_the_values_of_the_standing(lists, grades, asked):
    judged = judged_runs_of(lists, grades, asked)
    np.testing.assert_array_equal(judged.values_by(judged.grades, RR), judged.values(RR))
