"""Dialogs over a screen, the line that it speaks on, and the chips of its grades."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Footer, Static

import judge_tui.tui
from judge_tui.errors import CampaignError
from judge_tui.model import Document, Scale
from judge_tui.tui.widgets.dialogs import Confirm, Dialog, Picker, Prompt, TextPrompt
from judge_tui.tui.widgets.grade_bar import GradeBar
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Heading
from judge_tui.tui.widgets.text_panel import TextPanel
from tests.tui.pilots import burst, press, screen_text, seen, until, until_seen

SCALE = Scale({0: "not relevant", 1: "related", 2: "[b]relevant", 3: "perfect"})
HOSTILE = "[/]\x1b]0;owned\x07[@click=app.quit]x[/]"
VISIBLE = "[/]␛]0;owned␇[@click=app.quit]x[/]"


class Grading(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(grade), f"grade({grade})", "grade", id=f"judge.grade-{grade}", show=False)
        for grade in SCALE.grades
    ]

    def __init__(self) -> None:
        super().__init__()
        self.graded: list[int] = []

    def compose(self) -> ComposeResult:
        yield Static("what is below", id="below")
        yield GradeBar(SCALE)
        yield StatusLine()
        yield Footer()

    def action_grade(self, grade: int) -> None:
        self.graded.append(grade)
        self.query_one(GradeBar).show(grade)


class DialogApp(App[None]):
    CSS = "#below { height: 1fr; }"
    CSS_PATH = Path(judge_tui.tui.__file__).with_name("app.tcss")

    def __init__(self) -> None:
        super().__init__()
        self.grading = Grading()
        self.results: list[Any] = []

    def get_default_screen(self) -> Grading:
        return self.grading

    async def ask(self, dialog: Dialog[Any]) -> None:
        await self.push_screen(dialog, self.results.append)


@asynccontextmanager
async def running(
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[tuple[DialogApp, Pilot[None]]]:
    app = DialogApp()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def paste(pilot: Pilot[None], text: str) -> None:
    assert pilot.app.focused is not None
    pilot.app.focused.post_message(events.Paste(text))
    await pilot.pause()


async def test_a_comment_has_several_lines_and_nothing_typed_is_lost() -> None:
    kept: list[str] = []
    async with running() as (app, pilot):
        await app.ask(TextPrompt("Comment", draft="old\x1b", keep=kept.append))
        await pilot.pause()
        assert kept == []
        await press(pilot, "!", "alt+enter", "a", "shift+enter", "b")
        assert kept[-1] == "old␛!\na\nb"
        await paste(pilot, "one\r\ntwo\rthree\x1b[2J\n")
        await press(pilot, "escape")
        assert app.results == [None]
        draft = kept[-1]
        # Line ends of any system are line ends; what a terminal would obey is shown.
        assert draft == "old␛!\na\nbone\ntwo\nthree␛[2J\n"
        await app.ask(TextPrompt("Comment", draft=draft, keep=kept.append))
        await press(pilot, "4", "backspace", "5", "enter")
        assert app.results.pop() == f"{draft}5"
        # The letters of grades are letters here.
        assert app.grading.graded == []


async def test_keys_of_a_burst_keep_their_order() -> None:
    kept: list[str] = []
    async with running() as (app, pilot):
        await app.ask(TextPrompt("Comment", keep=kept.append))
        await pilot.pause()
        burst(app, "a", "alt+enter", "b", "x", "backspace", "c", "enter", "2", "enter")
        await pilot.pause()
        assert (app.results, kept[-1]) == (["a\nbc"], "a\nbc")
        await app.ask(Prompt("Name"))
        await pilot.pause()
        burst(app, "a", "b", "enter", "2")
        await pilot.pause()
        assert app.results[1:] == ["ab"]


async def test_a_line_and_a_question() -> None:
    async with running() as (app, pilot):
        await app.ask(Prompt(f"Title {HOSTILE}", value=HOSTILE, hint=HOSTILE))
        await press(pilot, "enter")
        await app.ask(Prompt("Name", hint="how you are called"))
        assert seen(pilot, "how you are called")
        await press(pilot, *" ann ", "enter")
        await app.ask(Prompt("Name"))
        await press(pilot, "a", "escape")
        assert app.results == [VISIBLE, "ann", None]
        app.results.clear()

        for keys in ("y", "n", "escape", "enter", "tab enter"):
            await app.ask(Confirm(f"Create judge {HOSTILE}?"))
            await press(pilot, *keys.split())
        await app.ask(Confirm(f"Create judge {HOSTILE}?"))
        await pilot.pause()
        assert seen(pilot, f"Create judge {VISIBLE}?")
        await pilot.click("#no")
        assert app.results == [True, False, False, True, False, False]


ROWS = [(f"q{n:03}", text) for n, text in enumerate(["read a CSV file", "Ärger mit CSV", "[/]"])]


def picker(cursor: int = 0) -> Picker:
    return Picker(
        "Jump to a query",
        [Heading("query"), Heading("text", fill=True)],
        [[Content(cell) for cell in row] for row in ROWS],
        cursor=cursor,
        words=[" ".join(row) for row in ROWS],
    )


async def test_a_picker_finds_while_one_types() -> None:
    # Keys, and the row that they choose.
    cases = [
        ("enter", 1),
        ("up enter", 0),
        ("v space ä enter", 1),
        ("2 backspace up enter", 0),
        ("escape", None),
    ]
    async with running() as (app, pilot):
        for keys, expected in cases:
            await app.ask(picker(cursor=1))
            await pilot.pause()
            assert seen(pilot, "2 of 3")
            await press(pilot, *keys.split())
            assert app.results == [expected], keys
            app.results.clear()
        for keys in (["down", "enter"], ["q", "down", "enter", "2"]):
            await app.ask(picker())
            await pilot.pause()
            burst(app, *keys)
            await pilot.pause()
            assert app.results == [1], keys
            app.results.clear()
        await app.ask(picker())
        # No higher than what it offers.
        assert app.screen.query_one(".dialog").region.height == 8
        await press(pilot, *"no")
        assert seen(pilot, "nothing has all of these words")
        await press(pilot, "enter")
        assert app.results == []
        await press(pilot, "backspace", "backspace")
        # The line to write in, a gap and the header stand above the rows.
        await pilot.click(".dialog", offset=(8, 6))
        assert seen(pilot, "3 of 3")
        await pilot.click(".dialog", offset=(8, 6))
        assert app.results == [2]


LONG = "\n".join(f"line {n} of a text that is too long for a small screen" for n in range(30))
DIALOGS = [
    lambda: TextPrompt("Comment", draft=LONG, hint="what it is for", keep=str),
    lambda: Prompt("Name", hint="what it is for"),
    lambda: Confirm("Create judge 'ann'?", hint="It cannot be taken back."),
    picker,
    lambda: TextPanel("Guidelines", Document("page", text=LONG)),
]


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_dialogs_stand_on_the_screen_whole(size: tuple[int, int]) -> None:
    async with running(size) as (app, pilot):
        for dialog in DIALOGS:
            await app.ask(dialog())
            await pilot.pause()
            pane = app.screen.query_one(".dialog")
            # The last line is the footer's.
            room = app.screen.region.shrink((0, 0, 1, 0))
            assert room.contains_region(pane.region)
            assert pane.region.x == (size[0] - pane.region.width) // 2
            focused = app.focused
            assert focused is not None
            assert pane.region.contains_region(focused.region)
            if size[0] >= 80:
                await until_seen(pilot, "esc close")
            await press(pilot, "escape")


async def test_what_a_screen_says() -> None:
    async with running((60, 12)) as (app, pilot):
        line = app.grading.query_one(StatusLine)
        for what, height in (
            ("", 1),
            ("word " * 200, 3),
            ("a\nb", 2),
        ):
            line.say(what)
            await pilot.pause()
            assert line.size.height == height
            assert line.region.bottom == app.grading.query_one(Footer).region.y
        line.warn("not so fast")
        await pilot.pause()
        assert seen(pilot, " not so fast")
        line.fail("NOT SAVED", CampaignError("c.db", f"locked by {HOSTILE}", "press again"))
        await pilot.pause()
        assert seen(pilot, f" NOT SAVED  locked by {VISIBLE}"[:59])


# Width and what the bar says: all labels, those of the ends, the digits.
BARS = [
    (80, "  0 not relevant   1 related   2 [b]relevant   3 perfect"),
    (44, "  0 not relevant   1   2   3 perfect"),
    (22, "  0   1   2   3"),
]


async def test_the_bar_shows_the_scale_and_grades() -> None:
    async with running() as (app, pilot):
        bar = app.grading.query_one(GradeBar)
        for width, expected in BARS:
            await pilot.resize_terminal(width, 24)
            await until(pilot, lambda: screen_text(pilot)[bar.region.y] == expected)  # noqa: B023
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: screen_text(pilot)[bar.region.y] == BARS[0][1])
        await pilot.click(GradeBar, offset=(37, 0))
        assert app.grading.graded == [2]
        # The grade that is given is ticked, not only coloured.
        assert screen_text(pilot)[bar.region.y] == BARS[0][1].replace(" 2", "✓2")
        await pilot.click(GradeBar, offset=(75, 0))
        bar.show(None)
        await press(pilot, "3")
        assert app.grading.graded == [2, 3]
        assert seen(pilot, " 2 [b]relevant  ✓3 perfect")
