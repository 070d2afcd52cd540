"""The table: rows under a cursor, drawn only where they are on screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from rich.cells import cell_len
from textual import events, on
from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Button

import judge_tui.tui
from judge_tui.tui.widgets.table import MEASURED_ROWS, Heading, SideList, Table
from tests.tui.pilots import until

TextRows = Sequence[Sequence[str]]


class TableApp(App[None]):
    """A table, and something else that can have the focus."""

    CSS_PATH = Path(judge_tui.tui.__file__).with_name("app.tcss")

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, int]] = []

    def compose(self) -> ComposeResult:
        yield Table()
        yield Button("other")

    @property
    def table(self) -> Table:
        return self.query_one(Table)

    @on(Table.Moved)
    @on(Table.Opened)
    def hear_row(self, message: Table.Moved | Table.Opened) -> None:
        self.heard.append((type(message).__name__, message.row))

    def told(self) -> list[tuple[str, int]]:
        """What the table said since the last time."""
        told, self.heard = self.heard, []
        return told


@asynccontextmanager
async def running(width: int = 40, height: int = 14) -> AsyncIterator[tuple[TableApp, Pilot[None]]]:
    """A table of that width, borders included, with room for `height` less 6 rows."""
    app = TableApp()
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        yield app, pilot


def lines(table: Table) -> list[str]:
    """What stands in the table, without its border."""
    return [table.render_line(y).text.rstrip() for y in range(table.size.height)]


def show(table: Table, headings: Sequence[Heading], rows: TextRows, *, cursor: int = 0) -> None:
    table.show(
        headings, len(rows), lambda row: [Content(cell) for cell in rows[row]], cursor=cursor
    )


async def test_100_000_rows_are_asked_for_only_where_they_are_on_screen() -> None:
    asked: set[int] = set()

    def cells(row: int) -> Sequence[Content]:
        asked.add(row)
        return [Content(f"row {row}")]

    async with running() as (app, pilot):
        table = app.table
        table.show([Heading("row", fill=True)], 100_000, cells)
        await pilot.pause()
        assert len(asked) < 20
        await pilot.press("G")
        assert lines(table)[-1] == " row 99999"
        assert len(asked) < 40
        await pilot.press("k", "k", "pageup", "g", "j", "space", "enter")
        # Of 8 rows on screen a page goes 7 down: one that was there stays.
        moves = [99_999, 99_998, 99_997, 99_990, 0, 1, 8]
        assert app.told() == [*(("Moved", row) for row in moves), ("Opened", 8)]
        assert table.border_subtitle == "9 of 100,000"
        assert lines(table)[1:3] == [" row 1", " row 2"]
        # The screen moves the cursor by itself: that is no news to it.
        table.move(50_000)
        table.show([Heading("row", fill=True)], 3, cells, cursor=7)
        await pilot.pause()
        assert (table.cursor, table.border_subtitle, app.told()) == (2, "3 of 3", [])
        assert lines(table)[:5] == [" row", " row 0", " row 1", " row 2", ""]
        table.show([Heading("row")], 0, cells, empty="nothing here")
        await pilot.press("enter", "j", "G", "h", "l")
        assert lines(table)[:2] == [" row", " nothing here"]
        assert (table.border_subtitle, app.told()) == ("", [])


NUMBER = Heading("AP", right=True)
WIDE = [("漢字", ".5", "x"), ("a", ".25", "y" * 50)]
LONG = "package.module.Class.method_name"
LAYOUTS: list[tuple[Sequence[Heading], TextRows, list[str]]] = [
    # Measured: the widest of title and rows, by cells and not by characters.
    (
        [Heading("run"), NUMBER, Heading("note", width=4)],
        [("漢字字", ".5", "good"), ("a", ".25", "too long")],
        [" run      AP  note", " 漢字字   .5  good", " a       .25  too…"],
    ),
    # A column that fills takes what is left; one without a title takes no line for it.
    (
        [Heading(width=1), Heading(fill=True), Heading(right=True)],
        [("1", "text", "12"), ("2", "t" * 40, "3")],
        [f" 1  {'text':<25}  12", f" 2  {'t' * 24}…   3"],
    ),
    # An id is shortened in its middle, and before anything is hidden.
    (
        [Heading("id", keep="ends"), Heading("grade", right=True), Heading("said", width=9)],
        [(LONG, "2", "relevant"), (LONG.upper(), "0", "not")],
        [
            " id              grade  said",
            " package…d_name      2  relevant",
            " PACKAGE…D_NAME      0  not",
        ],
    ),
    # Wide characters are never cut in two.
    (
        [Heading("id", width=6, keep="ends"), Heading("b", width=4), Heading("c")],
        [("漢字漢字漢", "漢字漢", "|")],
        [" id      b     c", " 漢…漢   漢…   |"],
    ),
    ([], [], [""]),
]


async def test_columns_have_their_places() -> None:
    async with running(width=37) as (app, _):
        for headings, rows, expected in LAYOUTS:
            show(app.table, headings, rows)
            assert lines(app.table)[: len(expected)] == expected
            assert {cell_len(line) <= 34 for line in lines(app.table)} == {True}
        more = [("a",)] * MEASURED_ROWS + [("abc",)]
        show(app.table, [Heading()], more, cursor=MEASURED_ROWS)
        assert lines(app.table)[7:] == [" a", " …"]


async def test_the_first_column_stays_while_the_others_scroll() -> None:
    headings = [Heading("run"), *(Heading(f"M{n}", right=True, width=6) for n in range(1, 7))]
    rows = [("bm25 ", *(f".{n}" for n in range(1, 7))), ("tfidf", *("-" * 6,) * 6)]
    async with running(width=35) as (app, pilot):
        table = app.table
        show(table, headings, rows)
        # Only whole columns: no number is cut.
        assert lines(table)[:2] == [
            " run        M1      M2      M3 ›",
            " bm25       .1      .2      .3",
        ]
        await pilot.press("l", "right")
        assert lines(table)[:2] == [
            "‹run        M3      M4      M5 ›",
            " bm25       .3      .4      .5",
        ]
        # No further than to the last.
        await pilot.press(*"llll")
        assert lines(table)[0] == "‹run        M4      M5      M6"
        await pilot.press(*"hhhhh")
        assert lines(table)[0] == " run        M1      M2      M3 ›"
        # Where there is room for all of them, nothing is hidden.
        await pilot.press("l")
        await pilot.resize_terminal(80, 14)
        whole = ["run", *(f"M{n}" for n in range(1, 7))]
        await until(pilot, lambda: lines(table)[0].split() == whole)


async def test_the_mouse_moves_opens_and_scrolls() -> None:
    rows = [(f"row {n}", "b", "c") for n in range(30)]
    headings = [Heading("A", width=6), Heading("B", width=4), Heading("C", width=30)]
    async with running(width=40) as (app, pilot):
        table = app.table
        show(table, headings, rows)
        await pilot.click(Table, offset=(5, 4))
        assert app.told() == [("Moved", 2)]
        await pilot.click(Table, offset=(5, 4))
        assert app.told() == [("Opened", 2)]
        for _ in range(2):
            table.post_message(
                events.MouseScrollDown(table, 5, 5, 0, 1, 0, shift=False, meta=False, ctrl=False)
            )
        await pilot.pause()
        assert (table.cursor, app.told()) == (2, [])
        assert lines(table)[1].startswith(" row 4")
        await pilot.click(Table, offset=(5, 2))
        assert app.told() == [("Moved", 4)]
        # Beside what it is about, a click leaves the keys where they are.
        side = SideList()
        await app.mount(side)
        show(side, headings, rows)
        await pilot.pause()
        await pilot.click(SideList, offset=(5, 3))
        assert (app.told(), table.has_focus) == ([("Moved", 1)], True)
