"""One run query by query."""

from __future__ import annotations

import pytest
from hypothesis import given

from judge_tui.analysis.by_query import own_values
from judge_tui.analysis.failures import side_by_side
from judge_tui.errors import UsageError
from judge_tui.scoring import parse_measure
from tests.analysis.drawn import campaigns
from tests.analysis.small import qrels_of, runs_of, standing_of
from tests.scored import score_runs

LISTS = {"x": {"q1": "abc", "q2": "bca", "q3": "a", "q4": "bcd"}, "y": {"q5": "a"}}
GRADES = {f"q{n}": "a1 b0" for n in range(1, 6)}
RR = parse_measure("RR@3")


def test_by_hand():
    found = own_values(standing_of(LISTS, GRADES), RR, "x")
    # The least first, and of equals the first by its id; q5 is of y alone.
    assert [(row.query_id, row.value) for row in found.rows] == [
        ("q4", 0),
        ("q2", 1 / 3),
        ("q1", 1),
        ("q3", 1),
    ]
    assert found.mean == pytest.approx((1 + 1 / 3 + 1 + 0) / 4)
    assert found.zeros == 1
    some = own_values(standing_of(LISTS, GRADES), RR, "x", among={"q2", "q3", "q5"})
    assert [row.query_id for row in some.rows] == ["q2", "q3"]
    assert some.mean == pytest.approx(2 / 3)
    none = own_values(standing_of(LISTS, GRADES), RR, "y", among={"q1"})
    assert (none.rows, none.mean) == ((), None)
    with pytest.raises(UsageError, match="no run 'z'"):
        own_values(standing_of(LISTS, GRADES), RR, "z")


@given(campaigns(least_runs=1))
def test_it_is_what_score_says(drawn):
    lists, grades = drawn
    measure = parse_measure("nDCG@4")
    found = own_values(standing_of(lists, grades), measure, "r0")
    runs = [run for run in runs_of(lists) if run.tag == "r0"]
    try:
        (expected,) = score_runs(qrels_of(grades), runs, [measure]).runs
    except UsageError:
        assert (found.rows, found.mean) == ((), None)
        return
    values = dict(zip(expected.query_ids, expected.values["nDCG@4"], strict=True))
    assert {row.query_id: row.value for row in found.rows} == values
    assert found.mean == (expected.mean(measure))


def test_the_ranking_of_one_run_has_no_other_ranks():
    standing = standing_of({"x": {"q": "abc"}, "y": {"q": "b"}}, {"q": "a2 b0"})
    found = side_by_side(standing, 0, "x")
    assert [(chr(one.document), one.grade, one.other_rank) for (one,) in found.rows] == [
        ("a", 2, None),
        ("b", 0, None),
        ("c", None, None),
    ]
    assert (found.tags, found.lengths, found.nothing) == (("x",), (3,), ("",))
