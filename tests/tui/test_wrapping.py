"""Wrapping: nothing lost, nothing too wide, graphemes whole, at any width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, split_graphemes

from judge_tui.tui.wrapping import wrap

TEXTS = st.text(
    st.one_of(
        st.sampled_from(" \n  abc"),
        st.sampled_from("日本語テキスト"),
        st.sampled_from("é\u0301👍🏽👩\u200d👧\ufe0f🇬🇧"),
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")),
    ),
    max_size=120,
)


def rows(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in wrap(text, width)]


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("", 5, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("a\n\nb", 5, ["a", "", "b"]),
        ("a\n", 5, ["a", ""]),
        ("日本語です", 4, ["日本", "語で", "す"]),
        ("日本 語です", 6, ["日本", "語です"]),
        ("日", 1, ["日"]),
    ],
)
def test_by_hand(text: str, width: int, expected: list[str]) -> None:
    assert rows(text, width) == expected


@given(TEXTS, st.integers(2, 40))
def test_only_spaces_and_newlines_at_breaks_are_dropped(text: str, width: int) -> None:
    found = wrap(text, width)
    at = 0
    for start, end in found:
        assert text[at:start] in ("", " ", "\n"), (at, start)
        assert end >= start
        at = end
    assert at == len(text)


@given(TEXTS, st.integers(2, 40))
def test_no_row_is_wider_than_asked(text: str, width: int) -> None:
    for row in rows(text, width):
        widest = max((cells for _, _, cells in split_graphemes(row)[0]), default=0)
        assert cell_len(row) <= max(width, widest)


@given(TEXTS, st.integers(2, 40))
def test_no_grapheme_is_divided(text: str, width: int) -> None:
    for line_start, line in _lines(text):
        borders = {line_start + start for start, _, _ in split_graphemes(line)[0]}
        borders.add(line_start + len(line))
        inside = [
            start for start, _ in wrap(text, width) if line_start <= start <= line_start + len(line)
        ]
        assert set(inside) <= borders


def _lines(text: str) -> list[tuple[int, str]]:
    found, at = [], 0
    for line in text.split("\n"):
        found.append((at, line))
        at += len(line) + 1
    return found
