"""Aligned plain text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report.layout import Cell, Column, Grid, Report, Toned
from judge_tui.visible import visible_line

__all__ = ["render", "shown", "width_of"]

UNDEFINED = "-"

_SGR = {"good": "32", "bad": "31"}


def render(report: Report, *, colour: bool) -> str:
    """Tables one below the other. Width is counted in terminal cells."""
    return "\n".join(_grid(grid, colour=colour) for grid in report.tables)


def _grid(grid: Grid, *, colour: bool) -> str:
    texts = [[visible_line(column.name) for column in grid.columns]]
    texts += [
        [shown(column, cell) for column, cell in zip(grid.columns, row, strict=True)]
        for row in grid.rows
    ]
    widths = [max(map(width_of, column)) for column in zip(*texts, strict=True)]
    lines = [visible_line(grid.title)] if grid.title else []
    for place, row in enumerate(texts):
        cells: Sequence[Cell] = grid.rows[place - 1] if place else [None] * len(row)
        padded = [
            _pad(text, width, cell if colour else None, right=column.right)
            for text, width, column, cell in zip(row, widths, grid.columns, cells, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def shown(column: Column, cell: Cell) -> str:
    """The cell's text, safe for a terminal."""
    return UNDEFINED if cell is None else visible_line(column.show(cell))


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
