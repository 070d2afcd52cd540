"""One grade for each of some pairs: qrels as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Grading"]

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
