"""Find in the document: a line at the bottom that leaves the document in sight."""

from __future__ import annotations

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.visible import visible_line

GREATEST_LENGTH = 500


class FindOverlay(Overlay[str]):
    """Finds while one types; gives what was sought on enter, None on escape.

    `find` goes to the first hit of a text, or to none, and returns what there is to say of it.
    """

    writes = True
    AUTO_FOCUS = "Input"

    def __init__(self, sought: str, find: Callable[[str], str]) -> None:
        super().__init__(classes="at-bottom")
        self._sought = sought
        self._find = find
        self.said = ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="lines"):
            with Horizontal(classes="line"):
                yield Static("find ", classes="what", markup=False)
                yield EntryLine(self._sought, max_length=GREATEST_LENGTH, select_on_focus=True)
                yield Static(id="found", markup=False)
            yield Static(
                f"enter stays there   {self.closing} goes back to where you were",
                classes="hint",
                markup=False,
            )

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        self.say(self._find(message.value))

    def say(self, said: str) -> None:
        """Say what was found so far."""
        self.said = said
        self.query_one("#found", Static).update(Content(visible_line(said)))

    @on(EntryLine.Entered)
    def _entered(self) -> None:
        self.dismiss(self.query_one(EntryLine).value)
