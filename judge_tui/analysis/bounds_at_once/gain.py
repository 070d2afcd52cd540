"""Bounds of nDCG, in which the ideal list changes with the grading, of many lists at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from judge_tui.analysis.bounds_at_once.graded import graded
from judge_tui.scoring import Measure
from judge_tui.scoring.at_once import UNJUDGED, Lists
from judge_tui.scoring.measures.ndcg import gain_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]

__all__ = ["discounted_gain"]


def discounted_gain(lists: Lists, measure: Measure, grades: Sequence[int]) -> tuple[Reals, Reals]:
    """`bounds.discounted_gain`, Dinkelbach's method for all lists at a time."""
    problem = _Gains(lists, measure, grades)
    least, most = problem.best(earliest=False), problem.best(earliest=True)
    open_ = lists.grades == UNJUDGED
    place = open_.cumsum(axis=1)
    count = open_.sum(axis=1, keepdims=True)
    low = np.full(lists.grades.shape, grades[0])
    high = low.copy()
    for row, grade in enumerate(grades[1:]):
        low = np.where(place > count - least[:, row, None], grade, low)
        high = np.where(place <= most[:, row, None], grade, high)
    return graded(lists, measure, low), graded(lists, measure, high)


class _Gains:
    """DCG and ideal of each list, by how many unjudged documents have each grade or more."""

    def __init__(self, lists: Lists, measure: Measure, grades: Sequence[int]) -> None:
        gain = gain_of(measure)
        self.gains = np.array([gain(grade) for grade in grades])
        depth = min(measure.depth, lists.grades.shape[1])
        top = lists.grades[:, :depth]
        self.discount = 1 / np.log2(np.arange(2, depth + 2))
        self.unjudged = top == UNJUDGED
        self.within = self.unjudged.sum(axis=1)
        self.count = (lists.grades == UNJUDGED).sum(axis=1)
        of_grade = np.array([gain(grade) for grade in range(lists.known.shape[1])])
        judged = np.where(top >= 0, np.append(of_grade, [0.0, 0.0])[top], 0.0)
        self.fixed = (judged + self.unjudged * self.gains[0]) @ self.discount
        # reached[level]: judged documents of each list's query that gain so much or more.
        levels = sorted({*of_grade.tolist(), *self.gains.tolist()} - {0.0})
        self.levels = [
            (level, lists.known[:, of_grade >= level].sum(axis=1)[lists.query]) for level in levels
        ]
        most = int(lists.known.sum(axis=1).max(initial=0)) + int(self.count.max(initial=0))
        self.most = min(measure.depth, most)
        ideal = 1 / np.log2(np.arange(2, self.most + 2))
        self.ideal_sums = np.append(0.0, ideal.cumsum())

    def best(self, *, earliest: bool) -> Integers:
        """int64[lists, grades - 1]: how many get each grade but the least, or a greater one."""
        sign = 1.0 if earliest else -1.0
        dcg, fixed_ideal, ideal = self._sums(earliest=earliest)
        lists, rows, columns = dcg.shape
        offset = np.zeros(lists, dtype=np.int64) if earliest else self.count - self.within
        chosen = np.repeat(self.within[:, None], rows, axis=1)
        if sign < 0:
            # Nothing gained at all is the least there is.
            chosen[self.fixed == 0] = 0
        ratio = self._ratio(dcg, fixed_ideal, ideal, chosen)
        column = np.arange(columns)
        active = np.arange(lists) if sign > 0 else np.flatnonzero(self.fixed != 0)
        while len(active):
            worth = sign * (dcg[active] - ratio[active, None, None] * ideal[active])
            worth[np.broadcast_to(column > self.within[active, None, None], worth.shape)] = -np.inf
            for row in range(rows - 2, -1, -1):
                worth[:, row] += np.maximum.accumulate(worth[:, row + 1], axis=1)
            numbers = np.empty((len(active), rows), dtype=np.int64)
            end = self.within[active]
            for row in range(rows):
                open_ = np.where(column <= end[:, None], worth[:, row], -np.inf)
                end = numbers[:, row] = open_.argmax(axis=1)
            found = self._ratio(dcg, fixed_ideal, ideal, numbers, active)
            better = sign * (found - ratio[active]) > 0
            active, numbers, found = active[better], numbers[better], found[better]
            chosen[active], ratio[active] = numbers, found
        most: Integers = chosen + offset[:, None]
        return most

    def _sums(self, *, earliest: bool) -> tuple[Reals, Reals, Reals]:
        """What each number (a column) of each grade but the least (a row) adds to DCG and ideal."""
        lists = len(self.unjudged)
        open_ = self.unjudged if earliest else self.unjudged[:, ::-1]
        discount = self.discount if earliest else self.discount[::-1]
        order = np.argsort(~open_, axis=1, kind="stable")
        taken = np.take_along_axis(np.where(open_, discount, 0.0), order, axis=1).cumsum(axis=1)
        width = int(self.within.max(initial=0)) + 1
        taken = np.concatenate([np.zeros((lists, 1)), taken[:, : width - 1]], axis=1)
        numbers = np.arange(width) + (0 if earliest else (self.count - self.within)[:, None])
        numbers = np.broadcast_to(numbers, (lists, width))
        dcg = np.diff(self.gains)[None, :, None] * taken[:, None, :]
        ideal = np.zeros_like(dcg)
        fixed = np.zeros(lists)
        below = 0.0
        for level, known in self.levels:
            step, below = level - below, level
            row = int(np.searchsorted(self.gains, level))
            if row == 0:
                fixed += step * self._ideal_of(known + self.count)
            elif row == len(self.gains):
                fixed += step * self._ideal_of(known)
            else:
                ideal[:, row - 1] += step * self._ideal_of(known[:, None] + numbers)
        return dcg, fixed, ideal

    def _ideal_of(self, documents: Integers) -> Reals:
        sums: Reals = self.ideal_sums[np.minimum(documents, self.most)]
        return sums

    def _ratio(
        self,
        dcg: Reals,
        fixed_ideal: Reals,
        ideal: Reals,
        numbers: Integers,
        lists: Integers | slice = slice(None),
    ) -> Reals:
        at = numbers[:, :, None]
        gained = self.fixed[lists] + np.take_along_axis(dcg[lists], at, axis=2)[:, :, 0].sum(axis=1)
        best = fixed_ideal[lists] + np.take_along_axis(ideal[lists], at, axis=2)[:, :, 0].sum(
            axis=1
        )
        ratio: Reals = np.divide(gained, best, out=np.zeros(len(best)), where=best != 0)
        return ratio
