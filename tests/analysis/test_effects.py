"""What each disagreement does to the order of systems: by hand, and by scoring everything anew."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.effects import Effects, effects_of
from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.model import Run
from judge_tui.scoring import UNJUDGED, parse_measure
from tests.scored import score_runs

GREATEST = 3


def found(lists, grades, queries, disputes, measure):
    """`lists`: tag -> query -> documents, best first; `grades`: (query, document) -> grade;
    `disputes`: (query, document) -> the grades given."""
    depth = max((len(one) for run in lists.values() for one in run.values()), default=0)
    documents = np.full((len(lists), queries, depth), NO_DOCUMENT, dtype=np.int64)
    for place, run in enumerate(lists.values()):
        for query, one in run.items():
            documents[place, query, : len(one)] = one
    ids = tuple(f"q{place}" for place in range(queries))
    given = np.zeros((len(disputes), GREATEST + 1), dtype=bool)
    for place, those in enumerate(disputes.values()):
        given[place, list(those)] = True
    pairs = list(dict.fromkeys([*disputes, *grades]))
    of_query, of_document = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    final = np.array([grades.get(pair, UNJUDGED) for pair in pairs], dtype=np.int64)
    ranked = RankedLists(tuple(lists), ids, documents)
    judged = JudgedRuns(ranked, of_query, of_document, final, GREATEST)
    return effects_of(judged, np.arange(len(disputes)), given, parse_measure(measure))


def test_by_hand():
    # P@1 of two queries. Query 0: x has document 0 first, y has 1, z has 2. Query 1: all have 5.
    lists = {tag: {0: [place, 8], 1: [5]} for place, tag in enumerate("xyz")}
    grades = {(0, 0): 1, (0, 1): 0, (0, 2): 0, (1, 5): 1}
    disputes = {
        # (0 or 1): y is 1/2 or 2/2; x is 2/2, z is 1/2. y < x becomes y = x; y = z becomes y > z.
        (0, 1): {0, 1},
        # All three have it: nothing moves against anything.
        (1, 5): {0, 1},
        # Both grades are relevant, or both are not: nothing changes.
        (0, 0): {1, 3},
        # Nobody has it at the first rank.
        (0, 8): {0, 3},
        # x falls from 2/2 to 1/2: two orders become equality.
        (0, 2): {0, 2},
    }
    effects = found(lists, grades, 2, disputes, "P@1")
    assert effects.swaps.tolist() == [2, 0, 0, 0, 2]
    assert effects.change.tolist() == [0.5, 0, 0, 0, 0.5]
    assert effects.spread.tolist() == [1, 1, 2, 3, 2]
    # Swaps, change, then spread: the last before the first, then the widest spread.
    assert effects.order.tolist() == [4, 0, 3, 2, 1]


def test_what_is_undecided_may_change_the_order_whatever_the_grade():
    # P@1: x has the disputed document, which counts as not relevant now; y has a relevant one in
    # one of two queries. Both grades that were given are relevant: x is ahead with either.
    lists = {"x": {0: [0], 1: [2]}, "y": {0: [1], 1: [3]}}
    effects = found(lists, {(0, 1): 0, (1, 2): 1, (1, 3): 1}, 2, {(0, 0): {2, 3}}, "P@1")
    assert effects.swaps.tolist() == [1]
    assert effects.change.tolist() == [0.5]
    # Once it is settled, nothing hangs on it any more.
    grades = {(0, 0): 3, (0, 1): 0, (1, 2): 1, (1, 3): 1}
    assert found(lists, grades, 2, {(0, 0): {2, 3}}, "P@1").swaps.tolist() == [0]


def test_the_ideal_changes_for_runs_that_do_not_have_the_document():
    # nDCG@2, gain = grade. x finds the 3 at rank 1: 3 / (3 + g / log2(3)); y finds a 1 at rank 1.
    lists = {"x": {0: [0]}, "y": {0: [1]}}
    grades = {(0, 0): 3, (0, 1): 1}
    effects = found(lists, grades, 1, {(0, 2): {0, 3}}, "nDCG@2")
    second = 1 / np.log2(3)
    low, high = 3 + 1 * second, 3 + 3 * second
    assert effects.swaps.tolist() == [0]
    assert effects.change[0] == pytest.approx((3 - 1) / low - (3 - 1) / high, abs=1e-12)


def test_a_query_without_another_grade_joins_in():
    # Query 1 has no grade but the disputed one; y does not answer it and keeps its mean.
    lists = {"x": {0: [0], 1: [4]}, "y": {0: [1, 0]}}
    effects = found(lists, {(0, 0): 1, (0, 1): 0}, 2, {(1, 4): {0, 1}}, "RR@10")
    # x: (1 + 0) / 2 or (1 + 1) / 2; y: 1/2. Equal becomes greater.
    assert effects.swaps.tolist() == [1]
    assert effects.change.tolist() == [0.5]


def test_pairs_that_nobody_settled_yet_weigh_nothing_on_each_other():
    # To infAP, a document that is pooled and not judged is not nothing.
    lists = {"x": {0: [0, 1, 2]}, "y": {0: [2, 1, 0]}}
    grades, both = {(0, 2): 1}, {(0, 0): {0, 1}, (0, 1): {0, 1}}
    alone = [found(lists, grades, 1, {pair: its}, "infAP").change[0] for pair, its in both.items()]
    assert found(lists, grades, 1, both, "infAP").change.tolist() == alone


def test_those_alike_stay_in_their_order():
    zeros = np.zeros(4, dtype=np.int64)
    effects = Effects(zeros, np.array([0.1, 0.1 + 1e-12, 0.2, 0.1]), zeros)
    assert effects.order.tolist() == [2, 0, 1, 3]


def test_nothing_to_work_out():
    lists = {"x": {0: [0]}}
    none = found(lists, {(0, 0): 1}, 1, {}, "nDCG@10")
    assert len(none.swaps) == len(none.change) == len(none.order) == 0
    # One grade, and none at all: no disagreement.
    effects = found(lists, {(0, 0): 1}, 1, {(0, 0): {2}, (0, 1): set()}, "nDCG@10")
    assert effects.swaps.tolist() == effects.spread.tolist() == [0, 0]
    assert effects.change.tolist() == [0, 0]


MEASURES = (
    "nDCG@10 nDCG@2 nDCG(dcg='exp-log2')@3 RR@10 P@2 AP AP@2 R@3 Success@1 Rprec RBP(p=0.8)"
    " Judged@3 ERR@3 Bpref infAP SetP SetF IPrec@0.1 NumRet NumRelRet NumRel GMAP RR(rel=2)"
)


@st.composite
def campaigns(draw):
    queries = draw(st.integers(1, 3))
    ids = st.lists(st.integers(0, 6), unique=True, max_size=5)
    lists = {
        f"run{place}": {query: one for query in range(queries) if (one := draw(ids))}
        for place in range(draw(st.integers(1, 4)))
    }
    pairs = [(query, document) for query in range(queries) for document in range(8)]
    some = st.lists(st.sampled_from(pairs), unique=True, max_size=12)
    grades = {pair: draw(st.integers(0, GREATEST)) for pair in draw(some)}
    those = st.sets(st.integers(0, GREATEST), min_size=1)
    disputes = {pair: draw(those) for pair in draw(some)}
    return lists, grades, queries, disputes


def anew(lists, grades, pair, grade, measure):
    """The mean of every run, by scoring everything with the pair at that grade, or (None) as it
    stands."""
    qrels = {}
    for (query, document), one in {**grades, **({pair: grade} if pair else {})}.items():
        qrels.setdefault(f"q{query}", {})[f"d{document}"] = one
    runs = [
        Run(
            tag,
            {
                f"q{query}": {f"d{document}": -float(rank) for rank, document in enumerate(one)}
                for query, one in run.items()
            },
        )
        for tag, run in lists.items()
    ]
    return [
        score_runs(qrels, [run], [measure])[run.tag].mean(measure)
        if run.scores.keys() & qrels
        else None
        for run in runs
    ]


@given(case=campaigns(), name=st.sampled_from(MEASURES.split()))
def test_as_when_everything_is_scored_anew(case, name):
    lists, grades, queries, disputes = case
    measure = parse_measure(name)
    effects = found(lists, grades, queries, disputes, name)
    for place, (pair, those) in enumerate(disputes.items()):
        means = [anew(lists, grades, pair, grade, measure) for grade in sorted(those)]
        if any(query == pair[0] for query, _ in grades):
            means.append(anew(lists, grades, None, None, measure))
        swaps, change = 0, 0.0
        for one, other in combinations(range(len(lists)), 2):
            if means[0][one] is None or means[0][other] is None:
                continue
            apart = [mean[one] - mean[other] for mean in means]
            swaps += len(set(np.sign(on_grid(apart)).tolist())) > 1
            change = max(change, max(apart) - min(apart))
        assert effects.swaps[place] == swaps
        assert effects.change[place] == pytest.approx(change, abs=1e-9)
        assert effects.spread[place] == max(those) - min(those)
