"""From a path to rows: the file opened, its format found, and what concerns several rows checked.

What all readers of this room have in common. They take a path, or `-` for standard input; read
.gz, .bz2, .xz and .zst as they are; take `format`, the name of a format of their kind (`csv`, or
`run:csv`), where the content does not tell it; and raise the first `InputError` they meet. With
`problems`, each one is handed to it instead, the row is left out, and reading goes on. A name that
is no format is a `UsageError`.

Accepted everywhere: UTF-8 with or without a byte order mark, LF, CRLF or CR, blank lines. A file
that holds no row is an error. Ids are taken as they stand, but for those of tables and JSON, whose
white space is percent-encoded, and dropped around them (`plain_field`). Only a campaign decodes ids
(`decode_id`), and has those of tables and JSON told from others (`exact`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from judge_tui.formats.format import Format, Kind
from judge_tui.formats.ids import as_field, decode_id, less_exact
from judge_tui.formats.problems import Problems, Reporter, quoted
from judge_tui.formats.recognition import format_for, nothing_in
from judge_tui.formats.registry import format_named
from judge_tui.formats.seen import FirstLines
from judge_tui.formats.source import Source, UnreadableError, open_source
from judge_tui.model import Document, Query

__all__ = ["PathLike", "SpeltAlike", "as_wanted", "iterate", "rows_of", "sound_rows"]

PathLike: TypeAlias = str | os.PathLike[str]


def iterate(
    kind: Kind,
    path: PathLike,
    name: str | None,
    problems: Problems | None,
    *,
    exact: bool = False,
) -> Iterator[Any]:
    """The rows of a file; `exact`: see `rows_of`. A wrong `name` is said at once, not when the
    first row is asked for."""
    if name is not None:
        format_named(kind, name)
    return _rows_of_file(kind, path, name, Reporter(path, problems), exact)


def _rows_of_file(
    kind: Kind, path: PathLike, name: str | None, report: Reporter, exact: bool
) -> Iterator[Any]:
    try:
        with open_source(path) as source:
            yield from rows_of(source, format_for(source, kind, name), report, exact=exact)
    except UnreadableError as error:
        report.pass_on(error)


def rows_of(
    source: Source,
    chosen: Format[Any],
    report: Reporter,
    *,
    exact: bool = False,
    natives: dict[str, dict[str, str]] | None = None,
) -> Iterator[Any]:
    """The rows of an opened file, less those that repeat an earlier one or have no proper id.

    With `exact`, as a campaign wants it, the native id is `decode_id` of every id, whatever the
    format: one in a table or in JSON, which are `literal`, stands for itself (`as_field`).
    Without, such an id is that of a file of TREC that looks the same (`plain_field`), and ids of
    queries and documents are as they stand, and `natives` are filled, as a run has them. Of a run,
    queries that are named without a document (`report.lone_queries`) do for rows.
    """
    nothing = True
    rows = chosen.rows(source, report)
    if chosen.literal:
        rows = as_wanted(rows, chosen.kind, exact=exact)
    plain = chosen.literal and not exact and chosen.kind in _FAULTS
    sound = sound_rows(
        rows,
        chosen.kind,
        report,
        literal=chosen.literal,
        exact=exact,
        by_tag=chosen.several_runs,
    )
    for row in sound:
        nothing = False
        yield _plain(row, natives) if plain else row
    found_nothing = chosen.kind == "run" and report.lone_queries
    if nothing and not report.count and not found_nothing:
        raise nothing_in(source, chosen.kind)


def as_wanted(rows: Iterator[Any], kind: Kind, *, exact: bool) -> Iterator[Any]:
    """Queries or documents of a table or of JSON with their ids in the form that `rows_of` has them
    in. Other rows have them `exact` until they have been looked at."""
    return map(_encoded, rows) if exact and kind not in _FAULTS else rows


def _plain(row: Any, natives: dict[str, dict[str, str]] | None = None) -> Any:
    """A row of two ids in which no code is told from another; `natives` gets the document's."""
    if "%25" not in row.query_id and "%25" not in row.doc_id:
        return row
    plain = row._replace(query_id=less_exact(row.query_id), doc_id=less_exact(row.doc_id))
    if natives is not None and plain.doc_id != row.doc_id:
        natives.setdefault(plain.query_id, {})[plain.doc_id] = decode_id(row.doc_id)
    return plain


def _encoded(row: tuple[int, Query | Document]) -> tuple[int, Query | Document]:
    """A query or a document with its id so that `decode_id` of it is what stands there."""
    line, record = row
    if isinstance(record, Query):
        if "%" in record.query_id:
            record = replace(record, query_id=as_field(record.query_id))
    elif "%" in record.doc_id:
        record = replace(record, doc_id=as_field(record.doc_id))
    return line, record


