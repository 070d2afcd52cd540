"""A screen is as large as the terminal is now."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.screen import Screen

Result = TypeVar("Result")


class TerminalSized(Screen[Result]):
    """A screen to which every resize means the size that the terminal has when it is dealt with.

    Textual tells a screen a size twice: the app when the terminal changes, and the screen itself
    when it is laid out. Two changes in haste, and the echo of the first comes after the second: the
    screen would be laid out for either in turn, without end and without a moment for a key, or stay
    at the size that is gone.
    """

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Resize) and event.size != self.app.size:
            event = events.Resize(self.app.size, self.app.size)
        await super().on_event(event)
