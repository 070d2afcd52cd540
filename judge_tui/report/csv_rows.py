"""CSV for spreadsheets and data frames, floats at full precision."""

from __future__ import annotations

from judge_tui.formats.tables import csv_cell
from judge_tui.report.layout import Cell, Report, plain
from judge_tui.visible import visible_line

__all__ = ["render"]


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """The first table that has a name (RFC 4180, but with newlines as line ends); what is
    undefined is empty.

    Text that begins with = + - @ or ' gets a ' in front: a spreadsheet would run it as a formula.
    Numbers are never touched.
    """
    table = next(table for table in report.tables if table.name)
    rows = [[csv_cell(key) for key in table.keys]]
    rows += [[_cell(cell) for cell in row] for row in table.key_rows()]
    return "".join(",".join(row) + "\n" for row in rows)


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return repr(cell)
    return csv_cell(visible_line(plain(cell)))
