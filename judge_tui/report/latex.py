"""LaTeX tabulars that need no package."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.report.layout import Cell, Column, Grid, Report
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
    """A tabular for each grid; titles are comments, to make captions of."""
    return "\n".join(_grid(grid) for grid in report.tables)


def escape(text: str) -> str:
    """Text that means itself in LaTeX."""
    return text.translate(_ESCAPES)


def _grid(grid: Grid) -> str:
    lines = [f"% {visible_line(grid.title)}"] if grid.title else []
    lines += [
        rf"\begin{{tabular}}{{{''.join('r' if column.right else 'l' for column in grid.columns)}}}",
        r"\hline",
        _row(escape(visible_line(column.name)) for column in grid.columns),
        r"\hline",
    ]
    lines += [
        _row(_shown(column, cell) for column, cell in zip(grid.columns, row, strict=True))
        for row in grid.rows
    ]
    lines += [r"\hline", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _row(texts: Iterable[str]) -> str:
    return rf"{' & '.join(texts)} \\"


def _shown(column: Column, cell: Cell) -> str:
    text = shown(column, cell)
    if isinstance(cell, int | float) and text.startswith("-"):
        return f"$-${text[1:]}"  # a minus, not a hyphen
    return escape(text)
