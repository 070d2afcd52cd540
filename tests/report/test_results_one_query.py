"""What is counted is said in the number that it is in."""

from __future__ import annotations

import pytest

from judge_tui.analysis.deltas import deltas
from judge_tui.analysis.divided import divided
from judge_tui.report.results import deltas_report, divided_report
from judge_tui.scoring import parse_measures
from tests.analysis.small import standing_of
from tests.report.test_results_leaderboard import basis_of


@pytest.mark.parametrize(("alone", "said"), [("3", "1 query"), ("34", "2 queries")])
def test_queries_of_one_run_alone_are_counted(alone: str, said: str) -> None:
    measures = parse_measures(["RR"])
    lists = {"x": {f"q{one}": "ab" for one in f"12{alone}"}, "y": {"q1": "ab", "q2": "ba"}}
    standing = standing_of(lists, {f"q{one}": "a1" for one in f"12{alone}"})
    basis = basis_of(measures)
    found = deltas_report(deltas(standing, measures[0], "x", "y"), basis)
    assert f"left out: {said} that x alone is scored for" in found.notes
    found = divided_report(divided(standing, measures[0]), basis)
    assert f"left out: {said} that one run alone is scored for" in found.notes


def test_where_no_query_divides_the_systems_that_is_said() -> None:
    measures = parse_measures(["RR"])
    lists = {"x": {"q1": "ab", "q2": ""}, "y": {"q1": "ac", "q2": ""}}
    standing = standing_of(lists, {"q1": "a1", "q2": "a1"})
    found = divided_report(divided(standing, measures[0]), basis_of(measures))
    [grid] = found.grids
    assert [row[5:7] for row in grid.rows] == [["all level", "all level"]] * len(grid.rows)
    assert "no query divides the systems: all are level on each" in found.notes
    lists["y"]["q1"] = "ba"
    standing = standing_of(lists, {"q1": "a1", "q2": "a1"})
    found = divided_report(divided(standing, measures[0]), basis_of(measures))
    assert found.grids[0].rows[0][5:7] == ["y", "x"]
    assert not any(note.startswith("no query divides") for note in found.notes)
