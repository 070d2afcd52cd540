"""The lines of a document: read as far as they are needed, wrapped only where one looks.

A place in a document is a line and an offset in its text; it means the same however wide the
screen is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from textual.content import Content

from judge_tui.tui.cells import cells_before, offset_at

Place = tuple[int, int]
"""A line, and an offset in its text."""

# The margin of a line: blanks, the bar of a quotation, the sign of a list's item.
_MARGIN = re.compile(r"(?:[ ▏]|(?:•|\d{1,4}[.)]) )*")


class Row(NamedTuple):
    """What is shown as one row of the screen: `text[start:end]` of a line, behind a margin."""

    line: int
    start: int
    end: int
    margin: str = ""


class DocumentLines:
    """Lines, none of them very long, and the rows that they make at a width."""

    def __init__(self, source: Iterator[Content]) -> None:
        self._source = source
        self._width = 0
        self._wrapped: dict[int, list[Row]] = {}
        self.lines: list[Content] = []
        self.complete = False

    def wrap_at(self, width: int) -> None:
        """Rows have so many cells; 0: a row is a line, however long."""
        if width != self._width:
            self._width = width
            self._wrapped.clear()

    def has(self, line: int) -> bool:
        """Whether there is such a line; reads as far as that."""
        while len(self.lines) <= line and not self.complete:
            before = len(self.lines)
            self.lines += islice(self._source, 1)
            self.complete = len(self.lines) == before
        return line < len(self.lines)

    def read_all(self) -> list[Content]:
        """All lines."""
        self.lines += self._source
        self.complete = True
        return self.lines

    def rows(self, place: Place, count: int) -> list[Row]:
        """So many rows, from the one that a place is in; fewer at the end of the document."""
        line, row = self._row_at(place)
        found: list[Row] = []
        while len(found) < count and self.has(line):
            found += self._rows(line)[row:]
            line, row = line + 1, 0
        return found[:count]

    def moved(self, place: Place, by: int) -> Place:
        """The row so many rows below that of a place, or above it; at most the last or first."""
        line, row = self._row_at(place)
        row += by
        while row < 0 and line > 0:
            line -= 1
            row += len(self._rows(line))
        while row >= len(self._rows(line)) and self.has(line + 1):
            row -= len(self._rows(line))
            line += 1
        rows = self._rows(line)
        return line, rows[min(max(0, row), len(rows) - 1)].start

    def _row_at(self, place: Place) -> Place:
        """The line of a place, and which of its rows the place is in."""
        line, offset = place
        return line, bisect_right([row.start for row in self._rows(line)[1:]], offset)

    def _rows(self, line: int) -> list[Row]:
        if line not in self._wrapped:
            text = self.lines[line].plain if self.has(line) else ""
            self._wrapped[line] = list(_wrapped(line, text, self._width))
        return self._wrapped[line]


def _wrapped(line: int, text: str, width: int) -> Iterator[Row]:
    """Divide a line after blanks; within a word only where it has a row for itself. All rows of a
    line have the margin of its first one."""
    cells, start, margin = cells_before(text), 0, ""
    while width and cells[-1] - cells[start] > width - len(margin):
        limit = max(start + 1, offset_at(cells, cells[start] + width - len(margin)))
        end = text.rfind(" ", start, limit + 1)
        if end <= start or text[start:end].isspace():
            end = limit
        yield Row(line, start, end, margin)
        if start == 0:
            margin = re.sub("[^▏]", " ", _MARGIN.match(text).group())  # type: ignore[union-attr]
            margin = margin if len(margin) * 2 < width else ""
        start = end
        while start < len(text) and text[start] == " ":
            start += 1
        if start == len(text):
            return
    yield Row(line, start, len(text), margin)
