"""What a run gives of the judged documents: at which ranks which grades stand, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.arrays import Ints

__all__ = ["JudgedHits", "rounded"]


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
