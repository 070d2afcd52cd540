"""Rows for other programs and for spreadsheets: as CSV, or as JSON Lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.formats.tables import csv_cell
from judge_tui.formats.writing import GZIP, as_named, write_atomically
from judge_tui.visible import visible

__all__ = [
    "ROW_FORMS",
    "Value",
    "csv_lines",
    "form_of",
    "jsonl_lines",
    "write_lines",
]

Value: TypeAlias = str | int | float | bool | None

ROW_FORMS = {"csv": (".csv",), "jsonl": (".jsonl", ".ndjson")}
"""The forms, and how the names of their files end."""


def form_of(path: str | os.PathLike[str], form: str | None = None) -> str:
    """The form asked for, else the one that the file's name ends with, less a .gz; `-` is CSV.

    Raises `UsageError` where neither says it.
    """
    if form is not None:
        return form
    name = os.fspath(path)
    for known, ends in ROW_FORMS.items():
        if name.lower().removesuffix(GZIP).endswith(ends):
            return known
    if name == "-":
        return "csv"
    raise UsageError(
        f"{name} does not say whether it is CSV or JSON Lines",
        "name it FILE.csv or FILE.jsonl, or say -f csv or -f jsonl",
    )


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    """A header and rows (RFC 4180, but with newlines as line ends); what is undefined is empty.

    Text that begins with = + - @ a tab, a line end or ' gets a ' in front, so that a spreadsheet
    runs nothing; without that ' it is what it was. Numbers are never touched.
    """
    yield ",".join(map(_cell, columns)) + "\n"
    for row in rows:
        yield ",".join(map(_cell, row)) + "\n"


def jsonl_lines(documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """One JSON object a line, in ASCII: no character is lost, and none does anything."""
    for document in documents:
        yield json.dumps(document, ensure_ascii=True, allow_nan=False) + "\n"


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write them as UTF-8, all or nothing, compressed where the name ends with .gz; `-` is standard
    output.

    On a terminal, which would obey what is foreign, they are shown and not written. Raises
    `InputError` where the file cannot be written.
    """
    if os.fspath(path) == "-" and sys.stdout.isatty():
        lines = map(visible, lines)
    if os.fspath(path).lower().endswith(GZIP):
        write_atomically(path, [as_named(path, "".join(lines).encode())])
    else:
        write_atomically(path, (line.encode() for line in lines))


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return csv_cell(value)
