"""Graded benchmark files: queries, each with its candidates, and how good each of these is.

[{"query": "read a csv file", "class": "how-to",
  "documents": [{"id": "d1", "text": "…", "score": 2, "kind": "guide"}]}]

Scores are grades, whole numbers; of the grades alone, `--labels` may say what others mean.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from operator import index
from typing import NamedTuple, SupportsIndex, TypeAlias

from judge_tui.errors import InputError
from judge_tui.formats.answers import demands_of
from judge_tui.formats.json_document import Node, entries_in, json_id, pop_text
from judge_tui.formats.judgments import GradeDecision, QrelsRow, grade_in
from judge_tui.formats.numbers import score_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import folded_text, name_of
from judge_tui.formats.source import Source, open_source
from judge_tui.model import Document, Query

_EXAMPLE = '[{"query": "…", "documents": [{"id": "…", "text": "…", "score": 1}]}]'

_QUERY_IDS, _DOC_IDS = ("query_id", "_id", "id"), ("doc_id", "_id", "id")
_GREATEST = 1000


_Grading: TypeAlias = Callable[[object], GradeDecision]
"""What a score means; raises `RecordError` where that is nothing."""


def _whole(value: object) -> GradeDecision:
    score = score_of(value)
    if not score.is_integer() or not 0 <= score <= _GREATEST:
        raise RecordError(f"score {score:g} is not a grade", "write a whole number from 0 to 1000")
    return GradeDecision("grade", int(score))


class Graded(NamedTuple):
    """A document among a query's candidates, with what was said of it."""

    line: SupportsIndex
    document: Document
    judgment: GradeDecision


class GradedEntry(NamedTuple):
    """A query and its candidates in the order of the file; the query's id is the file's own, else
    q001… by its place."""

    line: SupportsIndex
    query: Query
    candidates: tuple[Graded, ...]


def read_benchmark(path: str | os.PathLike[str]) -> list[GradedEntry]:
    """Read all of a benchmark, a JSON array or JSON Lines. Raises the first `InputError`."""
    with open_source(path) as source:
        found = list(_entries(source, Reporter(path), _whole))
    if not found:
        raise InputError(path, None, "there are no queries in it", f"write it as {_EXAMPLE}")
    return found


def qrels_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every candidate with its grade."""
    for entry in _entries(source, report, lambda value: grade_in(value, report)):
        name = name_of(entry.query)
        for one in entry.candidates:
            yield QrelsRow.of(one.line, name, one.document.doc_id, one.judgment)


def query_rows(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield every query, whatever its documents' scores are."""
    return ((entry.line, entry.query) for entry in _entries(source, report, _ungraded))


def document_rows(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Document]]:
    """Yield every candidate of any query, where it first comes."""
    known: set[str] = set()
    for entry in _entries(source, report, _ungraded):
        for one in entry.candidates:
            if one.document.doc_id not in known:
                known.add(one.document.doc_id)
                yield one.line, one.document


def _ungraded(_: object) -> GradeDecision:
    return GradeDecision("open")


def _entries(source: Source, report: Reporter, grade: _Grading) -> Iterator[GradedEntry]:
    """Yield every query with its candidates; what is malformed is reported and left out, and so is
    what comes twice, and a document that has two texts."""
    queries: dict[str, GradedEntry] = {}
    documents: dict[str, Graded] = {}
    for number, node in enumerate(entries_in(source, report), 1):
        within = ""
        try:
            query = _query(node, number)
            within = f"query {quoted(query.text)}"
            entry = GradedEntry(node, query, ())
            for key in (f"id {quoted(query.query_id)}", f"text {quoted(folded_text(query.text))}"):
                if (before := queries.setdefault(key, entry)) is not entry:
                    what = f"the query with the {key} is already on line {index(before.line)}"
                    raise RecordError(what, "put their documents together, or remove one")
            demands_of(query.meta)
            listed = node.nodes("documents")
            if not listed:
                raise RecordError("the query has no documents", f"write it as {_EXAMPLE}")
        except RecordError as error:
            report.refuse(error, node, within)
            continue
        found: dict[str, Graded] = {}
        for one in listed:
            try:
                graded = _graded(one, grade)
                doc_id = graded.document.doc_id
                if doc_id in found:
                    what = f"document {quoted(doc_id)} comes twice"
                    raise RecordError(what, "remove one of the two")
                if documents.setdefault(doc_id, graded).document != graded.document:
                    before_line = index(documents[doc_id].line)
                    what = f"document {quoted(doc_id)} is another on line {before_line}"
                    raise RecordError(what, "give it one text, title, url and kind, or another id")
                found[doc_id] = graded
            except RecordError as error:
                report.refuse(error, one, within)
        if found:
            yield entry._replace(candidates=tuple(found.values()))


def _query(node: Node, number: int) -> Query:
    record = dict(node)
    record.pop("documents", None)
    text, query_class = pop_text(record, "query").strip(), pop_text(record, "class").strip()
    if not text:
        raise RecordError("there is no query", 'write what is searched for as "query"')
    ids = [record.pop(name) for name in _QUERY_IDS if record.get(name) is not None]
    query_id = json_id(ids[0], "query", node) if ids else f"q{number:03}"
    return Query(query_id, text, query_class=query_class, meta=record, own_id=bool(ids))


def _graded(node: Node, grade: _Grading) -> Graded:
    record = dict(node)
    ids = [record.pop(name) for name in _DOC_IDS if record.get(name) is not None]
    doc_id = json_id(ids[0] if ids else None, "document", node)
    title, text, url, kind = (pop_text(record, key) for key in ("title", "text", "url", "kind"))
    score = record.pop("score", None)
    if not text.strip():
        raise RecordError(f"document {quoted(doc_id)} has no text", "write it as 'text'")
    return Graded(node, Document(doc_id, title, text, url, kind.strip(), record), grade(score))
