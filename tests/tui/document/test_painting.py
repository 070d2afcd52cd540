"""Rows as they are painted: exactly as wide as they are to be, each character in its styles."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from judge_tui.tui.document import Finding, ReadyDocument
from judge_tui.tui.document.painting import Painter
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import Reading
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


def test_a_row_that_ends_within_a_heap_of_marks_is_painted_to_its_end() -> None:
    text = "a" + "\u0301" * 20_000
    found = painter(Written(text, ((0, len(text), "code"),)), 20)
    rows = [found.document.rows[row] for row in range(len(found.document.rows))]
    assert len(rows) > 1
    for row, (start, end) in enumerate(rows):
        assert found.paint(row, look).text.strip() == text[start:end]
