"""Markdown tables, as GitHub renders them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge_tui.report.layout import Report, Table
from judge_tui.report.table import shown
from judge_tui.visible import visible_line

__all__ = ["escape", "render", "table_of"]

_INLINE = re.compile(r"([\\`*_\[\]<>|~&$#!])")


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """The tables, one below the other."""
    return "\n".join(table_of(table) for table in report.for_readers())


def escape(text: str) -> str:
    """Text that means itself in a table cell: every character of inline markup is escaped."""
    return _INLINE.sub(r"\\\1", text)


def table_of(table: Table) -> str:
    """Below its title, if it has one."""
    lines = [f"### {escape(visible_line(table.title))}", ""] if table.title else []
    lines.append(_row(visible_line(column.title or "") for column in table.columns))
    lines.append(f"|{'|'.join('---:' if column.right else '---' for column in table.columns)}|")
    lines += [
        _row(shown(column.show, cell) for column, cell in zip(table.columns, row, strict=True))
        for row in table.rows
    ]
    return "\n".join(lines) + "\n"


def _row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(escape(text) for text in texts)} |"
