"""Rows: whatever the steps, those that laying out all of the text at once gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judge_tui.tui.document import Rows
from judge_tui.tui.wrapping import wrap
from tests.tui.document.readings import TEXTS

STEPS = st.lists(st.integers(1, 20), min_size=1, max_size=10)


def laid_out(text: str, width: int | None, steps: list[int]) -> Rows:
    rows = Rows(width)
    turn = 0
    while rows.laid < len(text) or not len(rows):
        stop = min(len(text), rows.laid + steps[turn % len(steps)])
        # Of the rest nothing is known yet.
        rows.extend(text[:stop], stop)
        turn += 1
    return rows


def pairs(rows: Rows) -> list[tuple[int, int]]:
    return [rows[row] for row in range(len(rows))]


@given(TEXTS, st.integers(1, 40), STEPS)
def test_any_steps_give_the_rows_of_one_wrap(text: str, width: int, steps: list[int]) -> None:
    assert pairs(laid_out(text, width, steps)) == wrap(text, width)


@given(TEXTS, STEPS)
def test_a_row_for_each_line_where_lines_are_not_wrapped(text: str, steps: list[int]) -> None:
    rows = pairs(laid_out(text, None, steps))
    assert [text[start:end] for start, end in rows] == text.split("\n")


@given(TEXTS, st.integers(2, 40), STEPS)
def test_what_changed_begins_where_it_is_said(text: str, width: int, steps: list[int]) -> None:
    rows = Rows(width)
    for stop in range(0, len(text) + 1, steps[0]):
        before = pairs(rows)
        changed = rows.extend(text[:stop], stop)
        assert pairs(rows)[:changed] == before[:changed]


@given(TEXTS, st.integers(2, 40))
def test_the_row_of_an_offset_holds_it(text: str, width: int) -> None:
    rows = laid_out(text, width, [7])
    for offset in range(len(text)):
        row = rows.at(offset)
        assert rows.start(row) <= offset < rows.start(row + 1)


def test_a_space_that_seemed_to_be_a_break_gets_its_accent() -> None:
    text = "abcd \u0301efgh"
    assert pairs(laid_out(text, 4, [5])) == wrap(text, 4)


def test_half_an_emoji_waits_for_its_other_half() -> None:
    text = "ab👩\u200d👧cd"
    rows = laid_out(text, 4, [3])
    assert [text[start:end] for start, end in pairs(rows)] == ["ab👩\u200d👧", "cd"]
