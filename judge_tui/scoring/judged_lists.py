"""Ranked lists in the light of the grades, as arrays: only the judged documents in them are there.

A list is one query of one run. What is judged in all lists together stands in three arrays, `list`,
`rank` and `grade`, list by list and by ascending rank. What the grades say of the queries
themselves, retrieved or not, stands beside in `JudgedQueries`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.model import Qrels

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
        """Make the queries of which the qrels have a line."""
        query_ids = tuple(sorted(query_id for query_id, grades in qrels.items() if grades))
        sizes = [len(qrels[query_id]) for query_id in query_ids]
        grades = [grade for query_id in query_ids for grade in qrels[query_id].values()]
        query = np.repeat(np.arange(len(query_ids)), sizes)
        return cls.of_grades(query, np.array(grades, dtype=np.int64), len(query_ids), query_ids)

    @classmethod
    def of_grades(
        cls, query: Ints, grade: Ints, queries: int, query_ids: tuple[str, ...] = ()
    ) -> JudgedQueries:
        """Make so many `queries`. `query`, `grade`: int64[n], the row of each grade's query, in any
        order."""
        judged = grade >= 0
        query, grade = query[judged], grade[judged]
        order = np.lexsort((-grade, query))
        start = np.append(0, np.bincount(query, minlength=queries).cumsum())
        return cls(start, grade[order], query_ids)

    @classmethod
    def of_counts(cls, counts: Ints) -> JudgedQueries:
        """Make queries without ids. `counts`: int64[queries, grades], how many documents have each
        grade 0, 1, …"""
        queries, width = counts.shape
        grade = np.tile(np.arange(width - 1, -1, -1), queries)
        start = np.append(0, counts.sum(axis=1).cumsum())
        return cls(start, np.repeat(grade, counts[:, ::-1].reshape(-1)))

    def __len__(self) -> int:
        return len(self.start) - 1

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """query_id -> row."""
        return {query_id: row for row, query_id in enumerate(self.query_ids)}

    @cached_property
    def query(self) -> Ints:
        """int64[grades]: the row of each grade's query."""
        return np.repeat(np.arange(len(self)), self.judged)

    @cached_property
    def rank(self) -> Ints:
        """int64[grades]: the place of each grade among those of its query, from 1."""
        return np.arange(1, len(self.grade) + 1) - self.start[self.query]

    @property
    def judged(self) -> Ints:
        """int64[queries]: how many documents were judged."""
        return np.diff(self.start)

    def at_least(self, rel: int) -> Ints:
        """Return int64[queries]: how many documents have a grade of at least `rel`."""
        if rel not in self._at_least:
            relevant = self.query[self.grade >= rel]
            self._at_least[rel] = np.bincount(relevant, minlength=len(self))
        return self._at_least[rel]

    @cached_property
    def _at_least(self) -> dict[int, Ints]:
        return {}


