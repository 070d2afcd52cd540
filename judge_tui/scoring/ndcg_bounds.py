"""The least and the greatest nDCG: the one bound that takes a search."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from judge_tui.arrays import Floats, Ints, sorted_unique
from judge_tui.scoring.judged_lists import of_each
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.ranked_measures import gain_of
from judge_tui.scoring.unjudged import Gradings, Unjudged


def gradings_of_ndcg(unjudged: Unjudged, measure: Measure) -> Gradings:
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
    grades = grades_to_try(unjudged.grades, unjudged.lists.queries.grade)
    problem = _NdcgByNumbers(unjudged, measure, grades)
    low, high = unjudged.all(grades[0]), unjudged.all(grades[0])
    least, most = problem.best(earliest=False), problem.best(earliest=True)
    behind = unjudged.count[:, None] - unjudged.number
    for row, grade in enumerate(grades[1:]):
        low[behind < least[:, row, None]] = grade
        high[unjudged.number <= most[:, row, None]] = grade
    return low, high


def grades_to_try(scale: Sequence[int], known: Ints) -> list[int]:
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

    def __init__(self, unjudged: Unjudged, measure: Measure, grades: Sequence[int]) -> None:
        gain = gain_of(measure)
        lists, known = unjudged.lists, unjudged.lists.queries
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
        levels = sorted({*sorted_unique(known.grade).tolist(), *grades})
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
