"""Cells: the widths by which Textual lays out the screen."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from rich.cells import cell_len, split_graphemes

from judge_tui.tui.cells import cells_of, whole
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
