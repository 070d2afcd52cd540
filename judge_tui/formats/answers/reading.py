"""Answers files read whole: which form one has, its entries with their lines, and what is wrong."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.answers.entry import USUAL_GRADE, Answered, entry_of, record_of_row
from judge_tui.formats.answers.form import ARRAY_HEAD, Form, delimiter_of, form_of, likely_form
from judge_tui.formats.problems import Problems, Reporter, decoded
from judge_tui.formats.source import open_source

__all__ = ["read_answers"]

EXAMPLE = '[{"query": "…", "expected": ["path"]}]'

Rows = Iterator[tuple[Any, int, int]]
"""What should be an object, its number among them and its line."""


def read_answers(
    path: str | os.PathLike[str],
    *,
    problems: Problems | None = None,
    usual_grade: int = USUAL_GRADE,
) -> list[Answered]:
    """The queries and their truths, in file order. `usual_grade`: of a truth that the file gives
    none.

    `problems` is called with each malformed entry, which is left out; without it, the first raises
    `InputError`. A query_id that comes twice is one of them.
    """
    report = Reporter(path, problems)
    text = _text(path, report)
    # Who names a file as one of answers wants to know what is wrong with it.
    form = form_of(text) or likely_form(text)
    if form is None:
        raise InputError(path, 1, "this is no answers file", f"write it as {EXAMPLE}")
    answers: dict[str, Answered] = {}
    for record, number, line in _READERS[form](path, text, report):
        entry = _entry(record, number, line, report, usual_grade)
        if entry is None:
            continue
        before = answers.setdefault(entry.query_id, entry)
        if before is not entry:
            report(
                entry.line,
                f"query {entry.query_id!r} has answers in line {before.line} already",
                "put them together, or give each query its own query_id",
            )
    if not answers and not report.count:
        raise InputError(path, None, "there are no answers in it", f"write it as {EXAMPLE}")
    return list(answers.values())


def _text(path: str | os.PathLike[str], report: Reporter) -> str:
    with open_source(path) as source:
        lines = [decoded(raw, number, report) or "" for number, raw in source.lines()]
    return "\n".join(line.rstrip("\r\n") for line in lines)


def _json(path: str | os.PathLike[str], text: str, report: Reporter) -> Rows:  # noqa: ARG001
    decoder = json.JSONDecoder()
    at, number = text.index("[") + 1, 0
    line, counted = 1, 0
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == "]" and not text[at + 1 :].strip():
            return
        number += 1
        line, counted = line + text.count("\n", counted, at), at
        try:
            record, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            broken = getattr(error, "pos", at)
            raise InputError(
                path,
                text.count("\n", 0, broken) + 1,
                f"not JSON: {getattr(error, 'msg', error)}",
                f"write it as {EXAMPLE}",
            ) from error
        yield record, number, line
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "]":
            what = "a comma is missing" if text[at:] else "the list has no end"
            raise InputError(
                path,
                text.count("\n", 0, at) + 1,
                f"not JSON: {what}",
                f"write it as {EXAMPLE}",
            )


def _json_lines(path: str | os.PathLike[str], text: str, report: Reporter) -> Rows:  # noqa: ARG001
    number = 0
    for line, raw in enumerate(text.split("\n"), 1):
        if not raw.strip():
            continue
        number += 1
        try:
            record = json.loads(raw)
        except (ValueError, RecursionError) as error:
            report(line, f"not JSON: {getattr(error, 'msg', error)}", "write one object a line")
            continue
        yield record, number, line


def _toml(path: str | os.PathLike[str], text: str, report: Reporter) -> Rows:  # noqa: ARG001
    import tomllib  # noqa: PLC0415 - start-up is counted, and most files are in JSON or CSV

    from judge_tui.formats.toml_file import TomlFile  # noqa: PLC0415 - as above

    def array_of(line: str) -> dict[str, Any]:
        try:
            return tomllib.loads(line)
        except tomllib.TOMLDecodeError:
            return {}

    file = TomlFile(path, text, '[[answers]] query = "…" pattern = "…"')
    arrays = {name: value for name, value in file.table.items() if isinstance(value, list)}
    if len(arrays) != 1 or len(file.table) != 1:
        raise InputError(path, 1, "not one list of tables", "write each answer below [[answers]]")
    (name, records), *_ = arrays.items()
    heads = [
        line
        for line, written in enumerate(text.split("\n"), 1)
        if ARRAY_HEAD.match(written) and name in array_of(written)
    ]
    for number, record in enumerate(records, 1):
        line = heads[number - 1] if len(heads) == len(records) else 1
        yield record, number, line


def _csv(path: str | os.PathLike[str], text: str, report: Reporter) -> Rows:  # noqa: ARG001
    # Only these end a line: str.splitlines knows eight more characters that do.
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter_of(text), strict=True)
    number = line = 0
    asked = 0
    try:
        for row in rows:
            first, line = line + 1, rows.line_num
            if not any(cell.strip() for cell in row):
                continue
            number += 1
            if number == 1:
                asked = [name.strip().lower() for name in row].index("query")
            else:
                own_id = row[0] if asked else None
                cells = (row[asked] if asked < len(row) else "", *row[asked + 1 :])
                yield record_of_row(own_id, cells), number - 1, first
    except csv.Error as error:
        raise InputError(
            path, rows.line_num or 1, f"not CSV: {error}", "put cells with quotes in them in quotes"
        ) from error


def _entry(
    record: Any, number: int, line: int, report: Reporter, usual_grade: int
) -> Answered | None:
    if isinstance(record, dict):
        return entry_of(record, number, line, report, usual_grade)
    report(line, "an answer is no object", f"write it as {EXAMPLE}")
    return None


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in " \t\r\n":
        at += 1
    return at


_READERS: dict[Form, Callable[[str | os.PathLike[str], str, Reporter], Rows]] = {
    "json": _json,
    "jsonl": _json_lines,
    "csv": _csv,
    "toml": _toml,
}
