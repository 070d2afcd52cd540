"""The forms for documents: Markdown tables, as GitHub renders them, and LaTeX tabulars that need no
package."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge_tui.report.layout import Cell, Report, Table
from judge_tui.report.table import texts_of
from judge_tui.visible import visible_line

_INLINE = re.compile(r"([\\`*_\[\]<>|~&$#!])")


def render_markdown(report: Report) -> str:
    """The tables, one below the other."""
    return "\n".join(markdown_table(table) for table in report.for_readers())


def markdown_text(text: str) -> str:
    """Text that means itself in a table cell: every character of inline markup is escaped."""
    return _INLINE.sub(r"\\\1", text)


def markdown_table(table: Table) -> str:
    """Below its title, if it has one."""
    lines = [f"### {markdown_text(visible_line(table.title))}", ""] if table.title else []
    head, *rows = map(_markdown_row, texts_of(table))
    rule = f"|{'|'.join('---:' if column.right else '---' for column in table.columns)}|"
    return "\n".join([*lines, head, rule, *rows]) + "\n"


def _markdown_row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(markdown_text(text) for text in texts)} |"


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


def render_latex(report: Report) -> str:
    """A tabular for each table; titles are comments, to make captions of."""
    return "\n".join(_tabular(table) for table in report.for_readers())


def _latex_text(text: str) -> str:
    """Text that means itself in LaTeX."""
    return text.translate(_ESCAPES)


def _tabular(table: Table) -> str:
    head, *texts = texts_of(table)
    rows = [
        list(map(_latex_cell, row, cells)) for row, cells in zip(texts, table.rows, strict=True)
    ]
    sides = "".join("r" if column.right else "l" for column in table.columns)
    lines = [
        *([f"% {visible_line(table.title)}"] if table.title else []),
        rf"\begin{{tabular}}{{{sides}}}",
        r"\hline",
        _latex_row(map(_latex_text, head)),
        r"\hline",
        *map(_latex_row, rows),
        r"\hline",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(texts: Iterable[str]) -> str:
    return rf"{' & '.join(texts)} \\"


def _latex_cell(text: str, cell: Cell) -> str:
    if isinstance(cell, int | float) and text.startswith("-"):
        return f"$-${text[1:]}"  # a minus, not a hyphen
    return _latex_text(text)
