"""Ranked lists in the light of the grades, as arrays: only the judged documents in them are held.

A list is one query of one run. What is judged in all lists together stands in two arrays, `rank`
and `grade`, list by list and by ascending rank; `start` says where each list begins. What the
grades say of the queries themselves, retrieved or not, stands beside in `JudgedQueries`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.model import Qrels

__all__ = [
    "NOTHING",
    "OWN",
    "UNJUDGED",
    "JudgedLists",
    "JudgedQueries",
    "of_each",
    "ranked_hits",
    "with_own",
]


UNJUDGED = -1
"""In the place of a grade: a result that nobody judged."""

NOTHING = -2
"""In the place of a grade: the list is shorter."""

OWN = 1 << 62
"""In the place of a grade: the document that is the query itself, to be left out of its list."""

_TABLE = 1 << 20


@dataclass(frozen=True, eq=False)
class JudgedQueries:
    """The grades of q queries, query by query, the greatest first: those of query i stand in
    `grade[start[i]:start[i + 1]]`.

    A negative grade, which means pooled but not judged, is none of them. `query_ids`: of the
    queries, where they have any, ascending in byte order.
    """

    start: Ints
    grade: Ints
    query_ids: tuple[str, ...] = ()

    @classmethod
    def of(cls, qrels: Qrels) -> JudgedQueries:
        """Those of which the qrels have a line."""
        query_ids = tuple(sorted(query_id for query_id, grades in qrels.items() if grades))
        sizes = [len(qrels[query_id]) for query_id in query_ids]
        grades = [grade for query_id in query_ids for grade in qrels[query_id].values()]
        query = np.repeat(np.arange(len(query_ids)), sizes)
        return cls.of_grades(query, np.array(grades, dtype=np.int64), len(query_ids), query_ids)

    @classmethod
    def of_grades(
        cls, query: Ints, grade: Ints, queries: int, query_ids: tuple[str, ...] = ()
    ) -> JudgedQueries:
        """`query`, `grade`: int64[n], the row of each grade's query, in any order."""
        judged = grade >= 0
        query, grade = query[judged], grade[judged]
        order = np.lexsort((-grade, query))
        start = np.append(0, np.bincount(query, minlength=queries).cumsum())
        return cls(start, grade[order], query_ids)

    @classmethod
    def of_counts(cls, counts: Ints) -> JudgedQueries:
        """`counts`: int64[queries, grades], how many documents have each grade 0, 1, …"""
        queries, width = counts.shape
        descending = counts[:, ::-1]
        grade = np.repeat(np.tile(np.arange(width - 1, -1, -1), queries), descending.reshape(-1))
        return cls(np.append(0, counts.sum(axis=1).cumsum()), grade)

    def __len__(self) -> int:
        return len(self.start) - 1

    @cached_property
    def place(self) -> Mapping[str, int]:
        """query_id -> row."""
        return {query_id: row for row, query_id in enumerate(self.query_ids)}

    @cached_property
    def query(self) -> Ints:
        """int64[grades]: the row of each grade's query."""
        return np.repeat(np.arange(len(self)), self.judged)

    @property
    def judged(self) -> Ints:
        """int64[queries]: how many documents were judged."""
        return np.diff(self.start)

    def at_least(self, rel: int) -> Ints:
        """int64[queries]: how many documents have a grade of at least `rel`."""
        found = self._at_least.get(rel)
        if found is None:
            found = np.bincount(self.query[self.grade >= rel], minlength=len(self))
            self._at_least[rel] = found
        return found

    @cached_property
    def _at_least(self) -> dict[int, Ints]:
        return {}


