"""What documents gain by their grades: the ideal lists, and the measures by gain that are worked
out list by list.

What the measures are, and where they come from, is said in `ranked_measures` and `set_measures`.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import log2
from typing import NamedTuple, cast

import numpy as np

from judge_tui.arrays import Floats, Ints
from judge_tui.errors import UsageError
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries, of_each
from judge_tui.scoring.measure import GRADED, Gains, Measure
from judge_tui.sums import total


def gain_of(measure: Measure) -> Callable[[int], float]:
    """Return what a document of a grade gains by this measure."""
    gain = cast(Gains, measure.parameter("gains")).of
    if measure.definition.name != "nDCG" or measure.parameter("dcg") == "log2":
        return gain
    return lambda grade: _exponential(gain(grade))


def _exponential(grade: float) -> float:
    if grade > 1000:
        raise UsageError(
            f"grade {grade:g} is too great for dcg='exp-log2'", "use nDCG with its linear gain"
        )
    return math.pow(2.0, grade) - 1


def ideal_gains(known: JudgedQueries, measure: Measure) -> tuple[Ints, Ints, Floats]:
    """Return query, rank and gain of what gains anything in the best list of each query, cut at the
    cutoff."""
    gains = of_each(gain_of(measure), known.grade)
    if measure.parameter("gains") != GRADED:  # else they fall as the grades do
        gains = gains[np.lexsort((-gains, known.query))]
    top = (known.rank <= measure.depth) & (gains > 0)
    return known.query[top], known.rank[top], gains[top]


class GainsOfList(NamedTuple):
    """One list: the gains of the ideal one, none of them 0 or less; the ranks and gains of the
    judged documents; how many results there are."""

    ideal: Sequence[float]
    ranks: Sequence[int]
    gains: Sequence[float]
    retrieved: int


def one_by_one(
    lists: JudgedLists, measure: Measure, value: Callable[[GainsOfList], float]
) -> Floats:
    """Return float64[lists]: the value of each; 0 where nothing gains in the ideal list."""
    query, _, best = ideal_gains(lists.known, measure)
    ends = np.append(0, np.bincount(query, minlength=len(lists.known)).cumsum())
    ideal, ranks = best.tolist(), lists.rank.tolist()
    gains = of_each(gain_of(measure), lists.grade).tolist()

    def each() -> Iterator[float]:
        spans = pairwise(lists.start.tolist())
        rows = zip(lists.query.tolist(), lists.retrieved.tolist(), spans, strict=True)
        for row, retrieved, (begin, end) in rows:
            its = ideal[ends[row] : ends[row + 1]]
            one = GainsOfList(its, ranks[begin:end], gains[begin:end], retrieved)
            yield value(one) if its else 0.0

    return np.fromiter(each(), dtype=np.float64, count=len(lists))


def _dcgs(ranks: Sequence[int], gains: Sequence[float]) -> list[float]:
    """Return the discounted gain before the first document, and at each of them."""
    steps = (gain / log2(rank + 1) for rank, gain in zip(ranks, gains, strict=True))
    return list(accumulate(steps, initial=0.0))


def ndcg_rel_of(one: GainsOfList) -> float:
    """Return the nDCG at the ranks of what gains, averaged over all that gains anything."""
    ideal_dcgs = _dcgs(range(1, len(one.ideal) + 1), one.ideal)[1:]
    dcgs = _dcgs(one.ranks, one.gains)
    added_up, found = 0.0, 0
    for rank, gain, dcg in zip(one.ranks, one.gains, dcgs[1:], strict=True):
        if gain > 0:
            found += 1
            added_up += dcg / ideal_dcgs[min(rank, len(one.ideal)) - 1]
    added_up += (len(one.ideal) - found) * dcgs[-1] / ideal_dcgs[-1]
    return added_up / len(one.ideal) if added_up > 0 else 0.0


def rndcg_of(one: GainsOfList) -> float:
    """Return the nDCG at the ranks where the ideal list changes its gain, averaged."""
    ideal_dcgs = _dcgs(range(1, len(one.ideal) + 1), one.ideal)
    dcgs = _dcgs(one.ranks, one.gains)
    added_up, points = 0.0, 0
    for rank, (gain, behind) in enumerate(pairwise([*one.ideal, 0.0]), start=1):
        if gain != behind:
            added_up += dcgs[bisect_right(one.ranks, rank)] / ideal_dcgs[rank]
            points += 1
    if one.retrieved > len(one.ideal) + 1:
        added_up += dcgs[-1] / ideal_dcgs[-1]
        points += 1
    return added_up / points


def g_of(one: GainsOfList) -> float:
    """Return what is gained, discounted by how much more the results before could have gained."""
    added_up = gained = cost = 0.0
    reached = 0
    for rank, gain in zip(one.ranks, one.gains, strict=True):
        if not gain:
            continue
        gained += gain
        for best in one.ideal[reached:rank]:
            cost += max(best, 1.0)
        cost += rank - max(reached, min(rank, len(one.ideal)))
        reached = rank
        added_up += gain / log2(2 + cost - gained)
    return added_up / total(one.ideal)
