"""What a spreadsheet would run is guarded in what is written, and read back without the guard."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats.outcomes_csv import read_outcomes
from judge_tui.formats.tables import csv_cell, csv_lines, unguarded
from judge_tui.formats.whole_files import read_qrels, read_run
from judge_tui.report.forms import render
from judge_tui.report.layout import Report

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
RISKY = st.builds(str.__add__, st.sampled_from([*"=+-@'\t\r\n", ""]), TEXT)


@given(RISKY)
def test_any_text_is_read_as_it_was(text: str) -> None:
    cell = csv_cell(text)
    if cell.startswith('"'):
        cell = cell[1:-1].replace('""', '"')
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert unguarded(cell) == text


def test_what_stands_behind_another_separator_is_quoted() -> None:
    # Where a semicolon separates, `=1` would be a cell of its own.
    assert csv_cell("a;=1") == '"a;=1"'
    assert csv_cell("a\t=1") == '"a\t=1"'


@pytest.mark.parametrize("doc_id", ["=1+1", "-5", "@x", "'x", "'=x", "it's", "+a;b"])
def test_ids_are_the_same_again_in_qrels_and_runs(tmp_path: Path, doc_id: str) -> None:
    rows = [("q1", doc_id, 2), ("q1", "d2", 1)]
    path = tmp_path / "given.csv"
    path.write_text("".join(csv_lines(["query_id", "doc_id", "grade"], rows)))
    assert read_qrels(path) == {"q1": {doc_id: 2, "d2": 1}}
    path.write_text("".join(csv_lines(["query_id", "doc_id", "score"], rows)))
    # Plain tables are read in one go, others row by row: both must take the guard off.
    assert read_run(path).scores == {"q1": {doc_id: 2.0, "d2": 1.0}}
    path.write_text("".join(csv_lines(["query_id", "doc_id", "rank"], rows)))
    assert read_run(path).scores == {"q1": {doc_id: -2.0, "d2": -1.0}}


def test_a_quote_that_guards_nothing_is_part_of_the_id(tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_text("query_id,doc_id,score\nq1,'tis,1\n")
    assert read_run(path).scores == {"q1": {"'tis": 1.0}}


def test_tasks_and_arms_are_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    rows = [("=t", "-old", 1), ("=t", "+new", 0)]
    path.write_text("".join(csv_lines(["task", "arm", "@check"], rows)))
    outcomes = read_outcomes(path)
    assert (outcomes.tasks, outcomes.arms, outcomes.checks) == (
        ("=t",),
        ("-old", "+new"),
        ("@check",),
    )


def test_reports_guard_text_and_never_numbers() -> None:
    report = Report({}, ("tag", "difference"), [("=cmd|'/C calc'!A0", -0.5), ("a;=1", -3)], [], ())
    assert render(report, "csv") == ("tag,difference\n'=cmd|'/C calc'!A0,-0.5\n\"a;=1\",-3\n")
