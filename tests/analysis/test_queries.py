"""Query by query: two runs beside each other, one alone, and where all are furthest apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.queries import deltas, most_divergent, own_values
from judge_tui.scoring import parse_measure
from tests.analysis.small import campaigns, judged_runs_of

RR = parse_measure("RR")
LISTS = {
    "x": {"q1": "abc", "q2": "bca", "q3": "a", "q4": "bcd", "q5": "b", "q6": "a"},
    "y": {"q1": "bca", "q2": "abc", "q3": "a", "q4": "bac", "q6": "b", "q7": "a"},
}
GRADES = {f"q{n}": "a1 b0" for n in range(1, 8)}
RR3 = parse_measure("RR@3")


def test_deltas_by_hand():
    found = deltas(judged_runs_of(LISTS, GRADES), RR3, "x", "y")
    rows = found.comparison.by_query
    # RR of a: q1 1 -> 1/3, q2 1/3 -> 1, q3 1 -> 1, q4 0 -> 1/2, q6 1 -> 0. q5 and q7 are of one.
    assert [(row.query_id, row.bucket) for row in rows] == [
        ("q2", "improved"),
        ("q4", "added"),
        ("q3", "unchanged"),
        ("q1", "degraded"),
        ("q6", "removed"),
    ]
    assert [row.difference for row in rows] == pytest.approx([2 / 3, 1 / 2, 0, -2 / 3, -1])
    assert [row.before for row in rows] == [1 / 3, 0, 1, 1, 1]
    assert [row.after for row in rows] == [1, 1 / 2, 1, 1 / 3, 0]
    compared = found.comparison
    assert compared.delta == pytest.approx(-1 / 10)
    assert (compared.wins, compared.ties, compared.losses) == (2, 1, 2)
    assert (found.only_baseline, found.only_run) == (1, 1)
    # Nobody knows whether y was asked q5, or x q7.
    assert found.nothing == {"q5": {"y": "no result"}, "q7": {"x": "no result"}}


def test_some_of_the_queries_are_compared_as_if_there_were_no_others():
    among = {"q2", "q3", "q5"}
    some = deltas(judged_runs_of(LISTS, GRADES), RR3, "x", "y", among=among)
    lists = {tag: {q: run[q] for q in run if q in among} for tag, run in LISTS.items()}
    alone = deltas(judged_runs_of(lists, {q: GRADES[q] for q in among}), RR3, "x", "y")
    assert some.comparison == alone.comparison
    assert some.comparison.by_query == alone.comparison.by_query
    assert (some.only_baseline, some.only_run) == (1, 0)


@pytest.mark.parametrize(
    ("tag", "among", "values"),
    [
        # The least first, and of equals the first by its id; q7 is of y alone.
        ("x", None, {"q4": 0, "q5": 0, "q2": 1 / 3, "q1": 1, "q3": 1, "q6": 1}),
        ("x", {"q2", "q3", "q7"}, {"q2": 1 / 3, "q3": 1}),
        ("y", {"q5"}, {}),
    ],
)
def test_own_values_by_hand(tag, among, values):
    found = own_values(judged_runs_of(LISTS, GRADES), RR3, tag, among)
    assert {row.query_id: row.value for row in found.rows} == values
    assert [row.query_id for row in found.rows] == [*values]
    assert found.mean == (pytest.approx(sum(values.values()) / len(values)) if values else None)


def divergent(judged, measure, k=10):
    return most_divergent(judged.lists, judged.values(measure), measure, k).rows


def test_divergent_by_hand():
    lists = {
        "x": {"q1": "ab", "q2": "ab", "q3": "a"},
        "y": {"q1": "cd", "q2": "ab"},
        "z": {"q1": "ba", "q2": "ba"},
    }
    judged = judged_runs_of(lists, dict.fromkeys(("q1", "q2", "q3"), "a1 c0"))
    q1, q2 = divergent(judged, RR, k=2)
    # RR for q1: 1, 0 and 1/2; for q2: 1, 1 and 1/2. q3 is of one run.
    assert (q1.query_id, q1.sd) == ("q1", pytest.approx(np.std([1, 0, 0.5])))
    assert (q1.least, q1.greatest, q1.range) == (0.0, 1.0, 1.0)
    assert (q1.worst, q1.best) == (("y",), ("x",))
    # {a b} and {c d} share none, {a b} and {b a} all: 0, 1, 0.
    assert q1.overlap == pytest.approx(1 / 3)
    assert (q2.query_id, q2.overlap, q2.best, q2.worst) == ("q2", 1.0, ("x", "y"), ("z",))


def test_values_alike_but_for_the_last_digit_are_both_the_best():
    # AP: 1/3 (1/2 + 2/3 + 3/9) and 1/3 (1/2 + 2/4 + 3/6) are 1/2, as numbers of a machine two.
    lists = {"x": "nabopqrsc", "y": "naobpcqrs", "z": "nopqrsabc"}
    judged = judged_runs_of({tag: {"q": one} for tag, one in lists.items()}, {"q": "a1 b1 c1"})
    measure = parse_measure("AP")
    x, y, _ = judged.values(measure)[:, 0].tolist()
    assert x != y
    (row,) = divergent(judged, measure)
    assert (row.best, row.worst) == (("x", "y"), ("z",))


@given(campaigns(least_runs=2), st.integers(1, 4))
def test_divergent_by_counting(drawn, k):
    lists, grades = drawn
    judged = judged_runs_of(lists, grades)
    measure = parse_measure("nDCG@3")
    scores = judged.scores([measure])
    found = {row.query_id: row for row in divergent(judged, measure, k)}
    for query in grades:
        values = [
            run.values["nDCG@3"][run.query_ids.index(query)]
            for run in scores.runs
            if query in run.query_ids
        ]
        if len(values) < 2:
            assert query not in found
            continue
        assert found[query].sd == pytest.approx(np.std(values), abs=1e-12)
        assert (found[query].runs, found[query].range) == (len(values), max(values) - min(values))
        tops = [set(run[query][:k]) for run in lists.values() if run[query]]
        pairs = [len(a & b) / len(a | b) for a, b in combinations(tops, 2)]
        assert found[query].overlap == pytest.approx(np.mean(pairs))
    spreads = [round(row.sd, 8) for row in found.values()]
    assert spreads == sorted(spreads, reverse=True)


def test_a_run_that_found_nothing_shares_nothing_with_others():
    """Of x, y, z and w the pairs xy, xz, yz, xw and yw are 1, 0, 0, 0 and 0; zw is none."""
    judged = judged_runs_of({"x": {"q": "ab"}, "y": {"q": "ab"}, "z": {}, "w": {}}, {"q": "a1"})
    values = np.array([[1.0], [1.0], [0.0], [0.0]])
    (row,) = most_divergent(judged.lists, values, RR).rows
    assert row.overlap == pytest.approx(1 / 5)


def test_queries_that_divide_alike_but_for_the_last_digit_stand_by_their_overlap():
    # P@10 of .7 and .5, .4 and .2, .3 and .1: as numbers of a machine their deviations differ.
    letters = "abcdefghijklmn"
    lists = {
        "x": {"q1": letters[:7], "q2": letters[:4], "q3": letters[:3]},
        "y": {"q1": letters[:5], "q2": letters[:2], "q3": "zn"},
    }
    grades = {"q1": "a1 b1 c1 d1 e1 f1 g1", "q2": "a1 b1 c1 d1", "q3": "a1 b1 c1 n1"}
    rows = divergent(judged_runs_of(lists, grades), parse_measure("P@10"), 10)
    assert [round(row.sd, 12) for row in rows] == [0.1, 0.1, 0.1]
    assert len({row.sd for row in rows}) > 1
    # Least overlap first: 0 of 5, 2 of 4, 5 of 7.
    assert [row.query_id for row in rows] == ["q3", "q2", "q1"]
