"""Where a rendered document is written: lines of styled text, with margins for lists and quotes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content, Span

from judge_tui.visible import TAB_WIDTH, visible

LONGEST_LINE = 4000
"""In characters: longer lines come in pieces, so that none takes long to wrap and to draw."""

RULE = Content.styled("─" * 40, "dim")

# Margins drawn: a document nested thousands of levels deep is not pushed out of sight.
_DEEPEST = 12
_FURTHEST_BACK = 80
# What holds a sequence of emoji together, and accents that are written over the letter before.
_JOINING = "\u200d\ufe0f\u0300\u0301\u0303\u0308"


class Piece(Content):
    """A line that goes on from the one before it, since all of it was too long."""


@dataclass(slots=True)
class _Margin:
    rest: str
    style: str
    first: str | None = None


class LineWriter:
    """Takes foreign text from top to bottom, and gives it away as visible lines.

    Between blocks there is one blank line, however many ask for it, and none at the beginning.
    `written`: the characters so far.
    """

    def __init__(self) -> None:
        self.written = 0
        self._lines: list[Content] = []
        self._text: list[str] = []
        self._spans: list[Span] = []
        self._length = 0
        self._begun = False
        # The line is a piece of the one before.
        self._goes_on = False
        # Nothing was written yet, or not in this item: no blank line is wanted.
        self._fresh = True
        # How many margins the blank line has that was asked for.
        self._gap: int | None = None
        self._margins: list[_Margin] = []

    def take(self) -> list[Content]:
        """The lines that were ended since the last ones were taken."""
        lines, self._lines = self._lines, []
        return lines

    @property
    def at_line_start(self) -> bool:
        return not self._begun

    @property
    def depth(self) -> int:
        """Cells that the margins take."""
        return sum(len(margin.rest) for margin in self._margins[:_DEEPEST])

    def write(self, text: str, style: str = "") -> None:
        """Write foreign text as it stands, its line ends with it."""
        if "\t" in text and self._length:
            column = self._length % TAB_WIDTH
            text = visible(" " * column + text)[column:]
        else:
            text = visible(text)
        first, *others = text.split("\n")
        if first:
            self._write(first, style)
        for line in others:
            self._begin_line()
            self.end_line()
            if line:
                self._write(line, style)

    def put(self, line: Content) -> None:
        """Write a line of visible text, styled already."""
        self.end_line()
        self._begin_line()
        self._goes_on = isinstance(line, Piece)
        self._spans += (
            Span(start + self._length, end + self._length, style)
            for start, end, style in line.spans
        )
        self._add(line.plain, "")
        self.end_line()

    def end_line(self) -> None:
        """What comes next begins a line."""
        if self._begun:
            text = "".join(self._text)
            if text.isspace():
                text, self._spans = "", []
            self._lines.append(visible_content(text, self._spans, is_first=not self._goes_on))
            self._text, self._spans, self._length = [], [], 0
            self._begun = self._goes_on = False

    def gap(self) -> None:
        """What comes next has a blank line above it, unless an item or the page begins with it."""
        self.end_line()
        if self._fresh:
            return
        margins = len(self._margins)
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

    def _write(self, text: str, style: str) -> None:
        """Write a piece of one line."""
        if self._length + len(text) <= LONGEST_LINE:
            self._begin_line()
            self._add(text, style)
            return
        for piece in pieces(text):
            if self._length and self._length + len(piece) > LONGEST_LINE:
                self.end_line()
                self._goes_on = True
            self._begin_line()
            self._add(piece, style)

    def _begin_line(self) -> None:
        if self._begun:
            return
        if self._gap is not None:
            margins = self._margins[: min(self._gap, _DEEPEST)]
            self._lines.append(_blank(margins))
            self._gap = None
        self._begun, self._fresh = True, False
        for margin in self._margins[:_DEEPEST]:
            self._add(margin.rest if margin.first is None else margin.first, margin.style)
            margin.first = None

    def _add(self, text: str, style: str) -> None:
        end = self._length + len(text)
        self.written += len(text)
        if style and text:
            self._spans.append(Span(self._length, end, style))
        self._text.append(text)
        self._length = end


def visible_content(
    text: str, spans: list[Span] | None = None, *, is_first: bool = True
) -> Content:
    """A line of text that is visible already, or a piece of one."""
    cells = len(text) if text.isascii() else None
    return (Content if is_first else Piece)(text, spans, cells, strip_control_codes=False)


def pieces(line: str) -> Iterator[str]:
    """A long line in pieces, cut at spaces where there are some, and not within an emoji."""
    at = 0
    while len(line) - at > LONGEST_LINE:
        stop = at + LONGEST_LINE
        space = line.rfind(" ", stop - _FURTHEST_BACK, stop)
        if space > at:
            stop = space + 1
        else:
            furthest = stop - _FURTHEST_BACK
            while stop > furthest and (line[stop] in _JOINING or line[stop - 1] in _JOINING):
                stop -= 1
        yield line[at:stop]
        at = stop
    yield line[at:]


def _blank(margins: list[_Margin]) -> Content:
    """A blank line on which the bars of quotes go on."""
    text = "".join(margin.rest for margin in margins).rstrip()
    return (
        Content.assemble(*((margin.rest, margin.style) for margin in margins)).rstrip()
        if text
        else Content("")
    )
