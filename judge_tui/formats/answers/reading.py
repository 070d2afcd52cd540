"""Answers files: for each query, what a right result looks like. Recognised by content:

- JSON: `[{"query": "…", "expected": "src/app.py"}]`, or a list of paths;
- JSON Lines or TOML: `query`, `pattern` or `patterns` (regular expressions), or `expected`;
- a table: `query,result1,result2,…` (or `expected`) with cells `path:start-end:grade`; if wanted
  with `query_id`, `pattern`, `grade`, `class`, `subset`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.answers.demands import compiled, demands_in
from judge_tui.formats.checkout import read_checkout
from judge_tui.formats.columns import folded
from judge_tui.formats.ids import id_in
from judge_tui.formats.json_document import entries_in
from judge_tui.formats.numbers import grade_of
from judge_tui.formats.problems import RecordError, Reporter, Within, quoted
from judge_tui.formats.sniff import shape_of
from judge_tui.formats.source import Source, UnreadableError, open_source
from judge_tui.formats.tables import Table, id_of, of_table
from judge_tui.model import Query
from judge_tui.truths import Pattern, Truth, place_of

__all__ = ["USUAL_GRADE", "Answered", "answers_in", "query_rows", "read_answers"]

USUAL_GRADE = 1
"""Of what is right without a grade of its own."""

_DEMANDS = ("prefer", "authority")
_TEXTS = ("query", "class", "subset")
_SAYS = ("expected", "pattern", "patterns", *_DEMANDS)
_KEYS = {"query_id", "id", "grade", *_TEXTS, *_SAYS}
_GREATEST = 1000
_EXAMPLE = '[{"query": "…", "expected": ["path"]}]'
_FORMS = f"a table begins with query,result1,result2 and so on; JSON is {_EXAMPLE}"
_CELL = re.compile(
    r"(.+?)(:[0-9]{1,9}(?:-[0-9]{1,9})?|#L[0-9]{1,9}(?:C[0-9]+)?(?:-L?[0-9]{1,9}(?:C[0-9]+)?)?)"
    r"(?::([0-9]{1,4}))?",
    re.DOTALL,
)
_ODD = re.compile("[\\0\ud800-\udfff]")
_ARRAY_HEAD = re.compile(r"^\s*\[\[[\w\"'.-]+\]\]\s*(#.*)?$")
_COLUMNS = {
    **dict.fromkeys(("query_id", "id", "qid", "q_id"), "query_id"),
    **{name: name for name in ("query", "grade", "class", "subset")},
    **dict.fromkeys(("", "notes", "note", "comment", "comments"), ""),
}
_NUMBERED = re.compile(r"(results?|expected|patterns?)[ _]*[0-9]*")


@dataclass(frozen=True, slots=True)
class Answered:
    """A query and what is right for it. `query_id` is the file's own (`own_id`), else q001… by its
    place. `query` may be empty where the file has an id. `line` counts from 1. `truths` are none
    where a query has `demands` alone. `subset`: `hard` and the like, empty where it has none."""

    query_id: str
    query: str
    truths: tuple[Truth, ...]
    query_class: str = ""
    line: int = 1
    own_id: bool = False
    subset: str = ""
    demands: Mapping[Any, Any] = field(default_factory=dict)

    def as_query(self) -> Query:
        """The query without what is right for it; subset and demands as one of JSONL has them."""
        meta: dict[str, Any] = {demand: its.written for demand, its in self.demands.items()}
        if self.subset:
            meta["subset"] = self.subset
        return Query(
            self.query_id,
            self.query,
            query_class=self.query_class,
            meta=meta,
            own_id=self.own_id,
        )


def read_answers(path: str | os.PathLike[str], *, usual_grade: int = USUAL_GRADE) -> list[Answered]:
    """The queries and their truths, in file order. `usual_grade`: of a truth that the file gives
    none. Raises `InputError` for the first malformed entry."""
    with open_source(path) as source:
        return answers_in(source, Reporter(path), usual_grade)


def answers_in(source: Source, report: Reporter, usual_grade: int = USUAL_GRADE) -> list[Answered]:
    """The same of a source that is open already. An entry that is reported is left out."""
    answers: dict[str, Answered] = {}
    is_array = source.head.lstrip().startswith(b"[{")  # perhaps all in one line
    for number, line, record in _entries(source, report):
        here = Within(report, f"entry {number}") if is_array else report
        try:
            entry = _entry(record, number, line, here, usual_grade)
        except RecordError as error:
            here(error.line or line, error.what, error.mend)
            continue
        if entry is None:
            continue
        before = answers.setdefault(entry.query_id, entry)
        if before is not entry:
            what = f"query {quoted(entry.query_id)} has answers in line {before.line} already"
            here(line, what, "put them together, or give each query its own query_id")
    if not answers and not report.count:
        raise UnreadableError(source.path, None, "there are no answers in it", _FORMS)
    return list(answers.values())


def query_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every query of an answers file: `q001` and so on where the file has no ids of its own."""
    for answer in answers_in(source, report):
        yield answer.line, answer.as_query()


