"""Misses, first relevant ranks, rankings side by side: by hand, and by going through lists."""

from __future__ import annotations

from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.misses import find_misses, first_relevant, side_by_side
from judge_tui.errors import UsageError
from judge_tui.scoring import parse_measure
from tests.analysis.small import campaigns, judged_runs_of, qrels_of

LISTS = {
    "x": {"q1": "bcda", "q2": "ab", "q3": "bc", "q5": "a"},
    "y": {"q1": "ab", "q2": "b", "q3": "b", "q4": "ca"},
    "z": {"q1": "ba"},
}
GRADES = {"q1": "a2 b0 d0", "q2": "a1", "q3": "b0", "q4": "a3 c0"}


def test_by_hand():
    found = find_misses(judged_runs_of(LISTS, GRADES), "x", k=3)
    assert (found.queries, [row.query_id for row in found.rows]) == (4, ["q1", "q3", "q4"])
    q1, q3, q4 = found.rows
    # b and d are not relevant, c is unjudged; a comes fourth, and y and z have it at 1 and 2.
    assert [(one.rank, chr(one.document), one.grade) for one in q1.top] == [
        (1, "b", 0),
        (2, "c", None),
        (3, "d", 0),
    ]
    assert (q1.unjudged, q1.proven, q1.first, q1.answered) == (1, False, 4, True)
    (missed,) = q1.relevant
    assert (chr(missed.document), missed.grade, missed.rank) == ("a", 2, 4)
    assert missed.found_by == (("y", 1), ("z", 2))
    # Nothing is known to be relevant for q3.
    assert (q3.relevant, q3.first, q3.unjudged) == ((), None, 1)
    # x does not answer q4 at all.
    assert (q4.top, q4.answered, q4.proven) == ((), False, True)
    assert [one.found_by for one in q4.relevant] == [(("y", 2),)]


def test_a_deeper_top_misses_less():
    judged = judged_runs_of(LISTS, GRADES)
    assert [row.query_id for row in find_misses(judged, "x", k=4).rows] == ["q3", "q4"]
    with pytest.raises(UsageError, match="no run 'w'"):
        find_misses(judged, "w")


def test_what_most_runs_found_comes_first_of_a_grade():
    lists = {"x": {"q": "z"}, "u": {"q": "ab"}, "v": {"q": "bc"}}
    (row,) = find_misses(judged_runs_of(lists, {"q": "a1 b1 c3 d1 z0"}), "x").rows
    assert [chr(one.document) for one in row.relevant] == ["c", "b", "a", "d"]
    assert row.relevant[1].found_by == (("v", 1), ("u", 2))
    assert row.relevant[3].found_by == ()


@given(campaigns(), st.integers(1, 4))
def test_a_miss_is_a_query_without_success(drawn, k):
    lists, grades = drawn
    judged = judged_runs_of(lists, grades)
    qrels = qrels_of(grades)
    success = judged.values(parse_measure(f"Success@{k}"))
    for place, tag in enumerate(lists):
        found = find_misses(judged, tag, k)
        missed = {row.query_id for row in found.rows}
        assert found.queries == sum(bool(grades[query]) for query in grades)
        for at, query in enumerate(judged.lists.query_ids):
            if judged.scored[place, at]:
                assert (query in missed) == (success[place, at] == 0)
            else:
                assert (query in missed) == bool(qrels[query])
        for row in found.rows:
            own = lists[tag][row.query_id]
            known = qrels[row.query_id]
            assert [chr(one.document) for one in row.top] == list(own[:k])
            assert row.unjudged == sum(letter not in known for letter in own[:k])
            assert {chr(one.document) for one in row.relevant} == {
                letter for letter, grade in known.items() if grade >= 1
            }
            for one in row.relevant:
                letter = chr(one.document)
                assert one.rank == (own.index(letter) + 1 if letter in own else None)
                assert sorted(one.found_by) == sorted(
                    (other, lists[other][row.query_id].index(letter) + 1)
                    for other in lists
                    if other != tag and letter in lists[other][row.query_id]
                )


