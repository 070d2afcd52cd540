"""Live systems by what is right for each query: where the first hit stood, what came in its place,
which queries are worst, how evenly systems do, and where they differ most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from judge_tui.analysis.by_query import DividedQuery, divided_by
from judge_tui.analysis.document_kinds import (
    NO_TEXT,
    DocumentFacts,
    DocumentSlices,
    kind_slices,
    length_slices,
    telling_depth,
)
from judge_tui.analysis.slices import Spread, spread_of
from judge_tui.analysis.standing import NO_DOCUMENT, Grading, Rankings, Standing
from judge_tui.model import Document, Qrels
from judge_tui.scoring import Measure, Scores, parse_measure
from judge_tui.scoring.measure import STEP

__all__ = [
    "BANDED",
    "HISTOGRAM",
    "TOP",
    "Documents",
    "EvaluatedQuery",
    "Found",
    "band",
    "differ_most",
    "document_slices",
    "histogram",
    "missed",
    "spreads",
    "worst",
]

HISTOGRAM = 10
"""Ranks that stand by themselves in the histogram; what is deeper is not found."""

BANDED = parse_measure(f"RR@{HISTOGRAM}")
"""The measure whose mean is put into a word."""

TOP = 10
"""Results of a query that are kept of what a system found (`Found.top`)."""

_STRONG, _USABLE = 0.4, 0.2


@dataclass(frozen=True, slots=True)
class Found:
    """What one system answered to one query: its `top` results, each with its grade, None where it
    is not known; the rank of the `first` that is right (grade 1 or more) among all of its results,
    None where there is none; why it `failed`, empty where it did not; and all its `doc_ids`."""

    top: tuple[tuple[str, int | None], ...]
    first: int | None
    failed: str = ""
    doc_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvaluatedQuery:
    """A query, what is `expected` (as it is written, with its grade; nothing where it only says
    what is to come first), and what each system found: tag -> `Found`."""

    query_id: str
    query: str
    query_class: str
    expected: tuple[tuple[str, int], ...]
    found: Mapping[str, Found]


@dataclass(frozen=True, slots=True)
class Documents:
    """What is known of documents, and the grades by which they are relevant: of systems that
    search documents which are there. `candidates`: how many each query has to choose from, where
    systems rank these."""

    qrels: Qrels
    known: Mapping[str, Document]
    candidates: Sequence[int] = ()


def band(value: float) -> str:
    """A mean reciprocal rank in a word: strong from .4 on, usable from .2 on, else poor."""
    if value + STEP >= _STRONG:
        return "strong"
    return "usable" if value + STEP >= _USABLE else "poor"


def missed(queries: Iterable[EvaluatedQuery], tag: str, k: int = HISTOGRAM) -> list[EvaluatedQuery]:
    """The queries of which nothing right is among the first `k` results of a system, though
    something is right for them."""
    return [query for query in queries if query.expected and not _reciprocal(query.found[tag], k)]


def histogram(queries: Iterable[EvaluatedQuery], tag: str) -> tuple[int, ...]:
    """How many queries have their first right result at rank 1, 2, … 10, and last how many have
    none there, of those for which something is right."""
    counts = [0] * (HISTOGRAM + 1)
    for query in queries:
        if query.expected:
            first = query.found[tag].first
            counts[first - 1 if first is not None and first <= HISTOGRAM else HISTOGRAM] += 1
    return tuple(counts)


def worst(queries: Iterable[EvaluatedQuery], count: int = 10) -> list[EvaluatedQuery]:
    """The queries with the least reciprocal rank, averaged over the systems; of equals those that
    come first. None that every system answers at rank 1, and none for which nothing is right."""

    def mean(query: EvaluatedQuery) -> float:
        # Exactly rounded: equals are equal whatever the order of the systems.
        return fsum(map(_reciprocal, query.found.values())) / len(query.found)

    ranked = sorted((query for query in queries if query.expected), key=mean)
    return [query for query in ranked if mean(query) < 1][:count]


def spreads(scores: Scores, measure: Measure) -> Iterator[tuple[str, Spread]]:
    """How the values of each system lie over the queries that have one."""
    for run in scores.runs:
        yield run.tag, spread_of(np.array(run.values[str(measure)], dtype=np.float64))


def differ_most(
    queries: Iterable[EvaluatedQuery], scores: Scores, measure: Measure
) -> list[DividedQuery]:
    """The queries for which any two systems have other values, those furthest apart first."""
    rankings, _ = _rankings(queries, list(scores), {})
    place = {query_id: at for at, query_id in enumerate(rankings.query_ids)}
    values = np.full((len(scores), len(place)), np.nan)
    for row, run in zip(values, scores.runs, strict=True):
        for query_id, value in zip(run.query_ids, run.values[str(measure)], strict=True):
            row[place[query_id]] = value
    found = divided_by(rankings, measure, values, ~np.isnan(values))
    return [one for one in found.rows if not one.level]


def document_slices(
    queries: Iterable[EvaluatedQuery], tags: Sequence[str], documents: Documents
) -> list[DocumentSlices]:
    """Which kinds of relevant documents each system finds, and which lengths, where there are
    several: among its first 10 results, or fewer where there are hardly more to choose from."""
    rankings, number = _rankings(queries, tags, documents.qrels)
    place = {query_id: at for at, query_id in enumerate(rankings.query_ids)}
    graded = [
        # Relevant or not is all that is counted here, however great a grade is.
        (place[query_id], number[doc_id], min(grade, 1))
        for query_id, by_doc in documents.qrels.items()
        for doc_id, grade in by_doc.items()
        if grade >= 0 and query_id in place
    ]
    if not graded:
        return []
    grading = Grading.of(*(np.array(its, dtype=np.int64) for its in zip(*graded, strict=True)))
    standing = Standing(rankings, grading, 1)
    every, doc_ids = np.unique(grading.documents), list(number)
    known = [documents.known.get(doc_ids[at], Document("")) for at in every.tolist()]
    facts = DocumentFacts(
        documents=every,
        kinds=tuple(one.kind for one in known),
        lengths=np.array([len(one.text) or NO_TEXT for one in known], dtype=np.int64),
    )
    k = telling_depth(documents.candidates, TOP)
    found = kind_slices(standing, facts, k), length_slices(standing, facts, k)
    return [one for one in found if len(one.slices) > 1]


def _reciprocal(found: Found, k: int = HISTOGRAM) -> float:
    return 1 / found.first if found.first is not None and found.first <= k else 0.0


def _rankings(
    queries: Iterable[EvaluatedQuery], tags: Sequence[str], qrels: Qrels
) -> tuple[Rankings, dict[str, int]]:
    """The lists as numbers of documents, and doc_id -> its number, in byte order."""
    queries = sorted(queries, key=lambda query: query.query_id)
    lists = [[query.found[tag].doc_ids for query in queries] for tag in tags]
    found = {doc_id for its in lists for one in its for doc_id in one}
    number = {doc_id: at for at, doc_id in enumerate(sorted(found.union(*qrels.values())))}
    deepest = max((len(one) for its in lists for one in its), default=0)
    documents = np.full((len(tags), len(queries), max(deepest, 1)), NO_DOCUMENT, dtype=np.int64)
    for rows, its in zip(documents, lists, strict=True):
        for row, one in zip(rows, its, strict=True):
            row[: len(one)] = [number[doc_id] for doc_id in one]
    every = np.ones(documents.shape[:2], dtype=np.bool_)
    query_ids = tuple(query.query_id for query in queries)
    return Rankings(tuple(tags), query_ids, documents, asked=every), number
