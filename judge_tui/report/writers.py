"""The registry of output forms, and the forms that are files: JSON and CSV for programs, Markdown
and LaTeX for documents. Tables for a terminal are in `table`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from judge_tui.errors import check_known
from judge_tui.report.layout import Cell, Report, Table
from judge_tui.report.table import render_table, texts_of
from judge_tui.visible import visible_line


def render(report: Report, form: str, *, colour: bool = False) -> str:
    """The report as text that ends with a newline; the same report gives the same text.

    `colour` is for a terminal and heeded by the form `table` alone.
    """
    check_known("format", form, FORMS)
    return render_table(report, colour=True) if colour and form == "table" else FORMS[form](report)


def render_json(report: Report) -> str:
    """The document of the report.

    In ASCII: every foreign character that a terminal would obey is an escape, and none is lost.
    NaN and infinity are no JSON and raise `ValueError`: what is undefined is null.
    """
    import json  # noqa: PLC0415 - start-up counts

    return json.dumps(report.to_dict(), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def render_csv(report: Report) -> str:
    """The first table that has a name, as `csv_texts` has it."""
    return "".join(csv_texts(report))


_LINES = 1_000
"""Lines at once."""


def csv_texts(report: Report) -> Iterator[str]:
    """The first table that has a name (RFC 4180, but with newlines as line ends), some lines at
    once; what is undefined is empty.

    Text that begins with = + - @ or ' gets a ' in front: a spreadsheet would run it as a formula.
    Numbers are never touched, and have full precision.
    """
    from judge_tui.formats.tables import csv_lines  # noqa: PLC0415 - start-up counts

    table = report.csv or next(table for table in report.tables if table.name)
    rows = (
        [visible_line(value) if isinstance(value, str) else value for value in row]
        for row in table.key_rows()
    )
    lines = csv_lines(list(map(visible_line, table.keys)), rows)
    while text := "".join(islice(lines, _LINES)):
        yield text


_INLINE = re.compile(r"([\\`*_\[\]<>|~&$#!])")


def render_markdown(report: Report) -> str:
    """The tables, one below the other, as GitHub renders them."""
    return "\n".join(markdown_table(table) for table in report.for_readers())


def markdown_text(text: str) -> str:
    """Text that means itself in a table cell: every character of inline markup is escaped."""
    return _INLINE.sub(r"\\\1", text)


def markdown_table(table: Table) -> str:
    """Below its title, if it has one."""
    lines = [f"### {markdown_text(visible_line(table.title))}", ""] if table.title else []
    head, *rows = (f"| {' | '.join(map(markdown_text, texts))} |" for texts in texts_of(table))
    rule = f"|{'|'.join('---:' if column.right else '---' for column in table.columns)}|"
    return "\n".join([*lines, head, rule, *rows]) + "\n"


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
    """A tabular for each table, which needs no package; titles are comments, to make captions
    of."""
    return "\n".join(_tabular(table) for table in report.for_readers())


def _tabular(table: Table) -> str:
    head, *texts = texts_of(table)
    rows = [map(_latex_cell, row, cells) for row, cells in zip(texts, table.rows, strict=True)]
    sides = "".join("r" if column.right else "l" for column in table.columns)
    lines = [
        *([f"% {visible_line(table.title)}"] if table.title else []),
        rf"\begin{{tabular}}{{{sides}}}",
        r"\hline",
        _latex_row(text.translate(_ESCAPES) for text in head),
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
    return text.translate(_ESCAPES)


FORMS: dict[str, Callable[[Report], str]] = {
    "table": render_table,
    "json": render_json,
    "csv": render_csv,
    "md": render_markdown,
    "latex": render_latex,
}

SUFFIXES = {".txt": "table", ".json": "json", ".csv": "csv", ".md": "md", ".tex": "latex"}
"""How the names of files in these forms end."""
