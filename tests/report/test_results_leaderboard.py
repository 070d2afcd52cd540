"""The views of results as reports: what readers and programs get of them."""

from __future__ import annotations

import csv
import io

import pytest

from judge_tui.analysis.basis import Basis, GradesUsed, Question
from judge_tui.analysis.leaderboard import intervals, mean_bounds, verdicts
from judge_tui.analysis.queries import deltas, most_divergent, own_values
from judge_tui.analysis.slices import query_slices
from judge_tui.report import render
from judge_tui.report.results.by_query import (
    deltas_report,
    divergent_report,
    own_values_report,
)
from judge_tui.report.results.leaderboard import leaderboard_report
from judge_tui.report.results.slices import slices_report
from judge_tui.scoring import parse_measures
from tests.analysis.small import judged_runs_of


def basis_of(measures, **more):
    return Basis(
        question=Question(),
        campaign="small",
        seed=1,
        measures=measures,
        shares=(),
        baseline="x",
        scale=(0, 1),
        grades=GradesUsed("majority", 40, 0, 0),
        **more,
    )


@pytest.fixture
def often_and_little():
    """y has the relevant document second where x has it third, 34 times; 6 times x has it first and
    y does not have it at all: 34 gains of 1/6 are 5.67, 6 losses of 1 are 6."""
    gains = {f"q{n:02}": ("bca", "bac") for n in range(34)}
    losses = {f"q{n:02}": ("abc", "bcd") for n in range(34, 40)}
    lists = {
        tag: {query: both[side] for query, both in (gains | losses).items()}
        for side, tag in enumerate("xy")
    }
    return judged_runs_of(lists, dict.fromkeys(gains | losses, "a1 b0 c0 d0"))


def undefined(report):
    """The lines on what has no value."""
    return [
        line for table in report.for_readers() if table.about == "reasons" for (line,) in table.rows
    ]


def records_of(report, name):
    return report.to_dict()[name]


def whole_board(judged, measures):
    return leaderboard_report(
        judged.scores(measures),
        basis_of(measures),
        intervals=intervals(judged.scores(measures), 1),
        bounds=mean_bounds(judged, measures, (0, 1)),
        verdicts=verdicts(judged, measures, "x"),
    )


def test_a_test_and_a_mean_that_do_not_agree_show_no_difference(often_and_little):
    measures = parse_measures(["RR@3", "GMAP"])
    report = whole_board(often_and_little, measures)
    records = {(r["tag"], r["measure"]): r for r in records_of(report, "runs")}
    one = records["y", "RR@3"]
    assert one["delta"] == pytest.approx((34 / 6 - 6) / 40)
    assert one["p_adjusted"] < 0.05
    assert one["verdict"] == "no difference shown"
    # GMAP is no arithmetic mean over queries.
    assert records["y", "GMAP"]["ci95_low"] is None
    board = report.brief().for_readers()[0]
    assert board.title == "RR@3 over 40 queries, beside x"


def test_runs_without_a_judged_query_are_there():
    report = whole_board(
        judged_runs_of({"x": {"q": "ab"}, "none": {"other": "a"}}, {"q": "a1"}),
        parse_measures(["RR@3"]),
    )
    entry = records_of(report, "runs")[1]
    assert (entry["tag"], entry["value"], entry["low"]) == ("none", None, None)
    assert any("it shares no judged query with the baseline" in line for line in undefined(report))
    for form in ("json", "csv", "md", "latex", "table"):
        assert "none" in render(report, form)


def test_json_has_the_records_of_the_csv(often_and_little):
    measures = parse_measures(["RR@3"])
    basis, (rr,) = basis_of(measures), measures
    divergent = most_divergent(often_and_little.lists, often_and_little.values(rr), rr)
    for report, name in (
        (whole_board(often_and_little, measures), "runs"),
        (deltas_report(deltas(often_and_little, rr, "x", "y"), basis), "deltas"),
        (own_values_report(own_values(often_and_little, rr, "x"), basis), "values"),
        (divergent_report(divergent, basis), "queries"),
        (slices_report(query_slices(often_and_little, [rr], "class", {}), basis), "slices"),
    ):
        [header, *rows] = csv.reader(io.StringIO(render(report, "csv")))
        records = records_of(report, name)
        assert [list(one) for one in records] == [header] * len(rows)
        assert [
            ["" if value is None else str(value) for value in one.values()] for one in records
        ] == rows
