"""The three files of a collection as BEIR has them: queries, corpus, and the qrels of a split."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from judge_tui.formats.ids import table_field
from judge_tui.model import Document, Query

__all__ = ["beir_corpus", "beir_qrels", "beir_queries"]


def beir_qrels(rows: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """Qrels of query, document and grade; ids are native."""
    yield "query-id\tcorpus-id\tscore\n"
    for query_id, doc_id, grade in rows:
        yield f"{query_id}\t{doc_id}\t{grade}\n"


def beir_queries(queries: Iterable[Query]) -> Iterator[str]:
    """A query a line. What BEIR has no key for is in `metadata`, under the names it has in a
    queries file."""
    for query in queries:
        own = {
            "description": query.description,
            "narrative": query.narrative,
            "class": query.query_class,
        }
        yield _line({"_id": table_field(query.query_id), "text": query.text}, own, query.meta)


def beir_corpus(documents: Iterable[Document]) -> Iterator[str]:
    """A document a line, the same way."""
    for one in documents:
        record = {"_id": table_field(one.doc_id), "title": one.title, "text": one.text}
        yield _line(record, {"url": one.url, "kind": one.kind}, one.meta)


def _line(record: dict[str, Any], own: dict[str, str], meta: Any) -> str:
    theirs = meta.get("metadata")
    # Of files of BEIR's that came in as any others did.
    flat = {**theirs, **meta} if isinstance(theirs, dict) else dict(meta)
    if flat.get("metadata") is theirs:
        flat.pop("metadata", None)
    metadata = {**flat, **{name: value for name, value in own.items() if value}}
    return json.dumps({**record, "metadata": metadata}, ensure_ascii=False) + "\n"
