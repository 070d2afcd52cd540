"""Ranked lists as the grades that stand in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.scoring.known import Known
from judge_tui.scoring.seen import Seen

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NOTHING", "UNJUDGED", "Lists"]

UNJUDGED = -1
"""In the place of a grade: a result that nobody judged."""

NOTHING = -2
"""In the place of a grade: the list is shorter."""


@dataclass(frozen=True, slots=True)
class Lists:
    """Some lists, each of one query; lists of the same query share what is known of it.

    `grades`: int[lists, depth], the grade of the document at each rank, first rank first,
    `UNJUDGED` or `NOTHING`; after `NOTHING` comes nothing else. `known`: int64[queries, grades],
    how many documents of each query have each grade 0, 1, … in the qrels, retrieved or not.
    `query`: int64[lists], the row of `known` for each list.
    """

    grades: NDArray[np.integer]
    query: NDArray[np.int64]
    known: NDArray[np.int64]

    @property
    def retrieved(self) -> NDArray[np.int64]:
        """int64[lists]: the length of each list."""
        lengths: NDArray[np.int64] = (self.grades != NOTHING).sum(axis=1)
        return lengths

    def relevant_known(self, rel: int) -> NDArray[np.int64]:
        """int64[lists]: how many documents of its query have a grade of at least `rel`."""
        relevant: NDArray[np.int64] = self.known[:, rel:].sum(axis=1)[self.query]
        return relevant

    def within(self, depth: int) -> NDArray[np.integer]:
        """The grades at the first `depth` ranks, or at all where there are no more."""
        return self.grades[:, :depth]

    def seen(self) -> Iterator[Seen]:
        """Each list as a measure sees it."""
        known = [_known(counts) for counts in self.known.tolist()]
        for row, query, retrieved in zip(
            self.grades.tolist(), self.query.tolist(), self.retrieved.tolist(), strict=True
        ):
            judged = [(rank, grade) for rank, grade in enumerate(row, 1) if grade >= 0]
            ranks, grades = [rank for rank, _ in judged], [grade for _, grade in judged]
            yield Seen(known[query], ranks, grades, retrieved)


def _known(counts: list[int]) -> Known:
    known = Known({})
    known.grades = [grade for grade in range(len(counts) - 1, -1, -1) for _ in range(counts[grade])]
    return known
