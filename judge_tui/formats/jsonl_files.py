"""Queries and documents as one JSON object a line; keys that are not their own go to their meta."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from judge_tui.formats.columns import TEXT, TITLE
from judge_tui.formats.json_document import Node, lines_in, pop_id, pop_text
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.source import Source
from judge_tui.model import Document, Query

_DOCUMENT_IDS = ("doc_id", "_id", "id")
_IDENTITY = {"query_id", *_DOCUMENT_IDS, "title", "text", "metadata"}

# The id in front, of characters that stand for themselves: nothing escaped.
_IN_FRONT = re.compile(
    rb'\s*\{\s*"(doc_id|_id|id)"\s*:\s*(?:"([^"\\\x00-\x1f]*)"|([1-9][0-9]{0,17}))\s*,'
)
# Behind each key the keys that count in its place: those that come first in `_DOCUMENT_IDS`, and
# itself: a name that comes twice is refused.
_INSTEAD = {
    b"doc_id": re.compile(rb'"doc_id"'),
    b"_id": re.compile(rb'"(?:doc)?_id"'),
    b"id": re.compile(rb'"(?:doc_|_)?id"'),
}


def query_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield every well-formed line. Only an id and a text, or a `query`, are needed."""
    return lines_in(source, report, _query)


def document_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Yield every well-formed line. Only the id is needed. What Elasticsearch has under `_source`
    is the document."""
    return lines_in(source, report, _document)


def id_of_line(line: bytes) -> bytes | None:
    """Return the id of a document by a look at its line; None where that does not tell."""
    found = _IN_FRONT.match(line)
    if found is None or not line.rstrip().endswith(b"}"):
        return None
    # One look for what all the keys end with, and a closer one where it is there.
    if line.find(b'id"', found.end()) >= 0 and _INSTEAD[found[1]].search(line, found.end()):
        return None
    return (found[2] or found[3] or b"").strip(b" ") or None


def _query(node: Node) -> Query:
    record = dict(node)
    text = _pop_query_text(record)
    _lift(record, ("description", "narrative", "class"))
    return Query(
        query_id=pop_id(record, ("query_id", "_id", "id")),
        text=text,
        description=pop_text(record, "description"),
        narrative=pop_text(record, "narrative"),
        query_class=pop_text(record, "class"),
        meta=record,
    )


def _pop_query_text(record: dict[str, Any]) -> str:
    """Return the text, which answers and benchmarks call `query`; beside a text, anything but a
    string there is a field of its own."""
    text = pop_text(record, "text")
    if text and not isinstance(record.get("query"), str):
        return text
    other = pop_text(record, "query")
    if text and other and folded_text(text) != folded_text(other):
        raise RecordError(
            f"'text' is {quoted(text)}, and 'query' is {quoted(other)}",
            "keep one of the two",
        )
    return text or other


def _document(node: Node) -> Document:
    record = dict(node)
    if isinstance(inner := record.get("_source"), dict):
        record = {**inner, **{name: record[name] for name in _DOCUMENT_IDS if name in record}}
    _lift(record, ("url", "kind"))
    return Document(
        doc_id=pop_id(record, _DOCUMENT_IDS),
        title=pop_text(record, *TITLE.names),
        text=pop_text(record, *TEXT.names),
        url=pop_text(record, "url"),
        kind=pop_text(record, "kind"),
        meta=record,
    )


def _lift(record: dict[str, Any], texts: tuple[str, ...]) -> None:
    """Make what stands in the object `metadata`, where BEIR keeps it, keys of the record itself.

    What the record has already, what would become its id, title or text, and of `texts` what is
    none, stays where it is.
    """
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        return
    staying = {
        name: value
        for name, value in metadata.items()
        if name in record or name in _IDENTITY or (name in texts and not isinstance(value, str))
    }
    record |= {name: value for name, value in metadata.items() if name not in staying}
    record.pop("metadata")
    if staying:
        record["metadata"] = staying


# ---- Writers, of BEIR's files ----


def beir_queries(queries: Iterable[Query]) -> Iterator[str]:
    """Write a query a line. What BEIR has no key for is in `metadata`, under the names it has in a
    queries file."""
    for query in queries:
        own = {
            "description": query.description,
            "narrative": query.narrative,
            "class": query.query_class,
        }
        yield _beir_line({"_id": query.query_id, "text": query.text}, own, query.meta)


def beir_corpus(documents: Iterable[Document]) -> Iterator[str]:
    """Write a document a line, with `metadata` as in queries."""
    for one in documents:
        record = {"_id": one.doc_id, "title": one.title, "text": one.text}
        yield _beir_line(record, {"url": one.url, "kind": one.kind}, one.meta)


def _beir_line(record: dict[str, str], own: dict[str, str], meta: Mapping[str, Any]) -> str:
    metadata = {**meta, **{name: value for name, value in own.items() if value}}
    # What `_lift` left in it goes back to where it was.
    if isinstance(left := metadata.get("metadata"), dict):
        metadata = {**left, **metadata}
        del metadata["metadata"]
    return json.dumps({**record, "metadata": metadata}, ensure_ascii=False) + "\n"
