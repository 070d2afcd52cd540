"""A document on the line API: made ready as far as is needed, painted only where it is on screen.

Markdown and Static take seconds for a megabyte. Here the first screen costs the same whatever the
length of the document; the rest is made ready in small steps while it is being read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Region
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from judge_tui.tui.document.finding import Finding
from judge_tui.tui.document.gutter import GUTTER, Gutter
from judge_tui.tui.document.hits import Sought
from judge_tui.tui.document.painting import Painter
from judge_tui.tui.document.ready_document import ReadyDocument
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.reading import PlainReading, Reading
from judge_tui.tui.widgets.document_looks import CSS, LOOKS, MARKED, STYLES

__all__ = ["STYLES", "DocumentView"]

# Longer lines are hard to read, however wide the terminal is; code keeps its lines.
GREATEST_MEASURE = 100
_CACHED_ROWS = 1000
# Seconds of making ready before a document is painted, at a time afterwards, and between two times:
# keys go first.
_BEFORE_PAINT = 0.004
_AT_A_TIME = 0.005
_PAUSE = 0.003
# The same while one waits for a place further on.
_PATIENCE = 0.08
_AT_A_TIME_WAITED_FOR = 0.025
# The gutter is painted anew at most so often while the rest of a document is made ready.
_GUTTER_SECONDS = 0.3
_PLAIN = Style()


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows one document, its query words marked, with a gutter that says where in it one is.

    `drawn` tells whether the document shown last was drawn: a grade counts only once it was.
    """

    ALLOW_MAXIMIZE = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"document--{name}" for name in LOOKS}

    DEFAULT_CSS = CSS

    @dataclass
    class Found(Message):
        """The whole document was searched, after `find` had answered: what is to be said now."""

        document_view: DocumentView
        said: str

        @property
        def control(self) -> DocumentView:
            return self.document_view

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._document = ReadyDocument(StyledText(PlainReading("")), None)
        self._painter = Painter(self._document, 0)
        self._gutter = Gutter(self._document)
        self._blank = True
        self._shown = 0
        self._drawn = 0
        self._strips: LRUCache[int, Strip] = LRUCache(_CACHED_ROWS)
        self._looks: dict[tuple[str, ...], Style] = {}
        self._base = Style()
        # The place in the text that stays at the top when the width changes.
        self._top = 0
        # What one waits for: tries to get there, and tells whether it did.
        self._goal: Callable[[], bool] | None = None
        self._said: str | None = None
        self._timed = False
        self._gutter_at = 0.0

    # Which document

    def show(
        self,
        reading: Reading,
        marks: Sought | None = None,
        *,
        head: str = "",
        note: str = "",
    ) -> None:
        """Show a document from its beginning, or where its reading begins.

        `head` is foreign text that stands above it and scrolls with it; `note` stands in the place
        of a text without ink. What was found in the document before is forgotten; wrapping and
        marking stay as they are.
        """
        styled = StyledText(reading, head=head, note=note)
        self._open(styled, marks if styled.has_ink else None, blank=False)

    def clear(self, note: str = "") -> None:
        """Show no document, at most a note; nothing counts as drawn until one is shown again."""
        self._open(StyledText(PlainReading(""), note=note), None, blank=True)

    @property
    def drawn(self) -> bool:
        """Whether there is a document, and it has been drawn since it was shown."""
        return not self._blank and self._drawn == self._shown

    def draw_anew(self) -> None:
        """What was drawn so far does not count any more."""
        self._drawn = -1
        self.refresh()

    @property
    def settled(self) -> bool:
        """Whether the whole document is ready, and searched if one looks for something."""
        return self._document.is_settled and self._goal is None

    # Moving

    @property
    def max_scroll_y(self) -> int:
        """How far down one can go. Rows are counted here rather than in `virtual_size`, each
        change of which would lay out the whole screen anew."""
        return max(0, len(self._document.rows) - self.size.height)

    def move(self, by: int) -> None:
        """Go so many rows down, or up; what is not ready yet on the way is made ready."""
        self._goal = None
        row = max(0, self.scroll_offset.y + by)
        self._have_rows(row)
        self._go(row)

    def to_start(self) -> None:
        """Go to the first line."""
        self._goal = None
        self._go(0)

    def to_end(self) -> None:
        """Go to the last line, however far that is: at once, or as soon as it is ready."""
        self._pursue(lambda: self._document.is_ready and self._go(self.max_scroll_y))

    def shift(self, by: int) -> None:
        """Go so many cells to the right, or left, where lines are not wrapped; as far right as
        the lines on screen go."""
        painter = self._painter
        if painter.wraps:
            return
        shift = max(0, painter.shift + by)
        if by > 0:
            top = self.scroll_offset.y
            rows = range(top, min(top + self.size.height, len(self._document.rows)))
            reach = max((painter.reach(row, shift + painter.room) for row in rows), default=0)
            shift = max(painter.shift, reach - painter.room)
        self._shift_to(shift)

    def toggle_wrap(self) -> bool:
        """Wrap long lines, or do not; the text at the top stays at the top. Whether they are."""
        self._painter.wraps = not self._painter.wraps
        self._painter.shift = 0
        self._lay_out()
        return self._painter.wraps

    def toggle_marks(self) -> bool:
        """Mark the words of the query, or do not. Whether they are."""
        self._painter.marked = not self._painter.marked
        self._paint_anew()
        return self._painter.marked

    # Finding

    @property
    def finding(self) -> bool:
        """Whether something is looked for."""
        return self._document.finding is not None

    def find(self, text: str) -> str:
        """Look for a text: go to the first hit at the top row or after it. What to say of it.

        Case counts only if the text has a capital. Where the document is so long that the end of
        the search is not waited for, `Found` follows.
        """
        self.stop_finding()
        if not text or self._blank:
            return ""
        self._document.finding = Finding(text)
        return self._seek(self._document.rows.start(self.scroll_offset.y), 1)

    def find_next(self, by: int) -> str:
        """Go to the next hit (1) or the previous one (-1), round the end if need be: from the hit
        one is at if it is on screen, else from the top row. What to say of it."""
        finding, rows, top = self._document.finding, self._document.rows, self.scroll_offset.y
        if finding is None:
            return ""
        start = finding.span[0]
        if finding.here is not None and (
            rows.start(top) <= start < rows.start(top + self.size.height)
        ):
            return self._seek(start + (by > 0), by)
        return self._seek(rows.start(top), by)

    def stop_finding(self) -> None:
        """Show no hits any more."""
        self._goal = self._said = None
        self._document.finding = None
        self._paint_anew()

    # Events

    def on_resize(self, _event: events.Resize) -> None:
        """Wrap anew; the text at the top stays at the top."""
        if self.size.width and self._painter.width != self.size.width - GUTTER:
            self._lay_out()
        else:
            self._have_rows(self.scroll_offset.y)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def on_click(self, event: events.Click) -> None:
        """In the gutter: go there."""
        if event.x >= self.size.width - GUTTER and self.size.height:
            event.stop()
            height = self.size.height
            row = self._gutter.row(event.y, height, marked=self._painter.marked)
            self._pursue(lambda: self._is_laid_to(row + height) and self._go(row))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()
        self._strips.clear()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._top = self._document.rows.start(round(new_value))

    # Painting

    def render_lines(self, crop: Region) -> list[Strip]:
        if crop.area:
            self._drawn = self._shown
        # Once for all lines: Textual puts these styles together anew each time they are asked for.
        base = self.rich_style
        if base != self._base:
            self._base = base
            self._looks.clear()
            self._strips.clear()
        self._look_at_gutter()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        row = self.scroll_offset.y + y
        body = self._strips.get(row)
        if body is None:
            body = self._strips[row] = self._painter.paint(row, self._look)
        return Strip.join([body, self._gutter.paint(y, self._look)])

    def _look(self, names: tuple[str, ...]) -> Style:
        """The style of these names, each over those before it."""
        look = self._looks.get(names)
        if look is None:
            look = self._base
            for name in names:
                look += MARKED.get(name, _PLAIN)
                look += self.get_component_rich_style(f"document--{name}", partial=True)
            self._looks[names] = look
        return look

    def _look_at_gutter(self) -> bool:
        """Whether there is something new in the gutter."""
        self._gutter_at = perf_counter()
        return self._gutter.look(
            self.size.height, self.scroll_offset.y, marked=self._painter.marked
        )

    def _paint_anew(self) -> None:
        self._strips.clear()
        self.refresh()

    # Making ready

    def _open(self, styled: StyledText, marks: Sought | None, *, blank: bool) -> None:
        self._document = ReadyDocument(styled, marks)
        self._gutter = Gutter(self._document)
        before = self._painter
        self._painter = Painter(self._document, 0, wraps=before.wraps, marked=before.marked)
        self._blank = blank
        self._goal = self._said = None
        self._shown += 1
        self._top = styled.first_row()
        self._lay_out()

    def _lay_out(self) -> None:
        """Lay out the document anew, with the same text at the top."""
        width = self.size.width - GUTTER
        self._strips.clear()
        self.refresh()
        if width <= 0:
            # Not laid out yet: there is no width to wrap at.
            return
        document, painter, top = self._document, self._painter, self._top
        painter.width = width
        measure = painter.room
        if not document.styled.is_numbered:
            measure = min(GREATEST_MEASURE, measure)
        document.lay_out(measure if painter.wraps else None)
        begun = perf_counter()
        while document.rows.laid <= top and not document.is_ready:
            document.advance()
        row = document.rows.at(top)
        self._have_rows(row)
        while not document.is_settled and perf_counter() - begun < _BEFORE_PAINT:
            document.advance()
        self._go(row)
        self._top = top
        self._later()

    def _have_rows(self, row: int) -> None:
        """Make ready what is on screen when `row` is at the top."""
        while self.size.width and not self._is_laid_to(row + self.size.height):
            self._advance()

    def _is_laid_to(self, row: int) -> bool:
        return self._document.is_ready or len(self._document.rows) > row

    def _advance(self) -> None:
        """One step; what is on screen is painted anew if it changed."""
        document, bottom = self._document, self.scroll_offset.y + self.size.height
        finding = document.finding
        searched = finding.hits.searched if finding else 0
        changed = document.advance()
        is_found = finding and searched < finding.hits.searched
        if is_found and searched <= document.rows.start(bottom):
            self._paint_anew()
        if changed is not None:
            if changed <= bottom:
                self._paint_anew()
            else:
                self._strips.discard(changed)
                self._strips.discard(changed + 1)

    def _later(self) -> None:
        if not self._timed and not self.settled and self.size.width:
            self._timed = True
            self.set_timer(_PAUSE, self._continue)

    def _continue(self) -> None:
        """Some more steps, then the keys that came meanwhile."""
        self._timed = False
        begun = perf_counter()
        is_over = False
        while not self.settled and not is_over:
            self._advance()
            if self._goal is not None and self._goal():
                self._goal = None
            limit = _AT_A_TIME if self._goal is None else _AT_A_TIME_WAITED_FOR
            is_over = perf_counter() - begun > limit
        self._later()
        self._say_found()
        is_due = self.settled or begun - self._gutter_at > _GUTTER_SECONDS
        if is_due and self._look_at_gutter():
            self.refresh(Region(self.size.width - GUTTER, 0, GUTTER, self.size.height))

    def _pursue(self, goal: Callable[[], bool]) -> None:
        """Get somewhere now if that takes a moment, else as soon as it is ready."""
        self._goal = goal
        end = perf_counter() + _PATIENCE
        while self._goal is not None or not self._document.is_searched:
            if self._goal is not None and goal():
                self._goal = None
            elif perf_counter() > end:
                break
            else:
                self._advance()
        self._later()

    def _seek(self, offset: int, by: int) -> str:
        document, finding = self._document, self._document.finding
        if finding is None:
            return ""

        def goal() -> bool:
            if not finding.go(offset, by, is_end=document.is_searched):
                return False
            return finding.here is None or self._reveal(finding.span)

        self._pursue(goal)
        self._paint_anew()
        said = finding.said(is_end=document.is_searched)
        self._said = None if self.settled else said
        return said

    def _say_found(self) -> None:
        """What was said when not all was searched yet is said anew."""
        finding = self._document.finding
        if finding is not None and self._said is not None and self._document.is_searched:
            said, before = finding.said(is_end=True), self._said
            self._said = None
            self._paint_anew()
            if said != before:
                self.post_message(self.Found(self, said))

    # Going

    def _go(self, row: int) -> bool:
        row = min(row, self.max_scroll_y)
        self.scroll_to(0, row, animate=False, force=True, immediate=True)
        return True

    def _reveal(self, hit: tuple[int, int]) -> bool:
        """Bring a hit on screen, where it is not; False where it is not ready yet."""
        document, painter, height = self._document, self._painter, self.size.height
        if document.rows.laid <= hit[0] and not document.is_ready:
            return False
        row, top = document.rows.at(hit[0]), self.scroll_offset.y
        if not top <= row < top + height:
            top = max(0, row - height // 3)
            if not self._is_laid_to(top + height):
                return False
            self._go(top)
        if not painter.wraps:
            start, end = painter.cell(row, hit[0]), painter.cell(row, hit[1])
            if start < painter.shift or end > painter.shift + painter.room:
                self._shift_to(0 if end <= painter.room else max(0, start - painter.room // 2))
        return True

    def _shift_to(self, shift: int) -> None:
        if shift != self._painter.shift:
            self._painter.shift = shift
            self._paint_anew()

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        """The wheel goes through what is not ready yet, too; held with shift, sideways."""
        event.stop()
        event.prevent_default()
        if event.shift or event.ctrl:
            self.shift(by * round(self.app.scroll_sensitivity_x))
        else:
            self.move(by * round(self.app.scroll_sensitivity_y))
