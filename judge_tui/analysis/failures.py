"""Document by document: queries without a relevant document at the top and what came instead, the
rank of the first relevant one, and rankings side by side."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from itertools import zip_longest
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.by_query import place_of_run, places_of
from judge_tui.analysis.standing import NO_DOCUMENT, Standing
from judge_tui.errors import UsageError
from judge_tui.scoring import UNJUDGED

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Came",
    "Failure",
    "Failures",
    "FirstRelevant",
    "Missed",
    "Placed",
    "RankHistogram",
    "SideBySide",
    "failures",
    "first_relevant",
    "place_of_query",
    "side_by_side",
]


@dataclass(frozen=True, slots=True)
class Came:
    """A result: its rank, its document by number, and its grade, None where nobody judged it."""

    rank: int
    document: int
    grade: int | None


@dataclass(frozen=True, slots=True)
class Missed:
    """A document that is known to be relevant: its number and grade, the rank that the run itself
    has it at (None: not in what is kept), and the other runs that found it with their ranks, best
    rank first."""

    document: int
    grade: int
    rank: int | None
    found_by: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """One query without a relevant document in the top k.

    `came`: what stands there instead, empty where the run returned nothing (`answered` is False).
    `unjudged`: how many of `came` nobody judged: with any, the failure is not proven. `first`: the
    rank of the first relevant document further down, None where there is none in what is kept.
    `missed`: the documents known to be relevant, greatest grade first, then those that most runs
    found; without any, there was nothing to find as far as anybody knows. `failed`: why the system
    failed at it, "" where that is not known of it.
    """

    query: int
    query_id: str
    answered: bool
    came: tuple[Came, ...]
    unjudged: int
    first: int | None
    missed: tuple[Missed, ...]
    failed: str = ""

    @property
    def proven(self) -> bool:
        """Whether judging the rest of the top k could not change it."""
        return not self.unjudged


@dataclass(frozen=True, slots=True)
class Failures:
    """Those of one run among the queries that count for it, of which there are `queries`, in the
    order of the query ids: the judged ones, answered or not."""

    tag: str
    k: int
    rel: int
    queries: int
    rows: tuple[Failure, ...]


def failures(standing: Standing, tag: str, k: int = 10, rel: int = 1) -> Failures:
    """The queries that count, those for which the run has no document of grade `rel` or more in its
    top `k`.

    With k = 10, what the robust track of TREC counted for each run (Voorhees, TREC 2004). A judged
    query without any result is one of them. Raises `UsageError` for a run that is not
    there.
    """
    run = place_of_run(standing, tag)
    judged = standing.judged
    hit = (standing.seen[run, :, :k] >= rel).any(axis=1)
    rows = [
        _failure(standing, run, query, k, rel) for query in np.flatnonzero(judged & ~hit).tolist()
    ]
    return Failures(tag, k, rel, int(judged.sum()), tuple(rows))


def _failure(standing: Standing, run: int, query: int, k: int, rel: int) -> Failure:
    rankings = standing.rankings
    top = standing.seen[run, query, :k].tolist()
    documents = rankings.documents[run, query, :k].tolist()
    came = tuple(
        Came(rank, document, grade if grade >= 0 else None)
        for rank, (document, grade) in enumerate(zip(documents, top, strict=True), 1)
        if document >= 0
    )
    below = np.flatnonzero(standing.seen[run, query] >= rel)
    return Failure(
        query=query,
        query_id=rankings.query_ids[query],
        answered=bool(rankings.answered[run, query]),
        came=came,
        unjudged=sum(one.grade is None for one in came),
        first=int(below[0]) + 1 if len(below) else None,
        missed=_missed(standing, run, query, rel),
        failed=rankings.failed.get((run, query), ""),
    )


def _missed(standing: Standing, run: int, query: int, rel: int) -> tuple[Missed, ...]:
    grading = standing.grading
    start, end = np.searchsorted(grading.queries, [query, query + 1])
    relevant = grading.grades[start:end] >= rel
    documents = grading.documents[start:end][relevant]
    grades = grading.grades[start:end][relevant]
    lists = standing.rankings.documents[:, query]
    # bool[documents, runs, depth]; no list has a document twice.
    at = lists[None] == documents[:, None, None]
    there = at.any(axis=2)
    ranks = at.argmax(axis=2) + 1 if at.shape[2] else at.sum(axis=2)
    tags = standing.rankings.tags
    missed = []
    for place, (document, grade) in enumerate(
        zip(documents.tolist(), grades.tolist(), strict=True)
    ):
        finders = sorted(
            (int(ranks[place, one]), one)
            for one in np.flatnonzero(there[place]).tolist()
            if one != run
        )
        missed.append(
            Missed(
                document=document,
                grade=grade,
                rank=int(ranks[place, run]) if there[place, run] else None,
                found_by=tuple((tags[one], rank) for rank, one in finders),
            )
        )
    return tuple(sorted(missed, key=lambda one: (-one.grade, -len(one.found_by), one.document)))


_ENDS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class FirstRelevant:
    """One run: `counts`, the queries in each bucket; `none`, those without a relevant document in
    what is kept; `open`, those in which an unjudged document stands before the first relevant one
    (or anywhere, where there is none), so that the true rank may be less.

    `median`: of the ranks, where none counts as more than any; None with a reason in `why`.
    """

    tag: str
    queries: int
    counts: tuple[int, ...]
    none: int
    open: int
    median: float | None
    why: str | None

    @property
    def share_none(self) -> float | None:
        """The share of the queries without one, None where no query is scored."""
        return self.none / self.queries if self.queries else None


@dataclass(frozen=True, slots=True)
class RankHistogram:
    """`buckets`: the first and the last rank of each. `nothing_known`: judged queries for which no
    document is known to be relevant; a run that answers them has them among its `none`."""

    rel: int
    buckets: tuple[tuple[int, int], ...]
    runs: tuple[FirstRelevant, ...]
    nothing_known: int

    @property
    def labels(self) -> tuple[str, ...]:
        """The buckets in words: "3", "4–5"."""
        return tuple(
            str(first) if first == last else f"{first}–{last}" for first, last in self.buckets
        )


def first_relevant(standing: Standing, rel: int = 1) -> RankHistogram:
    """The histogram of each run, over the queries that it is scored for."""
    depth = standing.seen.shape[2]
    ends = [end for end in _ENDS if end < depth]
    ends.append(max(depth, 1) if depth > _ENDS[-1] else next(e for e in _ENDS if e >= depth))
    starts = [1, *(end + 1 for end in ends[:-1])]
    ranks, unsure = _ranks(standing, rel)
    runs = []
    for place, tag in enumerate(standing.rankings.tags):
        used = standing.scored[place]
        found = ranks[place][used]
        counts = [
            int(((found >= start) & (found <= end)).sum())
            for start, end in zip(starts, ends, strict=True)
        ]
        middle, why = _median(found.tolist())
        runs.append(
            FirstRelevant(
                tag=tag,
                queries=int(used.sum()),
                counts=tuple(counts),
                none=int((found == 0).sum()),
                open=int(unsure[place][used].sum()),
                median=middle,
                why=why,
            )
        )
    relevant = standing.known[:, rel:].sum(axis=1)
    return RankHistogram(
        rel=rel,
        buckets=tuple(zip(starts, ends, strict=True)),
        runs=tuple(runs),
        nothing_known=int((standing.judged & (relevant == 0)).sum()),
    )


def _ranks(standing: Standing, rel: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """int64[runs, queries], 0 where there is none; and whether something unjudged stands before."""
    seen = standing.seen
    runs, queries, depth = seen.shape
    if not depth:
        return np.zeros((runs, queries), dtype=np.int64), np.zeros((runs, queries), dtype=bool)
    relevant, unjudged = seen >= rel, seen == UNJUDGED
    there = relevant.any(axis=2)
    first = np.where(there, relevant.argmax(axis=2) + 1, 0)
    first_unjudged = np.where(unjudged.any(axis=2), unjudged.argmax(axis=2) + 1, depth + 1)
    return first, first_unjudged < np.where(there, first, depth + 1)


def _median(ranks: list[int]) -> tuple[float | None, str | None]:
    if not ranks:
        return None, "the run answers no judged query"
    middle = median([rank or float("inf") for rank in ranks])
    if middle == float("inf"):
        return None, "half of the queries or more have nothing relevant in what is kept"
    return float(middle), None


_TOLD = 5


@dataclass(frozen=True, slots=True)
class Placed:
    """A document at a rank: its number, its grade (None: unjudged), and the rank that it has in the
    other list, None where that does not have it as far as it is kept, or there is none."""

    rank: int
    document: int
    grade: int | None
    other_rank: int | None

    @property
    def moved(self) -> int | None:
        """By how many ranks it stands higher here than in the other list; less than 0: lower."""
        return None if self.other_rank is None else self.other_rank - self.rank


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The tops of the lists of one run or of two, rank by rank; None behind the end of the shorter
    one.

    `query`: its place in the rankings. `lengths`: how many results each list has, as far as it is
    kept. `known`: how many documents of the query have a final grade, by grade. `nothing`: of a
    list without results why it has none (`Rankings.nothing`).
    """

    query: int
    query_id: str
    tags: tuple[str, ...]
    rows: tuple[tuple[Placed | None, ...], ...]
    lengths: tuple[int, ...]
    known: tuple[int, ...]
    nothing: tuple[str, ...]


