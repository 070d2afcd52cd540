"""Markdown tables, as GitHub renders them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge_tui.report.layout import Grid, Report
from judge_tui.report.table import shown
from judge_tui.visible import visible_line

__all__ = ["escape", "render", "table_of"]

_INLINE = re.compile(r"([\\`*_\[\]<>|~&$#!])")


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """A table for each grid."""
    return "\n".join(table_of(grid) for grid in report.tables)


def escape(text: str) -> str:
    """Text that means itself in a table cell: every character of inline markup is escaped."""
    return _INLINE.sub(r"\\\1", text)


def table_of(grid: Grid) -> str:
    """Below its title, if it has one."""
    lines = [f"### {escape(visible_line(grid.title))}", ""] if grid.title else []
    lines.append(_row(visible_line(column.name) for column in grid.columns))
    lines.append(f"|{'|'.join('---:' if column.right else '---' for column in grid.columns)}|")
    lines += [
        _row(shown(column, cell) for column, cell in zip(grid.columns, row, strict=True))
        for row in grid.rows
    ]
    return "\n".join(lines) + "\n"


def _row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(escape(text) for text in texts)} |"
