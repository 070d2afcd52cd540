"""LaTeX tabulars that need no package."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.report.layout import Cell, Report, Show, Table
from judge_tui.report.table import shown
from judge_tui.visible import visible_line

__all__ = ["render"]

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "-": "{-}",
        # Where a row begins with one of these, the \\ before it would take it for an option.
        "[": "{[}",
        "*": "{*}",
        **{special: f"\\{special}" for special in "&%$#_{}"},
    }
)


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """A tabular for each table; titles are comments, to make captions of."""
    return "\n".join(_table(table) for table in report.for_readers())


def escape(text: str) -> str:
    """Text that means itself in LaTeX."""
    return text.translate(_ESCAPES)


def _table(table: Table) -> str:
    lines = [f"% {visible_line(table.title)}"] if table.title else []
    sides = "".join("r" if column.right else "l" for column in table.columns)
    lines += [
        rf"\begin{{tabular}}{{{sides}}}",
        r"\hline",
        _row(escape(visible_line(column.title or "")) for column in table.columns),
        r"\hline",
    ]
    lines += [
        _row(_shown(column.show, cell) for column, cell in zip(table.columns, row, strict=True))
        for row in table.rows
    ]
    lines += [r"\hline", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _row(texts: Iterable[str]) -> str:
    return rf"{' & '.join(texts)} \\"


def _shown(show: Show, cell: Cell) -> str:
    text = shown(show, cell)
    if isinstance(cell, int | float) and text.startswith("-"):
        return f"$-${text[1:]}"  # a minus, not a hyphen
    return escape(text)
