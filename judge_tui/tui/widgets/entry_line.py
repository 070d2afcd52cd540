"""One line to write in."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Input


class EntryLine(Input):
    """Enter counts when it is pressed: by a binding, it would come after keys typed behind it."""

    @dataclass
    class Entered(Message):
        """What stood there when enter was pressed, without space around it."""

        value: str

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Entered(self.value.strip()))
            self.disabled = True

    def on_paste(self, event: events.Paste) -> None:
        """Of what is too long, take what there is room for, and say so."""
        lines = event.text.splitlines()
        room = (self.max_length or 0) - len(self.value) + len(self.selected_text)
        if not lines or not self.max_length or len(lines[0]) <= room:
            return
        event.stop()
        event.prevent_default()
        self.replace(lines[0][:room], *sorted(self.selection))
        said = f"cut: there is room for {self.max_length:,} characters"
        self.notify(said, severity="warning", markup=False)

    def take_more(self) -> None:
        """What was entered is not to be had: go on writing."""
        self.disabled = False
        self.focus()
