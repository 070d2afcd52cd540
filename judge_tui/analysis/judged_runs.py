"""Runs in the light of grades: ranked lists and graded pairs as arrays, and what each list is
worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from judge_tui.errors import UsageError, check_known
from judge_tui.scoring import (
    NOTHING,
    UNJUDGED,
    JudgedLists,
    JudgedQueries,
    Measure,
    Rules,
    Scores,
)
from judge_tui.scoring.score import values_of_queries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge_tui.arrays import Bools, Floats, Ints

NO_DOCUMENT = -1
"""What stands for a document behind the end of a list."""

RankedRuns: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]
"""tag -> query_id -> doc_ids, best first."""


@dataclass(frozen=True, slots=True)
class RankedLists:
    """The top of every list of every run.

    `tags`: of the runs, in their order. `query_ids`: ascending in byte order. `documents`:
    int64[runs, queries, depth], the document at each rank by a number of 0 or more, the same for
    the same document everywhere; `NO_DOCUMENT` behind the end of a list. `asked`: bool[runs,
    queries], the queries that a run is known to have been asked, None where that is known of no
    run; `failed`: why a run failed at a query, by the places of both.
    """

    tags: tuple[str, ...]
    query_ids: tuple[str, ...]
    documents: Ints
    asked: Bools | None = None
    failed: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, ranked: RankedRuns, query_ids: Sequence[str], asked: Bools | None = None
    ) -> tuple[RankedLists, dict[str, int]]:
        """Number the documents of lists. Returns them with the number of each doc_id."""
        numbers: dict[str, int] = {}
        longest = max(
            (len(lists.get(q, ())) for lists in ranked.values() for q in query_ids), default=0
        )
        table = np.full((len(ranked), len(query_ids), longest), NO_DOCUMENT, dtype=np.int64)
        for run, lists in zip(table, ranked.values(), strict=True):
            for row, query_id in zip(run, query_ids, strict=True):
                doc_ids = lists.get(query_id, ())
                row[: len(doc_ids)] = [numbers.setdefault(one, len(numbers)) for one in doc_ids]
        return cls(tuple(ranked), tuple(query_ids), table, asked), numbers

    @property
    def answered(self) -> Bools:
        """bool[runs, queries]: whether the run has any result for the query."""
        there: Bools = (self.documents[:, :, :1] != NO_DOCUMENT).any(axis=2)
        return there

    @property
    def counted(self) -> Bools:
        """bool[runs, queries]: whether the query is the run's own: it has a result there, or is
        known to have been asked, and then counts as nothing found where it has none."""
        return self.answered if self.asked is None else self.answered | self.asked

    def index_of_run(self, tag: str) -> int:
        """Return the index of the run. Raises `UsageError` for a run that is not there."""
        check_known("run", tag, self.tags)
        return self.tags.index(tag)

    def indexes_of_runs(self, *tags: str) -> tuple[int, ...]:
        """Return the indexes of runs that are shown beside each other. Raises `UsageError` for a
        run that is not there, and for a run beside itself."""
        places = tuple(map(self.index_of_run, tags))
        if len(set(tags)) < len(tags):
            raise UsageError(
                f"run {tags[-1]!r} beside itself shows nothing", "name two runs, or this one once"
            )
        return places

    def index_of_query(self, query_id: str) -> int:
        """Return the index of the query. Raises `UsageError` for a query that is not there."""
        check_known("query", query_id, self.query_ids)
        return self.query_ids.index(query_id)

    def why_empty(self, run: int, query: int) -> str:
        """Say why a run has no results for a query (both by index): the system failed, and why; it
        found nothing; or no result, where nobody knows whether it was asked. "" for a list with
        results."""
        if (self.documents[run, query, :1] != NO_DOCUMENT).any():
            return ""
        if why := self.failed.get((run, query)):
            return f"failed: {why}"
        asked = self.asked is not None and self.asked[run, query]
        return "found nothing" if asked else "no result"


def lists_of_ranks(table: NDArray[np.integer], known: JudgedQueries) -> JudgedLists:
    """Return the lists of a table, int[runs, queries, depth], run by run."""
    runs, queries, depth = table.shape
    query = np.tile(np.arange(queries), runs)
    return JudgedLists.of_table(table.reshape(len(query), depth), query, known)


class JudgedRuns:
    """Ranked lists, and pairs of a query and a document that may have a grade.

    `queries`, `documents`: int64[pairs], the places of the queries in the lists, and the numbers of
    the documents; no pair twice. `grades`: int64[pairs], the final ones, `UNJUDGED` for a pair that
    has none; `greatest`: of the scale, at least as great as any of them.
    """

    def __init__(
        self, lists: RankedLists, queries: Ints, documents: Ints, grades: Ints, greatest: int
    ) -> None:
        self.lists = lists
        self.queries = queries
        self.documents = documents
        self.grades = grades
        self.greatest = greatest
        self._values: dict[str, Floats] = {}

    def with_grades(self, grades: Ints) -> JudgedRuns:
        """Return the same runs and pairs by other grades, int64[pairs]."""
        found = JudgedRuns(self.lists, self.queries, self.documents, grades, self.greatest)
        # Which pair stands where is the same, and takes longest to find out.
        found.pair_by_rank = self.pair_by_rank
        return found

    @cached_property
    def grade_counts(self) -> Ints:
        """int64[queries, grades]: how many documents of each query have each grade 0, 1, … up to
        the greatest."""
        shape = len(self.lists.query_ids), self.greatest + 1
        cells = (self.queries * shape[1] + self.grades)[self.grades >= 0]
        return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def graded_queries(self) -> Bools:
        """bool[queries]: which have a document with a grade: the queries that count."""
        return np.asarray(self.grade_counts.any(axis=1))

    @cached_property
    def scored(self) -> Bools:
        """bool[runs, queries]: whether a run is scored for a query, which is its own and counts."""
        return self.lists.counted & self.graded_queries

    @cached_property
    def grade_by_rank(self) -> NDArray[np.int16]:
        """int16[runs, queries, depth]: the grade at each rank, `UNJUDGED`, or `NOTHING` behind the
        end of a list."""
        at = self.pair_by_rank
        # In the two last places, which -1 and -2 find.
        grades = np.append(self.grades, [NOTHING, UNJUDGED]).astype(np.int16)
        return grades[at]

    @cached_property
    def pair_by_rank(self) -> NDArray[np.int32]:
        """int32[runs, queries, depth]: the place of the pair at each rank, `UNJUDGED` for a result
        that is none of the pairs, `NOTHING` behind the end of a list."""
        documents, queries = self.lists.documents, len(self.lists.query_ids)
        # Documents count from -1, where a list has none.
        span = max(int(self.documents.max(initial=0)), int(documents.max(initial=0))) + 2
        pairs = self.queries * span + self.documents + 1
        results = np.arange(queries)[:, None] * span + documents + 1
        order = np.argsort(pairs)
        # What is greater than all pairs finds a last one that is equal to nothing.
        known, place = np.append(pairs[order], -1), np.append(order, UNJUDGED)
        at = np.searchsorted(pairs[order], results)
        places = np.where(known[at] == results, place[at], UNJUDGED).astype(np.int32)
        places[documents == NO_DOCUMENT] = NOTHING
        return np.asarray(places)

    @cached_property
    def every_list(self) -> JudgedLists:
        """All lists, run by run."""
        known = JudgedQueries.of_grades(self.queries, self.grades, len(self.lists.query_ids))
        return lists_of_ranks(self.grade_by_rank, known)

    def values(self, measure: Measure) -> Floats:
        """Return float64[runs, queries]: the measure, NaN where a run is not scored. The array is
        not to be changed."""
        values = self._values.get(measure.name)
        if values is None:
            values = self._measured(measure)
            values.flags.writeable = False
            self._values[measure.name] = values
        return values

    def _measured(self, measure: Measure) -> Floats:
        return self.values_of(self.every_list, measure)

    def values_of_query(
        self, measure: Measure, query: int, tags: Iterable[str]
    ) -> tuple[float | None, ...]:
        """Return what a query (an index) is worth in each of these runs, None where the run is not
        scored. Raises `UsageError` for a run that is not there."""
        places = map(self.lists.index_of_run, tags)
        values = self.values(measure)[:, query]
        return tuple(None if isnan(value := float(values[place])) else value for place in places)

    def values_of(self, lists: JudgedLists, measure: Measure) -> Floats:
        """Return float64[runs, queries]: the measure of all lists, run by run, by what is known
        there of their queries; NaN where a run is not scored."""
        answered, counted = self.lists.answered, self.lists.counted & (lists.queries.judged > 0)
        found = measure.value(lists).reshape(counted.shape)
        return values_of_queries(measure, found, lists.queries, answered=answered, counted=counted)

    def means(self, measure: Measure) -> Floats:
        """Return float64[runs]: each mean, NaN where a run is scored for no query."""
        return measure.means(self.values(measure))

    def scores(self, measures: Iterable[Measure]) -> Scores:
        """Return what `judge_tui.score` gives, with the runs that are never scored."""
        measures = tuple(measures)
        lists, ids = self.lists, self.lists.query_ids
        queries = np.flatnonzero(self.graded_queries)
        ungraded = lists.counted & ~self.graded_queries
        return Scores(
            measures,
            lists.tags,
            tuple(ids[query] for query in queries.tolist()),
            {measure.name: self.values(measure)[:, queries] for measure in measures},
            counted=self.scored[:, queries],
            answered=lists.answered[:, queries],
            missing_qrels=tuple(
                tuple(ids[query] for query in np.flatnonzero(its).tolist()) for its in ungraded
            ),
            rules=Rules(),
            reference="campaign's grades",
        )
