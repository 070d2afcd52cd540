"""Tables as aligned text."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len

from judge_tui.tui.reading.sheet import RULE, Run, Sheet
from judge_tui.visible import visible_line

Cell = list[Run]

_BETWEEN = "  "


def write_table(
    sheet: Sheet, rows: Sequence[Sequence[Cell]], *, heads: int, right: Collection[int] = ()
) -> None:
    """Write a row a line; below the first `heads` rows stands a rule.

    `right` are the columns whose cells stand at the right of them. What is wider than the sheet is
    not aligned: rows that go on in the next line have no columns.
    """
    columns = max(map(len, rows), default=0)
    widths = [
        max((_width(row[column]) for row in rows if column < len(row)), default=0)
        for column in range(columns)
    ]
    aligned = sum(widths) + len(_BETWEEN) * (columns - 1) <= sheet.room
    for number, row in enumerate(rows):
        sheet.end_line()
        _write_row(sheet, row, widths if aligned else [], right, ("strong",) * (number < heads))
        if number == heads - 1:
            sheet.end_line()
            rule = _BETWEEN.join("─" * width for width in widths) if aligned else RULE
            sheet.write(rule[: max(1, sheet.room)], ("rule",))
    sheet.end_line()


def _write_row(
    sheet: Sheet,
    row: Sequence[Cell],
    widths: Sequence[int],
    right: Collection[int],
    styles: tuple[str, ...],
) -> None:
    for column, cell in enumerate(row):
        last = column == len(row) - 1
        blank = " " * (widths[column] - _width(cell)) if widths else ""
        if column in right:
            sheet.write(blank)
        for text, own in cell:
            sheet.write(text.replace("\n", " "), tuple(dict.fromkeys(own + styles)))
        if column not in right and not last:
            sheet.write(blank)
        if not last:
            sheet.write(_BETWEEN if widths else " │ ")


def _width(cell: Cell) -> int:
    return sum(cell_len(visible_line(text.replace("\n", " "))) for text, _ in cell)
