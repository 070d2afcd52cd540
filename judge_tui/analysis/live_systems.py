"""Live systems by what is right for each query: their lists as judged runs, and where the
first right result stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.analysis.misses import first_ranks
from judge_tui.analysis.slices import (
    NO_TEXT,
    DocumentFacts,
    relevant_documents,
)
from judge_tui.model import Document, Qrels
from judge_tui.scoring import parse_measure
from judge_tui.scoring.measure import STEP

TOP = 10
"""So many results are looked at; what is deeper is not found."""

BANDED = parse_measure(f"RR@{TOP}")
"""The measure whose mean is put into a word."""

_STRONG, _USABLE = 0.4, 0.2


def band(value: float) -> str:
    """Put a mean reciprocal rank into a word: strong from .4 on, usable from .2 on, else poor."""
    if value + STEP >= _STRONG:
        return "strong"
    return "usable" if value + STEP >= _USABLE else "poor"


@dataclass(frozen=True, slots=True)
class SystemLists:
    """The lists of all systems, of which every query was asked, in the light of what is right.
    `doc_ids`: by the numbers that documents have in `judged`."""

    judged: JudgedRuns
    doc_ids: tuple[str, ...]


def system_lists(
    query_ids: Sequence[str],
    lists: Mapping[str, Mapping[str, Sequence[str]]],
    right: Qrels,
    failures: Mapping[str, Mapping[str, str]],
) -> SystemLists:
    """Make them. `query_ids`: ascending; `lists`: tag -> query_id -> the results, best first;
    `right`: with the grades of results, and of what is right and no system found; `failures`: tag
    -> query_id -> why it failed."""
    tags = tuple(lists)
    found = {doc_id for its in lists.values() for one in its.values() for doc_id in one}
    doc_ids = tuple(sorted(found.union(*right.values())))
    number = {doc_id: at for at, doc_id in enumerate(doc_ids)}
    place = {query_id: at for at, query_id in enumerate(query_ids)}
    deepest = max((len(one) for its in lists.values() for one in its.values()), default=0)
    documents = np.full((len(tags), len(place), max(deepest, 1)), NO_DOCUMENT, dtype=np.int64)
    for rows, its in zip(documents, lists.values(), strict=True):
        for query_id, one in its.items():
            rows[place[query_id], : len(one)] = [number[doc_id] for doc_id in one]
    failed = {
        (tags.index(tag), place[query_id]): why
        for tag, its in failures.items()
        for query_id, why in its.items()
    }
    asked = np.ones(documents.shape[:2], dtype=np.bool_)
    pairs = [
        (place[query_id], number[doc_id], grade)
        for query_id in query_ids
        for doc_id, grade in right.get(query_id, {}).items()
    ]
    of_query, of_document, grades = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
    ranked = RankedLists(tags, tuple(query_ids), documents, asked, failed)
    greatest = int(grades.max(initial=1))
    return SystemLists(JudgedRuns(ranked, of_query, of_document, grades, greatest), doc_ids)


def histogram(judged: JudgedRuns, run: int) -> tuple[int, ...]:
    """Count the queries whose first right result is at rank 1, 2, … 10 of a run, and last those
    that have none there, among the queries for which something is known to be right."""
    first = first_ranks(judged)[run][judged.graded_queries]
    counts = np.bincount(first[first <= TOP], minlength=TOP + 1).tolist()
    return (*counts[1:], len(first) - sum(counts[1:]))


def document_facts(systems: SystemLists, known: Mapping[str, Document]) -> DocumentFacts:
    """Kind and length of the relevant documents; `known`: doc_id -> document."""
    every = relevant_documents(systems.judged)
    documents = [known.get(systems.doc_ids[at], Document("")) for at in every.tolist()]
    return DocumentFacts(
        documents=every,
        kinds=tuple(one.kind for one in documents),
        lengths=np.array([len(one.text) or NO_TEXT for one in documents], dtype=np.int64),
    )
