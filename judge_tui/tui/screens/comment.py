"""A comment on the pair in front of the judge, in one line."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from judge_tui.tui.screens.overlay import Overlay
from judge_tui.visible import visible_line

__all__ = ["CommentOverlay"]

GREATEST_LENGTH = 2000


class CommentOverlay(Overlay[str]):
    """Gives the comment on enter, None on escape. An empty one takes the comment off."""

    def __init__(self, note: str) -> None:
        super().__init__()
        self._note = note

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static("Comment", classes="heading", markup=False)
            yield Input(visible_line(self._note), max_length=GREATEST_LENGTH)
            yield Static(
                "enter keeps it   esc leaves it as it was   an empty one takes it off",
                classes="hint",
                markup=False,
            )

    @on(Input.Submitted)
    def _keep(self, message: Input.Submitted) -> None:
        self.dismiss(message.value.strip())
