"""Tables in the width of a panel: of a row that wraps, nothing stands below its head."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report import Column, Grid, Report
from judge_tui.report.table import shown
from judge_tui.tui.cells import cells_of, shortened
from judge_tui.visible import visible_line

__all__ = ["fitted"]

_BETWEEN = 2
"""Cells between two columns."""

_LEAST = 12
"""So many cells of a name tell it from most others."""


def fitted(report: Report, width: int) -> Report:
    """The report with rows of at most `width` cells, if that has room for a column: names are cut
    first, then the last columns are left out, which the title of the table tells."""
    return report._replace(grids=[_fitted(grid, width) for grid in report.grids])


def _fitted(grid: Grid, width: int) -> Grid:
    heads = [visible_line(column.name) for column in grid.columns]
    rows = [
        [shown(column, cell) for column, cell in zip(grid.columns, row, strict=True)]
        for row in grid.rows
    ]
    widths = [max(map(_cells, texts)) for texts in zip(heads, *rows, strict=True)]
    if _whole(widths) <= width or len(widths) == 1:
        return grid
    kept = len(widths)
    while kept > 1 and _whole(_cut(grid.columns, widths, _LEAST)[:kept]) > width:
        kept -= 1
    most = max(_LEAST, *widths)
    while most > _LEAST and _whole(_cut(grid.columns, widths, most)[:kept]) > width:
        most -= 1
    cut = _cut(grid.columns, widths, most)[:kept]
    gone = f"; no room for: {', '.join(heads[kept:])}" if kept < len(heads) else ""
    return Grid(
        f"{grid.title}{gone}",
        [Column(column.name, right=column.right) for column in grid.columns[:kept]],
        [[shortened(text, room) for text, room in zip(row, cut, strict=False)] for row in rows],
    )


def _cut(columns: Sequence[Column], widths: Sequence[int], most: int) -> list[int]:
    """The widths, once names have at most so many cells. Numbers are never cut."""
    return [
        room if column.right else min(room, most)
        for column, room in zip(columns, widths, strict=True)
    ]


def _whole(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * (len(widths) - 1)


def _cells(text: str) -> int:
    return sum(cells_of(text))
