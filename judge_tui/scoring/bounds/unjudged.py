"""The retrieved documents of one query that nobody judged, and what grading them makes of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.scoring.known import Known
from judge_tui.scoring.seen import Seen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Grading", "Unjudged"]

Grading: TypeAlias = list[int]
"""One grade for each unjudged document, in the order of their ranks."""


class Unjudged:
    """Those of the results behind `seen` that are not in the qrels or have a negative grade there.

    `grades`: the grades that each may get, ascending, at least one, none negative. `count`: their
    number. `least` and `greatest`: of the grades.
    """

    def __init__(self, seen: Seen, grades: Sequence[int]) -> None:
        self.seen = seen
        self.grades = grades
        self.count = seen.retrieved - len(seen.ranks)
        self.least = grades[0]
        self.greatest = grades[-1]

    def within(self, depth: int) -> int:
        """Number of unjudged documents among the first `depth` results."""
        return min(depth, self.seen.retrieved) - bisect_right(self.seen.ranks, depth)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Their ranks, ascending."""
        import numpy as np  # noqa: PLC0415

        unjudged = np.ones(self.seen.retrieved, dtype=bool)
        unjudged[np.asarray(self.seen.ranks, dtype=np.int64) - 1] = False
        return np.flatnonzero(unjudged) + 1

    def all(self, grade: int) -> Grading:
        """Each gets the same grade."""
        return [grade] * self.count

    def first(self, number: int) -> Grading:
        """The `number` earliest get the greatest grade, the others the least."""
        return [self.greatest] * number + [self.least] * (self.count - number)

    def last(self, number: int) -> Grading:
        """The `number` latest get the greatest grade, the others the least."""
        return [self.least] * (self.count - number) + [self.greatest] * number

    def numbers_relevant(self, rel: int) -> range:
        """How many can be relevant (grade >= `rel`): all numbers from none to all, or only one of
        these two where the scale has no grade on the other side of `rel`.
        """
        start = self.count if self.least >= rel else 0
        return range(start, (self.count if self.greatest >= rel else 0) + 1)

    def graded(self, grading: Grading, depth: int) -> Seen:
        """The query as it would be seen with these grades in the qrels, its first `depth` results.

        Beyond `depth` the grades still count among those that the qrels know.
        """
        known = Known({})
        known.grades = sorted(self.seen.known.grades + grading, reverse=True)
        depth = min(depth, self.seen.retrieved)
        grades: list[int] = []
        used = 0
        for rank, grade in zip(self.seen.ranks, self.seen.grades, strict=True):
            if rank > depth:
                break
            before = used + rank - len(grades) - 1
            grades += grading[used:before]
            grades.append(grade)
            used = before
        grades += grading[used : used + depth - len(grades)]
        return Seen(known, list(range(1, depth + 1)), grades, self.seen.retrieved)
