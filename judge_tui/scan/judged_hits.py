"""What a run gives of the judged documents: at which ranks which grades stand, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

import numpy as np

from judge_tui.arrays import Ints

__all__ = ["JudgedHits", "ranked_hits", "rounded"]

Id = TypeVar("Id", str, bytes)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedHits:
    """The judged documents of some lists; a list is what a run has for one query of the qrels.

    `query`: [lists], the place of its query in the qrels. `start`: [lists + 1], where in `rank` and
    `grade` those of a list begin. `rank`: [hits], from 1, ascending within a list. `grade`: [hits],
    a negative one (pooled, not judged), too. `retrieved`: [lists], how many results it has.
    """

    query: Ints
    start: Ints
    rank: Ints
    grade: Ints
    retrieved: Ints

    @classmethod
    def of_lists(cls, lists: Iterable[tuple[int, Sequence[int], Sequence[int], int]]) -> JudgedHits:
        """Those of lists one by one: the place of the query, ranks, grades, how many results."""
        queries: list[int] = []
        sizes = [0]
        ranks: list[int] = []
        grades: list[int] = []
        retrieved: list[int] = []
        for query, its_ranks, its_grades, results in lists:
            queries.append(query)
            sizes.append(len(its_ranks))
            ranks += its_ranks
            grades += its_grades
            retrieved.append(results)
        return cls(
            *(
                np.array(column, dtype=np.int64)
                for column in (queries, np.cumsum(sizes), ranks, grades, retrieved)
            )
        )

    @classmethod
    def joined(cls, parts: Sequence[JudgedHits]) -> JudgedHits:
        """Those of all parts, one after the other."""
        if len(parts) == 1:
            return parts[0]
        nothing = np.empty(0, dtype=np.int64)
        query, sizes, rank, grade, retrieved = (
            np.concatenate([nothing, *columns])
            for columns in zip(
                *((p.query, np.diff(p.start), p.rank, p.grade, p.retrieved) for p in parts),
                strict=True,
            )
        )
        return cls(query, np.concatenate(([0], np.cumsum(sizes))), rank, grade, retrieved)

    @classmethod
    def from_bytes(cls, columns: Sequence[bytes]) -> JudgedHits:
        """What `to_bytes` was called for."""
        return cls(*(np.frombuffer(column, dtype=np.int64) for column in columns))

    def to_bytes(self) -> tuple[bytes, ...]:
        """The arrays as plain values, which another process can be sent."""
        columns = (self.query, self.start, self.rank, self.grade, self.retrieved)
        return tuple(column.tobytes() for column in columns)


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    """The scores as 32 bits hold them."""
    with np.errstate(over="ignore"):
        values = np.fromiter(scores.values(), np.float64, len(scores)).astype(np.float32)
    return dict(zip(scores, values.tolist(), strict=True))


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
