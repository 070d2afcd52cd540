"""One document on the screen: reading it, going through it, finding in it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from itertools import chain, count, pairwise
from time import perf_counter
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style as ContentStyle

from judge_tui.model import Document
from judge_tui.tui.cells import cells_before, offset_at
from judge_tui.tui.painted import NO_ROOM, NOT_PAINTED, PaintGuard
from judge_tui.tui.rendering import Rendering, render
from judge_tui.tui.text import foreign, foreign_lines
from judge_tui.tui.widgets.document_lines import (
    HIT,
    WORD,
    DocumentLines,
    Gutter,
    Hits,
    Place,
    Row,
)
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.visible import visible_line

GREATEST_MEASURE = 100
"""Longer lines are hard to read, however wide the terminal is; code keeps its lines."""

_NOTHING_RENDERED = "Only the raw text of this document can be read: v shows it."
_SIDEWAYS = 8
# Seconds of reading on at a time and between two times, and before what the gutter says of a long
# document is painted: keys go first, and who goes on at once does not wait for it.
_SLICE = 0.004
_GUTTER_LATER = 0.15
# Before the first character in sight, as far as a word may reach.
_WORD = 60
_MARK = "not dim bold underline $text-accent"


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows one document, scrolls in it, finds in it; says what it did on the `StatusLine`.

    `guard` is told when the document is on screen. Whether long lines `wrap`, and documents are
    `raw`, holds for those that follow, too.
    """

    ALLOW_MAXIMIZE = ALLOW_SELECT = False
    BINDING_GROUP_TITLE = "Document"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, what, id=f"document.{name}", show=name in ("find", "raw"))
        for keys, action, what, name in (
            ("slash", "find", "find", "find"),
            ("v", "raw", "raw", "raw"),
            ("j,down", "move(1)", "down", "down"),
            ("k,up", "move(-1)", "up", "up"),
            ("space,pagedown", "page(1)", "page down", "page-down"),
            ("b,pageup", "page(-1)", "page up", "page-up"),
            ("g,home", "start", "top", "start"),
            ("G,end", "end", "end", "end"),
            ("n", "find_next(1)", "next hit", "find-next"),
            ("N", "find_next(-1)", "previous hit", "find-previous"),
            ("escape", "stop_finding", "stop finding", "stop-finding"),
            ("w", "wrap", "wrap", "wrap"),
            ("l,right", "shift(1)", "right", "right"),
            ("h,left", "shift(-1)", "left", "left"),
            ("y", "copy_id", "copy the id", "copy-id"),
            ("O", "open_url", "open the address", "open-url"),
        )
    ]

    position: var[str] = var("")

    class Painted(Message):
        """The document was handed to the terminal; again where it had gone from the screen, or
        is shown in another way."""

        def __init__(self, at: float) -> None:
            super().__init__()
            self.at = at

    def __init__(
        self,
        guard: PaintGuard | None = None,
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id, classes="pane")
        self.document: Document | None = None
        self.wrap, self.raw = True, False
        self._guard = guard or PaintGuard(0.0)
        self._marks: re.Pattern[str] | None = None
        self._note = ""
        # The place that stays on screen when the size changes, and what is on screen.
        self._top: Place = (0, 0)
        self._rows: list[Row] = []
        self._laid_out = Size()
        self._signs: list[tuple[str, str]] = []
        self._looks: dict[tuple[str | ContentStyle, ...], Style] = {}
        self._sought = ""
        self._open(Rendering(iter(())))

    def show(
        self, document: Document, *, marks: re.Pattern[str] | None = None, note: str = ""
    ) -> None:
        """Show a document from its top, the words marked; `note` stands there where it has no
        text."""
        self.document, self._marks, self._note = document, marks, note
        self._begin()

    def clear(self, note: str = "") -> None:
        """Show no document, at most a note; nothing counts as painted until one is shown again."""
        self.document, self._marks, self._note = None, None, note
        self._begin()

    def _begin(self) -> None:
        self._expect(NOT_PAINTED)
        self._open(self._rendered())
        self._lay_out()

    def _expect(self, why: str) -> None:
        self._guard.expect(lambda at: self.post_message(self.Painted(at)), why)

    def _rendered(self) -> Rendering:
        note = foreign_lines(self._note, "dim italic").split("\n", allow_blank=True)
        if self.document is None:
            return Rendering(iter(note))
        room = min(GREATEST_MEASURE, max(1, self.size.width - 3))
        rendering = render(self.document, raw=self.raw, width=room)
        if not self.document.text.strip():
            known = (line for line in rendering.lines if line.plain.strip())
            rendering.lines = chain(known, note)
        elif (first := next(rendering.lines, None)) is not None:
            rendering.lines = chain([first], rendering.lines)
        else:
            rendering.lines = iter([Content.styled(_NOTHING_RENDERED, "dim italic")])
        return rendering

    def _open(self, rendering: Rendering) -> None:
        self._rendering, self._lines = rendering, DocumentLines(rendering.lines)
        self._top, self._shift = (rendering.start_line, 0), 0
        self._drawn = False
        self._hits = Hits()
        self._worded: list[Place] = []
        self._gutter: Gutter | None = None

    @work(exclusive=True)
    async def _read_on(self) -> None:
        """Read the rest, and where the query's words are, while the document is looked at."""
        lines, marks, worded = self._lines, self._marks, self._worded
        begun, end = perf_counter(), 0.0
        for number in count():
            if perf_counter() > end:
                await asyncio.sleep(_SLICE)
                end = perf_counter() + _SLICE
            if not lines.has(number):
                break
            if marks is not None and (found := marks.search(lines.lines[number].plain)):
                worded.append((number, found.start()))
        await asyncio.sleep(max(0.0, begun + _GUTTER_LATER - perf_counter()))
        self._lay_gutter()
        if self._gutter is not None and self._gutter.is_needed(self._rows):
            self.refresh(Region(self.size.width - 1, 0, 1, self.size.height))

    def _lay_gutter(self) -> None:
        """Have the gutter say what is where, once all of the document is read."""
        if self._lines.complete and self._rows:
            width = self._measure if self.wrap else 0
            hits = self._hits.places
            places, sign = (hits, HIT) if hits else (self._worded, WORD)
            self._gutter = Gutter(self._lines.lines, width, self.size.height, places, sign)
            self._tell_position()

    # --- what is on screen

    @property
    def _left(self) -> int:
        """Cells left of the text."""
        last = self._rendering.last_number
        return 1 if last is None else len(str(last)) + 2

    @property
    def _measure(self) -> int:
        """Cells for the text; right of it one is blank, or says that a line goes on."""
        room = max(1, self.size.width - self._left - 2)
        return min(GREATEST_MEASURE, room) if self._rendering.last_number is None else room

    def _lay_out(self) -> None:
        """Have the rows of the screen, and paint them."""
        self._have_rows()
        self.refresh()

    def _have_rows(self) -> None:
        """Have the rows of the screen, from that of the place at the top."""
        self._rows, self._laid_out = [], self.size
        height = self.size.height
        if self.size.width and height:
            self._lines.wrap_at(self._measure if self.wrap else 0)
            self._rows = self._lines.rows(self._top, height)
            if len(self._rows) < height:
                top = self._lines.moved(self._top, len(self._rows) - height)
                self._rows = self._lines.rows(top, height)
        else:
            self._expect(NO_ROOM if self.outer_size else NOT_PAINTED)
        self._tell_position()

    def _tell_position(self) -> None:
        """How much of the document one has come by, where not all of it is on screen."""
        lines, position = self._lines, ""
        if lines.complete and self._rows:
            last = self._rows[-1]
            done = last.line + (last.end == len(lines.lines[last.line]))
            if self._rows[0][:2] > (0, 0) or done < len(lines.lines):
                position = f"{100 * done // len(lines.lines)}%"
        self.position = position

    def _go(self, place: Place) -> None:
        """Put a place at the top, or as near to it as there are rows below it."""
        self._top = place
        self._lay_out()
        if self._rows:
            self._top = self._rows[0][:2]

    def on_resize(self) -> None:
        if self.size != self._laid_out:
            self._fit()
            self.refresh()

    def _fit(self) -> None:
        """Have the rows of another size; Textual paints one before it tells of it."""
        if not self._drawn:  # Tables have the room that there is now.
            self._open(self._rendered())
        self._have_rows()
        self._lay_gutter()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        if self.size != self._laid_out:
            self._fit()
        if self.document is not None and self._rows and crop.area:
            self._guard.drawn()
            if not self._drawn:
                self._drawn = True
                self._read_on()
        self._signs = self._gutter.cells(self._rows) if self._gutter else []
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        row = self._rows[y] if y < len(self._rows) else None
        width = self.size.width - 1
        segments = [one for one in self._segments(row) if one.text] if row else []
        blank = width - sum(one.cell_length for one in segments)
        if blank < 0:
            segments, blank = list(Strip(segments).crop(0, width)), 0
        sign, style = self._signs[y] if y < len(self._signs) else (" ", "")
        # As few strips and segments as can be: painting is most of what a key costs.
        end = (
            [Segment(" " * (blank + 1), self._look())]
            if sign == " "
            else [Segment(" " * blank, self._look()), Segment(sign, self._look(style))]
        )
        return Strip([*segments, *end], width + 1)

    def _segments(self, row: Row) -> Iterator[Segment]:
        """A row as it is shown: its number, the text in its styles, whether it goes on."""
        line = self._lines.lines[row.line]
        start, end = self._window(row)
        number = None if row.start else self._rendering.number(row.line)
        before, after = "‹" if start > row.start else " ", "›" if end < row.end else ""
        yield Segment(f"{number or '':>{self._left - 1}}{before}", self._look("dim"))
        yield Segment(row.margin, self._look(*(s.style for s in line.spans if s.start == 0)))
        spans = list(self._spans(row.line, line, start, end))
        cuts = {max(start, min(end, at)) for span in spans for at in span[:2]} | {start, end}
        for left, right in pairwise(sorted(cuts)):
            looks = [look for from_, to, look in spans if from_ <= left < to]
            yield Segment(line.plain[left:right], self._look(*looks))
        yield Segment(after, self._look("dim"))

    def _window(self, row: Row) -> tuple[int, int]:
        """What is in sight of a row: all of it where lines are wrapped."""
        if self.wrap:
            return row.start, row.end
        cells = cells_before(self._lines.lines[row.line].plain)
        return offset_at(cells, self._shift), offset_at(cells, self._shift + self._measure)

    def _spans(
        self, number: int, line: Content, start: int, end: int
    ) -> Iterator[tuple[int, int, str | ContentStyle]]:
        """What is styled in a stretch of a line, and how; later ones lie over those before."""
        yield from (span for span in line.spans if span.start < end and span.end > start)
        if self._marks is not None:
            found = self._marks.finditer(line.plain, max(0, start - _WORD), end + _WORD)
            yield from ((*match.span(), _MARK) for match in found)
        yield from self._hits.spans(number, end)

    def _look(self, *styles: str | ContentStyle) -> Style:
        """Styles, each over those before it."""
        if (look := self._looks.get(styles)) is None:
            style = self.visual_style
            for one in styles:
                style += ContentStyle.parse(one) if isinstance(one, str) else one
            look = self._looks[styles] = style.rich_style
        return look

    # --- moving

    def action_move(self, by: int) -> None:
        if self._rows:
            self._go(self._lines.moved(self._rows[0][:2], by))

    def action_page(self, by: int) -> None:
        self.action_move(by * max(1, self.size.height - 2))

    def action_start(self) -> None:
        self._shift = 0
        self._go((0, 0))

    def action_end(self) -> None:
        lines = self._lines.read_all()
        self._go((len(lines) - 1, len(lines[-1])) if lines else (0, 0))

    def action_shift(self, by: int) -> None:
        """Sideways, as far as the lines on screen go."""
        if not self.wrap:
            texts = (self._lines.lines[row.line].plain for row in self._rows)
            most = max((cells_before(text)[-1] for text in texts), default=0) - self._measure
            self._shift = max(0, min(self._shift + by * _SIDEWAYS, max(self._shift, most)))
            self.refresh()

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def _wheel(self, event: events.MouseEvent) -> None:
        """The wheel; with shift, sideways."""
        by = 1 if isinstance(event, events.MouseScrollDown) else -1
        event.stop()
        event.prevent_default()
        if event.shift or event.ctrl:
            self.action_shift(by)
        else:
            self.action_move(by * round(self.app.scroll_sensitivity_y))

    # --- finding

    def action_find(self) -> None:
        from judge_tui.tui.widgets.dialogs import Prompt  # noqa: PLC0415

        if self.document is not None:
            self.app.push_screen(Prompt("Find in the document", value=self._sought), self._find)

    def _find(self, text: str | None) -> None:
        """Go to the first hit from the top of the screen on."""
        if text is None or not self._rows:
            return
        self._sought = visible_line(text)
        self._set_hits(Hits(self._lines.read_all(), self._sought) if text else Hits())
        if self._hits:
            self.action_find_next(1)
        else:
            self._say(f"not found: '{self._sought}'" if text else "")

    def action_find_next(self, by: int) -> None:
        if not self._sought:
            self._say("nothing to find yet")
        elif not self._hits:
            self._find(self._sought)
        elif self._rows:
            if not self._is_on_screen(self._hits.here):
                self._hits.leave()
            hit = self._hits.go(by, self._rows[0][:2])
            self._say(f"{self._hits.number:,} of {len(self._hits):,} '{self._sought}'")
            self._reveal(hit)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "stop_finding" or bool(self._hits)

    def action_stop_finding(self) -> None:
        self._set_hits(Hits())
        self._say("")

    def _set_hits(self, hits: Hits) -> None:
        self._hits = hits
        self.refresh_bindings()
        self._lay_gutter()
        self.refresh()

    def _is_on_screen(self, hit: Row | None) -> bool:
        last = self._rows[-1]
        return hit is not None and self._rows[0][:2] <= hit[:2] < (last.line, last.end)

    def _reveal(self, hit: Row) -> None:
        """Bring a hit on screen, where it is not."""
        if not self._is_on_screen(hit):
            self._go(self._lines.moved(hit[:2], -(self.size.height // 3)))
        if not self.wrap:
            cells = cells_before(self._lines.lines[hit.line].plain)
            if cells[hit.start] < self._shift or cells[hit.end] > self._shift + self._measure:
                self._shift = max(0, cells[hit.end] - self._measure * 2 // 3)
        self.refresh()

    # --- how it is shown

    def action_wrap(self) -> None:
        hit = self._hits.here
        was_on_screen = self._rows and self._is_on_screen(hit)
        self.wrap = not self.wrap
        self._shift = 0
        self._lay_out()
        if hit is not None and was_on_screen:
            self._reveal(hit)
        self._lay_gutter()
        self._say("long lines wrap" if self.wrap else "long lines go on to the right")

    def action_raw(self) -> None:
        """Also for the documents that follow, until it is switched back."""
        if self.document is not None:
            self.raw = not self.raw
            self._begin()
            self._say("raw text, as it was loaded" if self.raw else "rendered")

    # --- out of the app

    def action_open_url(self) -> None:
        url = self.document.url if self.document is not None else ""
        if not url.startswith(("http://", "https://")):
            self._say("this document has no address")
            return
        self.app.open_url(url)
        self._say(f"opened in the browser: {url}")

    def action_copy_id(self) -> None:
        if self.document is not None:
            # As it is shown: pasted into a shell, a newline or an escape in it would be obeyed.
            doc_id = visible_line(self.document.doc_id)
            self.app.copy_to_clipboard(doc_id)
            self._say(f"copied: {doc_id}")

    def _say(self, text: str) -> None:
        self.screen.query_one(StatusLine).say(foreign(text))
