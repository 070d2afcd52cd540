"""Jump to a query: type part of its id or text, enter goes there."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from judge_tui.campaign.store.desk import DeskQuery
from judge_tui.tui.cells import padded, widest
from judge_tui.tui.screens.choosing import ChoiceOverlay
from judge_tui.tui.widgets.line_list import Piece
from judge_tui.visible import visible_line

_GREATEST_ID = 24


class JumpOverlay(ChoiceOverlay[tuple[int, int]]):
    """Gives the visit that was chosen; see `DeskQuery.visit`."""

    placeholder = "part of an id or of the text"
    enter_does = "goes there"
    nothing = "no query has all of this in its id or text"

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
        self._width = widest(_GREATEST_ID, (query.query_id for query in queries))

    @property
    def cursor(self) -> int:
        key, _ = self._current
        return next((i for i, query in enumerate(self._queries) if query.key == key), 0)

    def seek(self, typed: str) -> int:
        words = typed.casefold().split()
        self._found = [
            query
            for query in self._queries
            if all(word in f"{query.query_id} {query.text}".casefold() for word in words)
        ]
        return len(self._found)

    def choose(self, index: int) -> None:
        self.dismiss(self._found[index].visit)

    def draw(self, index: int) -> list[Piece]:
        query = self._found[index]
        done = query.decided >= query.pairs
        count = f"{query.decided}/{query.pairs}"
        return [
            (f"{padded(visible_line(query.query_id), self._width)} ", "list--strong"),
            (f"{count:>9}  ", "list--good" if done else "list--faint"),
            (visible_line(query.text), ""),
        ]
