"""A document on the line API: made ready as far as is needed, painted only where it is on screen.

Markdown and Static take seconds for a megabyte. Here the first screen costs the same whatever the
length of the document; the rest is made ready in small steps while it is being read.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from rich.style import Style
from textual.cache import LRUCache
from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from judge_tui.tui.document.gutter import GUTTER, Gutter
from judge_tui.tui.document.hits import Sought
from judge_tui.tui.document.painting import PADDING, Painter
from judge_tui.tui.document.ready_document import ReadyDocument
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.once import once
from judge_tui.tui.reading import PlainReading
from judge_tui.tui.widgets.document_looks import MARKED, look_of

# Longer lines are hard to read, however wide the terminal is; code keeps its lines.
GREATEST_MEASURE = 100
_CACHED_ROWS = 1000
# Characters that may be left of a document that is made ready as a whole before it is painted.
_SHORT = 4096
# Seconds of making ready before a document is painted, at a time afterwards, and between two times:
# keys go first.
_BEFORE_PAINT = 0.002
_AT_A_TIME = 0.003
_PAUSE = 0.003
# The same while one waits for a place further on.
_PATIENCE = 0.08
_AT_A_TIME_WAITED_FOR = 0.025
# What the gutter tells of the rest of a document is painted so much later: who goes on at once does
# not wait for it.
_GUTTER_LATER = 0.15
_PLAIN = Style()


class ReadyView(ScrollView, can_focus=True, inherit_bindings=False):
    """Makes one document ready in steps, and paints what is on screen.

    `drawn` tells whether the document shown last was drawn: a grade counts only once it was.
    """

    ALLOW_MAXIMIZE = False

    DEFAULT_CSS = """
    ReadyView {
        height: 1fr;
        width: 1fr;
        scrollbar-size: 0 0;
        overflow: hidden scroll;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._document = ReadyDocument(StyledText(PlainReading("")), None)
        self._painter = Painter(self._document, 0)
        self._gutter = Gutter(self._document)
        self._blank = True
        self._rests = False
        self._shown = 0
        self._drawn = 0
        self._strips: LRUCache[int, Strip] = LRUCache(_CACHED_ROWS)
        self._looks: dict[tuple[str, ...], Style] = {}
        self._base = Style()
        # The place in the text that stays at the top when the width changes.
        self._top = 0
        # What one waits for: tries to get there, and tells whether it did.
        self._goal: Callable[[], bool] | None = None
        self._step_timer: Timer | None = None
        self._gutter_timer: Timer | None = None

    @property
    def drawn(self) -> bool:
        """Whether there is a document, and it has been drawn since it was shown."""
        return not self._blank and self._drawn == self._shown

    def rest(self) -> None:
        """Leave what is not on screen as it is, until `go_on` or another document: something else
        has to be made ready first."""
        self._rests = True
        # Not even what has begun, unless somebody waits for it.
        if self._goal is None and self._step_timer is not None:
            self._step_timer.stop()
            self._step_timer = None

    def go_on(self) -> None:
        """Make the rest of the document ready."""
        self._rests = False
        self._later()

    def draw_anew(self) -> None:
        """What was drawn so far does not count any more."""
        self._drawn = -1
        self.refresh()

    @property
    def settled(self) -> bool:
        """Whether the whole document is ready, and searched if one looks for something."""
        return self._document.is_settled and self._goal is None

    @property
    def room(self) -> int:
        """Cells that a line of text without numbers has; 0 as long as that is not known."""
        if not self.size.width:
            return 0
        return min(GREATEST_MEASURE, max(1, self.size.width - GUTTER - 2 * PADDING))

    @property
    def max_scroll_y(self) -> int:
        """How far down one can go. Rows are counted here rather than in `virtual_size`, each
        change of which would lay out the whole screen anew."""
        return max(0, len(self._document.rows) - self.size.height)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()
        self._strips.clear()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._top = self._document.rows.start(round(new_value))

    # Painting

    def render_lines(self, crop: Region) -> list[Strip]:
        # The lines above and below it may have room where it has none.
        if crop.area and self.size.area and self._drawn != self._shown:
            self._drawn = self._shown
            self._later()
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

    def look_of(self, name: str) -> Style:
        """What a part of a document adds to the look of plain text, in the theme of now."""
        return look_of(name, dark_ansi=self.has_pseudo_classes({"ansi", "dark"}))

    def _look(self, names: tuple[str, ...]) -> Style:
        """The style of these names, each over those before it."""
        look = self._looks.get(names)
        if look is None:
            look = self._base
            for name in names:
                look += MARKED.get(name, _PLAIN)
                look += self.look_of(name)
            self._looks[names] = look
        return look

    def _look_at_gutter(self) -> list[int]:
        """The lines in which there is something new in the gutter."""
        marked = self._painter.marked
        return self._gutter.look(self.size.height, self.scroll_offset.y, marked=marked)

    def _paint_anew(self) -> None:
        self._strips.clear()
        self.refresh()

    # Laying out

    def _open(self, styled: StyledText, marks: Sought | None, *, blank: bool) -> None:
        """Show another document, or none."""
        self._document = ReadyDocument(styled, marks)
        self._gutter = Gutter(self._document)
        before = self._painter
        self._painter = Painter(self._document, 0, wraps=before.wraps, marked=before.marked)
        self._blank = blank
        self._rests = False
        self._goal = None
        self._shown += 1
        if self._gutter_timer is not None:
            self._gutter_timer.reset()
        self._top = styled.first_row()
        self._lay_out(since=styled.begun)

    def _lay_out(self, *, since: float | None = None) -> None:
        """Lay out the document anew, with the same text at the top; `since` when (`perf_counter`),
        if not since now, time is taken for it."""
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
        document.lay_out(measure, wraps=painter.wraps)
        begun = perf_counter() if since is None else since
        while document.rows.laid <= top and not document.is_ready:
            document.advance()
        row = document.rows.at(top)
        self._have_rows(row)
        is_short = document.styled.likely_length - len(document.text) < _SHORT
        while is_short and not document.is_settled and perf_counter() - begun < _BEFORE_PAINT:
            document.advance()
        self._go(row)
        self._top = top
        self._later()

    def _go(self, row: int) -> bool:
        row = min(row, self.max_scroll_y)
        self.scroll_to(0, row, animate=False, force=True, immediate=True)
        return True

    # Making ready

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
            if changed < bottom:
                self._paint_anew()
            else:
                self._strips.discard(changed)
                self._strips.discard(changed + 1)

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

    def _later(self) -> None:
        """Go on once the document was painted, and the keys that came meanwhile were acted on."""
        is_awaited = self._goal is not None or (self._drawn == self._shown and not self._rests)
        if self.settled or not is_awaited or not self.size.width:
            return
        if self._step_timer is None:
            self._step_timer = once(self, _PAUSE, self._continue)
        if self._gutter_timer is None:
            self._gutter_timer = once(self, _GUTTER_LATER, self._fill_gutter)

    def _continue(self) -> None:
        self._step_timer = None
        begun = perf_counter()
        is_over = False
        while not self.settled and not is_over:
            self._advance()
            if self._goal is not None and self._goal():
                self._goal = None
            limit = _AT_A_TIME if self._goal is None else _AT_A_TIME_WAITED_FOR
            is_over = perf_counter() - begun > limit
        self._later()
        self._went_on()

    def _went_on(self) -> None:
        """Called after some steps."""

    def _fill_gutter(self) -> None:
        self._gutter_timer = None
        self._later()
        for y in self._look_at_gutter():
            self.refresh(Region(self.size.width - GUTTER, y, GUTTER, 1))
