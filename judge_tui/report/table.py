"""Aligned plain text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report.layout import Cell, Report, Show, Table, Toned
from judge_tui.visible import visible_line

__all__ = ["render", "shown", "width_of"]

UNDEFINED = "-"

_SGR = {"good": "32", "bad": "31"}


def render(report: Report, *, colour: bool) -> str:
    """Tables one below the other. Width is counted in terminal cells."""
    return "\n".join(_table(table, colour=colour) for table in report.for_readers())


def _table(table: Table, *, colour: bool) -> str:
    texts = [[visible_line(column.title or "") for column in table.columns]]
    texts += [
        [shown(column.show, cell) for column, cell in zip(table.columns, row, strict=True)]
        for row in table.rows
    ]
    widths = [max(map(width_of, column)) for column in zip(*texts, strict=True)]
    lines = [visible_line(table.title)] if table.title else []
    for place, row in enumerate(texts):
        cells: Sequence[Cell] = table.rows[place - 1] if place else [None] * len(row)
        padded = [
            _pad(text, width, cell if colour else None, right=column.right)
            for text, width, column, cell in zip(row, widths, table.columns, cells, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def shown(show: Show, cell: Cell) -> str:
    """The cell's text, safe for a terminal."""
    return UNDEFINED if cell is None else visible_line(show(cell))


def width_of(text: str) -> int:
    """In cells of a terminal; the text is `visible`."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - most text is ASCII, and start-up counts

    return cell_len(text)


def _pad(text: str, width: int, cell: Cell, *, right: bool) -> str:
    space = " " * (width - width_of(text))
    if isinstance(cell, Toned):
        text = f"\x1b[{_SGR[cell.tone]}m{text}\x1b[0m"
    return space + text if right else text + space
