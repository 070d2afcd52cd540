"""A document on the line API: wrapped once, styled only where it is on screen.

Markdown and Static take seconds for a megabyte; this takes milliseconds, because what is painted is
the height of the screen and nothing else.
"""

from __future__ import annotations

import re
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from judge_tui.tui.wrapping import Row, wrap
from judge_tui.visible import visible

__all__ = ["DocumentView"]

# Longer lines are hard to read, however wide the terminal is.
GREATEST_MEASURE = 100
_LEFT_PADDING = 1
_GUTTER = 2
_CACHED_ROWS = 1000


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows one text, its query words marked, with a gutter that says where in it one is.

    `drawn` tells which of the texts shown was drawn last: a grade counts only once its own was.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"document--mark", "document--gutter", "document--note"}

    DEFAULT_CSS = """
    DocumentView {
        height: 1fr;
        width: 1fr;
        scrollbar-size: 0 0;
        overflow: hidden scroll;
    }
    DocumentView > .document--mark { text-style: bold underline; color: $accent; }
    DocumentView > .document--gutter { color: $foreground 40%; }
    DocumentView > .document--note { text-style: italic; color: $foreground 60%; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = ""
        self._note = ""
        self._marks: re.Pattern[str] | None = None
        self._rows: list[Row] = [(0, 0)]
        self._strips: LRUCache[int, Strip] = LRUCache(_CACHED_ROWS)
        self._shown = 0
        self._drawn = 0

    def show(self, text: str, marks: re.Pattern[str] | None = None, *, note: str = "") -> None:
        """Show a foreign text from its beginning. `note`, if any, stands in place of no text."""
        self._text = visible(text).rstrip("\n") or note
        self._note = note if self._text == note else ""
        self._marks = None if self._note else marks
        self._shown += 1
        self.scroll_to(0, 0, animate=False, force=True, immediate=True)
        self._rewrap()

    @property
    def drawn(self) -> bool:
        """Whether the text shown last has been drawn since."""
        return self._drawn == self._shown

    def clear(self) -> None:
        """Show nothing; nothing counts as drawn until something is shown again."""
        self.show("")

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def on_resize(self, _event: events.Resize) -> None:
        self._rewrap()

    def render_lines(self, crop: Region) -> list[Strip]:
        if crop.area:
            self._drawn = self._shown
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        row = self.scroll_offset.y + y
        body = self._strips.get(row)
        if body is None:
            body = self._strips[row] = self._body(row, width - _GUTTER)
        return Strip.join([body, self._gutter(y)])

    def _rewrap(self) -> None:
        measure = min(GREATEST_MEASURE, self.size.width - _GUTTER - _LEFT_PADDING)
        self._rows = wrap(self._text, measure)
        self._strips.clear()
        self.virtual_size = Size(self.size.width, len(self._rows))
        self.refresh()

    def _body(self, row: int, width: int) -> Strip:
        base = self.rich_style
        if row >= len(self._rows):
            return Strip.blank(width, base)
        start, end = self._rows[row]
        if self._note:
            base += self.get_component_rich_style("document--note", partial=True)
        segments = [Segment(" " * _LEFT_PADDING, base)]
        mark = base + self.get_component_rich_style("document--mark", partial=True)
        at = start
        for match in self._marks.finditer(self._text, start, end) if self._marks else ():
            segments.append(Segment(self._text[at : match.start()], base))
            segments.append(Segment(match.group(), mark))
            at = match.end()
        segments.append(Segment(self._text[at:end], base))
        return Strip(segments).adjust_cell_length(width, base)

    def _gutter(self, y: int) -> Strip:
        """The part of the document on screen, as a bar; nothing where all of it is."""
        base = self.rich_style
        height, rows = self.size.height, len(self._rows)
        if rows <= height:
            return Strip.blank(_GUTTER, base)
        length = max(1, height * height // rows)
        top = self.scroll_offset.y * (height - length) // max(1, rows - height)
        style = base + self.get_component_rich_style("document--gutter", partial=True)
        return Strip([Segment(" ▐" if top <= y < top + length else "  ", style)], _GUTTER)
