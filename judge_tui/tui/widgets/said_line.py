"""The line that says what happened, and to whom."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from judge_tui.tui.widgets.said_text import SaidText


class SaidLine(Horizontal):
    """One line, but for what must be read whole: that takes as many lines as it needs."""

    DEFAULT_CSS = """
    SaidLine { height: auto; }
    SaidLine > #said { width: 1fr; }
    SaidLine > #who { width: auto; max-width: 24; height: 1; padding-left: 2; }
    """

    def __init__(self, who: Content) -> None:
        super().__init__()
        self._who = who
        self._stays = False

    def compose(self) -> ComposeResult:
        yield SaidText(id="said")
        yield Static(self._who, id="who", markup=False)

    def clear(self) -> None:
        """Take off what was said, but for an error: that stays until something was done."""
        if not self._stays:
            self.say(Content(""))

    def say(self, said: Content) -> None:
        """One line, cut where it is longer."""
        self._stays = False
        line = self.query_one(SaidText)
        room = max(1, self.content_size.width - self.query_one("#who").outer_size.width)
        # Laying out the screen anew costs as much as painting it: only to give lines back.
        line.update(said.truncate(room, ellipsis=True), layout=line.size.height > 1)

    def say_whole(self, said: Content, *, stays: bool = True) -> None:
        """Over as many lines as it needs; it `stays` where one moves on."""
        self._stays = stays
        self.query_one(SaidText).update(said)
