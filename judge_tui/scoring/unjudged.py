"""Lists with what nobody judged in them, and how that may be graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.scoring.judged_lists import NOTHING, UNJUDGED, JudgedLists, JudgedQueries
from judge_tui.scoring.measure import Measure

Gradings: TypeAlias = tuple[Ints, Ints]
"""int64[lists, depth] twice: a grade for each place, of which those of unjudged documents count."""


@dataclass(frozen=True, eq=False)
class Unjudged:
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
        known, rows = lists.queries, np.arange(len(lists))
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
