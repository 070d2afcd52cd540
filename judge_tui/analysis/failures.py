"""The queries for which a run has nothing relevant at the top, and what came instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.deltas import place_of_run
from judge_tui.analysis.standing import Standing

__all__ = ["Came", "Failure", "Failures", "Missed", "failures"]


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
    order of the query ids: the judged ones, answered or not, and `in_vain` that it was asked and
    for which no run found anything."""

    tag: str
    k: int
    rel: int
    queries: int
    rows: tuple[Failure, ...]
    in_vain: int = 0


def failures(standing: Standing, tag: str, k: int = 10, rel: int = 1) -> Failures:
    """The queries that count, those for which the run has no document of grade `rel` or more in its
    top `k`.

    With k = 10, what the robust track of TREC counted for each run (Voorhees, TREC 2004). A judged
    query without any result is one of them. Raises `UsageError` for a run that is not
    there.
    """
    run = place_of_run(standing, tag)
    in_vain = standing.in_vain & standing.rankings.counted[run]
    judged = standing.wanted[run]
    hit = (standing.seen[run, :, :k] >= rel).any(axis=1)
    rows = [
        _failure(standing, run, query, k, rel) for query in np.flatnonzero(judged & ~hit).tolist()
    ]
    return Failures(tag, k, rel, int(judged.sum()), tuple(rows), int(in_vain.sum()))


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
