"""What a leaderboard says beside its numbers."""

from __future__ import annotations

import pytest

from judge_tui.analysis.asked import Asked, Basis
from judge_tui.analysis.bounds import loose_ends
from judge_tui.analysis.leaderboard import intervals, leaderboard, verdicts
from judge_tui.report import render
from judge_tui.report.results import leaderboard_report
from judge_tui.scoring import parse_measures
from tests.analysis.small import standing_of


def basis_of(measures, **more):
    return Basis(
        asked=Asked(),
        campaign="small",
        seed=1,
        measures=measures,
        shares=(),
        baseline="x",
        grades=(0, 1),
        pairs=40,
        unresolved=0,
        unjudged=0,
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
    return standing_of(lists, dict.fromkeys(gains | losses, "a1 b0 c0 d0"))


def test_a_test_and_a_mean_that_do_not_agree_are_told(often_and_little):
    measures = parse_measures(["RR@3"])
    found = verdicts(often_and_little, measures, "x")
    one = found.of["y", "RR@3"]
    assert one.delta == pytest.approx((34 / 6 - 6) / 40)
    assert one.p_adjusted["wilcoxon"] < 0.05
    assert str(one.verdict) == "no difference shown"
    report = leaderboard_report(
        leaderboard(often_and_little, measures), basis_of(measures), verdicts=found
    )
    line = "y by RR@3: the test and the mean difference do not point the same way"
    assert sum(note.startswith(line) for note in report.notes) == 1


def test_the_family_of_a_verdict_is_told(often_and_little):
    measures = parse_measures(["RR@3", "P@1", "P@2"])
    found = verdicts(often_and_little, measures, "x")
    report = leaderboard_report(
        leaderboard(often_and_little, measures), basis_of(measures), verdicts=found
    )
    (line,) = (note for note in report.notes if note.startswith("verdict beside x"))
    assert "correction holm over a family of 3 (all measures and runs compared here" in line
    assert "intervals are not corrected" in line
    words = "verdicts: p corrected (holm) over 3 comparisons, intervals not corrected"
    assert words in report.pictures[0].note
    without = leaderboard_report(leaderboard(often_and_little, measures), basis_of(measures))
    assert "verdicts" not in without.pictures[0].note


def test_means_of_another_kind_are_told(often_and_little):
    measures = parse_measures(["RR@3", "GMAP"])
    report = leaderboard_report(
        leaderboard(often_and_little, measures),
        basis_of(measures),
        intervals=intervals(often_and_little, measures, 1),
        verdicts=verdicts(often_and_little, measures, "x"),
    )
    assert "GMAP: delta and verdict are of arithmetic means, which its own mean is not" in (
        report.notes
    )
    assert "no interval of GMAP for x and 1 more: GMAP is no arithmetic mean over queries" in (
        report.notes
    )
    run = report.document["runs"][0]
    assert run["ci95"]["GMAP"] is None
    assert run["why"]["ci95"] == {"GMAP": "GMAP is no arithmetic mean over queries"}


@pytest.mark.parametrize("form", ["table", "md"])
def test_why_there_is_no_p_stands_beside_the_verdict(form):
    """Of fifteen queries y has the relevant document first where x has it second for five."""
    ids = [f"q{n:02}" for n in range(15)]
    lists = {
        "x": dict.fromkeys(ids, "ba"),
        "y": dict.fromkeys(ids, "ba") | dict.fromkeys(ids[:5], "ab"),
    }
    standing = standing_of(lists, dict.fromkeys(ids, "a1 b0"))
    measures = parse_measures(["RR@2", "P@1", "P@2"])
    found = verdicts(standing, measures, "x")
    report = leaderboard_report(leaderboard(standing, measures), basis_of(measures), verdicts=found)
    why = "the runs differ for 5 of 15 queries; the test needs 6"
    entry = next(run for run in report.document["runs"] if run["tag"] == "y")["verdicts"]["RR@2"]
    assert (entry["p"], entry["verdict"], entry["why"]) == (None, "no difference shown", why)
    said = render(report, form).replace("\\", "")
    assert f"no p of RR@2, P@1 for y: {why}" in said
    # P@2 is the same for both in every query.
    assert "no p of P@2 for y: " in said


def test_what_was_not_worked_out_is_left_out(often_and_little):
    measures = parse_measures(["RR@3", "P@1"])
    board = leaderboard(often_and_little, measures)
    report = leaderboard_report(board, basis_of(measures), by=measures[1])
    assert [column.name for column in report.grids[0].columns] == ["run", "queries", "P@1"]
    assert list(report.document["runs"][0]) == [
        *("tag", "queries", "missing", "nothing_found", "mean")
    ]
    # By P@1, x has 6 of 40 first, y none.
    assert [row[:3] for row in report.grids[0].rows] == [["x", 40, 0.15], ["y", 40, 0.0]]
    assert report.rows[0][:4] == ("x", "RR@3", 40, board.rows[0].means["RR@3"])
    assert "whiskers" not in report.pictures[0].note


def test_runs_without_a_judged_query_are_there(often_and_little):
    lists = {"x": {"q": "ab"}, "none": {"other": "a"}}
    standing = standing_of(lists, {"q": "a1"})
    measures = parse_measures(["RR@3"])
    report = leaderboard_report(
        leaderboard(standing, measures),
        basis_of(measures),
        intervals=intervals(standing, measures, 1),
        loose=loose_ends(standing, measures, (0, 1)),
        verdicts=verdicts(standing, measures, "x"),
    )
    entry = report.document["runs"][1]
    assert (entry["tag"], entry["mean"], entry["bounds"]) == (
        "none",
        {"RR@3": None},
        {"RR@3": None},
    )
    assert entry["why"]["mean"] == "the run answers no judged query"
    assert entry["why"]["verdicts"] == "it shares no judged query with the baseline"
    text = render(report, "table")
    assert "none: no verdict: it shares no judged query with the baseline" in text
    for form in ("json", "csv", "md", "latex", "svg"):
        assert "none" in render(report, form)


def test_a_long_leaderboard_has_one_measure_in_detail():
    lists = {f"r{n:02}": {"q1": "ab", "q2": "ba"} for n in range(40)}
    standing = standing_of(lists, {"q1": "a1", "q2": "a1"})
    measures = parse_measures(["RR@2", "P@1", "P@2"])
    report = leaderboard_report(leaderboard(standing, measures), basis_of(measures))
    assert [grid.title for grid in report.grids] == ["By RR@2", "All measures"]
    assert "in detail by another measure: -m MEASURE; -f json and csv have all" in report.notes
    assert len(report.rows) == 120


@pytest.fixture
def apart():
    """x and y share q1 and q2 of the three that each is scored for; z is scored as x is."""
    lists = {
        "x": dict.fromkeys(["q1", "q2", "q3"], "ab"),
        "y": dict.fromkeys(["q1", "q2", "q4"], "ba"),
        "z": dict.fromkeys(["q1", "q2", "q3"], "ba"),
    }
    return standing_of(lists, dict.fromkeys(["q1", "q2", "q3", "q4"], "a1 b0"))


def test_a_delta_over_other_queries_than_the_means_says_over_how_many(apart):
    measures = parse_measures(["P@1"])
    report = leaderboard_report(
        leaderboard(apart, measures), basis_of(measures), verdicts=verdicts(apart, measures, "x")
    )
    (grid,) = report.grids
    names = [column.name for column in grid.columns]
    assert names == ["run", "queries", "P@1", "delta", "common", "p (holm)", "verdict"]
    assert [row[:5] for row in grid.rows] == [
        ["x", 3, 1.0, None, None],
        ["y", 3, 0.0, -1.0, 2],
        ["z", 3, 0.0, -1.0, 3],
    ]
    said = [note for note in report.notes if note.startswith("common: ")]
    assert said == [
        "common: the queries that both the run and x are scored for; delta, p and verdict are over"
        " these, means over each run's own (queries)"
    ]
    over = report.header.index("delta_queries")
    assert [row[over] for row in report.rows] == [None, 2, 3]


def test_where_all_are_scored_for_the_same_queries_nothing_is_said_of_it(often_and_little):
    measures = parse_measures(["P@1"])
    found = verdicts(often_and_little, measures, "x")
    report = leaderboard_report(
        leaderboard(often_and_little, measures), basis_of(measures), verdicts=found
    )
    assert "common" not in [column.name for column in report.grids[0].columns]
    assert not any("common" in note for note in report.notes)


def test_bounds_are_of_the_queries_that_are_averaged_now():
    measures = parse_measures(["RR@3"])
    said = "low and high are over the queries that are averaged now: judge a document of one"
    for lists, told in (({"q1": "ab", "q2": "ab"}, True), ({"q1": "ab"}, False)):
        standing = standing_of({"x": lists}, {"q1": "a1"})
        board, loose = leaderboard(standing, measures), loose_ends(standing, measures, (0, 1))
        report = leaderboard_report(board, basis_of(measures), loose=loose)
        assert any(note.startswith(said) for note in report.notes) == told