@dataclass(frozen=True, eq=False)
class JudgedLists:
    """Ranked lists, of which only the judged documents are there; ranks count from 1.

    `list`, `rank`, `grade`: int64[hits], of the judged documents that were retrieved, by list and
    ascending rank. `retrieved`: int64[lists], how many results each list has. `query`:
    int64[lists], the row of its query in `queries`. `pooled_list`, `pooled_rank`: of retrieved
    documents that were pooled and not judged (a negative grade), in the same order.
    """

    list: Ints
    rank: Ints
    grade: Ints
    retrieved: Ints
    query: Ints
    queries: JudgedQueries
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
        """Make lists. `of_list`, `rank`, `grade`: int64[hits], by list and ascending rank. Negative
        grades are set apart, and results whose grade is `OWN` are left out: the lists are as if
        they had never been there."""
        own = grade == OWN
        if own.any():
            place = np.zeros(len(retrieved), dtype=np.int64)
            place[of_list[own]] = rank[own]
            retrieved = retrieved - (place > 0)
            behind = (place[of_list] > 0) & (rank > place[of_list])
            of_list, rank, grade = of_list[~own], (rank - behind)[~own], grade[~own]
        judged = grade >= 0
        return cls(
            of_list[judged],
            rank[judged],
            grade[judged],
            retrieved,
            query,
            known,
            of_list[~judged],
            rank[~judged],
        )

    @classmethod
    def of_lists(
        cls, lists: Iterable[tuple[int, int, Iterable[tuple[int, int]]]], known: JudgedQueries
    ) -> JudgedLists:
        """Make lists, each of the row of its query, how many results it has, and ranks and grades
        by ascending rank."""
        rows: list[tuple[int, int]] = []
        hits: list[tuple[int, int, int]] = []
        for query, retrieved, its_hits in lists:
            hits += [(len(rows), rank, grade) for rank, grade in its_hits]
            rows.append((query, retrieved))
        of_list, rank, grade = np.array(hits, dtype=np.int64).reshape(-1, 3).T
        of_query, sizes = np.array(rows, dtype=np.int64).reshape(-1, 2).T
        return cls.of_hits(of_list, rank, grade, sizes, of_query, known)

    @classmethod
    def of_table(cls, table: NDArray[np.integer], query: Ints, known: JudgedQueries) -> JudgedLists:
        """Make lists. `table`: int[lists, depth], the grade at each rank, `UNJUDGED` or `NOTHING`,
        after which comes nothing else."""
        judged = table >= 0
        hits = np.flatnonzero(judged)
        of_list = np.repeat(np.arange(len(table)), np.count_nonzero(judged, axis=1))
        rank = hits - of_list * table.shape[1] + 1
        grade = table.ravel()[hits].astype(np.int64)
        return cls(of_list, rank, grade, (table != NOTHING).sum(axis=1), query, known)

    @classmethod
    def without_results(cls, query: Ints, known: JudgedQueries) -> JudgedLists:
        """Make an empty list of each of these queries."""
        return cls.of_table(np.zeros((len(query), 0), dtype=np.int64), query, known)

    @classmethod
    def joined(cls, parts: Sequence[JudgedLists], known: JudgedQueries) -> JudgedLists:
        """Put the lists of all parts one after the other, all of these queries."""
        before = np.cumsum([0, *map(len, parts)])

        def together(arrays: Iterable[Ints]) -> Ints:
            return np.concatenate([np.zeros(0, dtype=np.int64), *arrays])

        return cls(
            together(part.list + n for part, n in zip(parts, before, strict=False)),
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
    def judged(self) -> Ints:
        """int64[lists]: how many results are judged."""
        return np.bincount(self.list, minlength=len(self))

    @cached_property
    def start(self) -> Ints:
        """int64[lists + 1]: where the hits of each list begin."""
        return np.append(0, self.judged.cumsum())

    def sum(self, weights: Floats, where: Bools | slice = slice(None)) -> Floats:
        """Return float64[lists]: the `weights` of each list's hits, or of those chosen by `where`,
        added up from the first rank on, as trec_eval adds, to the last digit."""
        summed = np.bincount(self.list[where], weights=weights, minlength=len(self))
        return summed.astype(np.float64, copy=False)  # of nothing, it counts

    def count(self, where: Bools) -> Ints:
        """Return int64[lists]: how many hits are chosen."""
        return np.bincount(self.list[where], minlength=len(self))

    def numbered(self, where: Bools) -> Ints:
        """Return int64[chosen hits]: 1, 2, … within each list."""
        of_list, sizes = self.list[where], self.count(where)
        return np.arange(1, len(of_list) + 1) - (sizes.cumsum() - sizes)[of_list]

    def relevant_known(self, rel: int) -> Ints:
        """Return int64[lists]: how many documents of the list's query have a grade of at least
        `rel`."""
        return self.queries.at_least(rel)[self.query]

    def rows(self, lists: Ints | Bools) -> JudgedLists:
        """Return some of the lists, by their places or a mask, in that order."""
        chosen = np.arange(len(self))[lists]
        sizes = self.judged[chosen]
        of_list = np.repeat(np.arange(len(chosen)), sizes)
        begin = sizes.cumsum() - sizes
        hits = np.arange(len(of_list)) + np.repeat(self.start[chosen] - begin, sizes)
        number = np.full(len(self), -1)
        number[chosen] = np.arange(len(chosen))
        pooled = number[self.pooled_list]
        return JudgedLists(
            of_list,
            self.rank[hits],
            self.grade[hits],
            self.retrieved[chosen],
            self.query[chosen],
            self.queries,
            pooled[pooled >= 0],
            self.pooled_rank[pooled >= 0],
        )

    def first(self, depth: int) -> JudgedLists:
        """Return the lists, cut after `depth` results (trec_eval -M)."""
        if depth >= self._longest:
            return self
        if depth not in self._cut:
            within, pooled = self.rank <= depth, self.pooled_rank <= depth
            self._cut[depth] = JudgedLists(
                self.list[within],
                self.rank[within],
                self.grade[within],
                np.minimum(self.retrieved, depth),
                self.query,
                self.queries,
                self.pooled_list[pooled],
                self.pooled_rank[pooled],
            )
        return self._cut[depth]

    @cached_property
    def condensed(self) -> JudgedLists:
        """The lists without unjudged documents (Sakai, SIGIR 2007; trec_eval -J)."""
        rank = self.numbered(np.ones(len(self.rank), dtype=bool))
        nothing = np.zeros(0, dtype=np.int64)
        return replace(
            self, rank=rank, retrieved=self.judged, pooled_list=nothing, pooled_rank=nothing
        )

    def pooled_before(self, where: Bools) -> Ints:
        """Return int64[chosen hits]: how many pooled and unjudged documents stand before each."""
        span = max(int(self.rank.max(initial=0)), int(self.pooled_rank.max(initial=0))) + 1
        keys = self.pooled_list * span + self.pooled_rank
        of_list = self.list[where]
        behind = np.searchsorted(keys, of_list * span + self.rank[where])
        before: Ints = behind - np.searchsorted(keys, of_list * span)
        return before

    @cached_property
    def _longest(self) -> int:
        # By answers, what is found last may be credited behind the end of its list.
        return max(int(self.retrieved.max(initial=0)), int(self.rank.max(initial=0)))

    @cached_property
    def _cut(self) -> dict[int, JudgedLists]:
        return {}


def of_each(function: Callable[[int], float], values: Ints) -> Floats:
    """Return the function of each value, worked out once for each different one.

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
    """Return the grades, and `OWN` for each query's own id: for finding it in runs."""
    return {
        query_id: {**grades, query_id: OWN} if grades else {} for query_id, grades in qrels.items()
    }
