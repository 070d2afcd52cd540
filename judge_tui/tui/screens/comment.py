"""A comment on the pair in front of the judge, in one line."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from judge_tui.tui.screens.overlay import Overlay
from judge_tui.visible import visible_line

__all__ = ["CommentOverlay"]

GREATEST_LENGTH = 2000


class _Line(Input):
    """Enter counts when it is pressed: by a binding, it would come after keys typed behind it."""

    @dataclass
    class Entered(Message):
        """What stood there when enter was pressed."""

        value: str

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Entered(self.value.strip()))
            self.disabled = True


class CommentOverlay(Overlay[str]):
    """Gives the comment on enter, None on escape. An empty one takes the comment off."""

    def __init__(self, note: str) -> None:
        super().__init__()
        self._note = note

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static("Comment", classes="heading", markup=False)
            yield _Line(visible_line(self._note), max_length=GREATEST_LENGTH)
            yield Static(
                "enter keeps it   esc leaves it as it was   an empty one takes it off",
                classes="hint",
                markup=False,
            )

    @on(_Line.Entered)
    def _keep(self, message: _Line.Entered) -> None:
        self.dismiss(message.value)
