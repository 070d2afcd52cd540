"""Reading one document: scrolling, finding, how it is shown, copying, what counts as seen."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.pilot import Pilot

from judge_tui import tui
from judge_tui.formats.checkout import Excerpt
from judge_tui.model import Document
from judge_tui.tui.painted import NO_ROOM, PaintGuard
from judge_tui.tui.widgets.document_lines import DocumentLines, Row
from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.tui.widgets.status_line import StatusLine
from tests.tui.pilots import press, screen_text, until

SIZE = (61, 20)
ROWS = 17
"""Of the document; the rest is its border and the line that speaks."""
LINES = "\n".join(f"line {number:04} of a text" for number in range(2000))
PROSE = "\n".join(" ".join(f"w{number}x{at}" for at in range(60)) for number in range(200))
MARKS = re.compile(r"\blists?\b", re.IGNORECASE)


class Box(Vertical):
    """Counts how often a document was painted."""

    painted = 0

    def on_document_view_painted(self) -> None:
        self.painted += 1


class Viewer(App[None]):
    """A document view, and what it gave to the clipboard."""

    CSS_PATH = Path(tui.__file__).with_name("app.tcss")

    def __init__(self) -> None:
        super().__init__()
        self.guard = PaintGuard(0.2)
        self.copied: list[str] = []

    def compose(self) -> ComposeResult:
        self.view = DocumentView(self.guard)
        with Box():
            yield self.view
        yield StatusLine()

    def copy_to_clipboard(self, text: str) -> None:
        self.copied.append(text)

    def post_display_hook(self) -> None:
        self.guard.displayed()

    @property
    def said(self) -> str:
        return self.query_one(StatusLine).said


def shown(pilot: Pilot[None]) -> list[str]:
    """The rows of the document, without border and gutter."""
    return [line[1:-2].rstrip() for line in screen_text(pilot)[1 : pilot.app.view.size.height + 1]]  # type: ignore[attr-defined]


def gutter(pilot: Pilot[None]) -> str:
    return "".join(line[-2] for line in screen_text(pilot)[1 : ROWS + 1])


def styled(app: Viewer, style: str) -> list[str]:
    """The texts of the document on screen that have an attribute."""
    return [
        segment.text
        for strip in app.view.render_lines(app.view.outer_size.region)[1:-1]
        for segment in strip
        if segment.style and getattr(segment.style, style) and segment.text.strip(" │▐╴◂")
    ]


async def show(
    pilot: Pilot[None], app: Viewer, text: str, doc_id: str = "d", **more: object
) -> None:
    """Show a text, and wait until the gutter says what is where."""
    app.view.show(Document(doc_id, text=text), **more)  # type: ignore[arg-type]
    app.view.focus()
    await pilot.pause()
    await until(pilot, lambda: app.view.workers is not None and not list(app.workers))


@asynccontextmanager
async def viewing(
    text: str, doc_id: str = "d", *, wrap: bool = True, **more: object
) -> AsyncIterator[tuple[Viewer, Pilot[None]]]:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.wrap = wrap
        await show(pilot, app, text, doc_id, **more)
        yield app, pilot


# --- rows


@given(
    st.text(st.sampled_from("ab  é日😀\u0301\u200d\ufe0f•▏1."), max_size=60),
    st.integers(1, 12),
)
@settings(deadline=None)
def test_rows_have_all_of_a_line_but_blanks_and_fit(text: str, width: int) -> None:
    lines = DocumentLines(iter([Content(text)]))
    lines.wrap_at(width)
    rows = lines.rows((0, 0), 1000)
    at = 0
    for row in rows:
        assert not text[at : row.start].strip(" ")
        part = text[row.start : row.end]
        assert cell_len(row.margin) + cell_len(part) <= width or len(part) == 1 or width < 2
        at = row.end
    assert not text[at:].strip(" ")


def test_places_are_reached_from_wherever_one_is() -> None:
    """Against all rows laid out at once."""
    text = [*PROSE.split("\n")[:20], "", "日本 " * 100, "x" * 300]
    lines = DocumentLines(map(Content, text))
    lines.wrap_at(37)
    rows = lines.rows((0, 0), 10_000)
    for at in range(0, len(rows), 7):
        for by in (-1000, -40, -1, 0, 1, 13, 1000):
            to = rows[min(max(0, at + by), len(rows) - 1)]
            assert lines.moved(rows[at][:2], by) == to[:2]
            fresh = DocumentLines(map(Content, text))
            fresh.wrap_at(37)
            assert fresh.rows(rows[at][:2], 3) == rows[at : at + 3]
    lines.wrap_at(0)
    assert lines.rows((20, 0), 2) == [Row(20, 0, 0), Row(21, 0, 300)]


# --- journeys


async def test_scrolling_by_keys_and_wheel() -> None:
    async with viewing(LINES) as (app, pilot):

        def top() -> int:
            return int(shown(pilot)[0].split()[1])

        tops = []
        keys = "j down space pagedown k b G space k g up end"
        for key in keys.split():
            await press(pilot, key)
            tops.append(top())
        assert tops == [1, 2, 17, 32, 31, 16, 1983, 1983, 1982, 0, 0, 1983]
        assert app.view.position == "100%"
        assert shown(pilot)[-1] == " line 1999 of a text"
        assert gutter(pilot)[-1] == "▐"
        wheel = events.MouseScrollUp(app.view, 5, 5, 0, -1, 0, shift=False, meta=False, ctrl=False)
        app.view.post_message(wheel)
        await pilot.pause()
        assert top() < 1983


async def test_the_text_at_the_top_stays_when_the_size_or_wrapping_changes() -> None:
    async with viewing(PROSE) as (_, pilot):
        await press(pilot, *["space"] * 5)
        first = shown(pilot)[0].split()[0]
        for size in ((100, 24), (30, 5), (61, 20)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert first in shown(pilot)[0]
        await press(pilot, "w", "w")
        assert first in "".join(shown(pilot)[:8])


async def test_nothing_counts_that_is_not_on_screen() -> None:
    app = Viewer()
    async with app.run_test(size=(61, 3)) as pilot:
        app.view.show(Document("d", text=LINES))
        await pilot.pause()
        assert app.guard.refusal == NO_ROOM
        seen = []
        for size, counts in (((61, 20), True), ((61, 3), False), ((2, 20), False), (SIZE, True)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: (app.guard.painted_at is not None) == counts)  # noqa: B023
            assert (app.guard.refusal == NO_ROOM) != counts
            await press(pilot, "j")
            seen.append(app.query_one(Box).painted)
        assert seen == [1, 1, 1, 2]
        # It comes back where it was left.
        assert shown(pilot)[0] == " line 0002 of a text"
        await show(pilot, app, "# one", "d.md")
        before = app.guard.painted_at
        await press(pilot, "v")
        assert shown(pilot)[0] == " # one"
        assert app.guard.painted_at not in (None, before)
        app.view.clear("no documents\n\nany more")
        await pilot.pause()
        assert app.guard.painted_at is None
        assert shown(pilot)[:3] == [" no documents", "", " any more"]
        await press(pilot, "j", "slash", "n", "v", "y", "O")
        assert app.copied == []


async def test_find_heeds_a_capital_counts_and_goes_round() -> None:
    async with viewing(f"{LINES}\nThe End, finé Finé") as (app, pilot):

        async def find(text: str) -> str:
            await press(pilot, "slash", "ctrl+u")
            await press(pilot, *text, "enter")
            return app.said

        await press(pilot, "n")
        assert app.said == "nothing to find yet"
        assert await find("LINE") == "not found: 'LINE'"
        assert await find("the end") == "1 of 1 'the end'"
        assert shown(pilot)[-1].startswith(" The End")
        assert await find("finé") == "1 of 2 'finé'"
        assert styled(app, "reverse") == ["finé", "Finé"]
        assert styled(app, "underline") == ["finé"]
        await press(pilot, "g")
        assert await find("5 of") == "1 of 200 '5 of'"
        said = []
        for key in "nNNnN":
            await press(pilot, key)
            said.append(int(app.said.split()[0]))
        assert said == [2, 1, 200, 1, 200]
        assert set(gutter(pilot)) == {"◂", "▐"}
        await press(pilot, "escape")
        assert (app.said, styled(app, "reverse")) == ("", [])
        await show(pilot, app, "15 of what comes next")
        await press(pilot, "n")
        assert app.said == "1 of 1 '5 of'"


async def test_the_query_s_words_are_marked_and_signed_in_the_gutter() -> None:
    async with viewing(f"a list of Lists\n{LINES}\n\nthe last list", marks=MARKS) as (app, pilot):
        assert styled(app, "underline") == ["list", "Lists"]
        assert gutter(pilot) == "▐" + " " * (ROWS - 2) + "╴"
        await show(pilot, app, "all of it is on screen, a list", marks=MARKS)
        assert gutter(pilot).strip() == ""
        # Its characters would fill two rows, in which its last word does not begin in the second.
        await show(pilot, app, f"{'w' * 31} {'w' * 50}")
        assert gutter(pilot).strip() == ""


async def test_unwrapped_lines_go_sideways_as_far_as_there_is_text() -> None:
    line = " ".join(f"{number:03}" for number in range(30))
    text = f"{line}\nshort\n" + "needle ".rjust(1_000_000)
    async with viewing(text, wrap=False) as (app, pilot):
        assert [row[-1:] for row in shown(pilot)[:3]] == ["›", "t", "›"]
        await press(pilot, "l", "right")
        assert shown(pilot)[0].startswith("‹004 005")
        await press(pilot, "h", "left", "left")
        assert shown(pilot)[0].startswith(" 000 001")
        await press(pilot, "slash", *"needle", "enter")
        assert app.said == "1 of 1 'needle'"
        assert any("needle" in row for row in shown(pilot))
        await press(pilot, "w")
        assert app.said == "long lines wrap"
        assert "needle" in "".join(shown(pilot))


async def test_code_is_numbered_and_an_excerpt_begins_at_its_place() -> None:
    code = "\n".join(f"x{n} = {n}  # {'long ' * 12}" for n in range(1, 1200))
    async with viewing(code, "src/app.py:8-1206") as (app, pilot):
        assert [row[:8] for row in shown(pilot)[:3]] == ["    8 x1", "      lo", "    9 x2"]
        await press(pilot, "G")
        assert shown(pilot)[-2].startswith(" 1206 x1199 = 1199")
        before = "".join(f"above{n}\n" for n in range(1, 41))
        excerpt = Excerpt("app.py", 41, 42, 99, "0" * 64, before, "below\n" * 57)
        app.view.show(Document("app.py:41-42", text="own\nown too\n", meta=excerpt.as_meta()))
        await pilot.pause()
        assert [row.split() for row in shown(pilot)[:4:3]] == [["41", "own"], ["43", "below"]]
        await press(pilot, "k", "k")
        assert shown(pilot)[0].split() == ["40", "above40"]


async def test_a_document_without_text_says_so_below_what_is_known() -> None:
    async with viewing("<!-- nothing -->", "d.md") as (app, pilot):
        assert shown(pilot)[0].startswith(" Only the raw text")
        assert app.guard.painted_at is not None
        await show(pilot, app, " \n\t\n", note="This document is empty.")
        assert shown(pilot)[0] == " This document is empty."
        app.view.show(Document("d", url="https://example.org/"), note="not loaded")
        await pilot.pause()
        lines = [line for line in shown(pilot) if line]
        assert "https://example.org/" in lines[0]
        assert lines[-1] == " not loaded"


async def test_any_text_fills_the_screen_exactly() -> None:
    async with viewing("") as (app, pilot):
        for text in (
            "שלום עולם " * 300,
            "สวัสดีชาวโลก" * 300,
            "नमस्ते दुनिया " * 300,
            "👩\u200d👧 🇬🇧 👍🏽 1\ufe0f\u20e3 ☁\ufe0f " * 200,
            "e" + "\u0301" * 10_000 + " end",
            "\n" * 5000 + "end",
            "日" * 5000,
            "\x1b]52;c;YWJj\x07 \x1b[31m [/] [@click=app.exit]x[/]",
        ):
            await show(pilot, app, text, marks=re.compile("עולם|नमस्ते"))
            for key in ("space", "w", "l", "G", "w"):
                for strip in app.view.render_lines(app.view.outer_size.region):
                    assert strip.cell_length == sum(cell_len(part.text) for part in strip) == 61
                    assert "\x1b" not in strip.text
                await pilot.press(key)


async def test_the_id_is_copied_as_it_is_shown_and_an_address_is_opened() -> None:
    async with viewing("text", "d\n1") as (app, pilot):
        opened: list[str] = []
        app.open_url = lambda url, **_: opened.append(url)  # type: ignore[method-assign,assignment]
        await press(pilot, "y")
        assert (app.copied, app.said) == (["d␊1"], "copied: d␊1")
        await press(pilot, "O")
        assert (opened, app.said) == ([], "this document has no address")
        for url in ("file:///etc/passwd", "https://example.org/a"):
            app.view.show(Document("d", text="text", url=url))
            await press(pilot, "O")
        assert opened == ["https://example.org/a"]
