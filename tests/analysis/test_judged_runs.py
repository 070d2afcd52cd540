"""Runs in the light of grades: the same as when files are scored, what was asked in vain, and
pairs looked up in either way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.judge_influence import Regrading
from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.analysis.leaderboard import mean_bounds
from judge_tui.analysis.misses import find_misses, first_relevant
from judge_tui.analysis.queries import deltas
from judge_tui.errors import UsageError
from judge_tui.scoring import NOTHING, UNJUDGED, parse_measure
from tests.analysis.small import GREATEST, judged_runs_of, qrels_of, runs_of
from tests.scored import score_run, score_runs, score_sources
from tests.scoring.lists import every_measure

RR = parse_measure("RR")

# x finds the right document first for q1, fails at q2 and finds nothing for q3; y answers q1 and q2
# and nobody knows whether it was asked q3; q4 is judged by nobody.
LISTS = {"x": {"q1": "ab"}, "y": {"q1": "ba", "q2": "c", "q4": "z"}}
GRADES = {"q1": "a1 b0", "q2": "c2", "q3": "d1"}
ASKED = {"x": ["q1", "q2", "q3", "q4"]}
FAILED = {("x", "q2"): "HTTP 500"}


@pytest.fixture
def judged():
    return judged_runs_of(LISTS, GRADES, ASKED, FAILED)


def test_means_count_what_was_asked_in_vain_as_0(judged):
    # x: (1 + 0 + 0) / 3 over q1, q2, q3; y: (1/2 + 1) / 2 over q1 and q2.
    assert judged.means(RR).tolist() == [1 / 3, 3 / 4]
    runs = judged.scores([RR]).runs
    counts = [(len(one.query_ids), len(one.missing_run), len(one.without_results)) for one in runs]
    assert counts == [(3, 2, 2), (2, 1, 0)]
    # Where nothing is known of what was asked, x is as good as what it answers.
    unknown = judged_runs_of(LISTS, GRADES)
    assert unknown.means(RR).tolist() == [1.0, 3 / 4]
    assert [len(one.missing_run) for one in unknown.scores([RR]).runs] == [2, 1]


def test_so_does_everything_else(judged):
    found = deltas(judged, RR, "x", "y")
    # q1: 1/2 - 1; q2: 1 - 0; q3 is x's alone.
    assert {row.query_id: row.difference for row in found.comparison.by_query} == {
        "q1": -0.5,
        "q2": 1.0,
    }
    assert (found.only_baseline, found.only_run) == (1, 0)
    rows = find_misses(judged, "x").rows
    assert [(row.query_id, row.answered, row.failed) for row in rows] == [
        ("q2", False, "HTTP 500"),
        ("q3", False, ""),
    ]
    x, y = first_relevant(judged).runs
    assert (x.queries, x.none, y.queries, y.none) == (3, 2, 2, 0)
    # No list of x holds an unjudged document: judging cannot move it.
    assert mean_bounds(judged, [RR], range(GREATEST + 1)).of["RR"]["x"] == (1 / 3, 1 / 3)


def test_why_a_list_is_empty(judged):
    assert [[judged.lists.why_empty(run, query) for query in range(4)] for run in range(2)] == [
        ["", "failed: HTTP 500", "found nothing", "found nothing"],
        ["", "", "no result", ""],
    ]


def test_places(judged):
    assert judged.lists.indexes_of_runs("y", "x") == (1, 0)
    assert judged.lists.index_of_query("q3") == 2
    for refused, words in (
        (lambda: judged.lists.indexes_of_runs("x", "x"), "beside itself"),
        (lambda: judged.lists.index_of_run("z"), "no run 'z'"),
        (lambda: judged.lists.index_of_query("q"), "no query 'q'"),
    ):
        with pytest.raises(UsageError, match=words):
            refused()


letters = st.lists(st.sampled_from("abcdef"), unique=True, max_size=4).map("".join)
QUERIES = st.sampled_from(["q1", "q2", "q3"])
some_lists = st.fixed_dictionaries({tag: st.dictionaries(QUERIES, letters) for tag in "xy"})
some_grades = st.fixed_dictionaries(
    {
        query: st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1).map(
            lambda of: " ".join(f"{one}{grade}" for one, grade in of.items())
        )
        for query in ("q1", "q2", "q3")
    }
)
some_asked = st.fixed_dictionaries({tag: st.sets(QUERIES, min_size=1) for tag in "xy"})
EVERY = [
    one
    for one in every_measure(2)
    if all(its.default is not None for its in one.definition.parameters)
]


@given(some_lists, some_grades, some_asked)
def test_they_are_scored_as_runs_and_as_what_is_read_is(lists, grades, asked):
    runs, qrels = runs_of(lists, asked), qrels_of(grades)
    scored = score_runs(qrels, runs, EVERY)
    assert score_sources(qrels, runs, EVERY) == scored
    judged = judged_runs_of(lists, grades, asked)
    for one, other in zip(judged.scores(EVERY).runs, scored.runs, strict=True):
        assert (one.query_ids, one.missing_run) == (other.query_ids, other.missing_run)
        assert (one.tag, one.missing_qrels) == (other.tag, other.missing_qrels)
        for name, values in one.values.items():
            np.testing.assert_array_equal(values, other.values[name], name)
    for measure in EVERY:
        again = Regrading(judged, measure).values(judged.grades)
        np.testing.assert_array_equal(again, judged.values(measure))


@given(some_lists, some_grades)
def test_a_run_that_was_asked_everything_is_scored_as_complete(lists, grades):
    (run, _), qrels = runs_of(lists, dict.fromkeys("xy", GRADES)), qrels_of(grades)
    if any(run.scores.values()):
        complete = score_run(qrels, runs_of(lists)[0], EVERY, complete=True)
        assert score_run(qrels, run, EVERY) == complete


pair = st.tuples(st.integers(0, 4), st.integers(0, 9))


@given(
    grades=st.dictionaries(pair, st.integers(UNJUDGED, 9), max_size=20),
    found=st.lists(st.lists(st.integers(0, 11), unique=True, max_size=6), min_size=5, max_size=5),
)
def test_each_result_finds_its_grade(grades, found):
    documents = np.full((1, 5, 6), NO_DOCUMENT, dtype=np.int64)
    for query, its in enumerate(found):
        documents[0, query, : len(its)] = its
    queries, numbers = np.array([*grades], dtype=np.int64).reshape(-1, 2).T
    final = np.array([*grades.values()], dtype=np.int64)
    lists = RankedLists(("x",), tuple("abcde"), documents)
    at_ranks = JudgedRuns(lists, queries, numbers, final, 9).grade_by_rank
    assert at_ranks[0].tolist() == [
        [grades.get((query, one), UNJUDGED) for one in its] + [NOTHING] * (6 - len(its))
        for query, its in enumerate(found)
    ]
