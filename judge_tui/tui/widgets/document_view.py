"""One document on the screen: reading it, going through it, finding in it."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message

from judge_tui.tui.document.finding import Finding
from judge_tui.tui.document.gutter import GUTTER
from judge_tui.tui.document.hits import Sought
from judge_tui.tui.document.place import Place
from judge_tui.tui.document.styled_text import StyledText
from judge_tui.tui.reading import PlainReading, Reading
from judge_tui.tui.widgets.document_looks import STYLES
from judge_tui.tui.widgets.ready_view import ReadyView

__all__ = ["STYLES", "DocumentView"]


class DocumentView(ReadyView):
    """Shows one document, its query words marked, with a gutter that says where in it one is."""

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
        # What was said of a search that had not come to its end.
        self._said: str | None = None

    # Which document

    def show(
        self,
        reading: Reading,
        marks: Sought | None = None,
        *,
        head: str = "",
        note: str = "",
        place: Place | None = None,
    ) -> None:
        """Show a document from its beginning, or where its reading begins, or near a `place` in
        another form of it, at once or as soon as that is ready.

        `head` is foreign text that stands above it and scrolls with it; `note` stands in the place
        of a text without ink. What was found in the document before is forgotten; wrapping and
        marking stay as they are.
        """
        self._said = None
        styled = StyledText(reading, head=head, note=note)
        self._open(styled, marks if styled.has_ink else None, blank=False)
        if place is not None and styled.has_ink:
            self._pursue(lambda: self._is_at(place))

    @property
    def place(self) -> Place | None:
        """Where in the document the top of the screen is; None at the beginning."""
        document, top = self._document, self.scroll_offset.y
        if self._blank or not top or top == document.rows.at(document.styled.first_row()):
            return None
        length = document.styled.likely_length
        return Place.of(document.text, document.rows.start(top), length)

    def clear(self, note: str = "") -> None:
        """Show no document, at most a note; nothing counts as drawn until one is shown again."""
        self._said = None
        self._open(StyledText(PlainReading(""), note=note), None, blank=True)

    # Moving

    def move(self, by: int) -> None:
        """Go so many rows down, or up; what is not ready yet on the way is made ready."""
        self._goal = None
        row = max(0, self.scroll_offset.y + by)
        self._have_rows(row)
        self._go(row)

    def to_start(self) -> None:
        """Go to the first line, and to its beginning."""
        self._goal = None
        self._shift_to(0)
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
        """Wrap long lines, or do not; the text at the top stays at the top, and the hit one is at
        on screen. Whether they are."""
        finding = self._document.finding
        is_here = finding is not None and self._is_on_screen(finding)
        self._painter.wraps = not self._painter.wraps
        self._painter.shift = 0
        self._lay_out()
        if finding is not None and is_here:
            self._reveal(finding.span)
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
        finding = self._document.finding
        if finding is None:
            return ""
        if self._is_on_screen(finding):
            return self._seek(finding.span[0] + (by > 0), by)
        return self._seek(self._document.rows.start(self.scroll_offset.y), by)

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

    # Helping those above

    def _is_on_screen(self, finding: Finding) -> bool:
        """Whether the hit one is at is on screen."""
        rows, top = self._document.rows, self.scroll_offset.y
        first, after = rows.start(top), rows.start(top + self.size.height)
        return finding.here is not None and first <= finding.span[0] < after

    def _is_at(self, place: Place) -> bool:
        """Go to a place; False where it is not ready yet."""
        document = self._document
        length, is_end = document.styled.likely_length, document.styled.done
        offset = place.find(document.text, length, is_end=is_end)
        if offset is None or (document.rows.laid <= offset and not document.is_ready):
            return False
        row = document.rows.at(offset)
        return self._is_laid_to(row + self.size.height) and self._go(row)

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

    def _went_on(self) -> None:
        """What was said when not all was searched yet is said anew."""
        finding = self._document.finding
        if finding is not None and self._said is not None and self._document.is_searched:
            said, before = finding.said(is_end=True), self._said
            self._said = None
            self._paint_anew()
            if said != before:
                self.post_message(self.Found(self, said))

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
