"""What slices say where there is little to say."""

from __future__ import annotations

from judge_tui.analysis.slices import query_slices
from judge_tui.report import render
from judge_tui.report.results import query_slices_report
from judge_tui.scoring import parse_measures
from tests.analysis.small import standing_of
from tests.report.test_results_leaderboard import basis_of


def test_of_one_slice_no_evenness_is_told():
    measures = parse_measures(["RR"])
    standing = standing_of({"x": {"q1": "ab", "q2": "ba"}}, {"q1": "a1", "q2": "a1"})
    found = query_slices(standing, measures[0], "class", {"q1": "how", "q2": "how"})
    report = query_slices_report([found], basis_of(measures))
    (told,) = report.document["consistency"]
    assert (told["slices"], told["sd_between"], told["best"], told["worst"]) == (
        1, None, None, None,
    )  # fmt: skip
    assert told["why"] == "there is one slice only"
    assert (told["mean"], told["sd"]) == (0.75, 0.25)
    consistency = render(report, "md").partition("Consistency")[2]
    (row,) = [line for line in consistency.splitlines() if line.startswith("| x ")]
    assert [cell.strip() for cell in row.split("|")[1:-1]] == [
        "x", "2", "0.7500", "0.2500", "1", "-", "-", "-",
    ]  # fmt: skip
