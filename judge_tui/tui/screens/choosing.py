"""Choosing from a list by typing part of what is sought: what the overlays that do it share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.widgets import LineList
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.tui.widgets.line_list import Piece

Result = TypeVar("Result")

# What is longer was pasted by mistake.
_GREATEST_LENGTH = 200


class ChoiceOverlay(Overlay[Result]):
    """A line to type in, and below it what has all of that in it.

    What is typed is sought before enter is acted on, however fast both come. Those who make it give
    `placeholder`, what it is that typing and enter do (`typing_does`, `enter_does`), and what is
    said where there is `nothing`.
    """

    writes = True
    AUTO_FOCUS = "Input"

    placeholder = ""
    typing_does = "type to filter"
    enter_does = ""
    nothing = ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel tall"):
            yield EntryLine(placeholder=self.placeholder, max_length=_GREATEST_LENGTH)
            yield LineList(can_focus=False)
            yield Static(
                f"{self.typing_does}   up, down choose   enter {self.enter_does}"
                f"   {self.closing} closes",
                classes="hint",
                markup=False,
            )

    @abstractmethod
    def seek(self, typed: str) -> int:
        """Keep what has in it what was typed; how many there are."""

    @abstractmethod
    def draw(self, index: int) -> Sequence[Piece]:
        """A row of what was found."""

    @abstractmethod
    def choose(self, index: int) -> None:
        """One of what was found was chosen."""

    @property
    def cursor(self) -> int:
        """Where the cursor stands before anything is typed."""
        return 0

    def on_mount(self) -> None:
        self._count = 0
        self._show("", self.cursor)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        self._show(message.value, 0)

    @on(EntryLine.Entered)
    def _entered(self) -> None:
        self._choose(self.query_one(LineList).cursor)

    @on(LineList.Chosen)
    def _clicked(self, message: LineList.Chosen) -> None:
        self._choose(message.index)

    def action_move(self, by: int) -> None:
        self.query_one(LineList).action_cursor(by)

    def action_page(self, by: int) -> None:
        self.query_one(LineList).action_page(by)

    def _choose(self, index: int) -> None:
        if self._count:
            self.choose(index)
        else:
            self.query_one(EntryLine).take_more()

    def _show(self, typed: str, cursor: int) -> None:
        self._count = self.seek(typed)
        rows = self.query_one(LineList)
        if self._count:
            rows.show(self._count, self.draw, cursor=cursor)
        else:
            rows.show(1, lambda _row: [(self.nothing, "list--faint")])
