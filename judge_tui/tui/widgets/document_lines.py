"""The lines of a document: read as far as they are needed, wrapped only where one looks; where a
text is found in them, and what the column right of them says.

A place in a document is a line and an offset in its text; it means the same however wide the
screen is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from textual.content import Content

from judge_tui.tui.cells import cells_before, offset_at

Place = tuple[int, int]
"""A line, and an offset in its text."""

# The margin of a line: blanks, the bar of a quotation, the sign of a list's item.
_MARGIN = re.compile(r"(?:[ ▏]|(?:•|\d{1,4}[.)]) )*")


WORD, HIT = "╴", "◂"
_BAR = "▐"
_SIGNS = {WORD: "$text-accent", HIT: "$text-warning"}

_HIT = "not dim reverse $text-warning"
_HERE = "not dim reverse bold underline $text-error"


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


class Hits:
    """All places that have the text, and the one that was gone to last; case counts where the text
    has a capital."""

    def __init__(self, lines: Sequence[Content] = (), text: str = "") -> None:
        flags = 0 if any(char.isupper() for char in text) else re.IGNORECASE
        found = re.compile(re.escape(text), flags).finditer
        self._rows = [
            Row(number, *match.span())
            for number, line in enumerate(lines)
            for match in found(line.plain)
        ]
        self._at: int | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def here(self) -> Row | None:
        """The one that was gone to last."""
        return None if self._at is None else self._rows[self._at]

    @property
    def number(self) -> int:
        """Which of them that is, from 1 on."""
        return 0 if self._at is None else self._at + 1

    @property
    def places(self) -> list[Place]:
        """Where they begin."""
        return [row[:2] for row in self._rows]

    def go(self, by: int, top: Place) -> Row:
        """The next one, or the one before: seen from the last one, or from `top` where there is
        none."""
        at = bisect_left(self._rows, top) - (by < 0) if self._at is None else self._at + by
        self._at = at % len(self._rows)
        return self._rows[self._at]

    def leave(self) -> None:
        """The last one is not in sight any more."""
        self._at = None

    def spans(self, line: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Those in a line that begin before an offset, and how they look."""
        first = bisect_left(self._rows, (line, 0))
        for at in range(first, bisect_left(self._rows, (line, end))):
            yield *self._rows[at][1:3], _HERE if at == self._at else _HIT


class Gutter:
    """The column right of a document: which part of it is on screen, and where in it something is.
    Each of its cells stands for an equal part of the rows of the document.

    Rows are counted about, by characters: what wrapping would give takes too long to know.
    `width` is that of a row, 0 where lines are not wrapped; `places` are those that have `sign`.
    """

    def __init__(
        self,
        lines: Sequence[Content],
        width: int,
        height: int,
        places: Iterable[Place],
        sign: str,
    ) -> None:
        counts = (-(-len(line) // width) or 1 if width else 1 for line in lines)
        self._lines = lines
        self._before = list(accumulate(counts, initial=0))
        self._total = max(1, self._before[-1])
        self._width, self._height = width, height
        self._signs = {self._row(place) * height // self._total: sign for place in places}

    def _row(self, place: Place) -> int:
        line, offset = place
        return self._before[line] + (offset // self._width if self._width else 0)

    def is_needed(self, rows: Sequence[Row]) -> bool:
        """Whether there is more of the document than these rows; not where there is no room."""
        if not rows:
            return False
        line, _, end, _ = rows[-1]
        is_end = line == len(self._lines) - 1 and not self._lines[line].plain[end:].strip()
        return rows[0][:2] > (0, 0) or not is_end

    def cells(self, rows: Sequence[Row]) -> list[tuple[str, str]]:
        """Its cells and their styles, while these rows are on screen; blank where that is all."""
        if not self.is_needed(rows):
            return [(" ", "")] * self._height
        first, last = self._row(rows[0][:2]), self._row(rows[-1][:2])
        length = max(1, min(self._height - 1, self._height * len(rows) // self._total))
        free, is_end = self._height - length, last == self._total - 1
        start = free if is_end else min(free, first * free // max(1, self._total - self._height))
        bar = range(start, start + length)
        signs = [self._signs.get(y, " ") for y in range(self._height)]
        return [
            (_BAR, _SIGNS.get(sign, "dim")) if y in bar else (sign, _SIGNS.get(sign, ""))
            for y, sign in enumerate(signs)
        ]