def test_histogram_by_hand():
    found = first_relevant(judged_runs_of(LISTS, GRADES))
    # No list is longer than 4.
    assert found.labels == ("1", "2", "3", "4–5")
    x, y, z = found.runs
    # x: q1 at 4 with c unjudged before it, q2 at 1, q3 none with c unjudged.
    assert (x.queries, x.counts, x.none, x.open) == (3, (1, 0, 0, 1), 1, 2)
    assert x.median == 4.0
    # y: q1 at 1, q2 none (b unjudged), q3 none (b judged), q4 at 2.
    assert (y.queries, y.counts, y.none, y.open) == (4, (1, 1, 0, 0), 2, 1)
    assert y.median is None
    assert (z.counts, z.median) == ((0, 1, 0, 0), 2.0)


def test_a_run_without_a_judged_query_has_no_median():
    (run,) = first_relevant(judged_runs_of({"x": {"q9": "a"}}, GRADES)).runs
    assert (run.queries, run.none, run.median) == (0, 0, None)


@given(campaigns())
def test_histogram_by_counting(drawn):
    lists, grades = drawn
    judged = judged_runs_of(lists, grades)
    found = first_relevant(judged)
    qrels = qrels_of(grades)
    for place, run in enumerate(found.runs):
        ranks, unsure = [], 0
        for query in lists[run.tag]:
            own = lists[run.tag][query]
            if not (own and qrels[query]):
                continue
            hits = [rank for rank, letter in enumerate(own, 1) if qrels[query].get(letter, -1) >= 1]
            ranks.append(hits[0] if hits else 99)
            before = own[: hits[0] - 1] if hits else own
            unsure += any(letter not in qrels[query] for letter in before)
        assert run.queries == len(ranks) == sum(run.counts) + run.none
        assert (run.none, run.open) == (ranks.count(99), unsure)
        for (first, last), count in zip(found.buckets, run.counts, strict=True):
            assert count == sum(first <= rank <= last for rank in ranks)
        if ranks and median(ranks) < 50:
            assert run.median == median(ranks)
        else:
            assert run.median is None
        # The reciprocal rank says the same.
        rr = judged.values(parse_measure("RR"))[place]
        assert sum(value == 0 for value in rr.tolist()) == run.none


def test_side_by_side():
    lists = {"x": {"q": "abcd"}, "y": {"q": "bxa"}}
    judged = judged_runs_of(lists, {"q": "a2 b0 z3"})
    found = side_by_side(judged, 0, "x", "y", depth=4)
    left, right = zip(*found.rows, strict=True)
    assert [
        (one.rank, chr(one.document), one.grade, one.other_rank, one.moved) for one in left
    ] == [
        (1, "a", 2, 3, 2),
        (2, "b", 0, 1, -1),
        (3, "c", None, None, None),
        (4, "d", None, None, None),
    ]
    assert right[3] is None
    assert [(chr(one.document), one.grade, one.other_rank, one.moved) for one in right[:3]] == [
        ("b", 0, 2, 1),
        ("x", None, None, None),
        ("a", 2, 1, -2),
    ]
    assert (found.lengths, found.known) == ((4, 3), (1, 0, 1, 1))
    # What stands below the depth still has its rank.
    assert [one.other_rank for one, _ in side_by_side(judged, 0, "x", "y", depth=1).rows] == [3]


@given(campaigns(least_runs=2))
def test_moves_are_mirrored(drawn):
    lists, grades = drawn
    judged = judged_runs_of(lists, grades)
    for query in range(len(judged.lists.query_ids)):
        rows = side_by_side(judged, query, "r0", "r1", depth=9).rows
        left = {one.document: one for one, _ in rows if one is not None}
        right = {one.document: one for _, one in rows if one is not None}
        for document in left.keys() & right.keys():
            assert left[document].other_rank == right[document].rank
            assert left[document].moved == -right[document].moved
        for document in left.keys() ^ right.keys():
            assert (left.get(document) or right[document]).other_rank is None
