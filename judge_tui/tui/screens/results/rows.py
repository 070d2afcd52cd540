"""The rows of a view: a list that tells where its cursor is, and where it was clicked."""

from __future__ import annotations

from collections.abc import Callable

from textual import events

from judge_tui.tui.widgets import LineList


class Rows(LineList):
    """A list under a cursor; `moved` hears at once which row that is on."""

    def __init__(self, moved: Callable[[int], None], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._moved = moved
        self.clicked: float | None = None
        """Where, from 0 at the left to 1 at the right, it was clicked; None after a key."""

    def move(self, to: int) -> None:
        before = self.cursor
        super().move(to)
        if self.cursor != before:
            self._moved(self.cursor)

    def on_click(self, event: events.Click) -> None:
        # Before the list itself says which row it was.
        self.clicked = event.x / max(1, self.size.width)

    def action_choose(self) -> None:
        self.clicked = None
        super().action_choose()
