"""What is judged to settle a difference: weight times doubt."""

from __future__ import annotations

from functools import partial
from math import log2
from statistics import pstdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.pooling.expected_gains import expected_gains
from judge_tui.pooling.order import drawn
from judge_tui.pooling.pool import Pool, build_pool
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.pooling.settle import settle
from judge_tui.pooling.strategy import Aim, PooledQuery
from judge_tui.scoring import parse_measure
from judge_tui.scoring.linear import require_linear

DOCUMENTS = "abcdefgh"
RUNS = 3
LISTS = st.lists(st.lists(st.sampled_from(DOCUMENTS), unique=True), min_size=RUNS, max_size=RUNS)
GRADES = st.dictionaries(st.sampled_from(f"{DOCUMENTS}z"), st.integers(0, 3))
QUERIES = st.lists(st.tuples(LISTS, GRADES), min_size=1, max_size=3)
BETWEEN = st.none() | st.permutations(range(RUNS)).map(lambda places: tuple(places[:2]))
MEASURES = ("P@3", "P(rel=2)@4", "RBP(p=0.5)@5", "nDCG@4", "nDCG(gains={1:1,2:3,3:7})@4")


def asked(queries) -> list[PooledQuery]:
    return [
        PooledQuery(lists, grades, partial(drawn(0, "tie"), str(at)))
        for at, (lists, grades) in enumerate(queries)
    ]


def aim_of(measure: str, between=None) -> Aim:
    return Aim(*require_linear(parse_measure(measure), 99), between)


def expected_of(queries, aim) -> dict[tuple[int, str], tuple[float, float]]:
    """(query, document) -> expected gain and doubt."""
    longest = max(len(ranked) for lists, _ in queries for ranked in lists)
    table = np.full((RUNS, len(queries), longest), -1)
    for at, (lists, _) in enumerate(queries):
        for run, ranked in enumerate(lists):
            table[run, at, : len(ranked)] = [DOCUMENTS.index(one) for one in ranked]
    pairs = RetrievedPairs.of(table)
    keys = [
        (query, DOCUMENTS[document])
        for query, document in zip(pairs.query.tolist(), pairs.document.tolist(), strict=True)
    ]
    gain = [
        aim.gain(queries[query][1][one]) if one in queries[query][1] else np.nan
        for query, one in keys
    ]
    found = expected_gains(pairs.query, pairs.octile, np.array(gain))
    return dict(zip(keys, zip(found.gain.tolist(), found.doubt.tolist(), strict=True), strict=True))


def plain_weights(queries, aim) -> list[dict[str, float]]:
    expected = expected_of(queries, aim)
    weights = []
    for at, (lists, grades) in enumerate(queries):
        retrieved = {one for ranked in lists for one in ranked}
        gains = {one: aim.gain(grades[one]) for one in grades}
        gains |= {one: expected[at, one][0] for one in retrieved - grades.keys()}
        best = sorted(gains.values(), reverse=True)
        ideal = sum(gain * d for gain, d in zip(best, aim.discount, strict=False))
        its = {}
        for one in retrieved:
            ranks = [ranked.index(one) if one in ranked else 99 for ranked in lists]
            worth = [aim.discount[rank] if rank < len(aim.discount) else 0 for rank in ranks]
            if aim.between is None:
                weight = pstdev(worth)
            else:
                weight = abs(worth[aim.between[0]] - worth[aim.between[1]])
            if aim.normalised:
                weight /= max(ideal, aim.discount[0])
            if len(set(worth)) > 1 and weight:
                its[one] = weight * expected[at, one][1]
        weights.append(its)
    return weights


@pytest.mark.parametrize("measure", MEASURES)
@given(QUERIES, BETWEEN)
def test_choices_are_by_weight_times_doubt(measure, queries, between):
    aim = aim_of(measure, between)
    for found, expected in zip(
        settle(asked(queries), aim), plain_weights(queries, aim), strict=True
    ):
        weights = {one.doc_id: one.weight for one in found}
        assert weights == pytest.approx(expected, rel=1e-9)
        assert [*weights.values()] == sorted(weights.values(), reverse=True)


@given(QUERIES, st.permutations(range(RUNS)))
def test_the_order_of_the_runs_does_not_matter(queries, order):
    aim = aim_of("nDCG@4")
    shuffled = [([lists[run] for run in order], grades) for lists, grades in queries]
    assert settle(asked(shuffled), aim) == settle(asked(queries), aim)


def test_what_both_have_at_the_same_rank_is_never_chosen():
    lists = [[*"abcd"], [*"aced"], [*"bacd"]]
    [found] = settle(asked([(lists, {})]), aim_of("P@2", (0, 1)))
    assert {one.doc_id for one in found} == {"b", "c"}
    # Of P@2, ranks 1 and 2 are worth the same.
    [found] = settle(asked([(lists, {})]), aim_of("P@4", (0, 2)))
    assert found == []
    [found] = settle(asked([(lists, {})]), aim_of("nDCG@4", (0, 2)))
    assert {one.doc_id for one in found} == {"a", "b"}


def test_a_budget_goes_to_the_query_where_a_document_weighs_most():
    runs = {"one": {"q1": [*"abc"], "q2": [*"abc"]}, "other": {"q1": [*"abd"], "q2": [*"xyz"]}}
    options = {"strategy": "settle", "depth": 3, "audit": 0, "aim": aim_of("nDCG@3", (0, 1))}
    added = build_pool(runs, Pool(), budget=4, **options).added
    assert not added["q1"]
    assert {choice.doc_id for choice in added["q2"]} == {"a", "x", "b", "y"}
    assert added["q2"][0].weight == pytest.approx(1)
    assert added["q2"][2].weight == pytest.approx(1 / log2(3))
    # What the two share in q1 needs no judgment, whatever the budget.
    added = build_pool(runs, Pool(), budget=99, **options).added
    assert {choice.doc_id for choice in added["q1"]} == {"c", "d"}
