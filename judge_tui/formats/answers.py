"""Answers files: for each query, what a right result looks like. Recognised by content:

- JSON: `[{"query": "…", "expected": "src/app.py"}]`, or a list of paths;
- JSON Lines or TOML: `query`, `pattern` or `patterns` (regular expressions), or `expected`;
- a table: `query,result1,result2,…` (or `expected`) with cells `path:start-end:grade`; if wanted
  with `query_id`, `pattern`, `grade`, `class`, `subset`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from judge_tui.errors import InputError
from judge_tui.formats.checkout import read_checkout
from judge_tui.formats.ids import id_in
from judge_tui.formats.json_document import entries_in
from judge_tui.formats.numbers import grade_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.recognition import no_answers
from judge_tui.formats.source import AsLayout, PathLike, Source, UnreadableError, open_source
from judge_tui.formats.tables import TextTable, id_of, of_table
from judge_tui.model import Query, lines_named
from judge_tui.truths import Authority, OrderDemand, Pattern, Prefer, Truth, place_of

USUAL_GRADE = 1
"""Of what is right without a grade of its own."""

_TEXTS = ("query", "class", "subset")
_PATTERNS = ("pattern", "patterns")
_DEMANDS = ("prefer", "authority")
_KEYS = {"query_id", "id", "grade", "expected", *_TEXTS, *_PATTERNS, *_DEMANDS}
_GREATEST = 1000
_RANGE = f"write a whole number from 0 to {_GREATEST}"
_FORMS = (
    "a table begins with query,result1,result2 and so on;"
    ' JSON is [{"query": "…", "expected": ["path"]}]'
)
_ODD = re.compile("[\\0\ud800-\udfff]")
# What a column of a table says; "" of one that says nothing.
_COLUMNS = {
    **dict.fromkeys(("query_id", "id", "qid", "q_id"), "query_id"),
    **{name: name for name in ("query", "grade", "class", "subset")},
    **dict.fromkeys(("", "notes", "note", "comment", "comments"), ""),
}
_NUMBERED = re.compile(r"(?:results?|(expected)|(patterns?))[ _]*[0-9]*")


class Answered(NamedTuple):
    """A query, whose text may be empty where the file has an id, and what is right for it; on which
    line it begins. `truths` are none where the query demands an order alone."""

    line: int
    query: Query
    truths: tuple[Truth, ...]


def read_answers(
    path: PathLike, *, format: AsLayout = None, usual_grade: int = USUAL_GRADE
) -> list[Answered]:
    """Read the queries and their truths, in file order. `format` may say what the columns of a
    table are called; `usual_grade`: of a truth that the file gives none. Raises `InputError` for
    the first malformed entry."""
    with open_source(path, layout=format) as source:
        return _answers_in(source, Reporter(path), usual_grade)


def query_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield every query of an answers file: `q001` and so on where the file has no ids of its
    own."""
    return ((answer.line, answer.query) for answer in _answers_in(source, report))


def problems_of(source: Source, root: str | os.PathLike[str] | None) -> list[InputError]:
    """Return all problems of an answers file by line; with `root`, also places that are not in that
    checkout."""
    found: list[InputError] = []
    try:
        answers = _answers_in(source, Reporter(source.path, found.append))
        if root is not None:
            found += _not_in_checkout(source.path, answers, root)
    except InputError as error:
        found.append(error)
    return sorted(found, key=lambda problem: problem.line or 0)


def _not_in_checkout(
    path: str, answers: list[Answered], root: str | os.PathLike[str]
) -> Iterator[InputError]:
    named: dict[str, int] = {}
    for answer in answers:
        for truth in answer.truths:
            if truth.place is not None:
                named.setdefault(truth.written, answer.line)
    missing: dict[str, str] = {}
    # Sorted, each file is read once.
    for _ in read_checkout(sorted(named), root, missing.__setitem__, lines_alone=True):
        pass
    mend = f"check that {os.fspath(root)} is the right checkout"
    for written, why in missing.items():
        yield InputError(path, named[written], f"{quoted(written)}: {why}", mend)


def _answers_in(source: Source, report: Reporter, usual_grade: int = USUAL_GRADE) -> list[Answered]:
    """Read the answers of a file, without the entries that are reported."""
    answers: dict[str, Answered] = {}
    for number, (line, record) in enumerate(_entries(source, report), 1):
        try:
            entry = _entry(record, number, line, usual_grade)
        except RecordError as error:
            text = record.get("query")
            within = f"query {quoted(text)}" if text and isinstance(text, str) else ""
            report.refuse(error, line, within)
            continue
        before = answers.setdefault(entry.query.query_id, entry)
        if before is not entry:
            report.pass_on(answers_again(source.path, line, entry.query.query_id, before.line))
    if not answers and not report.count:
        raise UnreadableError(source.path, None, "there are no answers in it", _FORMS)
    return list(answers.values())


