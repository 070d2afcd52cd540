"""A document made ready in steps is the same as one made ready at once."""

from __future__ import annotations

import time

import pytest

from judge_tui.tui.reading import Part, PlainReading
from judge_tui.tui.wrapping import wrap
from judge_tui.visible import visible
from tests.tui.viewing import Viewer, settled


def paragraphs(words: str, count: int) -> str:
    return "\n\n".join(f"{number} {words * (1 + number % 7)}" for number in range(count))


TEXTS = {
    "plain": paragraphs("some words of a paragraph ", 400),
    "one line": " ".join(f"word{number}" for number in range(9000)),
    "one word": "x" * 30_000,
    "chinese": paragraphs("日本語のテキスト、", 300),
    "mixed": paragraphs("naïve 👩\u200d👧 café\u0301 日本 ", 300),
    "hostile": paragraphs("\x1b[31m\x00\u202e[/] ", 500),
    "crlf": paragraphs("line\r\nend ", 800),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
async def test_steps_give_the_rows_that_one_wrap_gives(text: str) -> None:
    app = Viewer()
    async with app.run_test(size=(84, 20)) as pilot:
        app.view.show(PlainReading(text))
        await settled(pilot)
        whole = visible(text)
        expected = [whole[start:end] for start, end in wrap(whole, 80)]
        document = app.view._document
        rows = [document.rows[row] for row in range(len(document.rows))]
        assert [document.text[start:end] for start, end in rows] == expected
        assert app.rows() == [row.rstrip(" ") for row in expected]


async def test_another_document_shown_meanwhile_has_nothing_of_the_first() -> None:
    app = Viewer()
    async with app.run_test(size=(84, 20)) as pilot:
        app.view.show(PlainReading(TEXTS["plain"]))
        app.view.show(PlainReading("the second one"))
        await settled(pilot)
        assert app.rows() == ["the second one"]


async def test_a_resize_in_the_middle_of_making_ready_loses_nothing() -> None:
    app = Viewer()
    async with app.run_test(size=(84, 20)) as pilot:
        app.view.show(PlainReading(TEXTS["one line"]))
        await pilot.resize_terminal(64, 20)
        await settled(pilot)
        assert " ".join(app.rows()) == TEXTS["one line"]


async def test_the_end_is_reached_at_once() -> None:
    app = Viewer()
    async with app.run_test(size=(84, 20)) as pilot:
        app.view.show(PlainReading(TEXTS["plain"]))
        app.view.to_end()
        await settled(pilot)
        last = app.view.render_line(19).text.strip(" ▐")
        assert TEXTS["plain"].rstrip().endswith(last)


async def test_nothing_counts_as_drawn_until_a_document_is() -> None:
    app = Viewer()
    async with app.run_test(size=(84, 20)) as pilot:
        app.view.clear("nothing here")
        await pilot.pause()
        assert not app.view.drawn
        app.view.show(PlainReading("text"))
        assert not app.view.drawn
        await pilot.pause()
        assert app.view.drawn


@pytest.mark.parametrize("text", ["", "   ", "\n\n\n", "\u3000\u00a0\u2800"])
async def test_a_document_without_ink_says_so(text: str) -> None:
    app = Viewer()
    async with app.run_test(size=(84, 20)) as pilot:
        app.view.show(PlainReading(text), note="This document is empty.")
        await pilot.pause()
        assert app.rows() == ["This document is empty."]
        assert app.view.drawn


async def test_a_letter_under_a_heap_of_marks_does_not_stop_the_app() -> None:
    """Without a bound this takes minutes, and the suite's time limit ends it."""
    app = Viewer()
    async with app.run_test(size=(84, 20)) as pilot:
        app.view.show(PlainReading("a" + "\u0301" * 400_000 + "\nthe end"))
        app.view.to_end()
        await settled(pilot)
        assert app.view.render_line(19).text.strip(" ▐") == "the end"


async def test_pages_turned_before_the_text_is_ready_are_not_lost() -> None:
    app = Viewer()
    async with app.run_test(size=(84, 20)):
        app.view.show(PlainReading(TEXTS["one line"]))
        for _ in range(20):
            app.view.move(18)
        assert app.view.scroll_offset.y == 360


async def test_of_what_is_slow_no_more_is_read_than_the_first_screen_needs() -> None:
    class Slow(PlainReading):
        takes = 0

        def take(self, step: int) -> Part:
            self.takes += 1
            time.sleep(0.01)
            return super().take(step)

    app = Viewer()
    async with app.run_test(size=(60, 10)):
        short, long = Slow("a line\n" * 5000), Slow("a line that is long " * 5000)
        app.view.show(short)
        assert short.takes == 1
        app.view.show(long)
        assert len(app.view._document.rows) > 10
        assert long.takes == 1
