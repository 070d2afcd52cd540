"""The lines of a document: read as far as they are needed, wrapped only where one looks.

A place in a document is a line and an offset in its text; it means the same however wide the
screen is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from time import perf_counter
from typing import NamedTuple

from rich.cells import get_character_cell_size, split_graphemes
from textual.content import Content

from judge_tui.tui_new.rendering import Rendering

Place = tuple[int, int]
"""A line, and an offset in its text."""

_AT_ONCE = 10
# The margin of a line: blanks, the bar of a quotation, the sign of a list's item.
_MARGIN = re.compile(r"(?:[ ▏]|(?:•|\d{1,4}[.)]) )*")


class Row(NamedTuple):
    """What is shown as one row of the screen: `text[start:end]` of a line, behind a margin."""

    line: int
    start: int
    end: int
    margin: str = ""


class DocumentLines:
    """Content lines of a rendering, and the rows that they make at a width."""

    def __init__(self, rendering: Rendering) -> None:
        self._source = rendering.lines
        self._width = 0
        self._wrapped: dict[int, tuple[list[Row], Iterator[Row]]] = {}
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
            self._read(1)
        return line < len(self.lines)

    def read_all(self) -> list[Content]:
        """All lines."""
        self.lines += self._source
        self.complete = True
        return self.lines

    def read_for(self, seconds: float) -> None:
        """Read on for about so long."""
        end = perf_counter() + seconds
        while not self.complete and perf_counter() < end:
            self._read(_AT_ONCE)

    def _read(self, count: int) -> None:
        before = len(self.lines)
        self.lines += islice(self._source, count)
        self.complete = len(self.lines) < before + count

    def rows(self, place: Place, count: int) -> list[Row]:
        """So many rows, from the one that a place is in; fewer at the end of the document."""
        line, row = self._row_at(place)
        found: list[Row] = []
        while len(found) < count and self.has(line):
            found += self._rows(line, row + count - len(found) - 1)[row : row + count - len(found)]
            line, row = line + 1, 0
        return found

    def moved(self, place: Place, by: int) -> Place:
        """The row so many rows below that of a place, or above it; at most the last or first."""
        line, row = self._row_at(place)
        row += by
        while row < 0 and line > 0:
            line -= 1
            row += len(self._rows(line))
        rows = self._rows(line, max(0, row))
        while row >= len(rows) and self.has(line + 1):
            line, row = line + 1, row - len(rows)
            rows = self._rows(line, row)
        return (line, rows[min(max(0, row), len(rows) - 1)].start)

    def _row_at(self, place: Place) -> Place:
        """The line of a place, and which of its rows the place is in."""
        line, offset = place
        rows = self._rows(line, offset=offset)
        return line, max(0, bisect_right(rows, offset, key=_start) - 1)

    def _rows(self, line: int, last: int | None = None, *, offset: int | None = None) -> list[Row]:
        """The rows of a line: all, or at least to the row `last`, or past an offset."""
        if not self.has(line):
            return [Row(line, 0, 0)]
        if line not in self._wrapped:
            self._wrapped[line] = [], _wrapped(line, self.lines[line].plain, self._width)
        rows, more = self._wrapped[line]
        if (last is None or len(rows) <= last) and (
            offset is None or not rows or rows[-1].start <= offset
        ):
            for row in more:
                rows.append(row)
                if (last is not None and len(rows) > last) or (
                    offset is not None and row.start > offset
                ):
                    break
        return rows


def _start(row: Row) -> int:
    return row.start


def _wrapped(line: int, text: str, width: int) -> Iterator[Row]:
    """Divide a line after blanks; within a word only where it has a row for itself. All rows of a
    line have the margin of its first one."""
    start, margin = 0, ""
    while width and (limit := fitting(text, start, width - len(margin))) < len(text):
        end = text.rfind(" ", start, limit + 1)
        if end <= start or text[start:end].isspace():
            end = limit
        yield Row(line, start, end, margin)
        if start == 0:
            margin = _margin(text, width)
        start = end
        while start < len(text) and text[start] == " ":
            start += 1
        if start == len(text):
            return
    yield Row(line, start, len(text), margin)


def _margin(text: str, width: int) -> str:
    found = _MARGIN.match(text)
    margin = found.group() if found else ""
    return (
        "".join(char if char == "▏" else " " for char in margin) if len(margin) * 2 < width else ""
    )


def fitting(text: str, start: int, cells: int) -> int:
    """How far a text fits into so many cells from an offset on: at least one character does."""
    if text.isascii():
        return min(len(text), start + cells)
    size = cells + 1
    while True:
        used = 0
        for at, width in enumerate(_widths(text[start : start + size])):
            used += width
            if used > cells:
                return start + max(1, at)
        if start + size >= len(text):
            return len(text)
        size *= 2


def cell_count(text: str) -> int:
    """How many cells a text takes."""
    return len(text) if text.isascii() else sum(_widths(text))


class _Widths(dict[int, int]):
    """The cells of each character by its code, looked up once."""

    def __missing__(self, code: int) -> int:
        width = self[code] = get_character_cell_size(chr(code))
        return width


_WIDTHS = _Widths()


def _widths(text: str) -> bytes:
    """The cells of each character: those of a grapheme are its first one's."""
    if "\u200d" not in text and "\ufe0f" not in text:
        return text.translate(_WIDTHS).encode("latin-1")
    cells = bytearray(len(text))
    for start, _, width in split_graphemes(text)[0]:
        cells[start] = width
    return bytes(cells)
