"""The rows of any file, from its path.

What all readers have in common: they take a path, or `-` for standard input; read compressed files
as they are (`compression`); and take as `format` what the content does not tell, the name of a
format of their kind (`csv`, or `run:csv`) or a `Form`. They raise the first `InputError` they meet;
with `problems`, each one is handed to it instead, the row is left out, and reading goes on. A name
that is no format is a `UsageError`.

Accepted everywhere: UTF-8 with or without a byte order mark, LF or CRLF, blank lines. A file that
holds no row is an error. Ids come as `id_in` has them, and equal ids are equal byte for byte.
Where a form has no ids of queries, their texts stand in their place (`QueryText`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.formats.beir_folder import beir_folder
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import JudgmentRow, Labels
from judge_tui.formats.problems import Problems, RecordError, Reporter, quoted
from judge_tui.formats.recognition import format_for, nothing_in
from judge_tui.formats.registry import FOLDER, Format, Kind, format_named
from judge_tui.formats.sieve import FirstLines, Sieve
from judge_tui.formats.source import STDIN, Source, UnreadableError, open_source
from judge_tui.formats.trec import QrelsRow, pair_again
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    from judge_tui.formats.checkout import Skipped

__all__ = [
    "AsForm",
    "Form",
    "PathLike",
    "fitting",
    "iter_documents",
    "iter_qrels",
    "iter_queries",
    "iter_rows",
    "open_file",
    "reported",
    "rows_of",
    "sound_pairs",
]

PathLike: TypeAlias = str | os.PathLike[str]


class Form(NamedTuple):
    """What the content of a file does not tell: the name of its format; what its columns are
    called, `{"query_id": "topic"}`; what stands in it in place of grades."""

    name: str | None = None
    columns: Mapping[str, str] | None = None
    labels: Labels | None = None

    @classmethod
    def of(cls, form: AsForm) -> Form:
        """The form itself, or one of which the name alone is known."""
        return form if isinstance(form, Form) else cls(form)


AsForm: TypeAlias = str | Form | None


def fitting(path: PathLike, form: Form) -> Form:
    """The form of one of several files: with those of the declared columns that it has."""
    if not form.columns or path == STDIN or not Path(path).is_file():
        return form
    with open_source(path, columns=form.columns) as source:
        header = source.shape.header if source.shape is not None else ()
    its = {name: theirs for name, theirs in form.columns.items() if name in header}
    return form._replace(columns=its or None)


@contextmanager
def open_file(
    path: PathLike,
    report: Reporter,
    form: AsForm = None,
    on_read: Callable[[int], None] | None = None,
) -> Iterator[tuple[Source, str | None]]:
    """The file opened, and the name of its format if it was given one."""
    form = Form.of(form)
    report.labels = form.labels
    with open_source(path, on_read=on_read, columns=form.columns) as source:
        if form.columns and source.shape is not None and source.shape.kind != "table":
            what = "the file is no table"
            raise UnreadableError(source.path, source.shape.line, what, "leave --columns out")
        yield source, form.name


@contextmanager
def reported(report: Reporter) -> Iterator[None]:
    """What ends the reading of a file is one of its problems."""
    try:
        yield
    except UnreadableError as error:
        report.pass_on(error)


def iter_qrels(
    path: PathLike, *, format: AsForm = None, problems: Problems | None = None
) -> Iterator[QrelsRow]:
    """The rows of qrels in file order. Formats: `names_of("qrels")`.

    In TREC's the second column is ignored; in tables a grade is empty where nobody judged. Grades
    are decimal integers of 32 bits, with or without a sign, or with nothing but zeros behind a
    point: not 1_0 or 1.5; others as the labels of the `Form` say. A document may be in a query
    once.
    """
    return iter_rows("qrels", path, format, problems)


def iter_queries(
    path: PathLike, *, format: AsForm = None, problems: Problems | None = None
) -> Iterator[tuple[SupportsIndex, Query]]:
    """The queries with their lines, in file order. Formats: `names_of("queries")`.

    Each has an id of its own and a text. A table without ids gives those of places. In JSONL an
    integer will do for an id. Of a folder as BEIR has it, the queries in it.
    """
    return iter_rows("queries", _queries_file(path), format, problems)


def _queries_file(path: PathLike) -> PathLike:
    found = None if path == STDIN or not Path(path).is_dir() else beir_folder(path)
    return path if found is None or found.queries is None else found.queries


def iter_documents(
    path: PathLike,
    *,
    format: AsForm = None,
    problems: Problems | None = None,
    skipped: Skipped | None = None,
    sieve: Sieve | None = None,
) -> Iterator[tuple[SupportsIndex, Document]]:
    """The documents with their lines, in file order, never holding more than one.

    Formats: `names_of("documents")`; of a folder of text files binary ones are left out and told to
    `skipped`; of one as BEIR has it, the corpus is read. Each document has an id of its own; the
    rest may be missing, but not of all of them. A `sieve` leaves out lines of documents that are
    not wanted, unless that takes more than a look; what is wrong with those is not said.
    """
    form = Form.of(format)
    if form.name is None and path != STDIN and Path(path).is_dir():
        found = beir_folder(path)
        if found is None or found.corpus is None:
            form = form._replace(name=FOLDER)
        else:
            path = found.corpus
    if form.name == FOLDER:
        return _folder(path, Reporter(path, problems), skipped)
    return iter_rows("documents", path, form, problems, sieve)


def iter_rows(
    kind: Kind,
    path: PathLike,
    form: AsForm = None,
    problems: Problems | None = None,
    sieve: Sieve | None = None,
) -> Iterator[Any]:
    """The rows of a file of that kind. A wrong name is refused at once, not with the first row."""
    form = Form.of(form)
    if form.name is not None:
        format_named(kind, form.name)
    return _rows_of_file(kind, path, form, Reporter(path, problems), sieve)


def _rows_of_file(
    kind: Kind, path: PathLike, form: Form, report: Reporter, sieve: Sieve | None
) -> Iterator[Any]:
    with reported(report), open_file(path, report, form) as (source, name):
        yield from rows_of(source, format_for(source, kind, name), report, sieve=sieve)


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
    """The rows of an opened file, less those that repeat an earlier one or have no proper id. Of a
    run, queries that are named without a document (`report.lone_queries`) do for rows."""
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
        rows = sound_pairs(rows, report, by_tag=chosen.several_runs)
    first = next(rows, None)
    if first is not None:
        yield first
        yield from rows
        return
    if report.count or (chosen.kind == "run" and report.lone_queries):
        return
    if sieve is None or sieve.left_out == left_out:
        raise nothing_in(source, chosen.kind)


def sound_pairs(rows: Iterator[Any], report: Reporter, *, by_tag: bool = False) -> Iterator[Any]:
    """Rows of runs or qrels, each pair once; `by_tag`: once in each run."""
    lines: dict[Any, dict[str, SupportsIndex]] = {}
    docs: dict[str, SupportsIndex] = {}
    last = None
    for row in rows:
        key = (row.tag, row.query_id) if by_tag else row.query_id
        if key != last:
            docs, last = lines.setdefault(key, {}), key
        if row.doc_id in docs:
            pair_again(row.line, row.query_id, row.doc_id, docs[row.doc_id], report)
        else:
            docs[row.doc_id] = row.line
            yield row


def _sound_judgments(rows: Iterator[JudgmentRow], report: Reporter) -> Iterator[JudgmentRow]:
    """Rows of judgments, one of each judge and pair. What nobody has judged can be said twice."""
    lines: dict[tuple[Any, ...], SupportsIndex] = {}
    for row in rows:
        key = (type(row.query_id), row.query_id, row.doc_id, row.doc_id or row.passage, row.judge)
        if row.decision == "open":
            yield row
            continue
        if key not in lines:
            lines[key] = row.line
            yield row
            continue
        report(
            row.line,
            f"{quoted(row.judge) if row.judge else 'the judge'} has judged document"
            f" {quoted(row.doc_id or row.passage)} for query {quoted(row.query_id)} already,"
            f" line {index(lines[key])}",
            "remove one of the two",
        )


def _sound_records(
    rows: Iterator[tuple[SupportsIndex, Any]], report: Reporter
) -> Iterator[tuple[SupportsIndex, Any]]:
    """Queries or documents with proper ids of their own, each query with a text."""
    seen = FirstLines()
    for line, record in rows:
        is_query = isinstance(record, Query)
        noun = "query" if is_query else "document"
        written = record.query_id if is_query else record.doc_id
        try:
            if not written.strip():
                raise RecordError(f"the {noun} has no id", f"give each {noun} an id")
            sound = id_in(written)
            before = seen.of(sound, line)
            if before is not None:
                raise RecordError(
                    f"{noun} id {quoted(written)} is already on line {before}",
                    f"give each {noun} an id of its own, or remove one of the two",
                )
            if is_query and not record.text.strip():
                raise RecordError(f"query {quoted(written)} has no text", "say what was searched")
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
    """The documents. Raises `UnreadableError` behind them where all have something and none has a
    text, a title or an address: it may be called otherwise."""
    bare, others = True, dict[str, None]()
    for line, document in rows:
        if bare:
            bare = not (document.text or document.title or document.url)
            others.update(dict.fromkeys(document.meta))
        yield line, document
    if bare and others:
        held = ", ".join(map(quoted, list(others)[:12]))
        what = f"no document has a text; what they have is {held}"
        raise UnreadableError(path, None, what, "call it 'text', or 'title' or 'url'")
