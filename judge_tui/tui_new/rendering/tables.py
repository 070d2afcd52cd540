"""Tables as aligned text: cells that are too wide for it are wrapped in their columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from textual.content import Content

from judge_tui.tui_new.rendering.line_writer import RULE, LineWriter

_BETWEEN = "  "
_SPACE = Content(_BETWEEN)
_LONG_CELL = 400
"""In characters: a table with such cells lays out a page, and is no table to its readers."""

_ENOUGH = 3000
"""In characters: of longer tables the first rows are drawn before the rest is read."""

_NARROWEST = 12
"""In cells: a column is no narrower than its longest word, or than this."""

Cell = list[Content]


class Table:
    """The rows of a table since the last ones were written, each a list of cells.

    `cell` is where the text of the open cell is written. `right`: the columns whose cells stand at
    the right.
    """

    def __init__(self, outer: LineWriter, width: int) -> None:
        self.outer = outer
        self.right: Sequence[int] = ()
        self.cell: LineWriter | None = None
        self._width = width
        self._rows: list[list[Cell]] = []
        self._widths: list[int] = []
        self._length = 0
        self._heads = 0
        self._only_heads = True
        self._poured = False

    def begin_row(self) -> None:
        self._count_heads()
        if self._length > _ENOUGH:
            self.write()
        self._rows.append([])

    def begin_cell(self, *, head: bool) -> LineWriter:
        if not self._rows:
            self._rows.append([])
        self._only_heads = self._only_heads and head
        self.cell = LineWriter()
        return self.cell

    def end_cell(self) -> None:
        if self.cell is None:
            return
        self.cell.end_line()
        self.pour()
        if not self._poured:
            lines = self.cell.take()
            self._length += sum(len(line) for line in lines)
            self._rows[-1].append(lines)
        self.cell = None

    def pour(self) -> None:
        """Write what is there of a cell that is long; from then on no column is aligned."""
        if self.cell is None:
            return
        if not self._poured and self.cell.written > _LONG_CELL:
            self._poured = True
            self.write()
        if self._poured:
            for line in self.cell.take():
                self.outer.put(line)

    def write(self) -> None:
        """Write the rows, and forget them."""
        self._count_heads()
        rows = [row for row in self._rows if row]
        if rows and self._poured:
            for line in (line for row in rows for cell in row for line in cell):
                self.outer.put(line)
        elif rows:
            self._write_rows(rows)
        self._rows, self._heads, self._length = [], 0, 0

    def _count_heads(self) -> None:
        """The first rows are heads as long as they hold nothing else."""
        if self._rows and self._rows[-1]:
            if self._only_heads and self._heads == len(self._rows) - 1 and not self._widths:
                self._heads = len(self._rows)
            self._only_heads = True

    def _write_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        widths = self._widths = _widths(rows, self._widths, self._width - self.outer.depth)
        for number, row in enumerate(rows, start=1):
            if widths:
                self._write_aligned(row, widths)
            else:
                self.outer.put(Content(" │ ").join(Content(" ").join(cell) for cell in row))
            if number == self._heads:
                rule = Content.styled(_BETWEEN.join("─" * width for width in widths), "dim")
                self.outer.put(rule if widths else RULE)

    def _write_aligned(self, row: Sequence[Cell], widths: Sequence[int]) -> None:
        wrapped = [
            [piece for line in cell for piece in _wrapped(line, width)]
            for cell, width in zip(row, widths, strict=False)
        ]
        for lines in zip_longest(*wrapped, fillvalue=Content("")):
            padded = []
            for column, (line, width) in enumerate(zip(lines, widths, strict=False)):
                blank = width - line.cell_length
                if column in self.right:
                    padded.append(line.pad_left(blank))
                else:
                    padded.append(line.pad_right(blank) if column + 1 < len(lines) else line)
            self.outer.put(_SPACE.join(padded))


def _wrapped(line: Content, width: int) -> list[Content]:
    return [line] if line.cell_length <= width else line.wrap(width)


def _widths(rows: Sequence[Sequence[Cell]], least: Sequence[int], room: int) -> list[int]:
    """How wide the columns are, at least as wide as they were; none where they have no room."""
    columns = max(map(len, rows))
    widest, words = [*least, *[1] * (columns - len(least))], [1] * columns
    for row in rows:
        for column, cell in enumerate(row):
            for line in cell:
                widest[column] = max(widest[column], line.cell_length)
                word = max(map(len, line.plain.split()), default=1)
                words[column] = max(words[column], min(word, _NARROWEST))
    room -= len(_BETWEEN) * (columns - 1)
    for most in range(max(widest), 0, -1):
        widths = [min(width, max(most, word)) for width, word in zip(widest, words, strict=True)]
        if sum(widths) <= room:
            return widths
        if most < _NARROWEST:
            break
    return []
