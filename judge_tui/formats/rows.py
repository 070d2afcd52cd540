"""The rows of any file, from its path.

What all readers have in common: they take a path, or `-` for standard input; read compressed files
as they are (`compression`); and take as `format` what the content does not tell, the name of a
format of their kind (`csv`, or `run:csv`) or a `Layout`. They raise the first `InputError` they
meet; with `problems`, each one is handed to it instead, the row is left out, and reading goes on. A
name that is not a format is a `UsageError`.

Accepted everywhere: UTF-8 with or without a byte order mark, LF or CRLF, blank lines. A file that
holds no row is an error. Ids come as `id_in` has them, and equal ids are equal byte for byte.
Where a form has no ids of queries, their texts stand in their place (`QueryText`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from judge_tui.errors import UsageError
from judge_tui.formats.beir_folder import beir_folder
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import JudgmentRow, QrelsRow, report_pair_again
from judge_tui.formats.problems import Problems, RecordError, Reporter, quoted
from judge_tui.formats.recognition import format_for, nothing_in
from judge_tui.formats.registry import FOLDER, Format, Kind
from judge_tui.formats.sieve import FirstLines, Sieve
from judge_tui.formats.source import (
    STDIN,
    AsLayout,
    Layout,
    PathLike,
    Source,
    UnreadableError,
    open_source,
)
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    from judge_tui.formats.checkout import Skipped


@contextmanager
def reported(report: Reporter) -> Iterator[None]:
    """Report an error that ends the reading of a file as one of its problems."""
    try:
        yield
    except UnreadableError as error:
        report.pass_on(error)


def iter_qrels(
    path: PathLike, *, format: AsLayout = None, problems: Problems | None = None
) -> Iterator[QrelsRow]:
    """Yield the rows of qrels in file order. Formats: `names_of("qrels")`.

    In TREC's the second column is ignored; in tables a grade is empty where nobody judged. Grades
    are decimal integers of 32 bits, with or without a sign, or with nothing but zeros behind a
    point: not 1_0 or 1.5; others as the labels of the `Layout` say. A document may be in a query
    once.
    """
    return iter_rows("qrels", path, format, problems)


def iter_queries(
    path: PathLike, *, format: AsLayout = None, problems: Problems | None = None
) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield the queries with their lines, in file order. Formats: `names_of("queries")`.

    Each has an id of its own and a text. Without a column of ids in a table ids are q001 and so on.
    In JSONL an integer will do for an id. A folder as BEIR has it gives the queries in it.
    """
    folder = None if path == STDIN else beir_folder(path)
    return iter_rows("queries", (folder and folder.queries) or path, format, problems)


def iter_documents(
    path: PathLike,
    *,
    format: AsLayout = None,
    problems: Problems | None = None,
    skipped: Skipped | None = None,
    sieve: Sieve | None = None,
) -> Iterator[tuple[SupportsIndex, Document]]:
    """Yield the documents with their lines, in file order, never holding more than one.

    Formats: `names_of("documents")`; of a folder of text files binary ones are left out and passed
    to `skipped`; of one as BEIR has it, the corpus is read. Each document has an id of its own; the
    rest may be missing, but not of all of them. A `sieve` leaves out lines of documents that are
    not wanted, unless that takes more than a look; what is wrong with those is not reported.
    """
    name = Layout.of(format).format
    if name is None and path != STDIN and Path(path).is_dir():
        found = beir_folder(path)
        if found is None or found.corpus is None:
            name = FOLDER
        else:
            path = found.corpus
    if name == FOLDER:
        return _folder(path, Reporter(path, problems), skipped)
    return iter_rows("documents", path, format, problems, sieve)


def iter_rows(
    kind: Kind,
    path: PathLike,
    format: AsLayout = None,
    problems: Problems | None = None,
    sieve: Sieve | None = None,
) -> Iterator[Any]:
    """Yield the rows of a file of that kind."""
    layout = Layout.of(format)
    report = Reporter(path, problems, layout.labels)
    with reported(report), open_source(path, layout=layout) as source:
        yield from rows_of(source, format_for(source, kind), report, sieve=sieve)


def _folder(
    path: PathLike, report: Reporter, skipped: Skipped | None
) -> Iterator[tuple[SupportsIndex, Document]]:
    # Most documents are in files, and start-up is counted.
    from judge_tui.formats.checkout import folder_rows  # noqa: PLC0415

    nothing = True
    with reported(report):
        for row in _sound_records(folder_rows(os.fspath(path), report, skipped), report):
            nothing = False
            yield row
    if nothing and not report.count:
        report(None, "the folder holds no text file", "give the folder that the documents are in")


