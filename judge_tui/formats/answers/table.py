"""Answers in a table, as spreadsheets write them: a row a query, a cell each of its results."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.answers.columns import KNOWN_COLUMNS, Columns, columns_in
from judge_tui.formats.columns import folded
from judge_tui.formats.problems import Reporter, counted, quoted
from judge_tui.formats.row_cells import row_cells
from judge_tui.formats.table_records import unnamed
from judge_tui.scoring.class_terms import DEMANDS

__all__ = ["table_rows"]

_MEND = "begin the table with query,result1,result2 and so on"


def table_rows(text: str, report: Reporter) -> Iterator[tuple[dict[str, Any], int, int]]:
    """Each row as an object of JSON would say it, its number among them and its line.

    A column that answers do not have is reported and left out, and so are rows with cells that no
    column names, or text behind a closing quote. Between tabs, quotes that a cell does not need are
    part of it, unless the header has some as well (`row_cells`). Raises `InputError` where no
    column says what was asked, or what is right, and for a quote that is never closed.
    """
    columns = columns_in(text)
    if columns is None or not columns.asks or not columns.says:
        raise _no_table(columns, report)
    _report_names(columns, report)
    # Only these end a line: str.splitlines knows eight more characters that do.
    lines = text.split("\n")
    as_needed = columns.delimiter == "\t" and '"' not in lines[columns.line - 1]
    path = os.fspath(report.path)
    numbered = ((number, line.encode()) for number, line in enumerate(lines, 1))
    cells_of = row_cells(path, numbered, columns.delimiter, report, as_needed=as_needed)
    number = 0
    for line, row in cells_of:
        if line <= columns.line or not any(cell.strip() for cell in row):
            continue
        number += 1
        if not _has_fault(row, columns, number, line, report):
            yield _record(row, columns), number, line


def _no_table(columns: Columns | None, report: Reporter) -> InputError:
    if columns is None:
        return InputError(report.path, 1, "the first line names no columns", _MEND)
    lacking = "query" if not columns.asks else "result1"
    seen = ", ".join(map(quoted, columns.written[:12]))
    return InputError(
        report.path, columns.line, f"no column is called {lacking}; there are {seen}", _MEND
    )


def _report_names(columns: Columns, report: Reporter) -> None:
    seen: set[str] = set()
    called: dict[str, str] = {}
    for written, meant in zip(columns.written, columns.meant, strict=True):
        if meant is None:
            mend = (
                "JSON, JSON Lines and TOML can say it"
                if written.lower() in DEMANDS
                else f"take it out; or if right results stand in it, call it resultN; known:"
                f" {KNOWN_COLUMNS}"
            )
            report(columns.line, f"answers have no column {quoted(written)}", mend)
        elif meant in seen and meant not in ("expected", "pattern", ""):
            what = f"two columns say the {meant}; the second is {quoted(written)}"
            report(columns.line, what, "take one of them out")
        elif meant and (before := called.setdefault(folded(written), written)) is not written:
            what = f"two columns are called {quoted(before)}"
            if before != written:
                what = f"{quoted(before)} and {quoted(written)} are one name of two columns"
            name = "pattern" if meant == "pattern" else "result"
            mend = f"call them {name}1, {name}2, or take one of them out"
            report(columns.line, what, mend)
        seen.add(meant or "")


def _has_fault(
    row: Sequence[str], columns: Columns, number: int, line: int, report: Reporter
) -> bool:
    width = len(columns.written)
    if any(cell.strip() for cell in row[width:]):
        report(
            line,
            f"{counted(len(row), 'cell')}, but the header names {counted(width, 'column')}",
            "name a column for each result; put a text that holds the separator in quotes",
        )
        return True
    said = [(written, cell.strip()) for written, cell in zip(columns.written, row, strict=False)]
    if (lost := unnamed(said, number - 1)) is not None:
        report(line, f"no column is named above {quoted(lost)}", "name it in the header")
        return True
    for (_, text), meant in zip(said, columns.meant, strict=False):
        if meant == "expected" and ("\n" in text or "\r" in text):
            shown = " / ".join(text.split("\n"))
            what = f"{quoted(shown)} stands on several lines of one cell"
            report(line, what, "give each result a cell of its own")
            return True
    return False


def _record(row: Sequence[str], columns: Columns) -> dict[str, Any]:
    record: dict[str, Any] = {"query": "", "expected": [], "pattern": []}
    for cell, meant in zip(row, columns.meant, strict=False):
        text = cell.strip()
        if meant == "query_id":
            record.setdefault(meant, cell)
        elif meant in ("expected", "pattern"):
            record[meant] += [cell if meant == "expected" else text] if text else []
        elif meant == "query":
            record["query"] = record["query"] or cell
        elif meant and text:
            record.setdefault(meant, text)
    return record
