"""Rows as they are painted: exactly as wide as they are to be, each character in its styles."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from judge_tui.tui.document import Finding, ReadyDocument
from judge_tui.tui.document.painting import Painter
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import PlainReading, Reading
from tests.tui.document.readings import TEXTS, Written


def look(names: tuple[str, ...]) -> Style:
    """A style that tells by which names it was made."""
    return Style(meta={"names": names})


def painter(
    reading: Reading, width: int, *, wraps: bool = True, query: str = "", find: str = ""
) -> Painter:
    document = ReadyDocument(StyledText(reading), query_words(query))
    found = Painter(document, width, wraps=wraps)
    document.lay_out(found.room, wraps=wraps)
    if find:
        document.finding = Finding(find)
    while not document.is_settled:
        document.advance()
    return found


def texts(painter: Painter) -> list[str]:
    rows = range(len(painter.document.rows))
    return [painter.paint(row, look).text.rstrip() for row in rows]


def styled(painter: Painter, row: int) -> list[tuple[str, tuple[str, ...]]]:
    strip = painter.paint(row, look)
    return [(s.text, s.style.meta["names"]) for s in strip if s.style and s.style.meta["names"]]


@settings(deadline=None)
@given(TEXTS, st.integers(4, 40), st.integers(0, 60), st.booleans(), st.booleans())
@example(text="0", width=7, shift=0, wraps=False, numbered=True)
def test_every_row_is_exactly_as_wide_as_it_is_to_be(
    text: str, width: int, shift: int, wraps: bool, numbered: bool
) -> None:
    spans = tuple((at, at + 3, "code") for at in range(0, len(text), 5))
    first = 1 if numbered else None
    reading = Written(text + "x", spans, first_line=first, last_line=first and 120)
    found = painter(reading, width, wraps=wraps, query="日本 abc नमस्ते", find="a")
    found.shift = 0 if wraps else shift
    for row in range(len(found.document.rows) + 1):
        strip = found.paint(row, look)
        assert strip.cell_length == width
        assert sum(cell_len(segment.text) for segment in strip) == width


@settings(deadline=None)
@given(TEXTS, st.integers(12, 40))
def test_what_is_painted_is_the_text(text: str, width: int) -> None:
    text = "x" + text.replace("\u3000", " ")
    found = painter(Written(text, ((0, 3, "code"),)), width, query="abc")
    rows = [found.document.rows[row] for row in range(len(found.document.rows))]
    painted = [found.paint(row, look).text for row in range(len(rows))]
    for (start, end), line in zip(rows, painted, strict=True):
        assert line.startswith(" " + text[start:end])
        assert not line[1 + end - start :].strip()


def test_styles_lie_over_each_other() -> None:
    reading = Written("# read a list of lists", ((0, 22, "heading"), (7, 13, "code")))
    found = painter(reading, 40, query="list", find="lis")
    assert found.document.finding is not None
    found.document.finding.go(0, 1, is_end=True)
    assert styled(found, 0) == [
        ("# read ", ("heading",)),
        ("a ", ("heading", "code")),
        ("lis", ("heading", "code", "mark", "here")),
        ("t", ("heading", "code", "mark")),
        (" of ", ("heading",)),
        ("lis", ("heading", "mark", "hit")),
        ("ts", ("heading", "mark")),
    ]
    found.marked = False
    assert ("t", ("heading", "code")) in styled(found, 0)


def test_a_style_that_ends_within_a_grapheme_goes_to_its_end() -> None:
    found = painter(PlainReading("a 👩\u200d👧!"), 40, find="a 👩")
    assert styled(found, 0)[0][0] == "a 👩\u200d👧"


def test_a_style_that_begins_within_a_grapheme_begins_after_it() -> None:
    found = painter(Written("cafe\u0301s!", ((4, 6, "code"),)), 40)
    assert styled(found, 0) == [("s", ("code",))]


def test_a_row_that_ends_within_a_heap_of_marks_is_painted_to_its_end() -> None:
    text = "a" + "\u0301" * 20_000
    found = painter(Written(text, ((0, len(text), "code"),)), 20)
    rows = [found.document.rows[row] for row in range(len(found.document.rows))]
    assert len(rows) > 1
    for row, (start, end) in enumerate(rows):
        assert found.paint(row, look).text.strip() == text[start:end]


def test_a_hit_next_to_the_one_one_is_at_is_another_one() -> None:
    found = painter(PlainReading("aaa"), 40, find="a")
    assert found.document.finding is not None
    found.document.finding.go(1, 1, is_end=True)
    assert styled(found, 0) == [("a", ("hit",)), ("a", ("here",)), ("a", ("hit",))]


def test_what_is_over_a_break_is_marked_on_both_sides_of_it() -> None:
    """A hit over two rows, a word over three, a style over all of them."""
    reading = Written("one two three x" + "y" * 30, ((4, 46, "code"),))
    found = painter(reading, 12, query="x" + "y" * 30, find="two three")
    assert found.document.finding is not None
    found.document.finding.go(0, 1, is_end=True)
    assert texts(found)[:3] == [" one two", " three", " x" + "y" * 9]
    assert [styled(found, row) for row in range(6)] == [
        [("two", ("code", "here"))],
        [("three", ("code", "here"))],
        [("x" + "y" * 9, ("code", "mark"))],
        [("y" * 10, ("code", "mark"))],
        [("y" * 10, ("code", "mark"))],
        [("y", ("code", "mark"))],
    ]
    found.document.finding.go(0, 1, is_end=True)
    found.document.finding.here = None
    assert styled(found, 1) == [("three", ("code", "hit"))]


def test_numbers_stand_at_the_first_row_of_each_line_only() -> None:
    reading = Written("one two three\n\nlast", first_line=9, last_line=11)
    assert texts(painter(reading, 14)) == ["  9  one two", "     three", " 10", " 11  last"]


@pytest.mark.parametrize(
    ("shift", "expected"),
    [
        (0, [" short", " 0123456›", " 日本語 ›"]),
        (1, ["‹hort", "‹1234567›", "‹ 本語テ›"]),
        (3, ["‹rt", "‹3456789›", "‹ 語テキ"]),
        (5, ["‹", "‹56789ab", "‹ テキ"]),
        (50, ["‹", "‹", "‹"]),
    ],
)
def test_lines_that_are_not_wrapped_go_on_beyond_the_screen(
    shift: int, expected: list[str]
) -> None:
    found = painter(PlainReading("short\n0123456789ab\n日本語テキ"), 9, wraps=False)
    found.shift = shift
    assert texts(found) == expected


def test_how_far_a_line_goes_is_measured_no_further_than_asked() -> None:
    found = painter(PlainReading("日本\n" + "日" * 1_000_000), 20, wraps=False)
    assert found.reach(0, 100) == 4
    assert found.reach(1, 100) == 100
    assert found.cell(1, 3 + 500_000) == 1_000_000