@dataclass(frozen=True, eq=False)
class JudgedLists:
    """Some lists; ranks count from 1.

    `start`: int64[lists + 1]. `rank`, `grade`: int64[hits], of the judged documents that were
    retrieved. `retrieved`: int64[lists], how many results each list has. `query`: int64[lists], the
    row of its query in `known`. `pooled_list`, `pooled_rank`: of retrieved documents that were
    pooled and not judged (a negative grade), by list and ascending rank.
    """

    start: Ints
    rank: Ints
    grade: Ints
    retrieved: Ints
    query: Ints
    known: JudgedQueries
    pooled_list: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    pooled_rank: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def of_hits(
        cls,
        of_list: Ints,
        rank: Ints,
        grade: Ints,
        retrieved: Ints,
        query: Ints,
        known: JudgedQueries,
    ) -> JudgedLists:
        """`of_list`, `rank`, `grade`: int64[hits] in any order; negative grades are set apart, and
        results whose grade is `OWN` are left out: the lists are as if they had never held them."""
        own = grade == OWN
        if own.any():
            place = np.zeros(len(retrieved), dtype=np.int64)
            place[of_list[own]] = rank[own]
            retrieved = retrieved - (place > 0)
            behind = (place[of_list] > 0) & (rank > place[of_list])
            of_list, rank, grade = of_list[~own], (rank - behind)[~own], grade[~own]
        keys = of_list * (int(rank.max(initial=0)) + 1) + rank
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys, kind="stable")
            of_list, rank, grade = of_list[order], rank[order], grade[order]
        judged = grade >= 0
        pooled = ~judged
        start = np.append(0, np.bincount(of_list[judged], minlength=len(retrieved)).cumsum())
        return cls(
            start,
            rank[judged],
            grade[judged],
            retrieved,
            query,
            known,
            of_list[pooled],
            rank[pooled],
        )

    @classmethod
    def of_table(cls, table: NDArray[np.integer], query: Ints, known: JudgedQueries) -> JudgedLists:
        """`table`: int[lists, depth], the grade at each rank, `UNJUDGED` or `NOTHING`, after which
        comes nothing else."""
        at, place = np.nonzero(table >= 0)
        start = np.append(0, np.bincount(at, minlength=len(table)).cumsum())
        grade = table[at, place].astype(np.int64)
        return cls(start, place + 1, grade, (table != NOTHING).sum(axis=1), query, known)

    @classmethod
    def without_results(cls, query: Ints, known: JudgedQueries) -> JudgedLists:
        """An empty list of each of these queries."""
        none = np.zeros(0, dtype=np.int64)
        start = np.zeros(len(query) + 1, dtype=np.int64)
        return cls(start, none, none, np.zeros(len(query), dtype=np.int64), query, known)

    @classmethod
    def joined(cls, parts: Sequence[JudgedLists], known: JudgedQueries) -> JudgedLists:
        """The lists of all parts, one after the other, all of these queries."""
        before = np.cumsum([0, *(len(part) for part in parts)])

        def together(arrays: Iterable[Ints]) -> Ints:
            return np.concatenate([np.zeros(0, dtype=np.int64), *arrays])

        sizes = together(np.diff(part.start) for part in parts)
        return cls(
            np.append(0, sizes.cumsum()),
            together(part.rank for part in parts),
            together(part.grade for part in parts),
            together(part.retrieved for part in parts),
            together(part.query for part in parts),
            known,
            together(part.pooled_list + n for part, n in zip(parts, before, strict=False)),
            together(part.pooled_rank for part in parts),
        )

    def __len__(self) -> int:
        return len(self.retrieved)

    @cached_property
    def list(self) -> Ints:
        """int64[hits]: the list of each hit."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def sum(self, weights: Floats, where: Bools | slice = slice(None)) -> Floats:
        """float64[lists]: the `weights` of each list's hits, or of those chosen by `where`, added
        up from the first rank on, as trec_eval adds, to the last digit."""
        summed = np.bincount(self.list[where], weights=weights, minlength=len(self))
        return summed.astype(np.float64, copy=False)  # of nothing, it counts

    def count(self, where: Bools) -> Ints:
        """int64[lists]: how many hits are chosen."""
        return np.bincount(self.list[where], minlength=len(self))

    def numbered(self, where: Bools) -> Ints:
        """int64[chosen hits]: 1, 2, … within each list."""
        so_far = np.append(0, where.cumsum())
        numbers: Ints = (so_far[1:] - so_far[self.start[self.list]])[where]
        return numbers

    def relevant_known(self, rel: int) -> Ints:
        """int64[lists]: how many documents of the list's query have a grade of at least `rel`."""
        return self.known.at_least(rel)[self.query]

    def rows(self, lists: Ints | Bools) -> JudgedLists:
        """Some of the lists, by their places or a mask, in that order."""
        chosen = np.arange(len(self))[lists]
        sizes = np.diff(self.start)[chosen]
        start = np.append(0, sizes.cumsum())
        hits = np.arange(start[-1]) + np.repeat(self.start[chosen] - start[:-1], sizes)
        number = np.full(len(self), -1)
        number[chosen] = np.arange(len(chosen))
        pooled = number[self.pooled_list]
        return JudgedLists(
            start,
            self.rank[hits],
            self.grade[hits],
            self.retrieved[chosen],
            self.query[chosen],
            self.known,
            pooled[pooled >= 0],
            self.pooled_rank[pooled >= 0],
        )

    def first(self, depth: int) -> JudgedLists:
        """The same lists, cut after `depth` results (trec_eval -M)."""
        found = self._cut.get(depth)
        if found is None:
            if (self.retrieved <= depth).all() and (self.rank <= depth).all():
                found = self
            else:
                within, pooled = self.rank <= depth, self.pooled_rank <= depth
                found = JudgedLists(
                    np.append(0, self.count(within).cumsum()),
                    self.rank[within],
                    self.grade[within],
                    np.minimum(self.retrieved, depth),
                    self.query,
                    self.known,
                    self.pooled_list[pooled],
                    self.pooled_rank[pooled],
                )
            self._cut[depth] = found
        return found

    @cached_property
    def condensed(self) -> JudgedLists:
        """The same lists without unjudged documents (Sakai, SIGIR 2007; trec_eval -J)."""
        rank = np.arange(1, len(self.rank) + 1) - self.start[self.list]
        return JudgedLists(
            self.start, rank, self.grade, np.diff(self.start), self.query, self.known
        )

    def pooled_before(self, where: Bools) -> Ints:
        """int64[chosen hits]: how many pooled and unjudged documents stand before each."""
        span = max(int(self.rank.max(initial=0)), int(self.pooled_rank.max(initial=0))) + 1
        keys = self.pooled_list * span + self.pooled_rank
        of_list = self.list[where]
        behind = np.searchsorted(keys, of_list * span + self.rank[where])
        before: Ints = behind - np.searchsorted(keys, of_list * span)
        return before

    @cached_property
    def _cut(self) -> dict[int, JudgedLists]:
        return {}


