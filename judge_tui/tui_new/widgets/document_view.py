"""One document on the screen: reading it, going through it, finding in it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import pairwise
from time import perf_counter
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events, work
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Offset, Region
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style as ContentStyle
from textual.worker import Worker

from judge_tui.model import Document
from judge_tui.tui_new.painted import PaintGuard
from judge_tui.tui_new.rendering import Rendering, has_rendering, render
from judge_tui.tui_new.rendering.line_writer import Piece
from judge_tui.tui_new.text import foreign
from judge_tui.tui_new.view_options import ViewOptions
from judge_tui.tui_new.widgets.dialogs import Prompt
from judge_tui.tui_new.widgets.document_lines import DocumentLines, Place, Row, cell_count, fitting
from judge_tui.tui_new.widgets.gutter import Gutter
from judge_tui.tui_new.widgets.status_line import StatusLine
from judge_tui.visible import visible_line

GREATEST_MEASURE = 100
"""Longer lines are hard to read, however wide the terminal is; code keeps its lines."""

_SIDEWAYS = 8
_CACHED_ROWS = 500
# Seconds of reading on at a time, between two times, and before what the gutter says of a long
# document is painted: keys go first, and who goes on at once does not wait for it.
_SLICE = 0.004
_PAUSE = 0.004
_GUTTER_LATER = 0.15
# As far as a word may reach back from what is on screen.
_WORD = 60
# Words are sought in pieces of so many characters; of those so close together one is enough.
_PIECE = 8192
_CLOSE = 40
# Added to a line where Textual is told of it, which else gives rows of the screen.
_LINES = 1 << 32
_ACCENT = "[\u0300-\u036f\u20d0-\u20f0\ufe20-\ufe2f]"

_MARK = "not dim bold underline $text-accent"
_HIT = "not dim reverse $text-warning"
_HERE = "not dim reverse bold underline $text-error"
_SELECTED = "not dim $screen-selection-foreground on $screen-selection-background"


class DocumentView(ScrollView, can_focus=True):
    """Shows one document, scrolls in it, finds in it; says what it did on the `StatusLine`.

    `options` are the user's own, which `save` keeps. With a guard it says what it is about to
    paint and that it did, and posts `Painted`.
    """

    ALLOW_MAXIMIZE = False
    BINDING_GROUP_TITLE = "Document"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, what, id=f"document.{name}", show=name in ("find", "raw"))
        for keys, action, what, name in (
            ("j,down", "move(1)", "scroll down", "down"),
            ("k,up", "move(-1)", "scroll up", "up"),
            ("space,pagedown", "page(1)", "page down", "page-down"),
            ("b,pageup", "page(-1)", "page up", "page-up"),
            ("g,home", "start", "to the top", "start"),
            ("G,end", "end", "to the end", "end"),
            ("l,right", "shift(1)", "right, where lines are not wrapped", "right"),
            ("h,left", "shift(-1)", "left, where lines are not wrapped", "left"),
            ("slash", "find", "find", "find"),
            ("n", "find_next(1)", "next hit", "find-next"),
            ("N", "find_next(-1)", "previous hit", "find-previous"),
            ("escape", "stop_finding", "stop finding", "stop-finding"),
            ("w", "wrap", "wrap long lines, or not", "wrap"),
            ("v", "raw", "rendered or raw", "raw"),
            ("m", "marks", "mark the query's words, or not", "marks"),
            ("y", "copy_id", "copy the document's id", "copy-id"),
            ("ctrl+c", "copy", "copy what is marked with the mouse", "copy"),
        )
    ]
    DEFAULT_CSS = """
    DocumentView { height: 1fr; width: 1fr; overflow: hidden hidden; padding: 0; }
    """

    class Painted(Message):
        """The document shown last was handed to the terminal."""

        def __init__(self, at: float) -> None:
            super().__init__()
            self.at = at

    def __init__(
        self,
        options: ViewOptions,
        save: Callable[[], None],
        guard: PaintGuard | None = None,
        *,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id, classes="pane")
        self.document: Document | None = None
        self._options = options
        self._save = save
        self._guard = guard
        self._marks: re.Pattern[str] | None = None
        self._note = ""
        self._rendering = Rendering(iter(()))
        self._lines = DocumentLines(self._rendering)
        # The place that stays on screen when the width changes, and what is on screen.
        self._top: Place = (0, 0)
        self._rows: list[Row] = []
        self._shift = 0
        self._sought = ""
        self._hits: list[Row] = []
        self._hit: int | None = None
        self._marked: list[Place] = []
        self._gutter: Gutter | None = None
        self._strips: LRUCache[Row, Strip] = LRUCache(_CACHED_ROWS)
        self._looks: dict[tuple[str | ContentStyle, ...], Style] = {}
        self._base = ContentStyle.null()
        self._selected: tuple[Place, Place] | None = None
        self._painting = self._drawn = False
        self._reading: Worker[None] | None = None

    def show(
        self, document: Document, *, marks: re.Pattern[str] | None = None, note: str = ""
    ) -> None:
        """Show a document from its top, the words marked; `note` stands there where it has no
        text."""
        self.document, self._marks, self._note = document, marks, note
        self._begin(then=self._was_painted)

    def clear(self, note: str = "") -> None:
        """Show no document, at most a note; nothing counts as painted until one is shown again."""
        self.document, self._marks, self._note = None, None, note
        self._begin()

    def _begin(self, then: Callable[[float], None] | None = None) -> None:
        """Read the document anew, from its top."""
        if self._guard is not None:
            self._guard.expect(then)
        self._open()

    def _open(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._rendering = self._rendered()
        self._lines = DocumentLines(self._rendering)
        self._top, self._shift = (self._rendering.start_line, 0), 0
        self._hits, self._hit, self._marked, self._gutter = [], None, [], None
        self._selected = None
        self._drawn = False
        if self.is_attached and self.screen.selections:
            self.screen.clear_selection()
        self._strips.clear()
        self._lay_out()

    def _rendered(self) -> Rendering:
        note = [Content(""), foreign(self._note, "dim italic")] if self._note else []
        if self.document is None:
            return Rendering(iter(note[1:]))
        room = min(GREATEST_MEASURE, self.size.width - 3) if self.size.width else GREATEST_MEASURE
        rendering = render(self.document, raw=self._options.raw, width=max(1, room))
        if not self.document.text.strip():
            known = list(rendering.lines)
            return Rendering(
                iter([*known, *note] if any(line.plain.strip() for line in known) else note[1:])
            )
        return rendering

    def _was_painted(self, at: float) -> None:
        self.post_message(self.Painted(at))

    # --- reading on

    @work(exclusive=True)
    async def _read_on(self) -> None:
        """Read the rest, and where the query's words are, while the document is looked at."""
        lines, begun = self._lines, perf_counter()
        while not lines.complete:
            await asyncio.sleep(_PAUSE)
            lines.read_for(_SLICE)
        end = perf_counter() + _SLICE
        for place in self._seek_marks():
            if place is not None:
                self._marked.append(place)
            if perf_counter() > end:
                await asyncio.sleep(_PAUSE)
                end = perf_counter() + _SLICE
        await asyncio.sleep(max(0.0, begun + _GUTTER_LATER - perf_counter()))
        self._lay_gutter()
        self.refresh(Region(self.size.width - 1, 0, 1, self.size.height))

    def _seek_marks(self) -> Iterator[Place | None]:
        """Where the query's words are, piece by piece; one of several close together."""
        if self._marks is None:
            return
        for line, content in enumerate(self._lines.lines):
            last = -_CLOSE
            for start in range(0, len(content), _PIECE):
                yield None
                for match in self._marks.finditer(content.plain, start, start + _PIECE):
                    if match.start() >= last + _CLOSE:
                        last = match.start()
                        yield line, last

    def _lay_gutter(self) -> None:
        """Say in the gutter what is where, once all of the document is read."""
        if not self._lines.complete or not self._rows:
            return
        lines, measure = self._lines.lines, self._measure if self._options.wrap else 0
        self._gutter = Gutter(lines, measure, self.size.height)
        if self._hits:
            self._gutter.sign("◂", ((hit.line, hit.start) for hit in self._hits))
        elif self._options.marks:
            self._gutter.sign("╴", self._marked)

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
        """Have the rows of the screen, from that of the place at the top."""
        self._rows = []
        height = self.size.height
        if self.size.width and height:
            self._lines.wrap_at(self._measure if self._options.wrap else 0)
            self._rows = self._lines.rows(self._top, height)
            if len(self._rows) < height:
                top = self._lines.moved(self._top, len(self._rows) - height)
                self._rows = self._lines.rows(top, height)
        self.refresh()

    def _go(self, place: Place) -> None:
        """Put a place at the top, or as near to it as there are rows below it."""
        self._top = place
        self._lay_out()
        if self._rows:
            self._top = self._rows[0][:2]

    def _anew(self) -> None:
        """What is on screen looks otherwise now."""
        self._strips.clear()
        self._lay_out()
        self._lay_gutter()

    def on_resize(self) -> None:
        if self._drawn:
            self._anew()
        else:  # tables have the room that there is now
            self._open()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks.clear()
        self._strips.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        # Once for all rows: Textual puts styles together anew each time they are asked for.
        base = self.visual_style
        if base != self._base:
            self._base = base
            self._looks.clear()
            self._strips.clear()
        if self.document is not None and self._rows and crop.area and not self._drawn:
            self._drawn = True
            if self._guard is not None:
                self._guard.drawn()
            self._reading = self._read_on()
        self._painting = True
        try:
            return super().render_lines(crop)
        finally:
            self._painting = False

    def render_line(self, y: int) -> Strip:
        row = self._rows[y] if y < len(self._rows) else None
        if not self._painting:
            return self._pointed(row)
        width = self.size.width - 1
        if row is None:
            body = Strip.blank(width, self._look())
        elif (body := self._strips.get(row)) is None:  # type: ignore[assignment]
            body = self._strips[row] = Strip(self._segments(row)).adjust_cell_length(
                width, self._look()
            )
        sign, style = " ", ""
        if self._gutter is not None and self._rows:
            sign, style = self._gutter.look(y, self._rows)
        return Strip([*body, Segment(sign, self._look(style))], width + 1)

    def _segments(self, row: Row) -> Iterator[Segment]:
        """A row as it is shown: its number, the text in its styles, whether it goes on."""
        text = self._lines.lines[row.line].plain
        start, end = self._window(row)
        number = "" if row.start else self._rendering.number(row.line)
        before, after = "‹" if start > row.start else " ", "›" if end < row.end else " "
        yield Segment(f"{number or '':>{self._left - 1}}{before}", self._look("dim"))
        if row.margin:
            first = (span.style for span in self._lines.lines[row.line].spans if not span.start)
            yield Segment(row.margin, self._look(*first))
        spans = list(self._spans(row.line, text, start, end))
        cuts = {start, end}
        for a, b, _ in spans:
            cuts |= {max(start, a), min(end, b)}
        for a, b in pairwise(sorted(cuts)):
            looks = [look for from_, to, look in spans if from_ <= a < to]
            yield Segment(text[a:b], self._look(*looks))
        if after != " ":
            yield Segment(after, self._look("dim"))

    def _window(self, row: Row) -> tuple[int, int]:
        """What is in sight of a row: all of it where lines are wrapped."""
        if self._options.wrap:
            return row.start, row.end
        text = self._lines.lines[row.line].plain
        start = fitting(text, 0, self._shift) if self._shift else 0
        return start, fitting(text, start, self._measure)

    def _spans(
        self, line: int, text: str, start: int, end: int
    ) -> Iterator[tuple[int, int, str | ContentStyle]]:
        """What is styled in a stretch of a line, and how; later ones lie over those before."""
        for span in self._lines.lines[line].spans:
            if span.start < end and span.end > start:
                yield span.start, span.end, span.style
        if self._marks is not None and self._options.marks:
            for match in self._marks.finditer(text, max(0, start - _WORD)):
                if match.start() >= end:
                    break
                if match.end() > start:
                    yield *match.span(), _MARK
        for at in range(
            bisect_left(self._hits, (line, start - len(self._sought))), len(self._hits)
        ):
            hit = self._hits[at]
            if (hit.line, hit.start) >= (line, end):
                break
            if hit.line == line and hit.end > start:
                yield hit.start, hit.end, _HERE if at == self._hit else _HIT
        if self._selected is not None:
            first, last = self._selected
            if first[0] <= line <= last[0]:
                from_ = first[1] if line == first[0] else 0
                yield from_, last[1] if line == last[0] else len(text), _SELECTED

    def _look(self, *styles: str | ContentStyle) -> Style:
        """Styles, each over those before it."""
        if (look := self._looks.get(styles)) is None:
            style = self._base
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
        self._shift_to(0)
        self._go((0, 0))

    def action_end(self) -> None:
        self._go((max(0, len(self._lines.read_all()) - 1), 0))
        if self._rows:
            last = self._lines.lines[-1]
            self._go((len(self._lines.lines) - 1, len(last)))

    def action_shift(self, by: int) -> None:
        """Sideways, as far as the lines on screen go."""
        if not self._options.wrap:
            longest = max(
                (cell_count(self._lines.lines[row.line].plain) for row in self._rows), default=0
            )
            most = max(self._shift, longest - self._measure)
            self._shift_to(min(most, max(0, self._shift + by * _SIDEWAYS)))

    def _shift_to(self, shift: int) -> None:
        if shift != self._shift:
            self._shift = shift
            self._anew()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        """The wheel; with shift, sideways."""
        event.stop()
        event.prevent_default()
        if event.shift or event.ctrl:
            self.action_shift(by)
        else:
            self.action_move(by * round(self.app.scroll_sensitivity_y))

    def on_click(self, event: events.Click) -> None:
        """In the gutter: go there."""
        at = event.get_content_offset(self)
        if at is not None and self._gutter is not None and at.x == self.size.width - 1:
            self._go(self._gutter.place(at.y))

    # --- finding

    def action_find(self) -> None:
        if self.document is not None:
            self.app.push_screen(Prompt("find in the document", value=self._sought), self._find)

    def _find(self, text: str | None) -> None:
        """Go to the first hit from the top of the screen on; case counts if there is a capital."""
        if text is None or not self._rows:
            return
        self._sought = visible_line(text)
        self._hits, self._hit = [], None
        if text:
            pattern = _literal(self._sought)
            for line, content in enumerate(self._lines.read_all()):
                self._hits += (
                    Row(line, *match.span()) for match in pattern.finditer(content.plain)
                )
            self._to_hit(1)
        self._anew()

    def action_find_next(self, by: int) -> None:
        if not self._sought:
            self._say("nothing to find yet")
        elif self._hits:
            self._to_hit(by)
        else:
            self._find(self._sought)

    def action_stop_finding(self) -> None:
        if not self._hits:
            raise SkipAction
        self._hits, self._hit = [], None
        self._anew()
        self._say("")

    def _to_hit(self, by: int) -> None:
        """Go to the next hit, or the one before: seen from the last one where that is on screen."""
        if not self._hits:
            self._say(f"not found: {self._sought}")
            return
        if self._hit is not None and self._is_on_screen(self._hits[self._hit]):
            hit = self._hit + by
        else:
            hit = bisect_left(self._hits, self._rows[0][:2]) - (by < 0)
        count = len(self._hits)
        around = ", from the top again" if hit >= count else ", from the end again"
        self._hit = hit % count
        self._say(f"{self._hit + 1} of {count}{'' if 0 <= hit < count else around}")
        self._strips.clear()
        self._reveal(self._hits[self._hit])
        self.refresh()

    def _is_on_screen(self, hit: Row) -> bool:
        first, last = self._rows[0], self._rows[-1]
        return first[:2] <= hit[:2] < (last.line, last.end)

    def _reveal(self, hit: Row) -> None:
        """Bring a hit on screen, where it is not."""
        if not self._is_on_screen(hit):
            self._go(self._lines.moved((hit.line, hit.start), -(self.size.height // 3)))
        if not self._options.wrap:
            text = self._lines.lines[hit.line].plain
            start, end = cell_count(text[: hit.start]), cell_count(text[: hit.end])
            if start < self._shift or end > self._shift + self._measure:
                self._shift_to(0 if end <= self._measure else start - self._measure // 2)

    # --- how it is shown

    def action_wrap(self) -> None:
        hit = None if self._hit is None else self._hits[self._hit]
        is_here = hit is not None and self._is_on_screen(hit)
        self._options.wrap = not self._options.wrap
        self._save()
        self._shift = 0
        self._anew()
        if hit is not None and is_here:
            self._reveal(hit)
        self._say(
            "long lines are wrapped" if self._options.wrap else "long lines go on to the right"
        )

    def action_marks(self) -> None:
        self._options.marks = not self._options.marks
        self._save()
        self._anew()
        self._say("the query's words are marked" if self._options.marks else "marks are off")

    def action_raw(self) -> None:
        """Also for the documents that follow, until it is switched back."""
        if self.document is None:
            return
        self._options.raw = not self._options.raw
        self._save()
        said = "raw text, as it was loaded" if self._options.raw else "rendered"
        if has_rendering(self.document):
            # Who looks at a document already goes on looking at it.
            seen = self._guard is not None and self._guard.painted_at is not None
            self._begin(None if seen else self._was_painted)
        else:
            said += " from now on; this document is the same in both forms"
        self._say(said)

    # --- marking with the mouse, and copying

    @property
    def allow_select(self) -> bool:
        return self.document is not None

    def _pointed(self, row: Row | None) -> Strip:
        """A row for who points at it: each cell knows its place in the document."""
        if row is None:
            end = len(self._lines.lines) - 1
            offset = len(self._lines.lines[end]) if end >= 0 else 0
            return Strip([Segment(" ", Style.from_meta({"offset": (offset, end + _LINES)}))])
        start, end = self._window(row)
        at = Style.from_meta({"offset": (start, row.line + _LINES)})
        text = self._lines.lines[row.line].plain[start:end]
        return Strip([*[Segment(" ", at)] * (self._left + len(row.margin)), Segment(text, at)])

    def _stretch(self, selection: Selection) -> tuple[Place, Place]:
        """From where to where; an end that is None is that of the document."""

        def place(at: Offset) -> Place:
            if at.y >= _LINES:
                return at.y - _LINES, at.x
            # On the border Textual takes the row of the screen for that of the content.
            return self._rows[min(at.y, len(self._rows) - 1)][:2] if self._rows else (0, 0)

        start, end = selection
        first = (0, 0) if start is None else place(start)
        last = (len(self._lines.read_all()), 0) if end is None else place(end)
        # Textual puts the end behind the character it is at, and knew not which end is which.
        return (first, last) if first <= last else ((last[0], max(0, last[1] - 1)), first)

    def selection_updated(self, selection: Selection | None) -> None:
        self._selected = None if selection is None else self._stretch(selection)
        self._strips.clear()
        self.refresh()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        first, last = self._stretch(selection)
        text: list[str] = []
        for line, content in enumerate(self._lines.lines[first[0] : last[0] + 1], first[0]):
            if text and not isinstance(content, Piece):
                text.append("\n")
            end = last[1] if line == last[0] else len(content)
            text.append(content.plain[first[1] if line == first[0] else 0 : end])
        return "".join(text), "\n"

    def action_copy(self) -> None:
        """To give an empty text would clear the clipboard."""
        if not self.screen.selections:
            raise SkipAction
        if text := self.screen.get_selected_text():
            self._give(text)
            self._say("copied")
        else:
            self._say("nothing is marked")

    def action_copy_id(self) -> None:
        if self.document is not None:
            # As it is shown: pasted into a shell, a newline or an escape in it would be obeyed.
            doc_id = visible_line(self.document.doc_id)
            self._give(doc_id)
            self._say(f"copied: {doc_id}")

    def _give(self, text: str) -> None:
        """Give a text to the terminal's clipboard; tmux takes it from a program only so."""
        self.app.copy_to_clipboard(text)
        if os.environ.get("TMUX"):
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                subprocess.run(
                    ["tmux", "load-buffer", "-w", "-"],  # noqa: S607 - the one that it runs in
                    input=text.encode(),
                    timeout=1,
                    check=False,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )

    def _say(self, text: str) -> None:
        self.screen.query_one(StatusLine).say(foreign(text))


def _literal(text: str) -> re.Pattern[str]:
    """Finds a text as it stands there; a blank also finds one that does not break, and a letter
    with an accent is found composed or not: on screen they are the same."""
    flags = 0 if any(char.isupper() for char in text) else re.IGNORECASE
    forms = {unicodedata.normalize(form, text): None for form in ("NFC", "NFD")} | {text: None}
    literal = "|".join(re.escape(form).replace("\\ ", "[ \u00a0]") for form in forms)
    return re.compile(f"(?:{literal})(?!{_ACCENT})", flags)
