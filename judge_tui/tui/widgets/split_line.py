"""One line with something at its left and something at its right."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

__all__ = ["SplitLine"]

_GAP = 2


class SplitLine(Widget):
    """A line of two parts. Where they do not both fit, the left one is cut: the right one is
    numbers or a state, the left one prose."""

    DEFAULT_CSS = "SplitLine { height: 1; width: 1fr; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
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

    def render(self) -> Content:
        width = self.content_size.width
        right = self._right.truncate(width, ellipsis=True)
        room = max(0, width - right.cell_length - (_GAP if right.cell_length else 0))
        left = self._left.truncate(room, ellipsis=True)
        space = " " * max(0, width - left.cell_length - right.cell_length)
        return Content.assemble(left, space, right)
