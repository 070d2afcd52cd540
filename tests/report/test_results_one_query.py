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