def rows_of(
    source: Source,
    chosen: Format,
    report: Reporter,
    *,
    sieve: Sieve | None = None,
) -> Iterator[Any]:
    """Yield the rows of an opened file, less those that repeat an earlier one or have no proper
    id."""
    left_out = 0 if sieve is None else sieve.left_out
    if sieve is not None and chosen.id_of is not None:
        source.sift(partial(sieve.passing, id_of=chosen.id_of))
    rows: Iterator[Any] = chosen.rows(source, report)
    if chosen.kind == "queries":
        rows = _sound_records(rows, report)
    elif chosen.kind == "documents":
        rows = _with_texts(_sound_records(rows, report), source.path)
    elif chosen.kind == "judgments":
        rows = _sound_judgments(rows, report)
    else:
        rows = _sound_pairs(rows, report)
    first = next(rows, None)
    if first is not None:
        yield first
        yield from rows
        return
    if not report.count and (sieve is None or sieve.left_out == left_out):
        raise nothing_in(source, chosen.kind)


def _sound_pairs(rows: Iterator[Any], report: Reporter) -> Iterator[Any]:
    """Yield rows of runs or qrels, each pair once."""
    lines: dict[str, dict[str, SupportsIndex]] = {}
    docs: dict[str, SupportsIndex] = {}
    last = None
    for row in rows:
        if row.query_id != last:
            docs, last = lines.setdefault(row.query_id, {}), row.query_id
        if not row.doc_id:
            yield row  # it says that the query was asked
        elif row.doc_id in docs:
            report_pair_again(row.line, row.query_id, row.doc_id, docs[row.doc_id], report)
        else:
            docs[row.doc_id] = row.line
            yield row


def _sound_judgments(rows: Iterator[JudgmentRow], report: Reporter) -> Iterator[JudgmentRow]:
    """Yield one judgment of each judge and pair; a pair without a judgment may come twice."""
    lines: dict[tuple[Any, ...], SupportsIndex] = {}
    for row in rows:
        key = (type(row.query_id), row.query_id, row.doc_id, row.doc_id or row.passage, row.judge)
        if row.decision != "open" and key in lines:
            who = quoted(row.judge) if row.judge else "the judge"
            report(
                row.line,
                f"{who} already judged document {quoted(row.doc_id or row.passage)} for query"
                f" {quoted(row.query_id)}, line {index(lines[key])}",
                "remove one of the two lines",
            )
            continue
        if row.decision != "open":
            lines[key] = row.line
        yield row


def _sound_records(
    rows: Iterator[tuple[SupportsIndex, Any]], report: Reporter
) -> Iterator[tuple[SupportsIndex, Any]]:
    """Yield queries or documents with proper ids of their own, each query with a text."""
    first_lines = FirstLines()
    for line, record in rows:
        is_query = isinstance(record, Query)
        noun = "query" if is_query else "document"
        written = record.query_id if is_query else record.doc_id
        try:
            if not written.strip():
                raise RecordError(f"the {noun} has no id", f"give each {noun} an id")
            sound = id_in(written)
            before = first_lines.add(sound, line)
            if before is not None:
                raise RecordError(
                    f"{noun} id {quoted(written)} is already on line {before}",
                    f"give each {noun} an id of its own, or remove one of the two",
                )
            if is_query and not record.text.strip():
                raise RecordError(f"query {quoted(written)} has no text", "give each query a text")
        except UsageError as error:
            report(line, f"{noun} {error.what}", error.mend)
        except RecordError as error:
            report.refuse(error, line)
        else:
            name = "query_id" if is_query else "doc_id"
            yield line, record if sound is written else replace(record, **{name: sound})


def _with_texts(
    rows: Iterator[tuple[SupportsIndex, Document]], path: str
) -> Iterator[tuple[SupportsIndex, Document]]:
    """Yield the documents. Raises `UnreadableError` behind them where all have something and none
    has a text, a title or an address: it may be called otherwise."""
    bare, others = True, dict[str, None]()
    for line, document in rows:
        if bare:
            bare = not (document.text or document.title or document.url)
            others.update(dict.fromkeys(document.meta))
        yield line, document
    if bare and others:
        keys = ", ".join(map(quoted, list(others)[:12]))
        what = f"no document has a text; what they have is {keys}"
        raise UnreadableError(path, None, what, "name the field of the text 'text'")
