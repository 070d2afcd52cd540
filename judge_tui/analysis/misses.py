"""Document by document: queries without a relevant document at the top and what came instead, the
rank of the first relevant one, and rankings side by side. Relevant is a grade of 1 or more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns
from judge_tui.scoring import UNJUDGED

if TYPE_CHECKING:
    from judge_tui.arrays import Bools, Ints


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """A document at a rank: its number, its grade (None: unjudged), and the rank that it has in the
    list beside, None where that does not have it as far as it is kept, or there is none."""

    rank: int
    document: int
    grade: int | None
    other_rank: int | None = None

    @property
    def moved(self) -> int | None:
        """How many ranks higher the result stands here than in the other list; below 0: lower."""
        return None if self.other_rank is None else self.other_rank - self.rank


@dataclass(frozen=True, slots=True)
class RelevantDocument:
    """A document that is known to be relevant: its number and grade, the rank that the run itself
    has it at (None: not in what is kept), and the other runs that found it with their ranks, best
    rank first."""

    document: int
    grade: int
    rank: int | None
    found_by: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Miss:
    """One query without a relevant document in the top k.

    `top`: what stands there instead, empty where the run returned nothing (`answered` is False).
    `unjudged`: how many of these nobody judged: with any, the miss is not proven. `first`: the
    rank of the first relevant document further down, None where there is none in what is kept.
    `relevant`: the documents known to be relevant, greatest grade first, then those that most runs
    found; without any, there was nothing to find as far as anybody knows. `failed`: why the system
    failed at it, "" where that is not known of it.
    """

    query: int
    query_id: str
    answered: bool
    top: tuple[RankedDocument, ...]
    unjudged: int
    first: int | None
    relevant: tuple[RelevantDocument, ...]
    failed: str = ""

    @property
    def proven(self) -> bool:
        """Whether it would stand whatever the rest of the top k were judged."""
        return not self.unjudged

    @property
    def documents(self) -> set[int]:
        """The documents that stand at the top or are relevant."""
        return {*(one.document for one in self.top), *(one.document for one in self.relevant)}


@dataclass(frozen=True, slots=True)
class Misses:
    """The misses of one run, in the order of the query ids, among the `queries` that count for
    it: the judged ones, answered or not."""

    tag: str
    k: int
    queries: int
    rows: tuple[Miss, ...]


def find_misses(judged: JudgedRuns, tag: str, k: int = 10) -> Misses:
    """Find the queries that count for which the run has no relevant document in its top `k`.

    With k = 10, what the robust track of TREC counted for each run (Voorhees, TREC 2004). A judged
    query without any result is one of them. Raises `UsageError` for a run that is not there.
    """
    lists, run = judged.lists, judged.lists.index_of_run(tag)
    hit = (judged.grade_by_rank[run, :, :k] > 0).any(axis=1)
    answered = lists.answered[run].tolist()
    pairs = np.flatnonzero(judged.grades > 0)
    pairs = pairs[np.lexsort((judged.documents[pairs], judged.queries[pairs]))]
    of_query = judged.queries[pairs]
    rows = []
    for query in np.flatnonzero(judged.graded_queries & ~hit).tolist():
        top = ranked(judged, run, query, k)
        below = np.flatnonzero(judged.grade_by_rank[run, query] > 0).tolist()
        begin, end = np.searchsorted(of_query, [query, query + 1])
        rows.append(
            Miss(
                query=query,
                query_id=lists.query_ids[query],
                answered=answered[query],
                top=tuple(top),
                unjudged=sum(one.grade is None for one in top),
                first=below[0] + 1 if below else None,
                relevant=_relevant(judged, run, query, pairs[begin:end]),
                failed=lists.failed.get((run, query), ""),
            )
        )
    return Misses(tag, k, int(judged.graded_queries.sum()), tuple(rows))


def ranked(
    judged: JudgedRuns, run: int, query: int, depth: int | None = None
) -> list[RankedDocument]:
    """Return the first `depth` results of a list, or all."""
    documents = judged.lists.documents[run, query, :depth].tolist()
    grades = judged.grade_by_rank[run, query, :depth].tolist()
    return [
        RankedDocument(rank, document, None if grade == UNJUDGED else grade)
        for rank, (document, grade) in enumerate(zip(documents, grades, strict=True), 1)
        if document != NO_DOCUMENT
    ]


def _relevant(
    judged: JudgedRuns, run: int, query: int, pairs: Ints
) -> tuple[RelevantDocument, ...]:
    """Return the relevant documents of a query (`pairs`: their indexes), ascending."""
    documents, tags = judged.documents[pairs], judged.lists.tags
    # By document, then best rank first, then by run: no list has a document twice.
    found: dict[int, list[tuple[int, int]]] = {document: [] for document in documents.tolist()}
    of_run, at = np.nonzero(np.isin(judged.lists.documents[:, query], documents))
    for one, place in zip(of_run.tolist(), at.tolist(), strict=True):
        found[int(judged.lists.documents[one, query, place])].append((place + 1, one))
    every = [
        RelevantDocument(
            document=document,
            grade=grade,
            rank=next((rank for rank, one in found[document] if one == run), None),
            found_by=tuple(
                (tags[one], rank) for rank, one in sorted(found[document]) if one != run
            ),
        )
        for document, grade in zip(documents.tolist(), judged.grades[pairs].tolist(), strict=True)
    ]
    return tuple(sorted(every, key=lambda one: (-one.grade, -len(one.found_by))))


_ENDS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class FirstRelevant:
    """One run: `counts`, the queries in each bucket; `none`, those without a relevant document in
    what is kept; `open`, those in which an unjudged document stands before the first relevant one
    (or anywhere, where there is none), so that the true rank may be less.

    `median`: of the ranks, where none counts as more than any; None where there is no such rank.
    """

    tag: str
    queries: int
    counts: tuple[int, ...]
    none: int
    open: int
    median: float | None


@dataclass(frozen=True, slots=True)
class RankHistogram:
    """`buckets`: the first and the last rank of each."""

    buckets: tuple[tuple[int, int], ...]
    runs: tuple[FirstRelevant, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The buckets in words: "3", "4–5"."""
        return tuple(
            str(first) if first == last else f"{first}–{last}" for first, last in self.buckets
        )


