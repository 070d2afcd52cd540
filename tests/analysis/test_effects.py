"""What each disagreement does to the order of systems: by hand, and by scoring everything anew."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.judge_influence import Effects, effects_of
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.scoring import UNJUDGED, parse_measure
from tests.analysis.small import GREATEST, campaigns, judged_runs_of, qrels_of, runs_of
from tests.scored import score_runs


def effects(lists, grades, disputes, measure, asked=None):
    """`disputes`: "q1 a" -> the grades that the document of the query was given."""
    qrels = qrels_of(grades)
    waiting = [pair.split() for pair in disputes]
    grades = {
        query: " ".join(
            [grades.get(query, "")]
            + [f"{doc}{UNJUDGED}" for q, doc in waiting if q == query and doc not in its]
        )
        for query in {**grades, **dict(waiting)}
        for its in [qrels.get(query, {})]
    }
    judged = judged_runs_of(lists, grades, asked)
    pairs = zip(judged.queries.tolist(), judged.documents.tolist(), strict=True)
    place = {f"{judged.lists.query_ids[q]} {chr(d)}": at for at, (q, d) in enumerate(pairs)}
    given = np.zeros((len(disputes), GREATEST + 1), dtype=bool)
    for at, those in enumerate(disputes.values()):
        given[at, list(those)] = True
    places = np.array([place[pair] for pair in disputes], dtype=np.int64)
    return effects_of(judged, places, given, parse_measure(measure))


# P@1 of two queries. Of q1: x has a first, y has b, z has c; of q2 all have f.
THREE = {tag: {"q1": f"{first}i", "q2": "f"} for tag, first in zip("xyz", "abc", strict=True)}
OF_THREE = {"q1": "a1 b0 c0", "q2": "f1"}
TWO = {"x": {"q1": "a", "q2": "c"}, "y": {"q1": "b", "q2": "d"}}
SECOND = 1 / np.log2(3)


@pytest.mark.parametrize(
    ("lists", "grades", "dispute", "given_grades", "measure", "swaps", "change"),
    [
        # y is 1/2 or 2/2; x is 2/2, z is 1/2. y < x becomes y = x; y = z becomes y > z.
        (THREE, OF_THREE, "q1 b", {0, 1}, "P@1", 2, 0.5),
        # All three have it: nothing moves against anything.
        (THREE, OF_THREE, "q2 f", {0, 1}, "P@1", 0, 0),
        # Both grades are relevant: nothing changes.
        (THREE, OF_THREE, "q1 a", {1, 3}, "P@1", 0, 0),
        # Nobody has it at the first rank.
        (THREE, OF_THREE, "q1 i", {0, 3}, "P@1", 0, 0),
        # As it stands, x has a relevant document first for one query and y for both: with either
        # grade, which are both relevant, x has one more.
        (TWO, {"q1": "b0", "q2": "c1 d1"}, "q1 a", {2, 3}, "P@1", 1, 0.5),
        # Once it is settled, nothing hangs on it any more.
        (TWO, {"q1": "a3 b0", "q2": "c1 d1"}, "q1 a", {2, 3}, "P@1", 0, 0),
        # The ideal changes for runs without the document: x has the 3 first, y a 1.
        (
            {"x": {"q1": "a"}, "y": {"q1": "b"}},
            {"q1": "a3 b1"},
            "q1 c",
            {0, 3},
            "nDCG@2",
            0,
            (3 - 1) / (3 + SECOND) - (3 - 1) / (3 + 3 * SECOND),
        ),
        # A query without another grade joins in: x is (1 + 0) / 2 or (1 + 1) / 2; y, which does not
        # answer it, 1/2. Equal becomes greater.
        (
            {"x": {"q1": "a", "q2": "e"}, "y": {"q1": "ba"}},
            {"q1": "a1 b0"},
            "q2 e",
            {0, 1},
            "RR@10",
            1,
            0.5,
        ),
        # What it is without the query is left aside: x is (1/2 + 1) / 2 with either grade.
        (
            {"x": {"q1": "ba", "q2": "e"}, "y": {"q1": "ab"}},
            {"q1": "a1 b0"},
            "q2 e",
            {1, 2},
            "RR@10",
            0,
            0,
        ),
        # No disagreement.
        (TWO, {"q1": "a1"}, "q1 a", {2}, "nDCG@10", 0, 0),
        (TWO, {"q1": "a1"}, "q1 b", set(), "nDCG@10", 0, 0),
    ],
)
def test_by_hand(lists, grades, dispute, given_grades, measure, swaps, change):
    found = effects(lists, grades, {dispute: given_grades}, measure)
    assert found.swaps.tolist() == [swaps]
    assert found.change[0] == pytest.approx(change, abs=1e-12)
    assert found.spread.tolist() == [max(given_grades, default=0) - min(given_grades, default=0)]


def test_most_swaps_come_first_then_the_largest_change_then_the_widest_spread():
    ints = np.array([[1, 1, 2, 2], [3, 1, 1, 3]], dtype=np.int64)
    assert Effects(ints[0], np.array([0.1, 0.2, 0.3, 0.3]), ints[1]).order.tolist() == [3, 2, 1, 0]
    zeros = np.zeros(4, dtype=np.int64)
    alike = Effects(zeros, np.array([0.1, 0.1 + 1e-12, 0.2, 0.1]), zeros)
    assert alike.order.tolist() == [2, 0, 1, 3]
    assert effects(TWO, {"q1": "a1"}, {}, "nDCG@10").order.tolist() == []


def test_a_disagreement_weighs_less_in_a_mean_over_queries_asked_in_vain():
    # P@1: settling q1's a moves x by 1/2 of its mean where q2 counts, and by 1 where it does not.
    lists, grades = {"x": {"q1": "a"}, "y": {"q1": "b", "q2": "c"}}, {"q1": "b1", "q2": "c1"}
    for asked, change in ((None, 1.0), ({"x": ["q1", "q2"]}, 0.5)):
        found = effects(lists, grades, {"q1 a": {0, 1}}, "P@1", asked)
        assert found.change.tolist() == [change]


def test_pairs_that_nobody_settled_yet_weigh_nothing_on_each_other():
    # To infAP, a document that is pooled and not judged is not nothing.
    lists, grades = {"x": {"q1": "abc"}, "y": {"q1": "cba"}}, {"q1": "c1"}
    both = {"q1 a": {0, 1}, "q1 b": {0, 1}}
    alone = [effects(lists, grades, {pair: its}, "infAP").change[0] for pair, its in both.items()]
    assert effects(lists, grades, both, "infAP").change.tolist() == alone


MEASURES = (
    "nDCG@10 nDCG@2 nDCG(dcg='exp-log2')@3 RR@10 P@2 AP AP@2 R@3 Success@1 Rprec RBP(p=0.8)"
    " Judged@3 ERR@3 Bpref infAP SetP SetF IPrec@0.1 RR(rel=2)"
)


@given(
    campaigns(letters="abcdefg"),
    st.dictionaries(
        st.tuples(st.sampled_from(["q0", "q1", "q2"]), st.sampled_from("abcdefgh")).map(" ".join),
        st.sets(st.integers(0, GREATEST), min_size=1),
        max_size=8,
    ),
    st.sampled_from(MEASURES.split()),
)
def test_as_when_everything_is_scored_anew(drawn, disputes, name):
    lists, grades = drawn
    disputes = {pair: its for pair, its in disputes.items() if pair.split()[0] in grades}
    measure, qrels = parse_measure(name), qrels_of(grades)
    found = effects(lists, grades, disputes, name)

    def anew(query, document=None, grade=None):
        """The mean of every run, with the pair at that grade, or as it stands."""
        changed = {**qrels[query], document: grade} if document else qrels[query]
        final = {q: its for q, its in {**qrels, query: changed}.items() if its}
        return [
            score_runs(final, [run], [measure])[run.tag].mean(measure)
            if any(run.scores.get(q) for q in final)
            else None
            for run in runs_of(lists)
        ]

    for at, (pair, those) in enumerate(disputes.items()):
        query, document = pair.split()
        means = [anew(query, document, grade) for grade in sorted(those)]
        if qrels[query]:
            means.append(anew(query))
        swaps, change = 0, 0.0
        for one, other in combinations(range(len(lists)), 2):
            if means[0][one] is None or means[0][other] is None:
                continue
            apart = [mean[one] - mean[other] for mean in means]
            swaps += len(set(np.sign(on_grid(apart)).tolist())) > 1
            change = max(change, max(apart) - min(apart))
        assert found.swaps[at] == swaps
        assert found.change[at] == pytest.approx(change, abs=1e-9)
        assert found.spread[at] == max(those) - min(those)