def problems_of(source: Source, root: str | os.PathLike[str] | None) -> list[InputError]:
    """The same of a source that is open already."""
    found: list[InputError] = []
    try:
        answers = answers_in(source, Reporter(source.path, found.append))
        if root is not None:
            found += _not_in_checkout(source.path, answers, root)
    except InputError as error:
        found.append(error)
    return sorted(found, key=lambda problem: problem.line or 0)


def _not_in_checkout(
    path: str, answers: list[Answered], root: str | os.PathLike[str]
) -> Iterator[InputError]:
    if not os.path.isdir(root):  # noqa: PTH112 - a path of either sort
        raise InputError(root, None, "there is no such folder", "give the folder of the checkout")
    named: dict[str, int] = {}
    for answer in answers:
        for truth in answer.truths:
            if truth.place is not None:
                named.setdefault(truth.written, answer.line)
    missing: dict[str, str] = {}
    # Sorted, each file is read once.
    for _ in read_checkout(sorted(named), root, missing=missing.__setitem__, lines_alone=True):
        pass
    mend = f"is {os.fspath(root)} the checkout that the answers are about?"
    for written, why in missing.items():
        yield InputError(path, named[written], f"{quoted(written)}: {why}", mend)


def _entries(source: Source, report: Reporter) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    """Number, line and record of each entry, whatever the form of the file."""
    shape = shape_of(source.head, whole=source.whole)
    kind = None if shape is None else shape.kind
    if kind in ("array", "json", "jsonl"):
        for number, node in entries_in(source, report):
            yield number, node.line, node
    elif kind == "table":
        yield from _rows(source, report)
    elif kind == "toml":
        yield from _toml(source, report)
    else:
        what = f"this is no answers file: it begins with {quoted(shape.first)}" if shape else ""
        raise UnreadableError(source.path, 1 if shape else None, what or "it is empty", _FORMS)


@of_table
def _rows(table: Table) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    meant: list[str] = []
    for written in table.header.written:
        name = folded(written)
        numbered = _NUMBERED.fullmatch(name)
        found = _COLUMNS.get(name, numbered[1] if numbered else None)
        if found is None:
            known = "query_id, query, grade, class, subset, result1, result2, … or pattern"
            mend = f"take it out; known: {known}; JSON and TOML can say prefer and authority"
            raise table.refusal(f"answers have no column {quoted(written)}", mend)
        if found in meant and found in _COLUMNS.values() and found:
            raise table.refusal(f"two columns say the {found}", "take one of them out")
        meant.append(found)
    for number, (line, cells) in enumerate(table.rows_of_any_length(), 1):
        record: dict[str, Any] = {}
        for name, cell in zip(meant, map(str.strip, cells), strict=False):
            if name in ("pattern", "patterns"):
                record.setdefault("pattern", []).extend([cell] if cell else [])
            elif name and name not in _COLUMNS.values():
                record.setdefault("expected", []).extend([cell] if cell else [])
            elif name == "query_id" or (name and cell):
                record[name] = cell
        if any(map(str.strip, cells[len(meant) :])):
            what = f"{len(cells)} cells, but the header names {len(meant)} columns"
            table.report(
                line, what, "name a column for each result; quote a text with a separator in it"
            )
        else:
            yield number, line, record


def _toml(source: Source, report: Reporter) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    from judge_tui.formats.toml_file import TomlFile  # noqa: PLC0415 - few files are TOML

    text = b"".join(source.pieces()).decode("utf-8", "replace")
    file = TomlFile(source.path, text, '[[answers]] query = "…" pattern = "…"')
    arrays = [value for value in file.table.values() if isinstance(value, list)]
    if len(arrays) != 1 or len(file.table) != 1:
        what = "this is not one list of tables"
        raise UnreadableError(source.path, 1, what, "write each answer below [[answers]]")
    heads = [at for at, one in enumerate(text.split("\n"), 1) if _ARRAY_HEAD.match(one)]
    for number, record in enumerate(arrays[0], 1):
        line = heads[number - 1] if len(heads) == len(arrays[0]) else 1
        if isinstance(record, dict):
            yield number, line, record
        else:
            report(line, "an answer is no table", "write each below [[answers]]")