def answers_again(path: PathLike, line: int, query_id: str, before: int) -> InputError:
    """Return the error of a query that has answers on an earlier line, too."""
    what = f"query {quoted(query_id)} already has answers on line {before}"
    return InputError(path, line, what, "put them together, or give each query its own query_id")


# ---- The four forms: line and record of each entry ----


def _entries(source: Source, report: Reporter) -> Iterator[tuple[int, Mapping[str, Any]]]:
    shape = source.shape
    kind = None if shape is None else shape.kind
    if kind in ("array", "json", "jsonl"):
        yield from ((node.line, node) for node in entries_in(source, report))
    elif kind == "table":
        yield from _rows(source, report)
    elif kind == "toml":
        yield from _toml(source, report)
    elif shape is None:
        raise UnreadableError(source.path, None, "it is empty", _FORMS)
    else:
        raise no_answers(source, shape, _FORMS)


@of_table
def _rows(table: TextTable) -> Iterator[tuple[int, Mapping[str, Any]]]:
    meant = [_meant(table, *names) for names in zip(table.names, table.written, strict=True)]
    for name in filter(None, meant):
        if name not in ("expected", "pattern") and meant.count(name) > 1:
            raise table.refusal(f"two columns hold the {name}", "remove one of them")
    for line, cells in table.rows_of_any_length():
        record: dict[str, Any] = {}
        for name, cell in zip(meant, map(str.strip, cells), strict=False):
            if name in ("expected", "pattern"):
                record.setdefault(name, []).extend([cell] if cell else [])
            elif name == "query_id" or (name and cell):
                record[name] = cell
        if any(map(str.strip, cells[len(meant) :])):
            what = f"{len(cells)} cells, but the header has {len(meant)}"
            mend = "name a column for each result, and quote a text with a separator in it"
            table.report(line, what, mend)
        else:
            yield line, record


def _meant(table: TextTable, name: str, written: str) -> str:
    """Return what a column means."""
    if name in _COLUMNS:
        return _COLUMNS[name]
    numbered = _NUMBERED.fullmatch(name)
    if numbered is None:
        known = "query_id, query, grade, class, subset, result1, result2, … or pattern"
        like = "result" if "query" in table.names else "query"
        mend = (
            f"say what it is (--columns {like}={quoted(written)}), or take it out; known: {known}"
        )
        raise table.refusal(f"answers have no column {quoted(written)}", mend)
    return "pattern" if numbered[2] else "expected"


def _toml(source: Source, report: Reporter) -> Iterator[tuple[int, Mapping[str, Any]]]:
    from judge_tui.formats.toml_file import TomlFile  # noqa: PLC0415 - few files are TOML

    file = TomlFile(source.path, source.text(), '[[answers]] query = "…" pattern = "…"')
    name, entries = next(iter(file.table.items()), ("", None))
    if not isinstance(entries, list) or len(file.table) != 1:
        what = "this is not one list of tables"
        raise UnreadableError(source.path, 1, what, "write each answer below [[answers]]")
    for line, record in zip(file.entry_lines(name), entries, strict=True):
        if isinstance(record, dict):
            yield line, record
        else:
            report(line, "an answer is not a table", "write each below [[answers]]")


# ---- What an entry says ----


def _entry(record: Mapping[str, Any], number: int, line: int, usual_grade: int) -> Answered:
    """Return the entry that an object or table holds. Raises `RecordError` where it cannot be
    used."""
    bad = [name for name in record if name not in _KEYS]
    if bad:
        known = ", ".join(sorted(_KEYS))
        raise RecordError(f"{quoted(bad[0])} is not a key of an answer", f"write one of {known}")
    ids = [record[name] for name in ("query_id", "id") if record.get(name) is not None]
    if len(ids) > 1:
        raise RecordError("query_id and id are both there", "remove one of them")
    its_id = str(ids[0]) if ids and type(ids[0]) is int else ids[0] if ids else f"q{number:03}"
    if not isinstance(its_id, str):
        raise RecordError("query_id is not a text", 'write "query_id" as a text')
    query_id = id_of(its_id, "query")
    query, query_class, subset = (_text(record, name) for name in _TEXTS)
    if not query and not ids:
        raise RecordError("the answer has no query", 'write "query" as a text')
    grade = grade_of(record.get("grade", usual_grade))
    if not 0 <= grade <= _GREATEST:
        raise RecordError(f"grade {grade} is out of range", _RANGE)
    truths: dict[object, Truth] = {}
    for cell in _strings(record, "expected"):
        _keep(truths, _truth_in(cell.strip(), grade))
    for pattern in (one for name in _PATTERNS for one in _strings(record, name)):
        mend = "mend the pattern, or write a plain path under expected"
        _keep(truths, Truth(pattern, grade, pattern=pattern_of(pattern, "pattern", mend)))
    demands = demands_of(record)
    if not truths and not demands:
        mend = "write expected, pattern, prefer or authority, or remove the query"
        raise RecordError("the query has no right answer", mend)
    meta: dict[str, Any] = {name: its.written for name, its in demands.items()}
    meta |= {"subset": subset} if subset else {}
    about = Query(query_id, query, query_class=query_class, meta=meta, own_id=bool(ids))
    return Answered(line, about, tuple(truths.values()))


