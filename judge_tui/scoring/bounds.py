"""The least and the greatest value over all gradings of the retrieved documents that nobody judged:
how far a score can be trusted while judgments are missing.

A bound is found by two gradings of many lists at once, and the measure itself says what they are
worth, so that both bounds are values of a grading that exists. Measures that are not in
`BOUNDS` are not bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from judge_tui.arrays import Floats, Ints
from judge_tui.errors import UsageError
from judge_tui.model import Qrels
from judge_tui.scoring.judged_lists import JudgedLists
from judge_tui.scoring.measure import GAINS, GRADED, Measure
from judge_tui.scoring.ndcg_bounds import grades_to_try, gradings_of_ndcg
from judge_tui.scoring.unjudged import Gradings, Unjudged

Bounds: TypeAlias = tuple[Floats, Floats]
"""float64[lists] twice: the least and the greatest value, low <= value <= high."""

_CELLS = 1 << 20
"""Cells of the lists that are worked on at once."""


def bounds_of(lists: JudgedLists, measure: Measure, grades: Sequence[int]) -> Bounds | None:
    """Return the bounds of each list over all gradings of what nobody judged; None for a measure
    that is not bounded.

    Unjudged are the retrieved documents that are not in the qrels or have a negative grade there.
    Each may get any of `grades` (ascending: `grades_up_to`, or a campaign's scale), independently,
    or all stay as they are, which is a grading with 0 to most measures. What is not retrieved stays
    as it is. Raises `UsageError` for grades that the measure does not know.
    """
    if unbounded(measure) is not None:
        return None
    find = BOUNDS[measure.definition.name]
    # The score is one of the values: what it is worth to leave all unjudged.
    low = measure.value(lists)
    high = low.copy()
    # What is judged wholly has nothing to choose.
    loose = np.flatnonzero(lists.retrieved > lists.judged)
    longest = int(lists.retrieved.max(initial=1))
    step = max(1, _CELLS // (longest * len(grades_to_try(grades, lists.queries.grade))))
    for begin in range(0, len(loose), step):
        rows = loose[begin : begin + step]
        unjudged = Unjudged(lists.rows(rows), grades)
        for grading in find(unjudged, measure):
            values = unjudged.graded(grading, measure)
            low[rows] = np.minimum(low[rows], values)
            high[rows] = np.maximum(high[rows], values)
    return low, high


def bounds_of_means(
    lists: JudgedLists, measure: Measure, grades: Sequence[int], by_run: Callable[[Floats], Floats]
) -> Floats | None:
    """Return float64[runs, 2], the bounds of the mean of each run, or None: `bounds_of`. Each query
    is graded by itself, and an average rises with each of its values. `by_run`: makes values of the
    lists float64[runs, queries]."""
    between = bounds_of(lists, measure, grades)
    if between is None:
        return None
    return np.array([measure.means(by_run(values)) for values in between]).T


def grades_up_to(greatest: int | None, qrels: Qrels) -> range:
    """Return the grades of bare files: 0 to `greatest`, or to the greatest in the qrels, at least
    1."""
    if greatest is None:
        greatest = max((grade for grades in qrels.values() for grade in grades.values()), default=1)
    return range(max(greatest, 1) + 1)


def unbounded(measure: Measure) -> str | None:
    """Return why a measure has no bounds; None where it has."""
    if measure.definition.name not in BOUNDS:
        return "not bounded"
    if measure.judged_only:
        return "not bounded over judged documents alone"
    if GAINS in measure.definition.parameters and measure.parameter(GAINS.name) != GRADED:
        return "not bounded with gains of its own"
    return None


def without_bounds(measures: Iterable[Measure]) -> dict[str, str]:
    """Return why a measure has no bounds, by its full name, for those of the measures that have
    none."""
    reasons = {str(measure): unbounded(measure) for measure in measures}
    return {name: why for name, why in reasons.items() if why is not None}


def _one_way(unjudged: Unjudged, measure: Measure) -> Gradings:  # noqa: ARG001 - as in BOUNDS
    """Bound measures that each grade moves in one direction, if at all: all the least, and all the
    greatest.

    P, Success, RR, RBP, SetP and the counts: one more relevant document only adds. Utility changes
    by a fixed amount with each, up or down.
    """
    return unjudged.all(unjudged.grades[0]), unjudged.all(unjudged.grades[-1])


def _one_way_up_to_the_greatest(unjudged: Unjudged, measure: Measure) -> Gradings:
    """Bound ERR (Chapelle et al., CIKM 2009), which rises with each grade.

    Let the document at rank r satisfy with probability q, and those behind it add s to a reader
    whom it did not satisfy. Given that this reader came to rank r, they add q/r + (1 - q)s. What
    is found behind is found once, at rank r + 1 or later; so s <= 1/(r + 1) < 1/r, and the sum
    rises with q. Raises `UsageError` where a grade is above `max_rel`.
    """
    greatest = unjudged.grades[-1]
    if greatest > measure.number("max_rel"):
        raise UsageError(
            f"an unjudged document may have grade {greatest}, above the greatest that "
            f"{measure} knows, {measure.parameter('max_rel')}",
            f"write ERR(max_rel={greatest})",
        )
    return _one_way(unjudged, measure)


def _one_way_each_side(unjudged: Unjudged, measure: Measure) -> Gradings:
    """Bound measures that rise with grades within the cutoff and fall with grades beyond it.

    R@k = r/R: one more relevant document within the cutoff adds 1 to both, and r <= R; one beyond
    it adds to R alone. So with RelP = r/min(k, R), SetR, SetRelP = r/min(n, R), SetAP, and SetF,
    which is (beta + 1) r / (beta R + n).
    """
    within = np.arange(unjudged.table.shape[1]) < measure.depth
    least, greatest = unjudged.grades[0], unjudged.grades[-1]
    shape = unjudged.table.shape
    low = np.broadcast_to(np.where(within, least, greatest), shape)
    return low, np.broadcast_to(np.where(within, greatest, least), shape)


def _precision_at_r(unjudged: Unjudged, measure: Measure) -> Gradings:
    """Bound Rprec: when c unjudged documents become relevant, R is known, and so is the rank looked
    at.

    As many of them as can be stand above it when they have the earliest unjudged places, as few
    as can be when they have the latest. Each c is tried.
    """
    if unjudged.alike(measure.rel):
        return _one_way(unjudged, measure)
    known = unjudged.lists.relevant_known(measure.rel)[:, None]
    count = unjudged.count[:, None]
    numbers = np.arange(int(count.max(initial=0)) + 1)
    rank = known + numbers

    def up_to_rank(so_far: Ints) -> Ints:
        so_far = np.concatenate([np.zeros((len(so_far), 1), dtype=np.int64), so_far], axis=1)
        return np.take_along_axis(so_far, np.minimum(rank, so_far.shape[1] - 1), axis=1)

    above = up_to_rank(unjudged.number)
    judged = up_to_rank((unjudged.table >= measure.rel).cumsum(axis=1))
    divisor = np.maximum(rank, 1)  # at rank 0 nothing is found
    latest = (np.maximum(above - (count - numbers), 0) + judged) / divisor
    earliest = (np.minimum(above, numbers) + judged) / divisor
    return unjudged.best(latest, earliest, unjudged.table.shape[1])


def _average_precision(unjudged: Unjudged, measure: Measure) -> Gradings:
    """Bound AP: the sum of i/r over the relevant documents i = 1, 2, ..., at ranks r, divided by R.

    Only how many of the unjudged become relevant has to be tried. For any such number, moving one
    of them to an earlier unjudged place makes no r greater, and no i/r smaller; so the earliest
    places give the greatest value and the latest the least, with R the same. The sums for all
    numbers come in one pass: a document that becomes relevant adds its own i/r and 1/r for each
    relevant document behind it.
    """
    if unjudged.alike(measure.rel):
        return _one_way(unjudged, measure)
    depth = min(measure.depth, unjudged.table.shape[1])
    open_, relevant = unjudged.open[:, :depth], unjudged.table[:, :depth] >= measure.rel
    rank = np.arange(1, depth + 1)
    each = np.where(relevant, 1 / rank, 0.0)
    ahead = relevant.cumsum(axis=1)
    start = (ahead * each).sum(axis=1)[:, None]
    behind = each.sum(axis=1, keepdims=True) - each.cumsum(axis=1)
    alone = (1 + ahead) / rank + behind

    # A place adds to the sum what it adds alone, and a share for each chosen one that is before it
    # (when the earliest are chosen one by one) or behind it (when the latest are).
    share = np.where(open_, 1 / rank, 0.0)
    after = share.sum(axis=1, keepdims=True) - share.cumsum(axis=1)
    latest = start + unjudged.sums(alone + after, earliest=False)
    earliest = start + unjudged.sums(alone + (open_.cumsum(axis=1) - 1) / rank, earliest=True)

    # Beyond the cutoff a relevant document adds to R alone: for the greatest value none of these
    # is chosen, for the least all of them are.
    found = unjudged.lists.relevant_known(measure.rel)[:, None] + np.arange(latest.shape[1])
    beyond = (unjudged.count - unjudged.within(depth))[:, None]
    return unjudged.best(
        latest / np.maximum(found + beyond, 1), earliest / np.maximum(found, 1), depth
    )


FindGradings: TypeAlias = Callable[[Unjudged, Measure], Gradings]
"""The gradings with the least and with the greatest value, in either order; asked for only where at
least one document is unjudged."""

BOUNDS: dict[str, FindGradings] = {
    "nDCG": gradings_of_ndcg,
    "AP": _average_precision,
    "GMAP": _average_precision,
    "Rprec": _precision_at_r,
    "ERR": _one_way_up_to_the_greatest,
    **dict.fromkeys(("RR", "P", "Success", "RBP", "SetP", "Utility"), _one_way),
    **dict.fromkeys(("R", "RelP", "SetR", "SetF", "SetAP", "SetRelP"), _one_way_each_side),
    **dict.fromkeys(("NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"), _one_way),
}
