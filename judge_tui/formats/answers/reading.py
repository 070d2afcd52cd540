"""Answers files read whole: which form one has, its entries with their lines, and what is wrong."""

from __future__ import annotations

import csv
import json
import os
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.answers.entry import Answered, entry_of, truth_in
from judge_tui.formats.answers.form import ARRAY_HEAD, Form, form_of
from judge_tui.formats.problems import Problems, Reporter, decoded
from judge_tui.formats.source import open_source
from judge_tui.formats.toml_file import TomlFile
from judge_tui.scoring.truths import Truth

__all__ = ["check_answers", "read_answers"]

EXAMPLE = '[{"query": "…", "expected": ["path"]}]'

Rows = Iterator[Answered | None]


def read_answers(
    path: str | os.PathLike[str], *, problems: Problems | None = None
) -> list[Answered]:
    """The queries and their truths, in file order.

    `problems` is called with each malformed entry, which is left out; without it, the first raises
    `InputError`. A query_id that comes twice is one of them.
    """
    report = Reporter(path, problems)
    text = _text(path, report)
    form = form_of(text)
    if form is None:
        raise InputError(path, 1, "this is no answers file", f"write it as {EXAMPLE}")
    answers: dict[str, Answered] = {}
    for entry in _READERS[form](path, text, report):
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


def _json(path: str | os.PathLike[str], text: str, report: Reporter) -> Rows:
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
        yield _entry(record, number, line, report)
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "]":
            raise InputError(
                path, text.count("\n", 0, at) + 1, "not JSON: a comma is missing", "mend it"
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
        yield _entry(record, number, line, report)


def _toml(path: str | os.PathLike[str], text: str, report: Reporter) -> Rows:
    file = TomlFile(path, text, '[[answers]] query = "…" pattern = "…"')
    arrays = {name: value for name, value in file.table.items() if isinstance(value, list)}
    if len(arrays) != 1 or len(file.table) != 1:
        raise InputError(path, 1, "not one list of tables", "write each answer below [[answers]]")
    (name, records), *_ = arrays.items()
    heads = [
        line
        for line, written in enumerate(text.split("\n"), 1)
        if ARRAY_HEAD.match(written) and name in _array_of(written)
    ]
    for number, record in enumerate(records, 1):
        line = heads[number - 1] if len(heads) == len(records) else 1
        yield _entry(record, number, line, report)


def _array_of(line: str) -> dict[str, Any]:
    try:
        return tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return {}


def _csv(path: str | os.PathLike[str], text: str, report: Reporter) -> Rows:  # noqa: ARG001
    rows = csv.reader(text.splitlines(keepends=True))
    next(rows)
    number, line = 0, rows.line_num + 1
    for row in rows:
        first, line = line, rows.line_num + 1
        if not any(cell.strip() for cell in row):
            continue
        number += 1
        if not row[0].strip():
            report(first, "an answer without query", "write it in the first column")
            continue
        truths: dict[str, Truth] = {}
        cells = [cell for cell in row[1:] if cell.strip()]
        read = [truth_in(cell, 1, first, report) for cell in cells]
        for truth in read:
            if truth is not None and truths.setdefault(truth.written, truth).grade < truth.grade:
                truths[truth.written] = truth
        if None in read:
            continue
        if not truths:
            report(first, "nothing is right for this query", "write path or path:start-end:grade")
            continue
        yield Answered(f"q{number:03}", row[0].strip(), tuple(truths.values()), line=first)


def _entry(record: Any, number: int, line: int, report: Reporter) -> Answered | None:
    if isinstance(record, dict):
        return entry_of(record, number, line, report)
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


def check_answers(
    path: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None
) -> list[InputError]:
    """All problems of an answers file; with `root`, also the paths and lines that are not in that
    checkout, each with the line of its answer."""
    found: list[InputError] = []
    try:
        answers = read_answers(path, problems=found.append)
    except InputError as error:
        return [*found, error]
    if root is not None:
        found += _missing(path, answers, root)
    return sorted(found, key=lambda problem: problem.line or 0)


def _missing(
    path: str | os.PathLike[str], answers: list[Answered], root: str | os.PathLike[str]
) -> Iterator[InputError]:
    from judge_tui.formats.checkout import read_checkout  # noqa: PLC0415 - for --root alone

    lines: dict[str, int] = {}
    for answer in answers:
        for truth in answer.truths:
            if truth.place is not None:
                lines.setdefault(truth.written, answer.line)
    missing: list[InputError] = []

    def note(written: str, why: str) -> None:
        mend = f"is {os.fspath(root)} the checkout that the answers are about?"
        missing.append(InputError(path, lines[written], why, mend))

    try:
        for _ in read_checkout(lines, root, missing=note):
            continue
    except InputError as error:
        missing.append(error)
    yield from missing