def _truth_in(cell: str, grade: int) -> Truth:
    """Read a truth that is a place: `path`, `path:line`, `path:start-end` or `path#L1-L9`, the last
    three with `:grade` behind them or not; what is written otherwise is a path."""
    if not cell:
        raise RecordError(
            "an expected result is empty", "write path or path:start-end, or remove it"
        )
    if "\n" in cell or "\r" in cell:
        raise RecordError(f"{quoted(cell)} is several lines", "give each result a cell of its own")
    place, _, behind = cell.rpartition(":")
    if lines_named(place)[1] and re.fullmatch("[0-9]{1,4}", behind):
        cell, grade = place, int(behind)
        if grade > _GREATEST:
            raise RecordError(f"grade {grade} of {quoted(cell)} is out of range", _RANGE)
    _, lines = lines_named(cell)
    if lines is not None and lines[0] > lines[1]:
        raise RecordError(f"{quoted(cell)} ends before it begins", "write path:start-end")
    written = id_in(cell)
    return Truth(written, grade, place=place_of(written))


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


# ---- What is to come first: `prefer` and `authority` ----

_PREFER = 'write "prefer": {"better": "…", "worse": "…"}'
_AUTHORITY = 'write "authority": ["…", "…"], the highest source first'


def demands_of_queries(
    queries: Iterable[Query], path: str | os.PathLike[str]
) -> dict[str, dict[str, OrderDemand]]:
    """Return query_id -> its demands, of the queries that have any in their own file. Raises
    `InputError` with the query for what cannot be used."""
    found = {}
    for query in queries:
        try:
            if its := demands_of(query.meta):
                found[query.query_id] = its
        except RecordError as error:
            what = f"query {quoted(query.query_id)}: {error.what}"
            raise InputError(path, None, what, error.mend) from error
    return found


def demands_of(record: Mapping[str, Any]) -> dict[str, OrderDemand]:
    """Return what a record says is to come first. Raises `RecordError` for what cannot be used."""
    found: dict[str, OrderDemand] = {}
    if "prefer" in record:
        found["prefer"] = _prefer(record["prefer"])
    if "authority" in record:
        found["authority"] = _authority(record["authority"])
    return found


def _prefer(value: Any) -> Prefer:
    if not isinstance(value, dict) or set(value) != {"better", "worse"}:
        raise RecordError("prefer needs a better and a worse pattern", _PREFER)
    better, worse = (pattern_of(value[name], name) for name in ("better", "worse"))
    if better == worse:
        raise RecordError(f"better and worse are both {quoted(better.pattern)}", _PREFER)
    return Prefer(better, worse)


def _authority(value: Any) -> Authority:
    if not isinstance(value, list) or len(value) < 2:
        raise RecordError("authority needs a list of two or more sources", _AUTHORITY)
    sources = [pattern_of(one, "authority") for one in value]
    if len(set(sources)) < len(sources):
        raise RecordError("authority has a source twice", "name each source once")
    return Authority(tuple(sources))


def pattern_of(pattern: object, name: str, mend: str = "mend it") -> Pattern:
    """Return the regular expression that a file has under a name. Raises `RecordError` for none."""
    import regex  # noqa: PLC0415 - few answers are patterns

    if not isinstance(pattern, str):
        raise RecordError(f"{name} is not a pattern", "write it as a text")
    try:
        if not pattern:
            raise ValueError("it is empty")
        found: Pattern = regex.compile(pattern)
    except (ValueError, regex.error, RecursionError, OverflowError) as error:
        what = f"{name} {quoted(pattern)} is not a regular expression: {error}"
        raise RecordError(what, mend) from error
    return found
