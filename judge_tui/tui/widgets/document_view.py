"""A document on the line API: wrapped as far as it is needed, styled only where it is on screen.

Markdown and Static take seconds for a megabyte. Here the first screen costs the same whatever the
length of the document; the rest is made ready in small steps while it is being read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.strip import Strip

from judge_tui.tui.reading import PlainReading, Reading
from judge_tui.tui.wrapping import Row, wrap
from judge_tui.visible import visible

__all__ = ["DocumentView"]

# Longer lines are hard to read, however wide the terminal is.
GREATEST_MEASURE = 100
_LEFT_PADDING = 1
_GUTTER = 2
_CACHED_ROWS = 1000
# Characters made ready at once, and the pause between two steps: keys go first.
_STEP = 4096
_GREATEST_STEP = 32_768
_PAUSE = 0.003


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows one text, its query words marked, with a gutter that says where in it one is.

    `drawn` tells whether the text shown last was drawn: a grade counts only once it was.
    """

    ALLOW_MAXIMIZE = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "document--mark",
        "document--gutter",
        "document--note",
    }

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
        self._reading: Reading = PlainReading("")
        self._text = ""
        self._laid = 0
        self._rows: list[Row] = [(0, 0)]
        self._is_note = True
        self._blank = True
        self._marks: re.Pattern[str] | None = None
        self._strips: LRUCache[int, Strip] = LRUCache(_CACHED_ROWS)
        self._shown = 0
        self._drawn = 0
        self._base = Style()
        self._bar_now = range(0)

    def show(
        self,
        reading: Reading,
        marks: re.Pattern[str] | None = None,
        *,
        head: str = "",
        note: str = "",
    ) -> None:
        """Show a document from its beginning.

        `head` is foreign text that stands above it and scrolls with it; `note` stands in the place
        of a text without ink.
        """
        first = _up_to_ink(reading)
        self._is_note = not first
        self._blank = False
        head = visible(head).strip("\n")
        body = first or note
        self._begin(reading, f"{head}\n\n{body}" if head and body else head or body, marks)

    def clear(self, note: str = "") -> None:
        """Show no document, at most a note; nothing counts as drawn until one is shown again."""
        self._is_note = self._blank = True
        self._begin(PlainReading(""), note, None)

    @property
    def drawn(self) -> bool:
        """Whether there is a document, and it has been drawn since it was shown."""
        return not self._blank and self._drawn == self._shown

    @property
    def max_scroll_y(self) -> int:
        """How far down one can go. Rows are counted here rather than in `virtual_size`, each
        change of which would lay out the whole screen anew."""
        return max(0, len(self._rows) - self.size.height)

    def draw_anew(self) -> None:
        """What was drawn so far does not count any more."""
        self._drawn = -1
        self.refresh()

    def move(self, by: int) -> None:
        """Go so many rows down, or up; what is not ready yet on the way is made ready."""
        row = max(0, self.scroll_offset.y + by)
        while len(self._rows) < row + self.size.height and self._take():
            continue
        self._go(min(row, self.max_scroll_y))

    def to_end(self) -> None:
        """Go to the last line, however far that is."""
        while self._take():
            continue
        self._go(self.max_scroll_y)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def on_resize(self, _event: events.Resize) -> None:
        """Wrap anew; the text at the top stays at the top."""
        if not self.size.width:
            return
        top = self._rows[min(self.scroll_offset.y, len(self._rows) - 1)][0]
        self._restart()
        while self._rows[-1][1] < top and self._take():
            continue
        self._go(bisect_right(self._rows, (top, len(self._text))) - 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        if crop.area:
            self._drawn = self._shown
        # Once for all lines: Textual puts these styles together anew each time they are asked for.
        self._base = self.rich_style
        self._bar_now = self._bar()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        row = self.scroll_offset.y + y
        body = self._strips.get(row)
        if body is None:
            body = self._body(row, self.size.width - _GUTTER)
            self._strips[row] = body
        return Strip.join([body, self._gutter(y)])

    # Making the text ready

    def _begin(self, reading: Reading, text: str, marks: re.Pattern[str] | None) -> None:
        self._reading = reading
        self._text = text
        self._marks = marks
        self._shown += 1
        self._restart()
        self._go(0)

    def _restart(self) -> None:
        self._laid = 0
        self._rows = []
        self._strips.clear()
        if self.size.width:
            while self._take() and len(self._rows) <= self.size.height:
                continue
            self._later()
        else:
            # Not laid out yet: there is no width to wrap at.
            self._rows = [(0, 0)]
        self.refresh()

    @property
    def _ready(self) -> bool:
        """Whether all of the document stands in rows."""
        return self._reading.done >= 1 and self._laid == len(self._text)

    def _later(self) -> None:
        shown, laid = self._shown, self._laid
        if not self._ready:
            self.set_timer(_PAUSE, lambda: self._continue(shown, laid))

    def _continue(self, shown: int, laid: int) -> None:
        """One more step, unless another text or width came in between."""
        if (shown, laid) == (self._shown, self._laid):
            rows, bar = len(self._rows), self._bar()
            self._take()
            self._later()
            # What was not there when the screen was painted: text below, or another bar.
            if rows < self.scroll_offset.y + self.size.height or bar != self._bar():
                self.refresh()

    def _take(self) -> bool:
        """Make the next part of the text ready; False where all of it is."""
        if self._ready and self._rows:
            return False
        # Longer steps further on: each step copies what is there already.
        step = min(_GREATEST_STEP, max(_STEP, self._laid // 4))
        if len(self._text) - self._laid < step and self._reading.done < 1:
            self._text += self._reading.take(step).text
        start = self._rows.pop()[0] if self._rows else 0
        self._laid = min(len(self._text), self._laid + step)
        measure = min(GREATEST_MEASURE, self.size.width - _GUTTER - _LEFT_PADDING)
        rows = wrap(self._text[start : self._laid], measure)
        for row in range(len(self._rows), len(self._rows) + len(rows)):
            self._strips.discard(row)
        self._rows += [(start + left, start + right) for left, right in rows]
        return True

    def _go(self, row: int) -> None:
        self.scroll_to(0, row, animate=False, force=True, immediate=True)

    # Drawing

    def _body(self, row: int, width: int) -> Strip:
        base = self._base
        if row >= len(self._rows):
            return Strip.blank(width, base)
        start, end = self._rows[row]
        if self._is_note:
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
        if y not in self._bar_now:
            return Strip.blank(_GUTTER, self._base)
        style = self._base + self.get_component_rich_style("document--gutter", partial=True)
        return Strip([Segment(" ▐", style)], _GUTTER)

    def _bar(self) -> range:
        """The lines of the screen that the bar takes."""
        height = self.size.height
        # As many rows as there will be, if the rest is like the part that is ready.
        length = len(self._text) / max(self._reading.done, 0.001)
        rows = int(len(self._rows) * length / max(1, self._laid))
        if rows <= height:
            return range(0)
        length = max(1, height * height // rows)
        top = self.scroll_offset.y * (height - length) // max(1, rows - height)
        return range(top, top + length)


def _up_to_ink(reading: Reading) -> str:
    """The text up to and with the first part that has something to see; empty where none has.

    Spaces of any kind and the empty Braille cell are nothing to see.
    """
    text = ""
    while reading.done < 1:
        part = reading.take(_STEP).text
        text += part
        if part.replace("\u2800", "").strip():
            return text
    return ""
