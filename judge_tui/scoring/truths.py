"""Truths that are no doc_ids: what a right result looks like, by its path, its lines or a pattern.

A query has several of them, and a result may be right by more than one: what is scored is the
matrix of results by truths. Plain qrels are the case in which every truth is one doc_id.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from judge_tui.model import lines_named
from judge_tui.scoring.known import Known
from judge_tui.scoring.seen import Seen

__all__ = ["Credit", "Matrix", "Place", "Truth", "Truths", "matrix", "place_of"]

Credit: TypeAlias = Literal["once", "every"]
"""Whether a truth is credited at its first hit alone, or every result that matches one."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path, and its lines from `start` to `end`, both among them; None where all are meant."""

    path: str
    lines: tuple[int, int] | None = None

    def overlaps(self, other: Place) -> bool:
        """Whether they have a line in common. A whole file has one with any of its lines."""
        if self.path != other.path:
            return False
        if self.lines is None or other.lines is None:
            return True
        return self.lines[0] <= other.lines[1] and other.lines[0] <= self.lines[1]


def place_of(doc_id: str) -> Place:
    """Of a doc_id: `path`, `path:start-end`, `path#L1-L9`. A leading `./` is dropped."""
    path, lines = lines_named(doc_id)
    if lines is not None and lines[0] > lines[1]:
        path, lines = doc_id, None
    return Place(path.removeprefix("./"), lines)


@dataclass(frozen=True, slots=True)
class Truth:
    """One right answer and its grade: a `pattern` that is sought in doc_ids, or a `place`, which a
    result overlaps. `written` is what the answers file says, by which it is told."""

    written: str
    grade: int = 1
    pattern: re.Pattern[str] | None = None
    place: Place | None = None

    def matches(self, doc_id: str, place: Place) -> bool:
        """Whether a result, whose own `place` it is, is right by this."""
        if self.pattern is not None:
            return self.pattern.search(doc_id) is not None
        return self.place is not None and (self.written == doc_id or self.place.overlaps(place))


Truths: TypeAlias = Mapping[str, Sequence[Truth]]
"""query_id -> its truths, one or more, no two of them the same."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The results of one query by its truths. `first`: of each truth the rank of its first hit,
    None where there is none; `best`: rank -> the best grade among the truths that the result there
    matches, of those that match any; both count ranks from 1. `retrieved`: number of results."""

    truths: tuple[Truth, ...]
    first: tuple[int | None, ...]
    best: Mapping[int, int]
    retrieved: int
    known: Known = field(compare=False)

    def of_truths(self) -> Seen:
        """For measures that credit each truth once, at its first hit: nDCG, AP, RR.

        A result that is right by several truths is worth what as many results in a row would be:
        the second truth is credited one rank further down, and so on. So no two truths stand at one
        rank, and no list is worth more than the ideal one.
        """
        return _Credited(self)

    def of_hits(self) -> Seen:
        """For measures that count truths: R. Several may stand at one rank."""
        pairs = sorted(
            (rank, truth.grade)
            for rank, truth in zip(self.first, self.truths, strict=True)
            if rank is not None
        )
        ranks, grades = [rank for rank, _ in pairs], [grade for _, grade in pairs]
        return Seen(self.known, ranks, grades, self.retrieved)

    def of_results(self) -> Seen:
        """For measures that count results: P, Success. Every result that matches is there."""
        ranks = sorted(self.best)
        return Seen(self.known, ranks, [self.best[rank] for rank in ranks], self.retrieved)


class _Credited(Seen):
    """Each truth at a rank of its own. Truths that a measure does not look at (a grade below its
    `rel`) are in nobody's way."""

    __slots__ = ("_matrix",)

    def __init__(self, matrix: Matrix) -> None:
        placed = _placed(matrix, 1)
        ranks, grades = [rank for rank, _ in placed], [grade for _, grade in placed]
        super().__init__(matrix.known, ranks, grades, max([matrix.retrieved, *ranks]))
        self._matrix = matrix

    def relevant_ranks(self, rel: int) -> list[int]:
        if rel != self._rel:
            self._relevant = [rank for rank, _ in _placed(self._matrix, rel)]
            self._rel = rel
        return self._relevant

    def relevant_within(self, rel: int, depth: int) -> int:
        return bisect_right(self.relevant_ranks(rel), depth)


def matrix(truths: Sequence[Truth], known: Known, doc_ids: Sequence[str]) -> Matrix:
    """Look every result up in every truth. `doc_ids`: native ones, best first; `known`: of the
    truths, by what they are written as."""
    places = [place_of(doc_id) for doc_id in doc_ids]
    first: list[int | None] = []
    best: dict[int, int] = {}
    for truth in truths:
        hits = [
            rank
            for rank, (doc_id, place) in enumerate(zip(doc_ids, places, strict=True), 1)
            if truth.matches(doc_id, place)
        ]
        first.append(hits[0] if hits else None)
        for rank in hits:
            best[rank] = max(best.get(rank, 0), truth.grade)
    return Matrix(tuple(truths), tuple(first), best, len(doc_ids), known)


def _placed(matrix: Matrix, rel: int) -> list[tuple[int, int]]:
    """Rank and grade of each truth of a grade from `rel` that was found, each at its own rank."""
    hits = sorted(
        (rank, -truth.grade)
        for rank, truth in zip(matrix.first, matrix.truths, strict=True)
        if rank is not None and truth.grade >= rel
    )
    placed: list[tuple[int, int]] = []
    for rank, lowered in hits:
        placed.append((max(rank, placed[-1][0] + 1 if placed else 1), -lowered))
    return placed
