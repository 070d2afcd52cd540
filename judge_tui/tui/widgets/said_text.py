"""What is said on a screen, whole where there is room for it, with a sign where there is not."""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

_LINES = 4
_REST = 7
"""Lines of whatever else a screen has, where it is lowest."""
_GOES_ON = " …"


class SaidText(Static):
    """As many lines as it needs, up to a few."""

    DEFAULT_CSS = """
    SaidText { height: auto; min-height: 1; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._needed = 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        self._needed = super().get_content_height(container, viewport, width)
        return max(1, min(self._needed, _LINES, viewport.height - _REST))

    def render_line(self, y: int) -> Strip:
        line = super().render_line(y)
        width, height = self.content_size
        if y != height - 1 or self._needed <= height:
            return line
        style = self.visual_style.rich_style
        sign = Strip([Segment(_GOES_ON, style)])
        return Strip.join([line.crop(0, max(0, width - len(_GOES_ON))), sign])
