"""Measures of a great many lists at once, as arrays: for what scores the same runs again and again
with other grades. The values are those of the measures themselves, to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from judge_tui.scoring.measure import Measure
from judge_tui.scoring.measures.usual import gain_of
from judge_tui.scoring.seen import Known, Seen

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "AT_ONCE",
    "NOTHING",
    "UNJUDGED",
    "Lists",
    "average_precision",
    "judged",
    "ndcg",
    "precision",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
    "success",
    "values_at_once",
]


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


def ndcg(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.ndcg`, added up rank by rank as there, so that not even the last digit differs."""
    gain = gain_of(measure)
    gains = np.array([gain(grade) for grade in range(lists.known.shape[1])])
    # Two more at the end, which is where UNJUDGED and NOTHING look.
    padded = np.append(gains, [0.0, 0.0])
    total = np.zeros(len(lists.grades))
    for place, grades in enumerate(lists.within(measure.depth).T):
        total += (padded / log2(place + 2))[grades]
    ideal = _ideal(lists.known, gains, measure.depth)[lists.query]
    return np.divide(total, ideal, out=np.zeros(len(total)), where=ideal != 0)


def _ideal(known: NDArray[np.int64], gains: NDArray[np.float64], depth: int) -> NDArray[np.float64]:
    """float64[queries]: the gain of the best list of each query."""
    best_first = [grade for grade in np.argsort(-gains, kind="stable") if gains[grade] > 0]
    total = np.zeros(len(known))
    if not best_first:
        return total
    # How many documents gain so much or more: at rank r stands the first grade that reaches r.
    reached = known[:, best_first].cumsum(axis=1)
    best = np.append(gains[best_first], 0.0)
    for rank in range(1, min(depth, int(reached[:, -1].max(initial=0))) + 1):
        total += best[(reached < rank).sum(axis=1)] / log2(rank + 1)
    return total


def reciprocal_rank(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.rr`."""
    relevant = lists.within(measure.depth) >= measure.rel
    total = np.zeros(len(relevant))
    # From the last rank to the first, which stays.
    for place in range(relevant.shape[1] - 1, -1, -1):
        total[relevant[:, place]] = 1 / (place + 1)
    return total


def precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.p`."""
    return _found(lists, measure) / measure.depth


def recall(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.r`."""
    found = _found(lists, measure)
    return _shares(found, lists.relevant_known(measure.rel))


def success(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.success`."""
    return (_found(lists, measure) > 0).astype(np.float64)


def judged(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.judged`."""
    looked_at = np.minimum(lists.retrieved, measure.depth)
    return _shares((lists.within(measure.depth) >= 0).sum(axis=1), looked_at)


def average_precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.ap`."""
    found = np.zeros(len(lists.grades), dtype=np.int64)
    total = np.zeros(len(lists.grades))
    for place, grades in enumerate(lists.within(measure.depth).T):
        relevant = grades >= measure.rel
        found += relevant
        total += np.where(relevant, found / (place + 1), 0.0)
    return _shares(total, lists.relevant_known(measure.rel))


def r_precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.rprec`."""
    known = lists.relevant_known(measure.rel)
    ranks = np.arange(1, lists.grades.shape[1] + 1)
    relevant = (lists.grades >= measure.rel) & (ranks <= known[:, None])
    return _shares(relevant.sum(axis=1), known)


def rank_biased_precision(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.rbp`."""
    p = measure.number("p")
    total = np.zeros(len(lists.grades))
    for place, grades in enumerate(lists.within(measure.depth).T):
        total += np.where(grades >= measure.rel, p**place, 0.0)
    weighed: NDArray[np.float64] = (1.0 - p) * total
    return weighed


def _found(lists: Lists, measure: Measure) -> NDArray[np.int64]:
    """int64[lists]: the relevant documents within the cutoff."""
    found: NDArray[np.int64] = (lists.within(measure.depth) >= measure.rel).sum(axis=1)
    return found


def _shares(
    part: NDArray[np.float64] | NDArray[np.int64], whole: NDArray[np.int64]
) -> NDArray[np.float64]:
    """float64[lists]: 0 where there is no part."""
    shares = np.zeros(len(part))
    np.divide(part, whole, out=shares, where=part > 0)
    return shares


Values: TypeAlias = "NDArray[np.float64]"

AT_ONCE: dict[str, Callable[[Lists, Measure], Values]] = {
    "nDCG": ndcg,
    "RR": reciprocal_rank,
    "P": precision,
    "R": recall,
    "AP": average_precision,
    "Success": success,
    "Judged": judged,
    "Rprec": r_precision,
    "RBP": rank_biased_precision,
}


def values_at_once(lists: Lists, measure: Measure) -> Values:
    """float64[lists]: the measure of each list, as `measure.value` has it.

    Any measure will do; those of `AT_ONCE` take about a hundredth of the time.
    """
    quick = AT_ONCE.get(measure.definition.name)
    if quick is not None and not measure.judged_only:
        return quick(lists, measure)
    return np.array([measure.value(seen) for seen in lists.seen()], dtype=np.float64)
