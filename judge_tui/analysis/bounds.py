"""The least and the greatest mean that judging every document in runs' lists could give.

The two gradings of each list are found as `scoring.bounds` finds them, where it is argued that they
are the least and the greatest, but of many lists at once; the measure says what they are worth.
Measures that have no array form here are bounded list by list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from judge_tui.analysis.standing import Standing
from judge_tui.errors import UsageError
from judge_tui.scoring import Measure, Rules
from judge_tui.scoring.at_once import UNJUDGED, Lists, values_at_once
from judge_tui.scoring.bounds import bounds_of, unbounded
from judge_tui.scoring.measures.usual import gain_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]
    Both: TypeAlias = tuple[Reals, Reals]

__all__ = ["LooseEnds", "bounds_at_once", "loose_ends"]

_CELLS = 1 << 20
"""Cells of the lists that are worked on at once."""


@dataclass(frozen=True, slots=True)
class LooseEnds:
    """What unjudged documents leave open: measure -> tag -> (low, high), low <= mean <= high, None
    for a run that is not scored. `why`: measure -> why it has no bounds. `of_kept`: the measures
    whose bounds would be wider if lists that were cut when they were loaded were there whole."""

    of: Mapping[str, Mapping[str, tuple[float, float] | None]]
    why: Mapping[str, str]
    of_kept: tuple[str, ...]


def loose_ends(standing: Standing, measures: Sequence[Measure], grades: Sequence[int]) -> LooseEnds:
    """Over all gradings, with the `grades` of the scale (ascending), of the unjudged documents in
    what is kept of the lists: the bounds of `score --bounds`, looking at as many results.

    Each query is graded by itself, and an average rises with each of its values.
    """
    tags = standing.rankings.tags
    found: dict[str, dict[str, tuple[float, float] | None]] = {}
    why: dict[str, str] = {}
    used = standing.scored.reshape(-1)
    every = standing.lists
    lists = Lists(every.grades[used], every.query[used], every.known)
    for measure in measures:
        reason = unbounded(measure)
        if reason is not None:
            why[measure.name] = reason
            continue
        low, high = np.full(len(used), np.nan), np.full(len(used), np.nan)
        try:
            low[used], high[used] = bounds_at_once(lists, measure, grades)
        except UsageError as error:
            why[measure.name] = str(error)
            continue
        average = measure.definition.average
        found[measure.name] = {
            tag: (average(lows[mine].tolist()), average(highs[mine].tolist()))
            if mine.any()
            else None
            for tag, lows, highs, mine in zip(
                tags,
                low.reshape(standing.scored.shape),
                high.reshape(standing.scored.shape),
                standing.scored,
                strict=True,
            )
        }
    of_kept = tuple(
        measure.name
        for measure in measures
        if measure.name in found and (measure.cutoff is None or measure.lowered_by_missed)
    )
    return LooseEnds(found, why, of_kept)


def bounds_at_once(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    """float64[lists] twice: the least and the greatest value over all gradings, with `grades`
    (ascending, as few as a scale has), of the unjudged documents in each list.

    The measure is one that has bounds. Raises `UsageError` for what its strategy refuses.
    """
    find = _AT_ONCE.get(measure.definition.name, _one_by_one)
    score = values_at_once(lists, measure)
    low, high = score.copy(), score.copy()
    # What is judged wholly has nothing to choose.
    loose = np.flatnonzero((lists.grades == UNJUDGED).any(axis=1))
    step = max(1, _CELLS // max(lists.grades.shape[1], 1))
    for start in range(0, len(loose), step):
        rows = loose[start : start + step]
        part = Lists(lists.grades[rows], lists.query[rows], lists.known)
        for values in find(part, measure, grades):
            low[rows] = np.minimum(low[rows], values)
            high[rows] = np.maximum(high[rows], values)
    return low, high


def _one_by_one(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    found: dict[tuple[int, bytes], tuple[float, float]] = {}
    ranges = []
    for row, query, seen in zip(lists.grades, lists.query.tolist(), lists.seen(), strict=True):
        # Runs often have the same grades at the same ranks.
        key = (query, row.tobytes())
        if key not in found:
            (between,) = bounds_of(seen, [measure], Rules(), grades)
            found[key] = between or (nan, nan)
        ranges.append(found[key])
    low, high = np.array(ranges, dtype=np.float64).T
    return low, high


def _graded(lists: Lists, measure: Measure, given: NDArray[np.integer]) -> NDArray[np.float64]:
    """float64[lists]: the measure with the `given` grade in each unjudged place."""
    unjudged = lists.grades == UNJUDGED
    greatest = int(given.max(initial=0))
    known = np.zeros((len(unjudged), max(lists.known.shape[1], greatest + 1)), dtype=np.int64)
    known[:, : lists.known.shape[1]] = lists.known[lists.query]
    for grade in range(greatest + 1):
        known[:, grade] += np.count_nonzero(unjudged & (given == grade), axis=1)
    top = slice(None, measure.depth)
    seen = np.where(unjudged[:, top], given[:, top], lists.grades[:, top])
    return values_at_once(Lists(seen, np.arange(len(seen)), known), measure)


def _graded_alike(lists: Lists, measure: Measure, grade: int) -> NDArray[np.float64]:
    """The same with one grade in all unjudged places."""
    return _graded(lists, measure, np.full(lists.grades.shape, grade))


def _one_way(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    """`scoring.bounds` in one way, of measures to which nothing beyond the cutoff matters."""
    lists = Lists(lists.within(measure.depth), lists.query, lists.known)
    return _graded_alike(lists, measure, grades[0]), _graded_alike(lists, measure, grades[-1])


def _one_way_each_side(lists: Lists, measure: Measure, grades: Sequence[int]) -> Both:
    """`bounds.one_way_each_side`."""
    within = np.arange(lists.grades.shape[1]) < measure.depth
    shape = lists.grades.shape
    low = np.broadcast_to(np.where(within, grades[0], grades[-1]), shape)
    high = np.broadcast_to(np.where(within, grades[-1], grades[0]), shape)
    return _graded(lists, measure, low), _graded(lists, measure, high)


def _average_precision(
    lists: Lists, measure: Measure, grades: Sequence[int]
) -> tuple[Reals, Reals]:
    """`bounds.average_precision`: every number of relevant ones is tried, in one pass."""
    rel = measure.rel
    if grades[0] >= rel or grades[-1] < rel:
        # Only one number can be relevant: all or none.
        return _graded_alike(lists, measure, grades[0]), _graded_alike(lists, measure, grades[-1])
    open_ = lists.grades == UNJUDGED
    depth = min(measure.depth, lists.grades.shape[1])
    unjudged, relevant = open_[:, :depth], lists.grades[:, :depth] >= rel
    rank = np.arange(1, depth + 1)
    each = np.where(relevant, 1 / rank, 0.0)
    ahead = relevant.cumsum(axis=1)
    start = (ahead * each).sum(axis=1)
    behind = each.sum(axis=1, keepdims=True) - each.cumsum(axis=1)
    alone = (1 + ahead) / rank + behind
    count, within = open_.sum(axis=1), unjudged.sum(axis=1)
    beyond, known = count - within, lists.relevant_known(rel)

    # How many stand before each place, from the front for the earliest and the back for the latest.
    number = unjudged.cumsum(axis=1)
    earliest = alone + (number - 1) / rank
    share = np.where(unjudged, 1 / rank, 0.0)
    latest = alone + share.sum(axis=1, keepdims=True) - share.cumsum(axis=1)
    most = _best_number(start, np.where(unjudged, earliest, 0.0), unjudged, known, np.argmax)
    back = slice(None, None, -1)
    least = beyond + _best_number(
        start,
        np.where(unjudged, latest, 0.0)[:, back],
        unjudged[:, back],
        known + beyond,
        np.argmin,
    )
    place = open_.cumsum(axis=1)
    low = np.where(place > (count - least)[:, None], grades[-1], grades[0])
    high = np.where(place <= most[:, None], grades[-1], grades[0])
    return _graded(lists, measure, low), _graded(lists, measure, high)


def _best_number(
    start: Reals,
    steps: Reals,
    unjudged: NDArray[np.bool_],
    known: Integers,
    choose: Callable[..., NDArray[np.intp]],
) -> Integers:
    """How many of the places of each list are taken, in their order, for the best quotient."""
    taken = np.concatenate([np.zeros((len(start), 1), dtype=np.int64), unjudged.cumsum(axis=1)], 1)
    sums = np.concatenate([start[:, None], start[:, None] + steps.cumsum(axis=1)], axis=1)
    # A place that is not unjudged repeats the quotient before it, and the first one is chosen.
    at = choose(sums / np.maximum(known[:, None] + taken, 1), axis=1)
    return np.take_along_axis(taken, at[:, None], axis=1)[:, 0]


def _discounted_gain(lists: Lists, measure: Measure, grades: Sequence[int]) -> tuple[Reals, Reals]:
    """As `scoring.bounds` does it, Dinkelbach's method for all lists at a time."""
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
    return _graded(lists, measure, low), _graded(lists, measure, high)


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


_AT_ONCE: dict[str, Callable[[Lists, Measure, Sequence[int]], Both]] = {
    "nDCG": _discounted_gain,
    "RR": _one_way,
    "P": _one_way,
    "Success": _one_way,
    "RBP": _one_way,
    "R": _one_way_each_side,
    "AP": _average_precision,
}
