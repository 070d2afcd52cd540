"""Runs in the light of grades: ranked lists and gradings as arrays, and what each list is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.scoring import (
    NOTHING,
    UNJUDGED,
    JudgedLists,
    JudgedQueries,
    Measure,
    Rules,
    Scores,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NO_DOCUMENT", "Grading", "Rankings", "Standing", "means_of"]

NO_DOCUMENT = -1
"""In the place of a document: the list is shorter."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """The top of every list of every run.

    `tags`: of the runs, in their order. `query_ids`: ascending in byte order. `documents`:
    int64[runs, queries, depth], the document at each rank by a number of 0 or more that the maker
    gives it, the same for the same document everywhere; `NO_DOCUMENT` behind the end of a list.
    `asked`: bool[runs, queries], the queries that a run is known to have been asked, None where
    that is known of no run; `failed`: why a run failed at a query, by the places of both.
    """

    tags: tuple[str, ...]
    query_ids: tuple[str, ...]
    documents: NDArray[np.int64]
    asked: NDArray[np.bool_] | None = None
    failed: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """bool[runs, queries]: whether the run has any result for the query."""
        there: NDArray[np.bool_] = (self.documents[:, :, :1] != NO_DOCUMENT).any(axis=2)
        return there

    @property
    def counted(self) -> NDArray[np.bool_]:
        """bool[runs, queries]: whether the query is the run's own: it has a result there, or is
        known to have been asked, and then counts as nothing found where it has none."""
        return self.answered if self.asked is None else self.answered | self.asked

    def nothing(self, run: int, query: int) -> str:
        """Of a list without results (places), in words: that the system failed, and why; that it
        found nothing; or no more than that, where nobody knows whether it was asked. "" for a list
        with results."""
        if (self.documents[run, query, :1] != NO_DOCUMENT).any():
            return ""
        if why := self.failed.get((run, query)):
            return f"failed: {why}"
        return "found nothing" if self.counted[run, query] else "no result"

    def seen(self, grading: Grading) -> NDArray[np.int64]:
        """int64[runs, queries, depth]: the grade at each rank, `UNJUDGED` or `NOTHING`."""
        places = np.arange(len(self.query_ids))
        grades = grading.grades_of(places[None, :, None], self.documents, UNJUDGED)
        grades[self.documents == NO_DOCUMENT] = NOTHING
        return grades

    def graded(self, grading: Grading) -> JudgedLists:
        """All lists, run by run, in the light of a grading."""
        table = self.seen(grading)
        known = JudgedQueries.of_grades(grading.queries, grading.grades, len(self.query_ids))
        query = np.tile(np.arange(len(self.query_ids)), len(self.tags))
        return JudgedLists.of_table(table.reshape(len(query), table.shape[2]), query, known)

    def first(self, depth: int) -> Rankings:
        """The same lists, cut after `depth` results."""
        return replace(self, documents=self.documents[:, :, :depth])


_GREATEST_TABLE = 16_000_000
"""Cells of a table of all queries and documents: 64 MB."""


@dataclass(frozen=True, slots=True)
class Grading:
    """Grades of pairs, ascending by query, then document, no pair twice.

    `queries`: int64[n], the place of each pair's query in the `query_ids` of the rankings;
    `documents`: int64[n], their numbers for documents; `grades`: int64[n], 0 or more. Made by `of`.
    """

    queries: NDArray[np.int64]
    documents: NDArray[np.int64]
    grades: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        queries: NDArray[np.int64],
        documents: NDArray[np.int64],
        grades: NDArray[np.int64],
    ) -> Grading:
        """Of pairs in any order, each once."""
        order = np.lexsort((documents, queries))
        return cls(queries[order], documents[order], grades[order])

    def __len__(self) -> int:
        return len(self.grades)

    def grades_of(
        self, queries: NDArray[np.int64], documents: NDArray[np.int64], without: int
    ) -> NDArray[np.int64]:
        """The grades of other pairs, shaped as they are; `without` where a pair has none."""
        if not len(self):
            return np.full(np.broadcast_shapes(queries.shape, documents.shape), without)
        # Documents count from -1, where a list has none.
        span = max(int(self.documents.max()), int(documents.max(initial=0))) + 2
        known = self.queries * span + self.documents + 1
        asked = queries * span + documents + 1
        rows = max(int(self.queries.max()), int(queries.max(initial=0))) + 1
        if rows * span <= _GREATEST_TABLE:
            # A tenth of the time of looking each up among those known.
            table = np.full(rows * span, without, dtype=np.int32)
            table[known] = self.grades
            found: NDArray[np.int64] = table[asked].astype(np.int64)
            return found
        at = np.searchsorted(known, asked)
        np.minimum(at, len(known) - 1, out=at)
        return np.where(known[at] == asked, self.grades[at], without)


class Standing:
    """Rankings and one grading of their pairs.

    `seen`: int16[runs, queries, depth], the grade at each rank, `UNJUDGED` or `NOTHING` (of
    `scoring`). `known`: int64[queries, grades], how many documents of each query have each
    grade 0, 1, … up to the scale's greatest. `scored`: bool[runs, queries], whether a run is scored
    for a query: it has a result there or was asked it (`Rankings.counted`), and the query counts.
    `judged`: bool[queries], whether somebody judged something: the queries that count.
    """

    def __init__(self, rankings: Rankings, grading: Grading, greatest: int) -> None:
        """`greatest`: of the scale's grades, at least as great as any that was given."""
        self.rankings = rankings
        self.grading = grading
        self.greatest = greatest
        self.seen = rankings.seen(grading).astype(np.int16)
        queries, width = len(rankings.query_ids), greatest + 1
        self.known = np.bincount(
            grading.queries * width + grading.grades, minlength=queries * width
        ).reshape(queries, width)
        self.judged: NDArray[np.bool_] = self.known.sum(axis=1) > 0
        self.scored: NDArray[np.bool_] = rankings.counted & self.judged
        self._values: dict[str, NDArray[np.float64]] = {}

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """bool[runs, queries]: where a run was asked and found nothing that will be worth 0, once
        something that another run found there has a final grade."""
        rankings = self.rankings
        waiting: NDArray[np.bool_] = rankings.counted & ~rankings.answered & ~self.judged
        return waiting

    @cached_property
    def lists(self) -> JudgedLists:
        """All lists, run by run."""
        return self.rankings.graded(self.grading)

    def values(self, measure: Measure) -> NDArray[np.float64]:
        """float64[runs, queries]: the measure, NaN where a run is not scored; not to be changed."""
        values = self._values.get(measure.name)
        if values is None:
            values = measure.value(self.lists).reshape(self.scored.shape)
            if measure.definition.looks_at_results:
                # An empty list is worth something to a few, such as what is left open by it.
                values[~self.rankings.answered] = 0.0
            values[~self.scored] = np.nan
            values.flags.writeable = False
            self._values[measure.name] = values
        return values

    def means(self, measure: Measure) -> NDArray[np.float64]:
        """float64[runs]: what `RunScores.mean` says, NaN where a run is scored for no query."""
        return means_of(self.values(measure), measure)

    def scores(self, measures: Iterable[Measure]) -> Scores:
        """The same as `judge_tui.score` would give, without the runs that are never scored."""
        measures = tuple(measures)
        ids = self.rankings.query_ids
        runs, queries = np.flatnonzero(self.scored.any(axis=1)), np.flatnonzero(self.judged)
        unknown = self.rankings.counted & ~self.judged
        return Scores(
            measures,
            tuple(self.rankings.tags[run] for run in runs.tolist()),
            tuple(ids[query] for query in queries.tolist()),
            {measure.name: self.values(measure)[np.ix_(runs, queries)] for measure in measures},
            counted=self.scored[np.ix_(runs, queries)],
            answered=self.rankings.answered[np.ix_(runs, queries)],
            missing_qrels=tuple(_those(ids, unknown[run]) for run in runs),
            rules=Rules(),
        )


def means_of(values: NDArray[np.float64], measure: Measure) -> NDArray[np.float64]:
    """float64[runs]: the mean of each row of values[runs, queries] over what is a number in it, NaN
    where nothing is."""
    average = measure.definition.average
    return np.array(
        [
            average(row[used].tolist()) if used.any() else np.nan
            for row, used in zip(values, ~np.isnan(values), strict=True)
        ]
    )


def _those(ids: tuple[str, ...], chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(ids[place] for place in np.flatnonzero(chosen).tolist())
