"""What is said on a screen, whole where there is room for it, with a sign where there is not."""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

__all__ = ["SaidText"]

_LINES = 4
_REST = 7
"""Lines of whatever else a screen has, where it is lowest."""
_GOES_ON = " …"
_SAID_AGAIN = " … whole once you leave"


class SaidText(Static):
    """As many lines as it needs, up to a few; up to half of the screen where it is of a lost file,
    as there is nothing else to be done then. What that says is printed when the app is left."""

    DEFAULT_CSS = """
    SaidText { height: auto; min-height: 1; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._is_loss = False
        self._needed = 0

    def tell(self, said: Content, *, is_loss: bool = False) -> None:
        """Say it, in the place of what was said before. `is_loss`: that the file is lost."""
        self._is_loss = is_loss
        self.update(said)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        self._needed = super().get_content_height(container, viewport, width)
        most = max(_LINES, viewport.height // 2) if self._is_loss else _LINES
        return max(1, min(self._needed, most, viewport.height - _REST))

    def render_line(self, y: int) -> Strip:
        line = super().render_line(y)
        width, height = self.content_size
        if y != height - 1 or self._needed <= height:
            return line
        sign = _SAID_AGAIN if self._is_loss else _GOES_ON
        style = self.visual_style.rich_style
        return Strip.join([line.crop(0, max(0, width - len(sign))), Strip([Segment(sign, style)])])
