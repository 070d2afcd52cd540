"""Queries, documents and qrels together as a collection that other tools take: which files it is
made of, how each is written, and what it has no place for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from judge_tui.formats.beir_files import beir_corpus, beir_queries
from judge_tui.formats.ids import encode_id
from judge_tui.model import Document, Query

__all__ = ["COLLECTIONS", "CollectionForm"]


class CollectionForm(NamedTuple):
    """The names of its files, with `{split}` where that goes, and their writers; the form of its
    qrels is that of the same name. `bare`: documents of which the id alone is known are in it.
    `folded`: how often a text of a query or document is not written as it is; `coded`: how many
    ids are written with codes; `as_qrels`: such codes are those of the qrels, in all files."""

    corpus: str
    queries: str
    qrels: str
    write_corpus: Callable[[Iterable[Document]], Iterator[str]]
    write_queries: Callable[[Iterable[Query]], Iterator[str]]
    bare: bool
    folded: Callable[[Iterable[str]], int]
    coded: Callable[[Iterable[str]], int]
    as_qrels: bool
    left_out: str


def _msmarco_corpus(documents: Iterable[Document]) -> Iterator[str]:
    for one in documents:
        yield f"{encode_id(one.doc_id)}\t{_on_a_line(one.text)}\n"


def _msmarco_queries(queries: Iterable[Query]) -> Iterator[str]:
    for query in queries:
        yield f"{encode_id(query.query_id)}\t{_on_a_line(query.text)}\n"


def _on_a_line(text: str) -> str:
    return re.sub(r"[\t\r\n]", " ", text)


_ALWAYS = "runs, whose grades these were, notes, times, guidelines, labels of the scale"

COLLECTIONS: dict[str, CollectionForm] = {
    "beir": CollectionForm(
        "corpus.jsonl",
        "queries.jsonl",
        "qrels/{split}.tsv",
        beir_corpus,
        beir_queries,
        bare=True,
        folded=lambda _texts: 0,
        coded=lambda _ids: 0,
        as_qrels=False,
        left_out=_ALWAYS,
    ),
    "msmarco": CollectionForm(
        "collection.tsv",
        "queries.{split}.tsv",
        "qrels.{split}.tsv",
        _msmarco_corpus,
        _msmarco_queries,
        bare=False,
        folded=lambda texts: sum(_on_a_line(text) != text for text in texts),
        coded=lambda ids: sum(encode_id(one) != one for one in ids),
        as_qrels=True,
        left_out=f"titles, addresses, metadata, descriptions, narratives, classes, {_ALWAYS}",
    ),
}
"""By name."""
