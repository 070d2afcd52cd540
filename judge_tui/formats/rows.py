"""From a path to rows: the file opened, its format found, and what concerns several rows checked.

What all readers of this room have in common. They take a path, or `-` for standard input; read
.gz, .bz2, .xz and .zst as they are; take `format`, the name of a format of their kind (`csv`, or
`run:csv`), where the content does not tell it; and raise the first `InputError` they meet. With
`problems`, each one is handed to it instead, the row is left out, and reading goes on. A name that
is no format is a `UsageError`.

Accepted everywhere: UTF-8 with or without a byte order mark, LF, CRLF or CR, blank lines. A file
that holds no row is an error. Ids come as `id_in` has them, and equal ids are equal byte for byte.
Where a form has no ids of queries, their texts stand in their place (`QueryText`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.formats.format import Format, Kind
from judge_tui.formats.ids import id_in
from judge_tui.formats.problems import Problems, Reporter, quoted
from judge_tui.formats.recognition import format_for, nothing_in
from judge_tui.formats.registry import format_named
from judge_tui.formats.seen import FirstLines
from judge_tui.formats.source import Source, UnreadableError, open_source
from judge_tui.model import Document, Query

__all__ = ["PathLike", "iterate", "rows_of", "sound_rows"]

PathLike: TypeAlias = str | os.PathLike[str]


def iterate(
    kind: Kind, path: PathLike, name: str | None, problems: Problems | None
) -> Iterator[Any]:
    """The rows of a file. A wrong `name` is said at once, not when the first row is asked for."""
    if name is not None:
        format_named(kind, name)
    return _rows_of_file(kind, path, name, Reporter(path, problems))


def _rows_of_file(kind: Kind, path: PathLike, name: str | None, report: Reporter) -> Iterator[Any]:
    try:
        with open_source(path) as source:
            yield from rows_of(source, format_for(source, kind, name), report)
    except UnreadableError as error:
        report.pass_on(error)


def rows_of(source: Source, chosen: Format, report: Reporter) -> Iterator[Any]:
    """The rows of an opened file, less those that repeat an earlier one or have no proper id. Of a
    run, queries that are named without a document (`report.lone_queries`) do for rows."""
    nothing = True
    rows = chosen.rows(source, report)
    for row in sound_rows(rows, chosen.kind, report, by_tag=chosen.several_runs):
        nothing = False
        yield row
    found_nothing = chosen.kind == "run" and report.lone_queries
    if nothing and not report.count and not found_nothing:
        raise nothing_in(source, chosen.kind)


def sound_rows(
    rows: Iterator[Any], kind: Kind, report: Reporter, *, by_tag: bool = False
) -> Iterator[Any]:
    """The same of rows that are there already; `by_tag`: they are of several runs, and a pair may
    be in each."""
    if kind not in _FAULTS:
        yield from _sound_records(rows, report)
        return
    fault = _FAULTS[kind]
    one = FirstLines()
    each: dict[str | None, FirstLines] = {}
    for row in rows:
        seen = each.setdefault(row.tag, FirstLines()) if by_tag else one
        if found := fault(row, seen):
            report(row.line, *found)
        else:
            yield row


def _fault_of_pair(row: Any, seen: FirstLines) -> tuple[str, str] | None:
    before = seen.of((row.query_id, row.doc_id), row.line)
    if before is None:
        return None
    return (
        f"document {quoted(row.doc_id)} is already in query {quoted(row.query_id)}, line {before}",
        "remove one of the two lines",
    )


def _fault_of_judgment(row: Any, seen: FirstLines) -> tuple[str, str] | None:
    # What nobody has judged can be said twice: the two do not contradict each other.
    if row.decision == "open":
        return None
    # No id has a NUL: a text is never taken for one.
    document = row.doc_id or f"\0{row.passage}"
    before = seen.of((type(row.query_id), row.query_id, document, row.judge), row.line)
    if before is None:
        return None
    return (
        f"{quoted(row.judge) if row.judge else 'the judge'} has judged document"
        f" {quoted(row.doc_id or row.passage)} for query {quoted(row.query_id)} already,"
        f" line {before}",
        "remove one of the two",
    )


_FAULTS: dict[Kind, Callable[[Any, FirstLines], tuple[str, str] | None]] = {
    "run": _fault_of_pair,
    "qrels": _fault_of_pair,
    "judgments": _fault_of_judgment,
}


def _sound_records(
    rows: Iterator[tuple[int, Query | Document]], report: Reporter
) -> Iterator[tuple[int, Query | Document]]:
    """Queries or documents with proper ids of their own, each query with a text."""
    seen = FirstLines()
    for line, record in rows:
        noun = "query" if isinstance(record, Query) else "document"
        its_id = record.query_id if isinstance(record, Query) else record.doc_id
        if not its_id.strip():
            report(line, f"the {noun} has no id", f"give each {noun} an id")
            continue
        try:
            sound = id_in(its_id)
        except UsageError as error:
            report(line, f"{noun} {error.what}", error.mend)
            continue
        before = seen.of(sound, line)
        if before is not None:
            report(
                line,
                f"{noun} id {quoted(its_id)} is already on line {before}",
                f"give each {noun} an id of its own, or remove one of the two",
            )
        elif isinstance(record, Query) and not record.text.strip():
            report(line, f"query {quoted(its_id)} has no text", "say what was searched for")
        elif sound is its_id:
            yield line, record
        elif isinstance(record, Query):
            yield line, replace(record, query_id=sound)
        else:
            yield line, replace(record, doc_id=sound)