def of_each(function: Callable[[int], float], values: Ints) -> Floats:
    """The function of each, worked out once for each different value.

    By Python's `math` and not by numpy's own logarithms and powers, which may differ from those of
    the C library, and so of trec_eval, in the last digit.
    """
    if not len(values):
        return np.zeros(0)
    least = int(values.min())
    if int(values.max()) - least >= _TABLE:
        different, at = np.unique(values, return_inverse=True)
        return np.array([function(value) for value in different.tolist()])[at]
    at = values - least
    there = np.flatnonzero(np.bincount(at))
    table = np.zeros(int(there[-1]) + 1)
    table[there] = [function(value) for value in (there + least).tolist()]
    return table[at]


def with_own(qrels: Qrels) -> Qrels:
    """The same grades, and `OWN` for each query's own id: for finding it in runs."""
    return {
        query_id: {**grades, query_id: OWN} if grades else {} for query_id, grades in qrels.items()
    }


Id = TypeVar("Id", str, bytes)


def ranked_hits(
    grades: Mapping[Id, int], scores: Mapping[Id, float]
) -> tuple[list[int], list[int]]:
    """Ranks and grades, by ascending rank, of the documents of one list that have a grade.

    Ranks are those of `judge_tui.model.rank`: score descending, then doc_id descending, which is
    trec_eval's order. Ids are `str`, or the bytes of UTF-8, which are ordered alike.
    """
    found = [doc_id for doc_id in grades if doc_id in scores]
    if not found:
        return [], []
    # A run's file is nearly always in order already; the sort then only checks that it is.
    descending = sorted(scores.values(), reverse=True)
    descending.append(-inf)  # the last has a neighbour, too
    found.sort(key=scores.__getitem__, reverse=True)
    ranks: list[int] = []
    tied: dict[float, list[Id]] = {}
    at = 0
    for doc_id in found:
        score = scores[doc_id]
        at = descending.index(score, at)
        ranks.append(at + 1)
        if descending[at + 1] == score:
            tied[score] = []
    if tied:
        places = _places(scores, tied)
        ranks = [rank + places.get(doc_id, 0) for doc_id, rank in zip(found, ranks, strict=True)]
    hits = sorted((rank, grades[doc_id]) for doc_id, rank in zip(found, ranks, strict=True))
    return [rank for rank, _ in hits], [grade for _, grade in hits]


def _places(scores: Mapping[Id, float], tied: dict[float, list[Id]]) -> dict[Id, int]:
    """How many of the same score go before each document of the scores in `tied`."""
    # doc_ids matter only inside the groups of equal scores that hold a judged document.
    for doc_id, score in scores.items():
        if score in tied:
            tied[score].append(doc_id)
    return {
        doc_id: place
        for group in tied.values()
        for place, doc_id in enumerate(sorted(group, reverse=True))
    }