def sound_rows(
    rows: Iterator[Any],
    kind: Kind,
    report: Reporter,
    *,
    literal: bool = False,
    exact: bool = False,
    by_tag: bool = False,
) -> Iterator[Any]:
    """The same of rows that are there already; `literal`: their ids stood for themselves in the
    file, and white space in them is told from its code only if `exact`; `by_tag`: they are of
    several runs, and a pair may be in each."""
    fault = _FAULTS.get(kind, _fault_of_record)
    spelling = _Spelling(literal, literal and not exact, SpeltAlike())
    one = FirstLines()
    each: dict[str | None, FirstLines] = {}
    for row in rows:
        seen = each.setdefault(row.tag, FirstLines()) if by_tag else one
        found = fault(row, seen, spelling)
        if found:
            report(row[0], *found)
        else:
            yield row
    for lone in report.lone_queries if spelling.plain else ():
        if found := _fault_of_query(lone, spelling):
            report(lone.line, *found)


class SpeltAlike:
    """Ids, exact, that are one where no code is told from another: `a b` and `a%20b`."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, int]] = {}

    def before(self, field: str, line: int) -> tuple[str, int] | None:
        """The other id that came first, and its line; None where there is none."""
        first = self._first.setdefault(less_exact(field), (field, line))
        return None if first[0] == field else first


class _Spelling(NamedTuple):
    """How the ids of rows are written: see `sound_rows`. `plain`: literal and not exact."""

    literal: bool
    plain: bool
    queries: SpeltAlike


def _fault_of_pair(row: Any, seen: FirstLines, spelling: _Spelling) -> tuple[str, str] | None:
    pair = row.query_id, row.doc_id
    if not spelling.plain or not ("%" in row.query_id or "%" in row.doc_id):
        before = again = seen.of(pair, row.line)
    else:
        if found := _fault_of_query(row, spelling):
            return found
        plain = _plain(row)
        before = seen.of((plain.query_id, plain.doc_id), row.line)
        again = seen.of((*pair, "exact"), row.line)
    if before is None:
        return None
    query_id, doc_id = map(decode_id, pair) if spelling.literal else pair
    what = f"document {quoted(doc_id)} is already in query {quoted(query_id)}, line {before}"
    mend = "remove one of the two lines"
    if again is None:
        what += ", spelt otherwise: a blank and its code, %20, are the same here"
        mend += f", {_INTO_A_CAMPAIGN}"
    return what, mend


def _fault_of_query(row: Any, spelling: _Spelling) -> tuple[str, str] | None:
    """What to say of a query that would be mixed with one of another id."""
    found = spelling.queries.before(row.query_id, row.line) if "%" in row.query_id else None
    if found is None:
        return None
    before, line = found
    return (
        f"query {quoted(decode_id(row.query_id))} is the same here as"
        f" {quoted(decode_id(before))}, line {line}",
        f"write one of the two otherwise, {_INTO_A_CAMPAIGN}",
    )


_INTO_A_CAMPAIGN = (
    "or, where they are two ids, load the file into a campaign, which tells them apart, and score"
    " that (--db)"
)


def _fault_of_judgment(row: Any, seen: FirstLines, _spelling: _Spelling) -> tuple[str, str] | None:
    # What nobody has judged can be said twice: the two do not contradict each other.
    if row.decision == "open":
        return None
    # No id has a NUL: a text is never taken for one.
    document = row.doc_id or f"\0{row.passage}"
    before = seen.of((row.by_text, row.query_id, document, row.judge), row.line)
    if before is None:
        return None
    query_id, doc_id = map(decode_id, (row.query_id, row.doc_id))
    return (
        f"{quoted(row.judge) if row.judge else 'the judge'} has judged document"
        f" {quoted(doc_id or row.passage)} for query {quoted(query_id)} already, line {before}",
        "remove one of the two",
    )


def _fault_of_record(
    row: tuple[int, Query | Document], seen: FirstLines, _spelling: _Spelling
) -> tuple[str, str] | None:
    line, record = row
    if isinstance(record, Query):
        noun, its_id = "query", record.query_id
    else:
        noun, its_id = "document", record.doc_id
    if not its_id or its_id.isspace():
        return f"the {noun} has no id", f"give each {noun} an id"
    if "\0" in its_id:
        return f"{noun} id {quoted(its_id)} holds a NUL character", "remove it"
    before = seen.of(its_id, line)
    if before is not None:
        return (
            f"{noun} id {quoted(its_id)} is already on line {before}",
            f"give each {noun} an id of its own, or remove one of the two",
        )
    if isinstance(record, Query) and not record.text.strip():
        return f"query {quoted(its_id)} has no text", "say what was searched for"
    return None


_FAULTS: dict[Kind, Callable[[Any, FirstLines, _Spelling], tuple[str, str] | None]] = {
    "run": _fault_of_pair,
    "qrels": _fault_of_pair,
    "judgments": _fault_of_judgment,
}
