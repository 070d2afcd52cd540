"""CSV for spreadsheets and data frames, floats at full precision."""

from __future__ import annotations

import csv
import io

from judge_tui.report.layout import Cell, Report, plain
from judge_tui.visible import visible_line

__all__ = ["render"]

_FORMULA = ("=", "+", "-", "@")


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """Header and rows (RFC 4180, but with newlines as line ends); what is undefined is empty.

    Text that begins with = + - or @ gets a ' in front: a spreadsheet would run it as a formula.
    Numbers are never touched.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(report.header)
    writer.writerows([_cell(cell) for cell in row] for row in report.rows)
    return text.getvalue()


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return repr(cell)
    text = visible_line(plain(cell))
    return f"'{text}" if text.startswith(_FORMULA) else text
