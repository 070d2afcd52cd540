"""Live systems by what is right for each query: where the first hit stood, what came in its place,
which queries are worst, how evenly systems do, and where they differ most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from judge_tui.analysis.document_slices import (
    NO_TEXT,
    DocumentFacts,
    kind_slices,
    length_slices,
    telling_depth,
)
from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.analysis.queries import DivergentQueries, most_divergent
from judge_tui.analysis.run_slices import RunSlices, ShareFound
from judge_tui.model import Document, Qrels
from judge_tui.scoring import Measure, Scores, parse_measure
from judge_tui.scoring.measure import STEP

__all__ = [
    "BANDED",
    "HISTOGRAM",
    "Documents",
    "EvaluatedQuery",
    "SystemList",
    "band",
    "differ_most",
    "document_slices",
    "histogram",
    "missed",
    "worst",
]

HISTOGRAM = 10
"""Ranks that stand by themselves in the histogram; what is deeper is not found."""

BANDED = parse_measure(f"RR@{HISTOGRAM}")
"""The measure whose mean is put into a word."""

_TOP = 10
_STRONG, _USABLE = 0.4, 0.2


@dataclass(frozen=True, slots=True)
class SystemList:
    """The answer of one system to one query: `results`, each with its grade, None where it is not
    known; why the system `failed`, empty where it did not."""

    results: tuple[tuple[str, int | None], ...]
    failed: str = ""

    @property
    def top(self) -> tuple[tuple[str, int | None], ...]:
        """The first ten results."""
        return self.results[:_TOP]

    @property
    def first(self) -> int | None:
        """The rank of the first that is right (grade 1 or more), None where there is none."""
        return next((rank for rank, (_, grade) in enumerate(self.results, 1) if grade), None)


@dataclass(frozen=True, slots=True)
class EvaluatedQuery:
    """A query, what is `expected` (as it is written, with its grade; nothing where it only says
    what is to come first), and the list of each system, by its tag."""

    query_id: str
    query: str
    query_class: str
    expected: tuple[tuple[str, int], ...]
    found: Mapping[str, SystemList]


@dataclass(frozen=True, slots=True)
class Documents:
    """What is known of documents, and the grades by which they are relevant: of systems that
    search documents which are there. `candidates`: how many each query has to choose from, where
    systems rank these."""

    qrels: Qrels
    known: Mapping[str, Document]
    candidates: Sequence[int] = ()


def band(value: float) -> str:
    """Put a mean reciprocal rank into a word: strong from .4 on, usable from .2 on, else poor."""
    if value + STEP >= _STRONG:
        return "strong"
    return "usable" if value + STEP >= _USABLE else "poor"


def missed(queries: Iterable[EvaluatedQuery], tag: str) -> list[EvaluatedQuery]:
    """Return the queries for which something is right and none of it is among the first ten
    results of a system."""
    return [query for query in queries if query.expected and not _reciprocal(query.found[tag])]


def histogram(queries: Iterable[EvaluatedQuery], tag: str) -> tuple[int, ...]:
    """Count the queries whose first right result is at rank 1, 2, … 10, and last those that have
    none there, among the queries for which something is right."""
    counts = [0] * (HISTOGRAM + 1)
    for query in queries:
        if query.expected:
            first = query.found[tag].first
            counts[first - 1 if first is not None and first <= HISTOGRAM else HISTOGRAM] += 1
    return tuple(counts)


def worst(queries: Iterable[EvaluatedQuery], count: int = 10) -> list[EvaluatedQuery]:
    """Return the queries with the least reciprocal rank, averaged over the systems; of equals those
    that come first. Queries that every system answers at rank 1 are not among them, nor those for
    which nothing is right."""

    def mean(query: EvaluatedQuery) -> float:
        # Exactly rounded: equals are equal whatever the order of the systems.
        return fsum(map(_reciprocal, query.found.values())) / len(query.found)

    ranked = sorted((query for query in queries if query.expected), key=mean)
    return [query for query in ranked if mean(query) < 1][:count]


def differ_most(
    queries: Iterable[EvaluatedQuery], scores: Scores, measure: Measure
) -> DivergentQueries:
    """Return the queries for which two systems have different values, the furthest apart first."""
    lists, _ = _ranked_lists(queries, scores.tags, {})
    place = {query_id: at for at, query_id in enumerate(scores.query_ids)}
    # A query that is not scored has the last column.
    values = np.pad(scores.by_measure[str(measure)], ((0, 0), (0, 1)), constant_values=np.nan)
    values = values[:, [place.get(query_id, -1) for query_id in lists.query_ids]]
    found = most_divergent(lists, values, measure)
    return replace(found, rows=tuple(row for row in found.rows if not row.level))


def document_slices(
    queries: Iterable[EvaluatedQuery], tags: Sequence[str], documents: Documents
) -> list[RunSlices[ShareFound]]:
    """Slice relevant documents by kind and by length, where there are several: the share that each
    system finds among its first 10 results, or fewer where there are hardly more to choose from."""
    lists, number = _ranked_lists(queries, tags, documents.qrels)
    place = {query_id: at for at, query_id in enumerate(lists.query_ids)}
    graded = [
        # Relevant or not is all that is counted here, however great a grade is.
        (place[query_id], number[doc_id], min(grade, 1))
        for query_id, by_doc in documents.qrels.items()
        for doc_id, grade in by_doc.items()
        if grade >= 0 and query_id in place
    ]
    if not graded:
        return []
    of_query, of_document, grades = np.array(graded, dtype=np.int64).T
    judged = JudgedRuns(lists, of_query, of_document, grades, greatest=1)
    every, doc_ids = np.unique(judged.documents), list(number)
    known = [documents.known.get(doc_ids[at], Document("")) for at in every.tolist()]
    facts = DocumentFacts(
        documents=every,
        kinds=tuple(one.kind for one in known),
        lengths=np.array([len(one.text) or NO_TEXT for one in known], dtype=np.int64),
    )
    k = telling_depth(documents.candidates, _TOP)
    found = kind_slices(judged, facts, k), length_slices(judged, facts, k)
    return [one for one in found if len(one.slices) > 1]


def _reciprocal(found: SystemList) -> float:
    first = found.first
    return 1 / first if first is not None and first <= HISTOGRAM else 0.0


def _ranked_lists(
    queries: Iterable[EvaluatedQuery], tags: Sequence[str], qrels: Qrels
) -> tuple[RankedLists, dict[str, int]]:
    """Return the lists as numbers of documents, and doc_id -> its number, in byte order."""
    queries = sorted(queries, key=lambda query: query.query_id)
    lists = [
        [[doc_id for doc_id, _ in query.found[tag].results] for query in queries] for tag in tags
    ]
    found = {doc_id for its in lists for one in its for doc_id in one}
    number = {doc_id: at for at, doc_id in enumerate(sorted(found.union(*qrels.values())))}
    deepest = max((len(one) for its in lists for one in its), default=0)
    documents = np.full((len(tags), len(queries), max(deepest, 1)), NO_DOCUMENT, dtype=np.int64)
    for rows, its in zip(documents, lists, strict=True):
        for row, one in zip(rows, its, strict=True):
            row[: len(one)] = [number[doc_id] for doc_id in one]
    every = np.ones(documents.shape[:2], dtype=np.bool_)
    query_ids = tuple(query.query_id for query in queries)
    return RankedLists(tuple(tags), query_ids, documents, asked=every), number
