"""Rows of an HTML table, held back until their columns can be aligned."""

from __future__ import annotations

from judge_tui.tui.reading.sheet import Run, Sheet
from judge_tui.tui.reading.tables import Cell, write_table
from judge_tui.visible import visible_line

_LONG_CELL = 200
_ENOUGH = 8000


class TableRows:
    """The rows since the last ones were written, each a list of cells."""

    def __init__(self) -> None:
        self._rows: list[list[Cell]] = []
        self._heads = 0
        self._only_heads = True
        self._length = 0
        self.cell: Cell | None = None

    @property
    def are_many(self) -> bool:
        return self._length > _ENOUGH

    def begin_row(self) -> None:
        self._count_heads()
        self._rows.append([])
        self.cell = None

    def begin_cell(self, *, head: bool) -> None:
        if not self._rows:
            self._rows.append([])
        self._only_heads = head and (self._only_heads or not self._rows[-1])
        self.cell = []
        self._rows[-1].append(self.cell)

    def add(self, run: Run) -> None:
        """Add text to the cell that was begun last."""
        assert self.cell is not None  # noqa: S101 - who adds has looked
        self.cell.append(run)
        self._length += len(run[0])

    def write(self, sheet: Sheet) -> None:
        """Write the rows, aligned where each cell has room beside the others, and forget them."""
        self._count_heads()
        rows = [row for row in self._rows if row]
        if any(_length(cell) > _LONG_CELL for row in rows for cell in row):
            for cell in (cell for row in rows for cell in row):
                sheet.end_line()
                sheet.write_runs(cell)
            sheet.end_line()
        else:
            write_table(sheet, rows, heads=self._heads)
        self._rows, self._heads, self._length, self.cell = [], 0, 0, None

    def _count_heads(self) -> None:
        """The first rows are heads as long as they hold nothing else."""
        if self._rows and self._only_heads and self._rows[-1]:
            self._heads = len(self._rows) if self._heads == len(self._rows) - 1 else self._heads
        self._only_heads = True


def _length(cell: Cell) -> int:
    return sum(len(visible_line(text)) for text, _ in cell)