def first_relevant(judged: JudgedRuns) -> RankHistogram:
    """Return the histogram of each run, over the queries that it is scored for."""
    depth = max(judged.grade_by_rank.shape[2], 1)
    ends = [end for end in _ENDS if end < depth]
    ends.append(next((end for end in _ENDS if end >= depth), depth))
    starts = [1, *(end + 1 for end in ends[:-1])]
    first = first_ranks(judged)
    unjudged = _first(judged.grade_by_rank == UNJUDGED)
    unsure = (unjudged > 0) & ((first == 0) | (unjudged < first))
    runs = []
    for tag, ranks, open_, used in zip(
        judged.lists.tags, first, unsure, judged.scored, strict=True
    ):
        counts = np.histogram(ranks[used], [*starts, ends[-1] + 1])[0].tolist()
        runs.append(
            FirstRelevant(
                tag=tag,
                queries=int(used.sum()),
                counts=tuple(counts),
                none=int((ranks[used] == 0).sum()),
                open=int(open_[used].sum()),
                median=_median(ranks[used].tolist()),
            )
        )
    return RankHistogram(tuple(zip(starts, ends, strict=True)), tuple(runs))


def first_ranks(judged: JudgedRuns) -> Ints:
    """Find the rank of the first relevant document: int64[runs, queries], 0 for none."""
    return _first(judged.grade_by_rank > 0)


def _first(there: Bools) -> Ints:
    """Find the first rank: int64[runs, queries] of bool[runs, queries, depth], 0 for none."""
    ranks = there.argmax(axis=2) + 1 if there.shape[2] else 1
    return np.where(there.any(axis=2), ranks, 0)


def _median(ranks: list[int]) -> float | None:
    middle = float(median([rank or inf for rank in ranks])) if ranks else inf
    return None if middle == inf else middle


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The tops of the lists of one run or of two, rank by rank; None behind the end of the shorter
    one.

    `query`: its place in the lists. `lengths`: how many results each list has, as far as it is
    kept. `known`: how many documents of the query have a final grade, by grade. `nothing`: of a
    list without results why it has none (`RankedLists.why_empty`).
    """

    query: int
    query_id: str
    tags: tuple[str, ...]
    rows: tuple[tuple[RankedDocument | None, ...], ...]
    lengths: tuple[int, ...]
    known: tuple[int, ...]
    nothing: tuple[str, ...]


def side_by_side(judged: JudgedRuns, query: int, *tags: str, depth: int = 10) -> SideBySide:
    """Return the first `depth` results of the query (an index) in one run, or in two.

    Raises `UsageError` for a run that is not there, and for a run beside itself.
    """
    lists = judged.lists
    places = lists.indexes_of_runs(*tags)
    rankings = [ranked(judged, place, query) for place in places]
    # Of one list alone, the other has nothing.
    others = [*rankings[1:], *rankings[:1]] if len(rankings) > 1 else [[]]
    columns = []
    for its, other in zip(rankings, others, strict=True):
        rank_of = {one.document: one.rank for one in other}
        columns.append([replace(one, other_rank=rank_of.get(one.document)) for one in its[:depth]])
    return SideBySide(
        query=query,
        query_id=lists.query_ids[query],
        tags=tags,
        rows=tuple(zip_longest(*columns)),
        lengths=tuple(map(len, rankings)),
        known=tuple(judged.grade_counts[query].tolist()),
        nothing=tuple(lists.why_empty(place, query) for place in places),
    )
