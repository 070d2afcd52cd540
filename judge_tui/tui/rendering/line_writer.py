"""Where a rendered document is written: lines of styled text, with margins for lists and quotes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from textual.content import Content, Span

from judge_tui.visible import TAB_WIDTH, visible

LONGEST_LINE = 4000
"""In characters: longer lines come in pieces, so that none takes long to wrap and to draw."""

RULE = Content.styled("─" * 40, "dim")

# Margins drawn: a document nested thousands of levels deep is not pushed out of sight.
_DEEPEST = 12


class Piece(Content):
    """A line that goes on from the one before it, since all of it was too long."""


@dataclass(slots=True)
class _Margin:
    rest: str
    style: str
    first: str | None


class LineWriter:
    """Takes foreign text from top to bottom, and gives it away as visible lines.

    Between blocks there is one blank line, however many ask for it, and none at the beginning.
    `at_line_start`: nothing stands in the line yet. `ended`: the lines to take.
    """

    def __init__(self) -> None:
        self.at_line_start = True
        self.ended: list[Content | Iterator[Content]] = []
        self._text: list[str] = []
        self._spans: list[Span] = []
        self._length = 0
        self._goes_on = False
        # Nothing was written yet, or not in this item: no blank line is wanted.
        self._fresh = True
        # How many margins the blank line has that was asked for.
        self._gap: int | None = None
        self._margins: list[_Margin] = []

    def take(self) -> Iterator[Content]:
        """The lines that were ended since the last ones were taken."""
        lines, self.ended = self.ended, []
        for line in lines:
            if isinstance(line, Content):
                yield line
            else:
                yield from line

    @property
    def depth(self) -> int:
        """Cells that the margins take."""
        return sum(len(margin.rest) for margin in self._margins[:_DEEPEST])

    def write(self, text: str, style: str = "") -> None:
        """Write foreign text as it stands, its line ends with it."""
        if "\t" in text:
            column = self._length % TAB_WIDTH
            text = visible(" " * column + text)[column:]
        else:
            text = visible(text)
        for number, line in enumerate(text.split("\n") if "\n" in text else (text,)):
            if number:
                self._begin_line()
                self.end_line()
            for piece in pieces(line) if line else ():
                if self._length + len(piece) > LONGEST_LINE:
                    self.end_line()
                    self._goes_on = True
                self._begin_line()
                self._add(piece, style)

    def put(self, lines: Iterable[Content]) -> None:
        """Write lines of visible text, styled already, which are made when they are taken."""
        self.end_line()
        self._begin_line()
        first = self._ended()
        self._begin_line()
        self.ended.append(_behind(first, self._ended(), lines))

    def end_line(self) -> None:
        """What comes next begins a line."""
        if not self.at_line_start:
            line = self._ended()
            self.ended.append(line if line.plain.strip() else Content(""))

    def gap(self) -> None:
        """What comes next has a blank line above it, unless an item or the page begins with it."""
        self.end_line()
        if not self._fresh:
            margins = min(len(self._margins), _DEEPEST)
            self._gap = margins if self._gap is None else min(self._gap, margins)

    def indent(self, rest: str, *, first: str | None = None, style: str = "") -> None:
        """Begin each line with `rest`, the next one with `first`, until `outdent`."""
        self.end_line()
        self._margins.append(_Margin(rest, style, first))
        self._fresh = self._fresh or first is not None

    def outdent(self) -> None:
        self.end_line()
        if self._margins[-1].first is not None and len(self._margins) <= _DEEPEST:
            # An item that holds nothing is seen all the same.
            self._begin_line()
            self.end_line()
        self._margins.pop()

    def _begin_line(self) -> None:
        if not self.at_line_start:
            return
        if self._gap is not None:
            margins = [(margin.rest, margin.style) for margin in self._margins[: self._gap]]
            self.ended.append(Content.assemble(*margins).rstrip())
        self._gap, self.at_line_start, self._fresh = None, False, False
        for margin in self._margins[:_DEEPEST]:
            self._add(margin.rest if margin.first is None else margin.first, margin.style)
            margin.first = None

    def _ended(self) -> Content:
        """What was written of the line; the next one begins."""
        text = "".join(self._text)
        line = visible_content(text, self._spans, is_first=not self._goes_on)
        self._text, self._spans, self._length = [], [], 0
        self.at_line_start, self._goes_on = True, False
        return line

    def _add(self, text: str, style: str) -> None:
        end = self._length + len(text)
        if style:
            self._spans.append(Span(self._length, end, style))
        self._text.append(text)
        self._length = end


def _behind(first: Content, rest: Content, lines: Iterable[Content]) -> Iterator[Content]:
    """Lines behind margins."""
    margin = first
    for line in lines:
        by = len(margin)
        spans = [
            *margin.spans,
            *(Span(start + by, end + by, how) for start, end, how in line.spans),
        ]
        text = margin.plain + line.plain
        if text.isspace():
            text, spans = "", []
        yield visible_content(text, spans, is_first=not isinstance(line, Piece))
        margin = rest


def visible_content(
    text: str, spans: list[Span] | None = None, *, is_first: bool = True
) -> Content:
    """A line of text that is visible already, or a piece of one."""
    cells = len(text) if text.isascii() else None
    return (Content if is_first else Piece)(text, spans, cells, strip_control_codes=False)


def pieces(line: str) -> Iterator[str]:
    """A long line in pieces, cut at spaces where there are some."""
    at = 0
    while len(line) - at > LONGEST_LINE:
        stop = at + LONGEST_LINE
        stop = line.rfind(" ", stop - 80, stop) + 1 or stop
        yield line[at:stop]
        at = stop
    yield line[at:]
