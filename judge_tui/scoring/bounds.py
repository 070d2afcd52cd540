"""The least and the greatest value over all gradings of the retrieved documents that nobody judged:
how far a score can be trusted while judgments are missing.

A strategy finds two gradings of many lists at once, and the measure itself says what they are
worth, so that both bounds are values of a grading that exists. Measures that are not in
`STRATEGIES` are not bounded.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.errors import UsageError
from judge_tui.model import Qrels
from judge_tui.scoring.gains import gain_of
from judge_tui.scoring.judged_lists import NOTHING, UNJUDGED, JudgedLists, JudgedQueries, of_each
from judge_tui.scoring.measure import GRADED, Measure

__all__ = [
    "STRATEGIES",
    "Bounds",
    "bounds_of",
    "grades_up_to",
    "open_beyond",
    "unbounded",
    "without_bounds",
]

Bounds: TypeAlias = tuple[Floats, Floats]
"""float64[lists] twice: the least and the greatest value, low <= value <= high."""

Gradings: TypeAlias = tuple[Ints, Ints]
"""int64[lists, depth] twice: a grade for each place, of which those of unjudged documents count."""

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
    find = STRATEGIES[measure.definition.name]
    # The score is one of the values: what it is worth to leave all unjudged.
    low = measure.value(lists)
    high = low.copy()
    # What is judged wholly has nothing to choose.
    loose = np.flatnonzero(lists.retrieved > np.diff(lists.start))
    longest = int(lists.retrieved.max(initial=1))
    step = max(1, _CELLS // (longest * len(_tried(grades, lists.known.grade))))
    for begin in range(0, len(loose), step):
        rows = loose[begin : begin + step]
        unjudged = _Unjudged(lists.rows(rows), grades)
        for grading in find(unjudged, measure):
            values = unjudged.graded(grading, measure)
            low[rows] = np.minimum(low[rows], values)
            high[rows] = np.maximum(high[rows], values)
    return low, high


def grades_up_to(greatest: int | None, qrels: Qrels) -> range:
    """Return the grades of bare files: 0 to `greatest`, or to the greatest in the qrels, at least
    1."""
    if greatest is None:
        greatest = max((grade for grades in qrels.values() for grade in grades.values()), default=1)
    return range(max(greatest, 1) + 1)


def unbounded(measure: Measure) -> str | None:
    """Return why a measure has no bounds; None where it has."""
    if measure.definition.name not in STRATEGIES:
        return "not bounded"
    if measure.judged_only:
        return "not bounded over judged documents alone"
    gains = measure.definition.name == "nDCG" and measure.parameter("gains") != GRADED
    return "not bounded with gains of its own" if gains else None


def open_beyond(measure: Measure) -> bool:
    """Return whether results behind those that a measure looks at move its bounds: where they may
    be among the relevant documents that it is divided by, and where it looks at all there are."""
    strategy = STRATEGIES.get(measure.definition.name)
    return measure.cutoff is None or strategy not in (_one_way, _one_way_up_to_the_greatest)


def without_bounds(measures: Iterable[Measure]) -> dict[str, str]:
    """Return why a measure has no bounds, by its full name, for those of the measures that have
    none."""
    reasons = {str(measure): unbounded(measure) for measure in measures}
    return {name: why for name, why in reasons.items() if why is not None}


@dataclass(frozen=True, eq=False)
class _Unjudged:
    """Lists, and the grades that each unjudged document in them may get, ascending, none negative.

    As tables of lists by ranks, as deep as the longest list.
    """

    lists: JudgedLists
    grades: Sequence[int]

    @cached_property
    def table(self) -> Ints:
        """int64[lists, depth]: the grade at each rank, `UNJUDGED` or `NOTHING`."""
        lists = self.lists
        ranks = np.arange(1, int(lists.retrieved.max(initial=0)) + 1)
        table = np.where(ranks <= lists.retrieved[:, None], UNJUDGED, NOTHING)
        table[lists.list, lists.rank - 1] = lists.grade
        return table

    @cached_property
    def open(self) -> Bools:
        """bool[lists, depth]: the places of unjudged documents."""
        open_: Bools = self.table == UNJUDGED
        return open_

    @cached_property
    def number(self) -> Ints:
        """int64[lists, depth]: how many unjudged documents there are up to each rank."""
        return self.open.cumsum(axis=1)

    @cached_property
    def count(self) -> Ints:
        """int64[lists]: the unjudged documents of each list."""
        count: Ints = self.open.sum(axis=1)
        return count

    def within(self, depth: int) -> Ints:
        """Return int64[lists]: the unjudged documents among the first `depth` results."""
        count: Ints = self.open[:, :depth].sum(axis=1)
        return count

    def sums(self, weights: Floats, *, earliest: bool) -> Floats:
        """Return float64[lists, numbers], of weights[lists, depth]: the sum over the earliest 0, 1,
        … unjudged places down to that depth, or over the latest."""
        back = slice(None, None, 1 if earliest else -1)
        open_ = self.open[:, : weights.shape[1]][:, back]
        order = np.argsort(~open_, axis=1, kind="stable")
        weights = np.where(open_, weights[:, back], 0.0)
        summed = np.take_along_axis(weights, order, axis=1).cumsum(axis=1)
        most = int(open_.sum(axis=1).max(initial=0))
        return np.concatenate([np.zeros((len(open_), 1)), summed[:, :most]], axis=1)

    def best(self, latest: Floats, earliest: Floats, depth: int) -> Gradings:
        """Choose of float64[lists, numbers], the values with so many of the latest, or of the
        earliest, places down to a depth relevant: the number that is worth least, all behind that
        depth being relevant, too, and the one that is worth most."""
        within = self.within(depth)[:, None]
        possible = np.arange(latest.shape[1]) <= within
        least = np.where(possible, latest, np.inf).argmin(axis=1)
        most = np.where(possible, earliest, -np.inf).argmax(axis=1)
        return self.last(self.count - within[:, 0] + least), self.first(most)

    def all(self, grade: int) -> Ints:
        """Give each unjudged document the same grade."""
        return np.full(self.table.shape, grade)

    def first(self, numbers: Ints) -> Ints:
        """Give the `numbers` (int64[lists]) earliest the greatest grade, the others the least."""
        return np.where(self.number <= numbers[:, None], self.grades[-1], self.grades[0])

    def last(self, numbers: Ints) -> Ints:
        """Give the `numbers` (int64[lists]) latest the greatest grade, the others the least."""
        behind = self.number > (self.count - numbers)[:, None]
        return np.where(behind, self.grades[-1], self.grades[0])

    def alike(self, rel: int) -> bool:
        """Return whether all grades are relevant, or none is."""
        return self.grades[0] >= rel or self.grades[-1] < rel

    def graded(self, grading: Ints, measure: Measure) -> Floats:
        """Return float64[lists]: the measure, were these grades in the qrels."""
        lists = self.lists
        known, rows = lists.known, np.arange(len(lists))
        sizes = known.judged[lists.query]
        each = np.repeat(known.start[lists.query] - (sizes.cumsum() - sizes), sizes)
        row, place = np.nonzero(self.open)
        graded = JudgedQueries.of_grades(
            np.concatenate([np.repeat(rows, sizes), row]),
            np.concatenate([known.grade[np.arange(len(each)) + each], grading[row, place]]),
            len(lists),
        )
        top = slice(None, measure.depth)
        table = np.where(self.open[:, top], grading[:, top], self.table[:, top])
        return measure.value(JudgedLists.of_table(table, rows, graded))


def _one_way(unjudged: _Unjudged, measure: Measure) -> Gradings:  # noqa: ARG001 - of a strategy
    """Bound measures that each grade moves in one direction, if at all: all the least, and all the
    greatest.

    P, Success, RR, RBP, SetP and the counts: one more relevant document only adds. Utility changes
    by a fixed amount with each, up or down.
    """
    return unjudged.all(unjudged.grades[0]), unjudged.all(unjudged.grades[-1])


def _one_way_up_to_the_greatest(unjudged: _Unjudged, measure: Measure) -> Gradings:
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
            f"name the greatest grade of the scale: ERR(max_rel={greatest})",
        )
    return _one_way(unjudged, measure)


def _one_way_each_side(unjudged: _Unjudged, measure: Measure) -> Gradings:
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


def _precision_at_r(unjudged: _Unjudged, measure: Measure) -> Gradings:
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


def _average_precision(unjudged: _Unjudged, measure: Measure) -> Gradings:
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


def _discounted_gain(unjudged: _Unjudged, measure: Measure) -> Gradings:
    """Bound nDCG@k, by the grade or by 2^grade - 1.

    Let y_0 < y_1 < ... < y_T be the gains that an unjudged document may have, c_t the number of
    those that have at least y_t, and m(v) the number of judged ones that have at least v. With
    every gain taken as a sum of steps, both parts of nDCG are sums over t:

        DCG   = a + sum over t of (y_t - y_(t-1)) * (discounts of the c_t places)
        ideal = b + sum over t, v of dv * (the first min(k, m(v) + c_t) discounts),

    v going through the gains in y_(t-1) < v <= y_t, dv apart. The ideal knows the numbers
    c_1 >= c_2 >= ... >= c_T alone. With these given, DCG is greatest when the earliest c_t places
    have y_t or more, for all t at once as they lie within each other, and least when the latest
    have. Places beyond k change the ideal alone: none of them is among the earliest, and all of
    them are among the latest.

    The numbers with the greatest ratio are found by Dinkelbach's method (Management Science 13,
    1967): those with the greatest DCG - q * ideal, q being a ratio that can be had, have a greater
    ratio, or else q is the greatest. Each round is a chain: what is best for t ... T when c_t is
    at most c comes from what is best for t + 1 ... T. As q grows with each round and there are
    finitely many numbers, it ends, in practice after a few rounds. So for the least ratio.

    Between two neighbouring gains of judged documents m(v) is the same, and so is the best number
    for all grades there; only those next to a judged gain are tried, and the ends of the scale.
    """
    grades = _tried(unjudged.grades, unjudged.lists.known.grade)
    problem = _NdcgByNumbers(unjudged, measure, grades)
    low, high = unjudged.all(grades[0]), unjudged.all(grades[0])
    least, most = problem.best(earliest=False), problem.best(earliest=True)
    behind = unjudged.count[:, None] - unjudged.number
    for row, grade in enumerate(grades[1:]):
        low[behind < least[:, row, None]] = grade
        high[unjudged.number <= most[:, row, None]] = grade
    return low, high


def _tried(scale: Sequence[int], known: Ints) -> list[int]:
    """Return the grades to try of a scale, which may have a thousand million: both ends, and what
    is next to a known grade; ascending."""
    tried = {scale[0], scale[-1]}
    for grade in np.unique(known).tolist():
        for place in (bisect_left(scale, grade), bisect_right(scale, grade) - 1):
            if 0 <= place < len(scale):
                tried.add(scale[place])
    return sorted(tried)


class _NdcgByNumbers:
    """DCG and ideal of each list, by how many unjudged documents have each grade or more."""

    def __init__(self, unjudged: _Unjudged, measure: Measure, grades: Sequence[int]) -> None:
        gain = gain_of(measure)
        lists, known = unjudged.lists, unjudged.lists.known
        depth = min(measure.depth, unjudged.table.shape[1])
        self.unjudged = unjudged
        self.gains = np.array([gain(grade) for grade in grades])
        self.within = unjudged.within(depth)
        self.beyond = unjudged.count - self.within
        self.discount = 1 / np.log2(np.arange(2, depth + 2))
        judged = lists.rank <= depth
        self.fixed = unjudged.open[:, :depth] @ self.discount * self.gains[0] + lists.sum(
            of_each(gain, lists.grade[judged]) * self.discount[lists.rank[judged] - 1], judged
        )
        # How many judged documents of each list's query gain so much or more.
        levels = sorted({*np.unique(known.grade).tolist(), *grades})
        self.levels = [
            (gain(grade), lists.relevant_known(grade)) for grade in levels if gain(grade)
        ]
        documents = int((known.judged[lists.query] + unjudged.count).max(initial=0))
        most = min(measure.depth, documents)
        self.ideals = np.append(0.0, (1 / np.log2(np.arange(2, most + 2))).cumsum())

    def best(self, *, earliest: bool) -> Ints:
        """Return int64[lists, grades - 1]: how many get each grade but the least, or a greater one,
        for the greatest ratio when the earliest places get them, or the least when the latest
        do."""
        sign = 1.0 if earliest else -1.0
        dcg, fixed_ideal, ideal = self._sums(earliest=earliest)
        lists, rows, columns = dcg.shape
        chosen = np.repeat(self.within[:, None], rows, axis=1)
        active = np.arange(lists)
        if not earliest:
            # Nothing gained at all is the least there is.
            chosen[self.fixed == 0] = 0
            active = np.flatnonzero(self.fixed != 0)

        def ratio(numbers: Ints, some: Ints) -> Floats:
            at = numbers[:, :, None]
            gained = np.take_along_axis(dcg[some], at, axis=2)[:, :, 0].sum(axis=1)
            best = np.take_along_axis(ideal[some], at, axis=2)[:, :, 0].sum(axis=1)
            gained, best = gained + self.fixed[some], best + fixed_ideal[some]
            shares: Floats = np.divide(gained, best, out=np.zeros(len(best)), where=best != 0)
            return shares

        reached = ratio(chosen, np.arange(lists))
        column = np.arange(columns)
        while len(active):
            worth = sign * (dcg[active] - reached[active, None, None] * ideal[active])
            end = self.within[active]
            worth[np.broadcast_to(column > end[:, None, None], worth.shape)] = -np.inf
            for row in range(rows - 2, -1, -1):
                worth[:, row] += np.maximum.accumulate(worth[:, row + 1], axis=1)
            numbers = np.empty((len(active), rows), dtype=np.int64)
            for row in range(rows):
                allowed = np.where(column <= end[:, None], worth[:, row], -np.inf)
                end = numbers[:, row] = allowed.argmax(axis=1)
            found = ratio(numbers, active)
            better = sign * (found - reached[active]) > 0
            active, numbers, found = active[better], numbers[better], found[better]
            chosen[active], reached[active] = numbers, found
        return chosen if earliest else chosen + self.beyond[:, None]

    def _sums(self, *, earliest: bool) -> tuple[Floats, Floats, Floats]:
        """Return float64[lists, grades - 1, numbers], [lists], [lists, grades - 1, numbers]: what
        each number of each grade but the least adds to the DCG; the ideal without any; what it adds
        to the ideal."""
        discount = np.broadcast_to(self.discount, (len(self.within), len(self.discount)))
        taken = self.unjudged.sums(discount, earliest=earliest)
        numbers = np.arange(taken.shape[1]) + (0 if earliest else self.beyond[:, None])
        dcg = np.diff(self.gains)[:, None] * taken[:, None, :]
        ideal, fixed = np.zeros_like(dcg), np.zeros(len(taken))
        below = 0.0
        for level, known in self.levels:
            step, below = level - below, level
            row = int(np.searchsorted(self.gains, level))
            if row == 0:
                fixed += step * self._ideal_of(known + self.unjudged.count)
            elif row == len(self.gains):
                fixed += step * self._ideal_of(known)
            else:
                ideal[:, row - 1] += step * self._ideal_of(known[:, None] + numbers)
        return dcg, fixed, ideal

    def _ideal_of(self, documents: Ints) -> Floats:
        sums: Floats = self.ideals[np.minimum(documents, len(self.ideals) - 1)]
        return sums


Strategy: TypeAlias = Callable[[_Unjudged, Measure], Gradings]
"""The gradings with the least and with the greatest value, in either order; asked for only where at
least one document is unjudged."""

STRATEGIES: dict[str, Strategy] = {
    "nDCG": _discounted_gain,
    "AP": _average_precision,
    "GMAP": _average_precision,
    "Rprec": _precision_at_r,
    "ERR": _one_way_up_to_the_greatest,
    **dict.fromkeys(("RR", "P", "Success", "RBP", "SetP", "Utility"), _one_way),
    **dict.fromkeys(("R", "RelP", "SetR", "SetF", "SetAP", "SetRelP"), _one_way_each_side),
    **dict.fromkeys(("NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"), _one_way),
}
