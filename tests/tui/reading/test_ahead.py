"""A reading that was begun ahead of time is the reading alone, whatever was taken of it when."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.reading import Part, PlainReading, reading_of
from judge_tui.tui.reading.ahead import ReadingAhead
from tests.tui.reading.readings import whole
from tests.tui.reading.test_all_readings import KINDS, document, excerpts, texts

PLANS = st.lists(st.tuples(st.booleans(), st.integers(1, 400)), max_size=12)


@pytest.fixture(scope="module", autouse=True)
def unhurried() -> object:
    """Parts are as long as is asked for, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("judge_tui.tui.reading.streamed._LONGEST", 1e9)
        yield


@pytest.mark.parametrize("kind", KINDS)
@given(text=texts, raw=st.booleans(), excerpt=excerpts, plan=PLANS)
def test_parts_come_as_they_come_from_the_reading_alone(
    kind: str, text: str, raw: bool, excerpt: bool, plan: list[tuple[bool, int]]
) -> None:
    shown = document(text * 5, kind, excerpt=excerpt)
    alone = reading_of(shown, raw=raw, room=40)
    ahead = ReadingAhead(reading_of(shown, raw=raw, room=40))
    assert ahead.done == alone.done
    expected: deque[tuple[Part, float]] = deque()
    taken = [*plan, *((False, 100) for _ in range(len(plan)))]
    while taken or ahead.done < 1:
        is_ahead, step = taken.pop(0) if taken else (False, 4096)
        if is_ahead or not expected:
            expected.append((alone.take(step), alone.done))
        if is_ahead:
            before = ahead.done
            ahead.prepare(step)
            assert ahead.done == before
        else:
            part, done = expected.popleft()
            assert ahead.take(step) == part
            assert ahead.done == done
        assert ahead.is_exhausted == (alone.done >= 1)
        assert ahead.ahead == sum(len(part.text) for part, _ in expected)
        assert ahead.lines_ahead == sum(part.text.count("\n") for part, _ in expected)
        for name in ("first_line", "last_line", "start_line", "unnumbered"):
            assert getattr(ahead, name) == getattr(alone, name)
    assert ahead.take(100).text == ""


@pytest.mark.parametrize("kind", KINDS)
@given(text=texts, raw=st.booleans(), excerpt=excerpts, plan=PLANS)
def test_what_is_shown_of_it_is_the_same(
    kind: str, text: str, raw: bool, excerpt: bool, plan: list[tuple[bool, int]]
) -> None:
    shown = document(text * 5, kind, excerpt=excerpt)
    ahead = ReadingAhead(reading_of(shown, raw=raw, room=40))
    for _, step in plan:
        ahead.prepare(step)
    alone, styled = (
        StyledText(reading, head="head", note="note")
        for reading in (reading_of(shown, raw=raw, room=40), ahead)
    )
    for one in (alone, styled):
        while not one.done:
            one.take(300)
    assert styled.text == alone.text
    runs = [list(one.runs(0, len(one.text))) for one in (styled, alone)]
    assert _joined(runs[0]) == _joined(runs[1])
    starts = [at for at in range(len(alone.text)) if not at or alone.text[at - 1] == "\n"]
    assert [styled.number(at) for at in starts] == [alone.number(at) for at in starts]
    assert styled.number_width == alone.number_width
    assert styled.first_row() == alone.first_row()
    assert styled.has_ink == alone.has_ink


def _joined(runs: list[tuple[int, int, tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """The styles of each character: parts of other sizes cut the same style in other places."""
    looks: list[tuple[str, ...]] = []
    for start, end, names in runs:
        looks += [()] * (start - len(looks)) + [names] * (end - start)
    return looks


def test_all_of_it_may_be_taken_ahead() -> None:
    text = "line\n" * 3000
    ahead = ReadingAhead(PlainReading(text))
    while not ahead.is_exhausted:
        ahead.prepare(500)
    assert ahead.done == 0
    assert ahead.ahead == len(text) - 1
    assert ahead.lines_ahead == 2999
    assert whole(ahead) == whole(PlainReading(text))
    assert (ahead.ahead, ahead.lines_ahead, ahead.done) == (0, 0, 1)


def test_an_empty_document_is_done_before_anything_is_taken() -> None:
    ahead = ReadingAhead(PlainReading(""))
    assert ahead.done == 1
    assert ahead.is_exhausted
