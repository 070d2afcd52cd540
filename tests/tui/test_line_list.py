"""A list that paints only what looks otherwise than before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.strip import Strip

from judge_tui.tui.cells import cells_of, shortened
from judge_tui.tui.widgets import LineList
from judge_tui.tui.widgets.line_list import Piece


class Watched(LineList):
    """Knows which of its lines were painted."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.painted.append(y)
        return super().render_line(y)


class Lists(App[None]):
    def compose(self) -> ComposeResult:
        yield Watched()

    @property
    def list(self) -> Watched:
        return self.query_one(Watched)

    def lines(self) -> list[str]:
        return [self.list.render_line(y).text.rstrip() for y in range(self.list.size.height)]


async def test_only_rows_that_look_otherwise_are_painted_anew() -> None:
    grades = dict.fromkeys(range(1000), " ")

    def draw(row: int) -> list[Piece]:
        return [(grades[row], "list--good"), (f" d{row}", "")]

    app = Lists()
    async with app.run_test(size=(30, 10)) as pilot:
        app.list.show(1000, draw, cursor=3)
        await pilot.pause()
        app.list.painted.clear()
        grades[3] = "2"
        app.list.show(1000, draw, cursor=4)
        await pilot.pause()
        assert sorted(set(app.list.painted)) == [3, 4]
        assert app.lines()[3:5] == ["2 d3", "  d4"]
        app.list.painted.clear()
        app.list.show(1000, draw, cursor=4)
        await pilot.pause()
        assert app.list.painted == []
        app.list.show(1000, draw, cursor=500)
        await pilot.pause()
        assert app.lines()[5] == "  d500"
        app.list.show(2, draw, cursor=0)
        await pilot.pause()
        assert app.lines() == ["  d0", "  d1", *[""] * 8]


async def test_what_was_kept_goes_with_the_theme_and_the_width() -> None:
    app = Lists()
    async with app.run_test(size=(30, 5)) as pilot:
        app.list.show(3, lambda row: [(f"row {row} " + "x" * 40, "list--good")], cursor=0)
        await pilot.pause()
        before = app.list.render_line(1)
        assert before.text == "row 1 " + "x" * 23 + "…"
        app.theme = "textual-light"
        await pilot.pause()
        assert app.list.render_line(1) != before
        await pilot.resize_terminal(20, 5)
        await pilot.pause()
        assert app.list.render_line(1).text == "row 1 " + "x" * 13 + "…"


async def test_what_is_too_wide_can_be_cut_in_the_middle() -> None:
    ids = ["jt/judge_tui/visible.py:10-20", "short", "文書/漢字の長い名前:7", "k" * 12]

    class Paths(App[None]):
        def compose(self) -> ComposeResult:
            yield LineList(cut="middle")

    app = Paths()
    async with app.run_test(size=(14, 5)) as pilot:
        rows = app.query_one(LineList)
        rows.show(4, lambda row: [("▸", ""), (" ", ""), (ids[row], "")])
        await pilot.pause()
        lines = [rows.render_line(y).text.rstrip() for y in range(4)]
        assert lines == ["▸ jt/…py:10-20", "▸ short", "▸ 文…い名前:7", "▸ kkkkkkkkkkkk"]


@given(st.text(st.sampled_from("ab/é文字e\u0301👨\u200d👩🇩🇪"), max_size=30), st.integers(0, 20))
def test_a_shortened_text_never_takes_more_cells_and_keeps_both_ends(text: str, width: int) -> None:
    short = shortened(text, width)
    assert sum(cells_of(short)) <= width
    if short == text or not width:
        return
    head, _, tail = short.partition("…")
    assert text.startswith(head)
    assert text.endswith(tail)
    # No character is parted from what belongs to it.
    cells = cells_of(text)
    assert all(cells[at] for at in (len(head), len(text) - len(tail)) if at < len(text))
