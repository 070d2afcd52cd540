"""Rows on their way out: any text comes back, and no spreadsheet runs it."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.tables import csv_lines
from judge_tui.formats.writing import form_of, write_lines, write_text

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
    assert [[cell.removeprefix("'") for cell in row] for row in read] == rows


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


@pytest.mark.parametrize(
    ("path", "form", "expected"),
    [
        ("a.csv", None, "csv"),
        ("A.CSV", None, "csv"),
        ("a.csv.GZ", None, "csv"),
        ("a.jsonl.gz", None, "jsonl"),
        ("a.jsonl", None, "jsonl"),
        ("a.ndjson", None, "jsonl"),
        ("-", None, "csv"),
        ("-", "jsonl", "jsonl"),
        ("a.csv", "jsonl", "jsonl"),
        (Path("dir.csv/a.jsonl"), None, "jsonl"),
    ],
)
def test_the_form(path, form, expected):
    assert form_of(path, form) == expected


@pytest.mark.parametrize("path", ["a.json", "a", "a.json.gz", "a.csv.xz", "csv"])
def test_a_name_that_does_not_say_the_form(path):
    with pytest.raises(UsageError, match="CSV or JSON Lines; name it"):
        form_of(path)


def test_all_or_nothing(tmp_path):
    def lines():
        yield "half\n"
        raise InputError("x", 1, "broken")

    (tmp_path / "a.csv").write_text("before")
    with pytest.raises(InputError):
        write_lines(tmp_path / "a.csv", lines())
    assert (tmp_path / "a.csv").read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


def test_what_is_named_so_is_compressed_and_always_the_same(tmp_path):
    first, second = tmp_path / "a.csv.gz", tmp_path / "b.csv.GZ"
    for path in (first, second):
        write_lines(path, csv_lines(["a"], [["naïve"], [1]]))
    assert gzip.decompress(first.read_bytes()) == "a\nnaïve\n1\n".encode()
    assert first.read_bytes() == second.read_bytes()
    write_text("text\n", tmp_path / "c.md.gz")
    assert gzip.decompress((tmp_path / "c.md.gz").read_bytes()) == b"text\n"
