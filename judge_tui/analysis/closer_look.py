"""Live systems looked at more closely: how evenly each does over the queries, where they differ
most, and which kinds of relevant documents each finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from judge_tui.analysis.divided import Divided, divided_by
from judge_tui.analysis.document_kinds import (
    NO_TEXT,
    DocumentFacts,
    DocumentSlices,
    kind_slices,
    length_slices,
)
from judge_tui.analysis.grading import Grading
from judge_tui.analysis.rankings import NO_DOCUMENT, Rankings
from judge_tui.analysis.spread import Spread, spread_of
from judge_tui.analysis.standing import Standing
from judge_tui.model import Document, Qrels
from judge_tui.nothing_right import without_right
from judge_tui.scoring import Measure, RunScores
from judge_tui.significance import STEP

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CloserLook",
    "Extreme",
    "Lists",
    "OneLook",
    "OverQueries",
    "Wanted",
    "closer_look",
]

_UNKNOWN = Document("")

Lists = Mapping[str, Mapping[str, Sequence[str]]]
"""System -> query_id -> doc_ids, best first."""


class Extreme(NamedTuple):
    """The least or greatest value that a system has for a query, and all queries for which it has
    it (to a reader: in steps of 1e-9), in byte order."""

    value: float
    query_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OverQueries:
    """How evenly a system does: how its values lie over all queries, the first and third quartile
    of these, and its best and worst queries, of those for which something is right.

    The quartiles are values that are there: the least that a quarter of the values, or more, do not
    exceed (definition 1 of Hyndman and Fan 1996, the inverse of the distribution function), and its
    mirror image, the greatest that a quarter, or more, reach. Of n sorted values they are the
    ceil(n/4)-th from below and from above."""

    tag: str
    spread: Spread
    quartiles: tuple[float, float]
    best: Extreme
    worst: Extreme


@dataclass(frozen=True, slots=True)
class OneLook:
    """By one measure, over the queries of the class `name`, all of them where it is None: a row a
    system, and the queries on which they are furthest apart, none for one system."""

    name: str | None
    measure: Measure
    systems: tuple[OverQueries, ...]
    divided: Divided


class Wanted(NamedTuple):
    """What is to be looked at: the `runs` over the queries of the class `name`, all of them scored
    for the same ones by the measure."""

    name: str | None
    measure: Measure
    runs: tuple[RunScores, ...]


@dataclass(frozen=True, slots=True)
class CloserLook:
    """`looks`: one, or one a class where these are measured by unlike things. `documents`: by kind
    and by length, as far as they are known and tell documents apart."""

    looks: tuple[OneLook, ...]
    documents: tuple[DocumentSlices, ...]


def closer_look(
    wanted: Sequence[Wanted],
    lists: Lists,
    qrels: Qrels,
    documents: Mapping[str, Document] | None = None,
    k: int = 10,
) -> CloserLook:
    """What is not found counts as 0. `documents`: what is known of those that are graded, no more
    than the id of one that is not there; None where nothing is known of any. `k`: the depth at
    which relevant documents are sought."""
    numbers = _numbers(lists, qrels)
    by_documents: tuple[DocumentSlices, ...] = ()
    if documents is not None:
        rankings = _rankings(lists, tuple(lists), sorted(qrels), numbers)
        by_documents = _by_documents(rankings, qrels, documents, numbers, k)
    return CloserLook(tuple(_look(one, lists, numbers, qrels) for one in wanted), by_documents)


def _look(wanted: Wanted, lists: Lists, numbers: Mapping[str, int], qrels: Qrels) -> OneLook:
    name, measure, runs = wanted
    query_ids = runs[0].query_ids
    values = np.array([run.values[str(measure)] for run in runs], dtype=np.float64)
    rankings = _rankings(lists, [run.tag for run in runs], query_ids, numbers)
    nothing = set(without_right((q, by_doc.values()) for q, by_doc in qrels.items()))
    answerable = np.array([query_id not in nothing for query_id in query_ids], dtype=np.bool_)
    systems = zip(rankings.tags, values, strict=True)
    return OneLook(
        name,
        measure,
        tuple(_over_queries(tag, row, query_ids, answerable) for tag, row in systems),
        divided_by(rankings, measure, values, rankings.counted),
    )


def _over_queries(
    tag: str,
    values: NDArray[np.float64],
    query_ids: Sequence[str],
    answerable: NDArray[np.bool_],
) -> OverQueries:
    # Where nothing is right for any query they are all alike, and none is told.
    named = answerable if answerable.any() else ~answerable
    ascending = np.sort(values)
    quarter = -(-len(values) // 4)
    low, high = float(ascending[quarter - 1]), float(ascending[-quarter])

    def extreme(of: Callable[[NDArray[np.float64]], float]) -> Extreme:
        value = of(values[named])
        same = named & (np.abs(values - value) < STEP)
        its = tuple(query_ids[place] for place in np.flatnonzero(same).tolist())
        return Extreme(float(value), its)

    return OverQueries(tag, spread_of(values), (low, high), extreme(np.max), extreme(np.min))


def _numbers(lists: Lists, qrels: Qrels) -> dict[str, int]:
    """doc_id -> its number, in byte order of the ids."""
    found = {one for its in lists.values() for listed in its.values() for one in listed}
    known = {one for by_doc in qrels.values() for one in by_doc}
    return {doc_id: number for number, doc_id in enumerate(sorted(found | known))}


def _rankings(
    lists: Lists, tags: Sequence[str], query_ids: Sequence[str], numbers: Mapping[str, int]
) -> Rankings:
    deepest = max((len(one) for its in lists.values() for one in its.values()), default=0)
    documents = np.full((len(tags), len(query_ids), max(deepest, 1)), NO_DOCUMENT, dtype=np.int64)
    for run, tag in enumerate(tags):
        for query, query_id in enumerate(query_ids):
            its = lists[tag].get(query_id, ())
            documents[run, query, : len(its)] = [numbers[one] for one in its]
    every = np.ones(documents.shape[:2], dtype=np.bool_)
    return Rankings(tuple(tags), tuple(query_ids), documents, asked=every)


def _by_documents(
    rankings: Rankings,
    qrels: Qrels,
    documents: Mapping[str, Document],
    numbers: Mapping[str, int],
    k: int,
) -> tuple[DocumentSlices, ...]:
    place = {query_id: at for at, query_id in enumerate(rankings.query_ids)}
    graded = [
        # Relevant or not is all that is counted here, however great a grade is.
        (place[query_id], numbers[doc_id], min(grade, 1))
        for query_id, by_doc in qrels.items()
        for doc_id, grade in by_doc.items()
        if grade >= 0
    ]
    if not graded:
        return ()
    grading = Grading.of(
        *(np.array(column, dtype=np.int64) for column in zip(*graded, strict=True))
    )
    standing = Standing(rankings, grading, 1)
    own = {numbers[doc_id]: one for doc_id, one in documents.items() if doc_id in numbers}
    every = np.unique(grading.documents)
    known = [own.get(number, _UNKNOWN) for number in every.tolist()]
    facts = DocumentFacts(
        documents=every,
        kinds=tuple(one.kind for one in known),
        lengths=np.array([len(one.text) or NO_TEXT for one in known], dtype=np.int64),
    )
    found = kind_slices(standing, facts, k), length_slices(standing, facts, k)
    return tuple(one for one in found if len(one.slices) > 1)
