"""Many lists at once are worth what each is worth alone, to the last digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.model import rank
from judge_tui.scoring import NOTHING, UNJUDGED, JudgedLists, JudgedQueries
from judge_tui.scoring.judged_lists import of_each
from tests.scored import judged_lists
from tests.scoring.lists import every_measure

DOCS = [f"d{i}" for i in range(12)]
QUERIES = [f"q{i}" for i in range(4)]
grades = st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3), min_size=1)
scores = st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3).map(float), min_size=1)
qrels_of_some = st.dictionaries(st.sampled_from(QUERIES), grades, min_size=1)
runs = st.dictionaries(st.sampled_from(QUERIES), scores, min_size=1)
EVERY = every_measure(3)


@given(qrels_of_some, runs)
def test_together_and_alone(qrels, run):
    known = JudgedQueries.of(qrels)
    lists = judged_lists(known, qrels, run)
    alone = [lists.rows([place]) for place in range(len(lists))]
    again = JudgedLists.joined(alone, known)
    for measure in EVERY:
        values = measure.value(lists).tolist()
        assert [measure.value(one).tolist()[0] for one in alone] == values, measure
        assert measure.value(again).tolist() == values, measure
        own = [{query_id: run[query_id]} for query_id in sorted(run) if query_id in qrels]
        assert [measure.value(judged_lists(known, qrels, one)).tolist()[0] for one in own] == values


@given(qrels_of_some, runs)
def test_a_table_of_grades_holds_the_same_lists(qrels, run):
    qrels = {q: {d: g for d, g in its.items() if g >= 0} or {"x": 0} for q, its in qrels.items()}
    known = JudgedQueries.of(qrels)
    lists = judged_lists(known, qrels, run)
    table = np.full((len(lists), len(DOCS)), NOTHING)
    for row, query in enumerate(lists.query.tolist()):
        query_id = known.query_ids[query]
        for place, doc_id in enumerate(rank(run[query_id])):
            table[row, place] = qrels[query_id].get(doc_id, UNJUDGED)
    counts = np.array(
        [
            [sum(g == grade for g in qrels[q].values()) for grade in range(4)]
            for q in known.query_ids
        ]
    )
    same = JudgedLists.of_table(table, lists.query, JudgedQueries.of_counts(counts))
    for measure in EVERY:
        assert measure.value(same).tolist() == measure.value(lists).tolist(), measure


@given(qrels_of_some, runs, st.integers(1, 6))
def test_lists_that_are_cut_are_those_of_shorter_runs(qrels, run, depth):
    known = JudgedQueries.of(qrels)
    shorter = {q: {d: its[d] for d in rank(its)[:depth]} for q, its in run.items()}
    cut, expected = (
        judged_lists(known, qrels, run).first(depth),
        judged_lists(known, qrels, shorter),
    )
    for name in ("start", "rank", "grade", "retrieved", "query", "pooled_list", "pooled_rank"):
        assert getattr(cut, name).tolist() == getattr(expected, name).tolist(), name


@given(qrels_of_some, runs)
def test_condensed_lists_are_those_of_runs_without_unjudged_documents(qrels, run):
    known = JudgedQueries.of(qrels)
    judged = {
        q: {d: score for d, score in its.items() if qrels.get(q, {}).get(d, -1) >= 0}
        for q, its in run.items()
    }
    lists = judged_lists(known, qrels, run).condensed
    found = judged_lists(known, qrels, judged)
    assert lists.rank.tolist() == found.rank.tolist()
    assert lists.grade.tolist() == found.grade.tolist()
    assert [n for n in lists.retrieved.tolist() if n] == found.retrieved.tolist()


@pytest.mark.parametrize("values", [[], [3], [7, 3, 3], [0, 2**40, 5, 2**40]])
def test_a_function_is_asked_once_for_each_value(values):
    asked = []

    def double(value: int) -> float:
        asked.append(value)
        return 2.0 * value

    assert of_each(double, np.array(values, dtype=np.int64)).tolist() == [2.0 * v for v in values]
    assert sorted(asked) == sorted(set(values))
