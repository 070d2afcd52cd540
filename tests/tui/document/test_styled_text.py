"""The text of a reading, its styles, the numbers of its lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.reading import PlainReading, Span
from tests.tui.document.readings import Pieces, Written

NAMES = ("heading", "code", "emphasis")


@st.composite
def spans(draw: st.DrawFn, length: int) -> tuple[Span, ...]:
    found = draw(
        st.lists(
            st.tuples(st.integers(0, length), st.integers(0, length), st.sampled_from(NAMES)),
            max_size=12,
        )
    )
    return tuple(sorted((min(a, b), max(a, b), name) for a, b, name in found))


def whole(styled: StyledText, step: int = 4096) -> StyledText:
    while not styled.done:
        styled.take(step)
    return styled


@given(st.data(), st.lists(st.integers(1, 30), min_size=1, max_size=5))
def test_each_character_has_the_styles_that_its_spans_give(
    data: st.DataObject, steps: list[int]
) -> None:
    text = data.draw(st.text("ab \n", min_size=1, max_size=60))
    given_spans = data.draw(spans(len(text)))
    reading = Pieces(
        Written("x" + text, tuple((a + 1, b + 1, n) for a, b, n in given_spans)), steps
    )
    styled = whole(StyledText(reading))
    found: list[tuple[str, ...]] = [()] * len(styled.text)
    last = 0
    for start, end, names in styled.runs(0, len(styled.text)):
        assert last <= start < end
        last = end
        found[start:end] = [names] * (end - start)
    for at, names in enumerate(found[1:]):
        expected = [name for start, end, name in given_spans if start <= at < end]
        # The last one on top; one that is there twice counts where it is on top.
        assert list(names) == [n for i, n in enumerate(expected) if n not in expected[i + 1 :]]


@given(st.integers(0, 30), st.integers(1, 30))
def test_runs_are_cut_at_the_borders_asked_for(start: int, length: int) -> None:
    styled = whole(StyledText(Written("x" * 60, ((5, 20, "code"), (20, 40, "link")))))
    end = start + length
    expected = [
        (max(start, left), min(end, right), (name,))
        for left, right, name in ((5, 20, "code"), (20, 40, "link"))
        if max(start, left) < min(end, right)
    ]
    assert list(styled.runs(start, end)) == expected


def test_a_head_stands_above_the_text_and_is_made_visible() -> None:
    styled = whole(StyledText(PlainReading("text"), head="a title\x1b[2J\n"))
    assert styled.text == "a title␛[2J\n\ntext"
    assert styled.has_ink


@pytest.mark.parametrize("text", ["", "   ", "\n\n\n", "\u3000\u00a0\u2800", "\n" * 30_000])
def test_a_note_stands_in_the_place_of_a_text_without_ink(text: str) -> None:
    styled = StyledText(PlainReading(text), head="a title", note="empty")
    assert styled.text == "a title\n\nempty"
    assert not styled.has_ink
    assert styled.done
    assert list(styled.runs(0, len(styled.text))) == [(9, 14, ("note",))]


def test_ink_far_down_is_ink() -> None:
    styled = StyledText(PlainReading("\n" * 30_000 + "here"), note="empty")
    assert styled.has_ink
    assert whole(styled).text.endswith("\nhere")


def test_ink_far_up_stays_ink() -> None:
    assert whole(StyledText(PlainReading("here" + " " * 30_000))).has_ink


def numbers(styled: StyledText) -> list[int | None]:
    at, found = 0, []
    for line in styled.text.split("\n"):
        found.append(styled.number(at))
        at += len(line) + 1
    return found


def test_lines_are_numbered_below_the_head_but_for_those_that_are_none() -> None:
    reading = Written("a\nb\n---\nc\n---\nd", first_line=98, last_line=101, unnumbered=(2, 4))
    styled = whole(StyledText(reading, head="title"), 3)
    assert numbers(styled) == [None, None, 98, 99, None, 100, None, 101]
    assert styled.number_width == 3
    assert styled.number(styled.text.index("b") + 1) is None


def test_nothing_is_numbered_where_no_number_is_known() -> None:
    styled = whole(StyledText(PlainReading("a\nb")))
    assert numbers(styled) == [None, None]
    assert styled.number_width == 0


@pytest.mark.parametrize("head", ["", "a title"])
@pytest.mark.parametrize("start_line", [1, 2, 4000])
def test_one_begins_with_the_line_that_the_reading_says(start_line: int, head: str) -> None:
    reading = Written("".join(f"line {n}\n" for n in range(5000)), start_line=start_line)
    start = (styled := StyledText(reading, head=head)).first_row()
    assert styled.text[start:].startswith(f"line {start_line}\n")


@pytest.mark.parametrize("start_line", [0, 999_999])
def test_one_begins_with_the_head_where_there_is_no_such_line(start_line: int) -> None:
    reading = Written("line\n" * 5000, start_line=start_line)
    assert StyledText(reading, head="a title").first_row() == 0
