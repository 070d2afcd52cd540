"""A comment on the pair in front of the judge, or a lead's reason, in one line at the bottom."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.shown import foreign
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.visible import visible_line

GREATEST_LENGTH = 2000


class CommentOverlay(Overlay[str]):
    """Gives the comment on enter, None on escape. An empty one takes the comment off.

    `elsewhere` is what was written in another window meanwhile, where that is to be decided on;
    `what` is written.
    """

    writes = True

    def __init__(self, note: str, *, elsewhere: str | None = None, what: str = "comment") -> None:
        super().__init__(classes="at-bottom")
        self._note = note
        self._elsewhere = elsewhere
        self._what = what
        self._told = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="lines"):
            if self._elsewhere is not None:
                yield Static(self._conflict(self._elsewhere), markup=False)
            with Horizontal(classes="line"):
                yield Static(f"{self._what} ", classes="what", markup=False)
                yield EntryLine(visible_line(self._note), max_length=GREATEST_LENGTH)
            yield Static(
                f"enter keeps it   {self.closing} leaves it as it was   an empty one takes it off",
                classes="hint",
                markup=False,
            )

    def _conflict(self, elsewhere: str) -> Content:
        now = foreign(elsewhere) if elsewhere else Content("none")
        return Content.assemble(
            ("CHANGED  ", "bold $text-warning"), "in another window meanwhile. It is now: ", now
        )

    def may_leave(self, keys: str) -> bool:
        """Whether the app may end: nothing was typed that is not kept, or that was said before."""
        typed = self.query_one(EntryLine).value
        if self._told or typed.strip() == visible_line(self._note).strip():
            return True
        self._told = True
        self.query_one(".hint", Static).update(
            Content.assemble(
                ("NOT KEPT  ", "bold $text-warning"),
                f"enter keeps the {self._what}  ",
                (f"{keys} once more leaves without it", "dim"),
            )
        )
        return False

    @on(EntryLine.Changed)
    def _changed(self) -> None:
        # What was said was of less than what is there now.
        self._told = False

    @on(EntryLine.Entered)
    def _keep(self, message: EntryLine.Entered) -> None:
        self.dismiss(message.value)
