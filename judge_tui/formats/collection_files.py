"""Queries, documents and qrels together as a collection that other tools take: which files it is
made of, and how each is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from judge_tui.model import Document, Query

__all__ = ["COLLECTIONS", "CollectionForm"]


class CollectionForm(NamedTuple):
    """The names of its files, with `{split}` where that goes, and their writers; the form of its
    qrels is that of the same name. `bare`: documents of which the id alone is known are in it.
    `folded`: how often a text of a query or document is not written as it is."""

    corpus: str
    queries: str
    qrels: str
    write_corpus: Callable[[Iterable[Document]], Iterator[str]]
    write_queries: Callable[[Iterable[Query]], Iterator[str]]
    bare: bool
    folded: Callable[[Iterable[str]], int]


def _beir_queries(queries: Iterable[Query]) -> Iterator[str]:
    """A query a line. What BEIR has no key for is in `metadata`, under the names it has in a
    queries file."""
    for query in queries:
        own = {
            "description": query.description,
            "narrative": query.narrative,
            "class": query.query_class,
        }
        yield _line({"_id": query.query_id, "text": query.text}, own, query.meta)


def _beir_corpus(documents: Iterable[Document]) -> Iterator[str]:
    """A document a line, the same way."""
    for one in documents:
        record = {"_id": one.doc_id, "title": one.title, "text": one.text}
        yield _line(record, {"url": one.url, "kind": one.kind}, one.meta)


def _line(record: dict[str, Any], own: dict[str, str], meta: Any) -> str:
    theirs = meta.get("metadata")
    # Of files of BEIR's that came in as any others did.
    flat = {**theirs, **meta} if isinstance(theirs, dict) else dict(meta)
    if flat.get("metadata") is theirs:
        flat.pop("metadata", None)
    metadata = {**flat, **{name: value for name, value in own.items() if value}}
    return json.dumps({**record, "metadata": metadata}, ensure_ascii=False) + "\n"


def _msmarco_corpus(documents: Iterable[Document]) -> Iterator[str]:
    for one in documents:
        yield f"{one.doc_id}\t{_on_a_line(one.text)}\n"


def _msmarco_queries(queries: Iterable[Query]) -> Iterator[str]:
    for query in queries:
        yield f"{query.query_id}\t{_on_a_line(query.text)}\n"


def _on_a_line(text: str) -> str:
    return re.sub(r"[\t\r\n]", " ", text)


COLLECTIONS: dict[str, CollectionForm] = {
    "beir": CollectionForm(
        "corpus.jsonl",
        "queries.jsonl",
        "qrels/{split}.tsv",
        _beir_corpus,
        _beir_queries,
        bare=True,
        folded=lambda _texts: 0,
    ),
    "msmarco": CollectionForm(
        "collection.tsv",
        "queries.{split}.tsv",
        "qrels.{split}.tsv",
        _msmarco_corpus,
        _msmarco_queries,
        bare=False,
        folded=lambda texts: sum(_on_a_line(text) != text for text in texts),
    ),
}
"""By name."""