def side_by_side(standing: Standing, query: int, *tags: str, depth: int = 10) -> SideBySide:
    """The first `depth` results of the query (a place in the rankings) in one run, or in two.

    Raises `UsageError` for a run that is not there, and for a run beside itself.
    """
    places = places_of(standing, *tags)
    lists = [standing.rankings.documents[place, query] for place in places]
    seen = [standing.seen[place, query] for place in places]
    lengths = [int((one != NO_DOCUMENT).sum()) for one in lists]
    ranks = [
        {document: rank for rank, document in enumerate(one[:length].tolist(), 1)}
        for one, length in zip(lists, lengths, strict=True)
    ]
    # Of one list alone, the other has nothing.
    others = ranks[::-1] if len(ranks) > 1 else [{}]
    columns = [
        [
            Placed(rank, document, None if grade < 0 else grade, others[side].get(document))
            for rank, (document, grade) in enumerate(
                zip(
                    lists[side][: lengths[side]][:depth].tolist(),
                    seen[side][: lengths[side]][:depth].tolist(),
                    strict=True,
                ),
                1,
            )
        ]
        for side in range(len(lists))
    ]
    return SideBySide(
        query=query,
        query_id=standing.rankings.query_ids[query],
        tags=tags,
        rows=tuple(zip_longest(*columns)),
        lengths=tuple(lengths),
        known=tuple(np.asarray(standing.known[query]).tolist()),
        nothing=tuple(standing.rankings.nothing(place, query) for place in places),
    )


def place_of_query(standing: Standing, query_id: str) -> int:
    """Where the query stands in the rankings. Raises `UsageError` where it does not."""
    ids = standing.rankings.query_ids
    if query_id not in ids:
        near = get_close_matches(query_id, ids, 1)
        some = ", ".join(map(repr, ids[:_TOLD])) + (", …" if len(ids) > _TOLD else "")
        raise UsageError(
            f"no query {query_id!r}",
            f"did you mean {near[0]!r}?" if near else f"there are {len(ids):,}: {some}",
        )
    return ids.index(query_id)
