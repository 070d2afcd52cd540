"""Rows on their way out: any text comes back, and no spreadsheet runs it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.outcomes_csv import read_outcomes
from judge_tui.formats.tables import csv_lines, unguarded
from judge_tui.formats.whole_files import read_qrels, read_run
from judge_tui.report import render
from judge_tui.report.layout import Column, Report, Table

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
RISKY = st.builds(str.__add__, st.sampled_from([*"=+-@'\t\r\n", ""]), ANY_TEXT)


@given(st.lists(st.lists(RISKY, min_size=2, max_size=2), max_size=4))
def test_any_text_comes_back_from_csv(rows):
    text = "".join(csv_lines(["a", "b"], rows))
    header, *read = csv.reader(io.StringIO(text, newline=""))
    assert header == ["a", "b"]
    for row in read:
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert [[*map(unguarded, row)] for row in read] == rows


@given(st.dictionaries(ANY_TEXT, RISKY, max_size=3))
def test_any_text_comes_back_from_json_lines(document):
    (line,) = jsonl_lines([document])
    assert json.loads(line) == document
    assert line.isascii()
    assert line[:-1].isprintable()


def test_numbers_and_what_is_undefined():
    rows = [[-3, 0.1, None, True], [7, -1e-9, "", False]]
    assert list(csv_lines(["a", "b", "-c", "d"], rows)) == [
        "a,b,'-c,d\n",
        "-3,0.1,,true\n",
        "7,-1e-09,,false\n",
    ]
    # Where a semicolon or a tab separates, `=1` would be a cell of its own.
    assert list(csv_lines(["a;=1", "b\t=1"], [])) == ['"a;=1","b\t=1"\n']
    columns = [Column("tag"), Column("difference")]
    report = Report([Table("", columns, [("=cmd|'/C calc'!A0", -0.5), ("a;=1", -3)], "rows")])
    assert render(report, "csv") == ("tag,difference\n'=cmd|'/C calc'!A0,-0.5\n\"a;=1\",-3\n")


@pytest.mark.parametrize("doc_id", ["=1+1", "-5", "@x", "'x", "'=x", "it's", "+a;b"])
def test_ids_are_the_same_again_in_qrels_and_runs(tmp_path: Path, doc_id: str) -> None:
    path = tmp_path / "file.csv"
    for third, read, numbers in (
        ("grade", read_qrels, (2, 1)),
        ("score", lambda path: read_run(path).scores, (2.0, 1.0)),
        ("rank", lambda path: read_run(path).scores, (-2.0, -1.0)),
    ):
        rows = [("q1", doc_id, 2), ("q1", "d2", 1)]
        path.write_text("".join(csv_lines(["query_id", "doc_id", third], rows)))
        assert read(path) == {"q1": {doc_id: numbers[0], "d2": numbers[1]}}
    # A quote that guards nothing is part of the id.
    path.write_text("query_id,doc_id,score\nq1,'tis,1\n")
    assert read_run(path).scores == {"q1": {"'tis": 1.0}}


def test_tasks_and_arms_are_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    rows = [("=t", "-old", 1), ("=t", "+new", 0)]
    path.write_text("".join(csv_lines(["task", "arm", "@check"], rows)))
    found = read_outcomes(path)
    assert (found.tasks, found.arms, found.checks) == (("=t",), ("-old", "+new"), ("@check",))
