"""Jump to a query: type part of its id or text, enter goes there."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from judge_tui.campaign.desk import DeskQuery
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.widgets import LineList
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

__all__ = ["JumpOverlay"]


class JumpOverlay(Overlay[tuple[int, int]]):
    """Gives the visit that was chosen; see `DeskQuery.visit`."""

    # The input has the focus: what moves the list must not be a letter.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "down", show=False, id="jump.down", priority=True),
        Binding("up", "move(-1)", "up", show=False, id="jump.up", priority=True),
        Binding("pagedown", "page(1)", "page down", show=False, id="jump.page-down", priority=True),
        Binding("pageup", "page(-1)", "page up", show=False, id="jump.page-up", priority=True),
    ]

    def __init__(self, queries: list[DeskQuery], current: tuple[int, int]) -> None:
        super().__init__()
        self._queries = queries
        self._found = queries
        self._current = current
        self._width = min(24, max(len(visible_line(query.query_id)) for query in queries))

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel tall"):
            yield Input(placeholder="part of an id or of the text")
            yield LineList(can_focus=False)
            yield Static(
                f"type to filter   up, down choose   enter goes there   {self.closing} closes",
                classes="hint",
                markup=False,
            )

    def on_mount(self) -> None:
        key, _ = self._current
        here = [i for i, query in enumerate(self._queries) if query.key == key]
        self._show(here[0] if here else 0)
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _filter(self, message: Input.Changed) -> None:
        words = message.value.casefold().split()
        self._found = [
            query
            for query in self._queries
            if all(word in f"{query.query_id} {query.text}".casefold() for word in words)
        ]
        self._show(0)

    @on(Input.Submitted)
    def _enter(self) -> None:
        self._choose(self.query_one(LineList).cursor)

    @on(LineList.Chosen)
    def _clicked(self, message: LineList.Chosen) -> None:
        self._choose(message.index)

    def action_move(self, by: int) -> None:
        self.query_one(LineList).action_cursor(by)

    def action_page(self, by: int) -> None:
        self.query_one(LineList).action_page(by)

    def _choose(self, index: int) -> None:
        if self._found:
            self.dismiss(self._found[index].visit)

    def _show(self, cursor: int) -> None:
        rows = self.query_one(LineList)
        if not self._found:
            rows.show(
                1, lambda _row: [("no query has all of this in its id or text", "list--faint")]
            )
            return
        rows.show(len(self._found), self._draw, cursor=cursor)

    def _draw(self, index: int) -> list[Piece]:
        query = self._found[index]
        done = query.decided >= query.pairs
        count = f"{query.decided}/{query.pairs}"
        return [
            (f"{visible_line(query.query_id):<{self._width}} ", "list--strong"),
            (f"{count:>9}  ", "list--good" if done else "list--faint"),
            (visible_line(query.text), ""),
        ]
