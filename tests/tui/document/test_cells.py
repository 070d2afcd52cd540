"""Cells: the widths by which Textual lays out the screen."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, split_graphemes

from judge_tui.tui.cells import Cells, cells_of, whole
from tests.tui.document.readings import TEXTS

FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", [1, 1, 1]),
        ("日本", [2, 2]),
        ("e\u0301a", [1, 0, 1]),
        ("👩\u200d👧!", [2, 0, 0, 1]),
        ("☁\ufe0f", [2, 0]),
        ("☁", [1]),
        ("1\ufe0f\u20e3", [2, 0, 0]),
        ("👍🏽", [2, 0]),
        ("🇬🇧🇫🇷", [2, 0, 2, 0]),
        ("🇬a", [1, 1]),
        ("नमस्ते", [1, 1, 1, 0, 1, 0]),
        ("☁" + "\u0301\ufe0f" * 300 + "a\ufe0f", [2] + [0] * 600 + [1, 0]),
        ("a" + "\ufe0f" * 300 + "☁\ufe0f", [1] + [0] * 300 + [2, 0]),
        ("", []),
    ],
)
def test_by_hand(text: str, expected: list[int]) -> None:
    assert list(cells_of(text)) == expected


@given(TEXTS)
def test_the_widths_are_those_of_rich(text: str) -> None:
    text = "a" + text.replace("\n", " ")
    assert sum(cells_of(text)) == cell_len(text)
    for start, end, cells in split_graphemes(text)[0]:
        if not FLAGS.match(text, start):
            assert sum(cells_of(text)[start:end]) == cells


@given(TEXTS, st.integers(0, 200))
def test_a_cell_is_found_again(text: str, cell: int) -> None:
    line = "a" + text.replace("\n", " ")
    cells = Cells(line, 0, len(line))
    offset, at = cells.offset(cell)
    assert cells.cell(offset) == at == sum(cells_of(line)[:offset])
    assert offset == len(line) or at - cell in (0, 1)


def test_a_long_line_is_measured_in_pieces() -> None:
    line = "日本 e\u0301 👩\u200d👧" * 10_000
    cells = Cells(line, 0, len(line))
    widths = cells_of(line)
    for offset in (0, 1, 4096, 55_555, len(line)):
        assert cells.cell(offset) == sum(widths[:offset])
    assert cells.offset(sum(widths)) == (len(line), sum(widths))
    assert cells.offset(10**9) == (len(line), sum(widths))


@given(TEXTS)
def test_whole_graphemes_end_where_the_next_begins(text: str) -> None:
    text = "a" + text.replace("\n", " ") + "a"
    widths = cells_of(text)
    for at in range(len(text)):
        end = whole(text, at)
        assert end >= at
        if "\u200d" not in text and not FLAGS.search(text):
            assert widths[end] > 0
            assert not any(widths[at:end])


def test_a_heap_of_marks_is_not_looked_through_to_its_end() -> None:
    assert whole("a" + "\u0301" * 1_000_000, 1) < 10_000