def _entry(
    record: Mapping[str, Any], number: int, line: int, report: Reporter, usual_grade: int
) -> Answered | None:
    """What an object or table says; None where a demand of it was reported. Raises `RecordError`
    where it cannot be used."""
    bad = [name for name in record if name not in _KEYS]
    if bad:
        known = ", ".join(sorted(_KEYS))
        raise RecordError(f"an answer has no {quoted(bad[0])}", f"known: {known}")
    ids = [record[name] for name in ("query_id", "id") if record.get(name) is not None]
    if len(ids) > 1:
        raise RecordError("query_id and id both say the query_id", "leave one of the two out")
    given = str(ids[0]) if ids and type(ids[0]) is int else ids[0] if ids else f"q{number:03}"
    if not isinstance(given, str):
        raise RecordError("query_id is not a text", 'write "query_id" as a text')
    query_id = id_of(given, "query")
    query, query_class, subset = (_text(record, name) for name in _TEXTS)
    if not query and not ids:
        raise RecordError("an answer without query", 'write "query" as a text')
    grade = grade_of(record.get("grade", usual_grade))
    if not 0 <= grade <= _GREATEST:
        raise RecordError(f"grade {grade} is none", f"write 0 to {_GREATEST}")
    truths: dict[object, Truth] = {}
    for cell in _strings(record, "expected"):
        _keep(truths, _truth_in(cell.strip(), grade))
    for pattern in (*_strings(record, "pattern"), *_strings(record, "patterns")):
        _keep(truths, Truth(pattern, grade, pattern=_compiled(pattern)))
    demands = demands_in(record, line, report)
    if demands is None:
        return None
    if not truths and not demands:
        mend = f"write {', '.join(_SAYS[:3])} or {' or '.join(_DEMANDS)}, or leave it out"
        raise RecordError("nothing is right for this query", mend)
    return Answered(
        query_id, query, tuple(truths.values()), query_class, line, bool(ids), subset, demands
    )


def _truth_in(cell: str, grade: int) -> Truth:
    """A truth by its place: `path`, `path:line`, `path:start-end` or `path#L1-L9`, the last three
    with `:grade` behind them or not; what is written otherwise is a path."""
    if not cell:
        raise RecordError("an expected result is empty", "write path, path:start-end or nothing")
    if "\n" in cell or "\r" in cell:
        raise RecordError(f"{quoted(cell)} is several lines", "give each result a cell of its own")
    match = _CELL.fullmatch(cell)
    written = cell if match is None else f"{match[1]}{match[2]}"
    if match is not None and match[3]:
        grade = int(match[3])
        if grade > _GREATEST:
            raise RecordError(f"grade {grade} of {quoted(written)} is none", f"at most {_GREATEST}")
    written = id_in(written)
    place = place_of(written)
    if match is not None and place.lines is None:
        raise RecordError(f"{quoted(written)} ends before it begins", "write path:start-end")
    return Truth(written, grade, place=place)


def _compiled(pattern: str) -> Pattern:
    try:
        return compiled(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        what = f"pattern {quoted(pattern)} is no regular expression: {error}"
        raise RecordError(what, "mend it; a path as it stands goes to expected") from error


def _keep(truths: dict[object, Truth], truth: Truth) -> None:
    """Add one. Where it is written twice, be it as `a.py#L1-L9` and `./a.py:1-9`, it is one truth
    and the best grade counts."""
    what = truth.place or truth.key
    before = truths.get(what)
    if before is None or before.grade < truth.grade:
        truths[what] = truth


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name) or ""
    if not isinstance(value, str) or _ODD.search(value):
        raise RecordError(f"{name} is not a text", f'write "{name}" as a text, in quotes')
    return value.strip()


def _strings(record: Mapping[str, Any], name: str) -> list[str]:
    value = record.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(
        isinstance(one, str) and not _ODD.search(one) for one in values
    ):
        raise RecordError(f"{name} is neither a text nor a list of texts", f'write "{name}": ["…"]')
    return values
