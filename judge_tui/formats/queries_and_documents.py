"""Readers of queries and documents. `rows` says what all accept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from judge_tui.formats.documents_folder import Skipped, folder_rows
from judge_tui.formats.problems import Problems, Reporter
from judge_tui.formats.recognition import format_for, nothing_in
from judge_tui.formats.registry import FOLDER
from judge_tui.formats.rows import PathLike, iterate, sound_rows
from judge_tui.formats.sieve import Sieve
from judge_tui.formats.source import STDIN, UnreadableError, open_source
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    from judge_tui.formats.beir_folder import BeirFolder

__all__ = [
    "iter_documents",
    "iter_queries",
    "read_queries",
]


def iter_queries(
    path: PathLike,
    *,
    format: str | None = None,
    problems: Problems | None = None,
) -> Iterator[tuple[int, Query]]:
    """The queries with their lines, in file order. Formats: `tsv`, `csv` (a table), `jsonl`, `trec`
    topics, and those of files that hold more than queries.

    Each has an id of its own and a text. A table without ids gives those of places. In JSONL an
    integer will do for an id. Of a folder as BEIR has it, the queries in it.
    """
    found = _collection(path)
    if found is not None and found.queries is not None:
        path = found.queries
    return iterate("queries", path, format, problems)


def iter_documents(
    path: PathLike,
    *,
    format: str | None = None,
    problems: Problems | None = None,
    skipped: Skipped | None = None,
    sieve: Sieve | None = None,
) -> Iterator[tuple[int, Document]]:
    """The documents with their lines, in file order, never holding more than one.

    Formats: `jsonl`, `tsv`, `csv` (a table), `trec` SGML, and `folder`: a folder of text
    files, whose binary files are left out and told to `skipped`; of one as BEIR has it, the corpus.
    Each document has an id of its own; the rest may be missing.
    A `sieve` leaves out lines of documents that are not wanted, unless that takes more than a look;
    what is wrong with those is not said.
    """
    found = _collection(path) if format is None else None
    if found is not None and found.corpus is not None:
        path = found.corpus
    if format == FOLDER or (format is None and path != STDIN and Path(path).is_dir()):
        return _iterate_folder(path, problems, skipped)
    if sieve is not None:
        return _iterate_wanted(path, format, problems, sieve)
    return iterate("documents", path, format, problems)


def read_queries(
    path: PathLike,
    *,
    format: str | None = None,
    problems: Problems | None = None,
) -> list[Query]:
    """All queries of a file, in file order: what `iter_queries` accepts."""
    return [query for _, query in iter_queries(path, format=format, problems=problems)]


def _collection(path: PathLike) -> BeirFolder | None:
    if path == STDIN or not Path(path).is_dir():
        return None
    from judge_tui.formats.beir_folder import beir_folder  # noqa: PLC0415 - imports this module

    return beir_folder(path)


def _iterate_wanted(
    path: PathLike, format: str | None, problems: Problems | None, sieve: Sieve
) -> Iterator[tuple[int, Document]]:
    report = Reporter(path, problems)
    before = sieve.left_out
    nothing = True
    try:
        with open_source(path) as source:
            chosen = format_for(source, "documents", format)
            if chosen.id_of is not None:
                source.sift(partial(sieve.passing, id_of=chosen.id_of))
            rows: Iterator[tuple[int, Document]] = chosen.rows(source, report)
            for row in sound_rows(rows, "documents", report):
                nothing = False
                yield row
            if nothing and not report.count and sieve.left_out == before:
                raise nothing_in(source, "documents")
    except UnreadableError as error:
        report.pass_on(error)


def _iterate_folder(
    path: PathLike, problems: Problems | None, skipped: Skipped | None
) -> Iterator[tuple[int, Document]]:
    report = Reporter(path, problems)
    nothing = True
    try:
        rows: Iterator[tuple[int, Document]] = folder_rows(os.fspath(path), report, skipped)
        for row in sound_rows(rows, "documents", report):
            nothing = False
            yield row
    except UnreadableError as error:
        report.pass_on(error)
    if nothing and not report.count:
        report(None, "the folder holds no text file", "give the folder that the documents are in")
