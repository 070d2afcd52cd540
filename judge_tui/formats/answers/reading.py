"""Answers files read whole: which form one has, its entries with their lines, and what is wrong."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.answers.entry import USUAL_GRADE, Answered, entry_of
from judge_tui.formats.answers.form import ARRAY_HEAD, Form, form_of, likely_form
from judge_tui.formats.answers.table import table_rows
from judge_tui.formats.ids import as_field
from judge_tui.formats.problems import Reporter, Within, decoded, quoted
from judge_tui.formats.source import Source, open_source

__all__ = ["answers_in", "read_answers"]

EXAMPLE = '[{"query": "…", "expected": ["path"]}]'
_FORMS = f"a table begins with query,result1,result2 and so on; JSON is {EXAMPLE}"

Rows = Iterator[tuple[Any, int, int]]
"""What should be an object, its number among them and its line."""


def read_answers(path: str | os.PathLike[str], *, usual_grade: int = USUAL_GRADE) -> list[Answered]:
    """The queries and their truths, in file order. `usual_grade`: of a truth that the file gives
    none. Raises `InputError` for the first malformed entry."""
    with open_source(path) as source:
        return answers_in(source, Reporter(path), usual_grade)


def answers_in(source: Source, report: Reporter, usual_grade: int = USUAL_GRADE) -> list[Answered]:
    """The same of a source that is open already. An entry that is reported is left out; a query_id
    that comes twice is one."""
    text = _text(source, report)
    _refuse_what_systems_said(source.path, text)
    # Who names a file as one of answers wants to know what is wrong with it.
    form = form_of(text) or likely_form(text)
    if form is None:
        raise _no_answers(source.path, text)
    answers: dict[str, Answered] = {}
    rows = _READERS[form](text, report)
    of_one_line = [] if "\n" in text.strip() else list(rows)
    for record, number, line in of_one_line or rows:
        here = Within(report, f"entry {number}") if len(of_one_line) > 1 else report
        entry = _entry(record, number, line, here, usual_grade)
        if entry is None:
            continue
        entry = replace(entry, query_id=as_field(entry.query_id))
        before = answers.setdefault(entry.query_id, entry)
        if before is not entry:
            here(
                entry.line,
                f"query {entry.query_id!r} has answers in line {before.line} already",
                "put them together, or give each query its own query_id",
            )
    if not answers and not report.count:
        raise InputError(source.path, None, "there are no answers in it", _MENDS[form])
    return list(answers.values())


def _refuse_what_systems_said(path: str, text: str) -> None:
    """Raise `InputError` for a journal of collect's, which has the name of answers, too."""
    if text.startswith('{"judge_tui":'):
        raise InputError(
            path,
            1,
            "this is what a live system answered, as collect keeps it, and not what is right",
            f"give a file of right answers: {_FORMS}",
        )


def _no_answers(path: str, text: str) -> InputError:
    begin = next((line.strip() for line in text.split("\n") if line.strip()), "")
    what = f"it begins with {quoted(begin)}" if begin else "there is nothing in it"
    return InputError(
        path,
        1,
        f"this is no answers file: {what}",
        _FORMS,
    )


def _text(source: Source, report: Reporter) -> str:
    lines = [decoded(raw, number, report) or "" for number, raw in source.lines()]
    return "\n".join(line.rstrip("\r\n") for line in lines)


def _json(text: str, report: Reporter) -> Rows:
    path, decoder = report.path, json.JSONDecoder(object_pairs_hook=_Object)
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


def _json_lines(text: str, report: Reporter) -> Rows:
    number = 0
    for line, raw in enumerate(text.split("\n"), 1):
        if not raw.strip():
            continue
        number += 1
        try:
            record = json.loads(raw, object_pairs_hook=_Object)
        except (ValueError, RecursionError) as error:
            report(line, f"not JSON: {getattr(error, 'msg', error)}", "write one object a line")
            continue
        yield record, number, line


def _toml(text: str, report: Reporter) -> Rows:
    import tomllib  # noqa: PLC0415 - start-up is counted, and most files are in JSON or CSV

    from judge_tui.formats.toml_file import TomlFile  # noqa: PLC0415 - as above

    def array_of(line: str) -> dict[str, Any]:
        try:
            return tomllib.loads(line)
        except tomllib.TOMLDecodeError:
            return {}

    path = report.path
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


class _Object(dict[str, Any]):
    """An object, and a name that comes twice in it: the standard library keeps the last value."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = [name for name, _ in pairs]
        self.twice = next((one for at, one in enumerate(names) if one in names[:at]), None)


def _entry(
    record: Any, number: int, line: int, report: Reporter, usual_grade: int
) -> Answered | None:
    if isinstance(record, dict):
        for one in (record, *record.values()):
            if isinstance(one, _Object) and one.twice is not None:
                report(line, f"{quoted(one.twice)} comes twice in one object", "remove one of them")
                return None
        return entry_of(record, number, line, report, usual_grade)
    report(line, "an answer is no object", f"write it as {EXAMPLE}")
    return None


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in " \t\r\n":
        at += 1
    return at


_MENDS: dict[Form, str] = {
    **dict.fromkeys(("json", "jsonl"), f"write it as {EXAMPLE}"),
    "toml": 'write each below [[answers]], with query = "…" and expected = ["path"]',
    "csv": "write a row for each query",
}
_READERS: dict[Form, Callable[[str, Reporter], Rows]] = {
    "json": _json,
    "jsonl": _json_lines,
    "csv": table_rows,
    "toml": _toml,
}
