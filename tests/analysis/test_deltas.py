"""Two runs query by query, and side by side."""

from __future__ import annotations

import pytest
from hypothesis import example, given

from judge_tui import compare
from judge_tui.analysis.by_query import deltas
from judge_tui.analysis.failures import place_of_query, side_by_side
from judge_tui.errors import UsageError
from judge_tui.scoring import parse_measure
from tests.analysis.drawn import campaigns
from tests.analysis.small import qrels_of, runs_of, standing_of
from tests.scored import score_runs

LISTS = {
    "x": {"q1": "abc", "q2": "bca", "q3": "a", "q4": "bcd", "q5": "b", "q6": "a"},
    "y": {"q1": "bca", "q2": "abc", "q3": "a", "q4": "bac", "q6": "b", "q7": "a"},
}
GRADES = {f"q{n}": "a1 b0" for n in range(1, 8)}
RR = parse_measure("RR@3")


def test_by_hand():
    found = deltas(standing_of(LISTS, GRADES), RR, "x", "y")
    # RR of a: q1 1 -> 1/3, q2 1/3 -> 1, q3 1 -> 1, q4 0 -> 1/2, q6 1 -> 0. q5 and q7 are of one.
    assert [(row.query_id, row.bucket) for row in found.rows] == [
        ("q2", "improved"),
        ("q4", "added"),
        ("q3", "unchanged"),
        ("q1", "degraded"),
        ("q6", "removed"),
    ]
    assert [row.difference for row in found.rows] == pytest.approx([2 / 3, 1 / 2, 0, -2 / 3, -1])
    assert [row.before for row in found.rows] == [1 / 3, 0, 1, 1, 1]
    assert [row.after for row in found.rows] == [1, 1 / 2, 1, 1 / 3, 0]
    assert found.mean == pytest.approx(-1 / 10)
    assert (found.wins, found.ties, found.losses) == (2, 1, 2)
    assert (found.only_baseline, found.only_run) == (1, 1)
    assert found.buckets == {
        "added": 1,
        "removed": 1,
        "improved": 1,
        "degraded": 1,
        "unchanged": 1,
    }


def test_some_of_the_queries_are_compared_as_if_there_were_no_others():
    among = {"q2", "q3", "q5"}
    some = deltas(standing_of(LISTS, GRADES), RR, "x", "y", among=among)
    lists = {tag: {q: run[q] for q in run if q in among} for tag, run in LISTS.items()}
    alone = deltas(standing_of(lists, {q: GRADES[q] for q in among}), RR, "x", "y")
    assert (some.mean, some.ci95, some.buckets) == (alone.mean, alone.ci95, alone.buckets)
    assert [(row.query_id, row.difference) for row in some.rows] == [
        (row.query_id, row.difference) for row in alone.rows
    ]
    assert (some.only_baseline, some.only_run) == (1, 0)


@given(campaigns(least_runs=2))
@example(
    (
        {"r0": {"q1": "agh", "q2": "aed"}, "r1": {"q1": "ab", "q2": "gac"}},
        {"q1": "a0 b2 c2 g3 h3", "q2": "a1 b2 c2 d3 e0 g3"},
    )
)
def test_it_is_what_compare_says(drawn):
    lists, grades = drawn
    measure = parse_measure("nDCG@4")
    found = deltas(standing_of(lists, grades), measure, "r0", "r1", seed=2)
    try:
        runs = [run for run in runs_of(lists) if run.tag in ("r0", "r1")]
        (expected,) = compare(qrels_of(grades), runs, measure, seed=2, tests=["sign"])
    except UsageError:
        assert found.rows == ()
        assert (found.mean, found.ci95) == (None, None)
        return
    assert (found.mean, found.ci95) == (expected.delta, expected.ci95)
    assert (found.wins, found.ties, found.losses) == (
        expected.wins,
        expected.ties,
        expected.losses,
    )
    for bucket, members in expected.changed.to_dict().items():
        assert sorted(row.query_id for row in found.rows if row.bucket == bucket) == members


def test_refusals():
    standing = standing_of(LISTS, GRADES)
    with pytest.raises(UsageError, match="beside itself"):
        deltas(standing, RR, "x", "x")
    with pytest.raises(UsageError, match="no run 'yy'; did you mean 'y'"):
        deltas(standing, RR, "x", "yy")
    with pytest.raises(UsageError, match="more of Judged@3 does not make a run better"):
        deltas(standing, parse_measure("Judged@3"), "x", "y")
    with pytest.raises(UsageError, match="no query 'q'"):
        place_of_query(standing, "q")


def test_side_by_side():
    lists = {"x": {"q": "abcd"}, "y": {"q": "bxa"}}
    standing = standing_of(lists, {"q": "a2 b0 z3"})
    found = side_by_side(standing, 0, "x", "y", depth=4)
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
    assert [one.other_rank for one, _ in side_by_side(standing, 0, "x", "y", depth=1).rows] == [3]


@given(campaigns(least_runs=2))
def test_moves_are_mirrored(drawn):
    lists, grades = drawn
    standing = standing_of(lists, grades)
    for query in range(len(standing.rankings.query_ids)):
        rows = side_by_side(standing, query, "r0", "r1", depth=9).rows
        left = {one.document: one for one, _ in rows if one is not None}
        right = {one.document: one for _, one in rows if one is not None}
        for document in left.keys() & right.keys():
            assert left[document].other_rank == right[document].rank
            assert left[document].moved == -right[document].moved
        for document in left.keys() ^ right.keys():
            assert (left.get(document) or right[document]).other_rank is None


def test_values_are_those_of_score():
    standing = standing_of(LISTS, GRADES)
    expected = score_runs(qrels_of(GRADES), runs_of(LISTS), [RR])
    for row in deltas(standing, RR, "x", "y").rows:
        for tag, value in (("x", row.before), ("y", row.after)):
            run = expected[tag]
            assert run.values["RR@3"][run.query_ids.index(row.query_id)] == value
