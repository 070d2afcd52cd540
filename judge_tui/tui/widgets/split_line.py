"""One line with something at its left and something at its right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from judge_tui.tui.names import in_room

PRESSED = "pressed"
"""Content with this in its style's `meta` names an action that the mouse does there."""

_GAP = 2


class SplitLine(Widget):
    """A line of two parts. Where they do not both fit, the one that is not to be kept is cut; the
    kept one, where it is the right one, never takes more than half of the line. The names in a part
    are shortened before it is cut.
    """

    @dataclass
    class Pressed(Message):
        """The mouse was pressed where the line names an action."""

        action: str

    DEFAULT_CSS = "SplitLine { height: 1; width: 1fr; }"

    def __init__(self, *, id: str | None = None, keep: Literal["left", "right"] = "right") -> None:
        super().__init__(id=id)
        self._keep = keep
        self._left = Content("")
        self._right = Content("")

    def show(self, left: Content, right: Content | None = None) -> None:
        """Put both parts on the line; repaints only if something changed."""
        right = Content("") if right is None else right
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    @property
    def plain(self) -> str:
        """What the line says, without styles, uncut."""
        return f"{self._left.plain}  {self._right.plain}".rstrip()

    @property
    def cuts(self) -> bool:
        """Whether the two parts do not fit as they are."""
        return self._left.cell_length + _GAP + self._right.cell_length > self.content_size.width

    def on_click(self, event: events.Click) -> None:
        action = event.style.meta.get(PRESSED)
        if action:
            event.stop()
            self.post_message(self.Pressed(action))

    def render(self) -> Content:
        width = self.content_size.width
        left, right = self._left, self._right
        if self.cuts:
            if self._keep == "left":
                left = _cut(left, width)
                right = _cut(right, max(0, width - left.cell_length - _GAP))
            else:
                right = _cut(right, width // 2)
                left = _cut(left, max(0, width - right.cell_length - _GAP))
        space = " " * max(0, width - left.cell_length - right.cell_length)
        return Content.assemble(left, space, right)


def _cut(part: Content, width: int) -> Content:
    return in_room(part, width).truncate(width, ellipsis=True)
