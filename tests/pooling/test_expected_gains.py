"""Expected gains against a plain reading of their definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from judge_tui.pooling.expected_gains import expected_gains, falling
from judge_tui.pooling.retrieved import OCTILES, RetrievedPairs
from judge_tui.pooling.strategies import rrf
from judge_tui.pooling.strategy import PooledQuery


def lists(seed, runs=4, queries=5, documents=40, depth=12):
    draw = np.random.default_rng(seed)
    table = np.array(
        [[draw.permutation(documents)[:depth] for _ in range(queries)] for _ in range(runs)]
    )
    table[0, 1, 5:] = -1
    table[:, 2] = -1
    return table


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_those_of_the_lists(seed):
    documents = lists(seed)
    pairs = RetrievedPairs.of(documents)
    there = {
        (query, document)
        for run in documents.tolist()
        for query, ranked in enumerate(run)
        for document in ranked
        if document >= 0
    }
    assert list(zip(pairs.query.tolist(), pairs.document.tolist(), strict=True)) == sorted(there)
    for (run, query, rank), place in np.ndenumerate(pairs.at):
        assert (place < 0) == (documents[run, query, rank] < 0)
        if place >= 0:
            assert pairs.query[place] == query
            assert pairs.document[place] == documents[run, query, rank]
            assert pairs.best_rank[place] <= rank + 1
    assert (pairs.places_of(pairs.query, pairs.document) == np.arange(len(pairs))).all()
    assert pairs.places_of(np.array([2, 0]), np.array([0, 10**6])).tolist() == [-1, -1]


@pytest.mark.parametrize("seed", range(3))
def test_eighths_are_those_of_reciprocal_rank_fusion(seed):
    documents = lists(seed)
    pairs = RetrievedPairs.of(documents)
    for query in range(documents.shape[1]):
        ranked = [[str(d) for d in run[query] if d >= 0] for run in documents]
        exact = {}
        for run in ranked:
            for rank, doc in enumerate(run, 1):
                exact[doc] = exact.get(doc, 0) + Fraction(1, 60 + rank)
        mine = pairs.query == query
        names = [str(d) for d in pairs.document[mine]]
        for doc, score, octile in zip(names, pairs.fused[mine], pairs.octile[mine], strict=True):
            assert score == pytest.approx(float(exact[doc]), rel=1e-14)
            above = sum(other > exact[doc] for other in exact.values())
            alike = sum(other == exact[doc] for other in exact.values())
            assert octile == (above + (alike - 1) / 2 + 0.5) * OCTILES // len(exact)
        [choices] = rrf([PooledQuery(ranked, {}, str.encode)], None)
        order = [choice.doc_id for choice in choices]
        eighths = [dict(zip(names, pairs.octile[mine].tolist(), strict=True))[d] for d in order]
        assert eighths == sorted(eighths)


@pytest.mark.parametrize("seed", range(20))
def test_falling_means_are_the_isotonic_regression(seed):
    draw = np.random.default_rng(seed)
    number = draw.integers(1, 9, 8).astype(float)
    means = draw.random(8)
    expected = isotonic_regression(means, weights=number, increasing=False).x
    assert falling(means * number, number) == pytest.approx(expected)


def test_a_group_without_members_has_the_value_of_its_neighbour():
    assert falling(np.array([0, 4.0, 0, 1, 0]), np.array([0, 4.0, 0, 2, 0])).tolist() == [
        1,
        1,
        1,
        0.5,
        0.5,
    ]
    assert falling(np.zeros(3), np.zeros(3)).tolist() == [0, 0, 0]


def test_a_query_never_predicts_itself():
    pairs = RetrievedPairs.of(lists(1))
    draw = np.random.default_rng(2)
    gain = np.where(draw.random(len(pairs)) < 0.5, draw.integers(0, 4, len(pairs)), np.nan)
    before = expected_gains(pairs.query, pairs.octile, gain)
    changed = np.where(pairs.query == 3, 3 - gain, gain)
    after = expected_gains(pairs.query, pairs.octile, changed)
    own = pairs.query == 3
    assert (before.gain[own] == after.gain[own]).all()
    assert (before.doubt[own] == after.doubt[own]).all()
    assert (before.gain[~own] != after.gain[~own]).any()


def test_what_was_drawn_tells_of_what_nobody_chose():
    query, octile = np.array([0, 0, 0, 1]), np.array([2, 2, 2, 2])
    gain = np.array([2, 2, 0, np.nan])
    assert expected_gains(query, octile, gain).gain[3] == pytest.approx(4 / 3)
    found = expected_gains(query, octile, gain, np.array([0, 2, 8, 0.0]))
    assert found.gain[3] == pytest.approx(0.4)
    assert found.doubt[3] == pytest.approx(((2 * 1.6**2 + 8 * 0.4**2 + 1) / 11) ** 0.5)
    assert expected_gains(query, octile, gain, np.zeros(4)).gain[3] == pytest.approx(4 / 3)


def test_nothing_is_expected_where_nothing_as_deep_was_judged():
    query, octile = np.array([0, 0, 1, 1, 1]), np.array([1, 3, 2, 3, 4])
    gain = np.array([2, 1, np.nan, np.nan, np.nan])
    assert expected_gains(query, octile, gain).gain[2:].tolist() == [2, 1, 0]


def test_expected_gains_and_doubts_by_hand():
    # Two queries learn from each other: eighth 0 has gains 3 and 1, eighth 4 has 0.
    query = np.array([0, 0, 0, 1, 1])
    octile = np.array([0, 0, 4, 0, 6])
    gain = np.array([3, 1, 0, np.nan, np.nan])
    found = expected_gains(query, octile, gain)
    assert found.gain.tolist() == [0, 0, 0, 2, 0]
    assert found.doubt == pytest.approx([1, 1, 1, ((1 + 1 + 1) / 3) ** 0.5, 1])
