"""Bounds of nDCG, in which the ideal list changes with the grading."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

from judge_tui.scoring.bounds.unjudged import Grading, Unjudged
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.measures.ndcg import gain_of
from judge_tui.scoring.numbers import Gains

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.float64]

__all__ = ["can_lose", "discounted_gain"]


def discounted_gain(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """nDCG@k where no grade has a gain below 0 (`can_lose`).

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
    gain = gain_of(measure)
    offered = {gain(grade): grade for grade in _grades_to_try(unjudged, measure)}
    gains = sorted(offered)
    judged = Counter(map(gain, unjudged.seen.known.grades))
    grades = [offered[each] for each in gains]
    if len(grades) == 1:
        return unjudged.all(grades[0]), unjudged.all(grades[0])
    beyond = unjudged.count - unjudged.within(measure.depth)
    latest = _best(_sums(unjudged, measure, gains, judged, earliest=False), -1)
    earliest = _best(_sums(unjudged, measure, gains, judged, earliest=True), 1)
    least = _nested(unjudged, grades, [beyond + number for number in latest])
    return least[::-1], _nested(unjudged, grades, earliest)


def can_lose(measure: Measure) -> bool:
    """Whether a grade has a gain below 0, which the ideal list leaves out and the DCG does not."""
    return any(gain < 0 for _, gain in cast(Gains, measure.parameter("gains")).pairs)


def _grades_to_try(unjudged: Unjudged, measure: Measure) -> set[int]:
    # A scale may have two thousand million grades; so it is searched, never gone through.
    scale = unjudged.grades
    own = cast(Gains, measure.parameter("gains"))
    renamed = {grade for grade, _ in own.pairs}

    def nearest(place: int, step: int) -> set[int]:
        while 0 <= place < len(scale) and scale[place] in renamed:
            place += step
        return {scale[place]} if 0 <= place < len(scale) else set()

    tried = {grade for grade in renamed if grade in scale}
    for gain in {*map(own.of, set(unjudged.seen.known.grades)), scale[0], scale[-1]}:
        tried |= nearest(bisect_left(scale, gain), 1) | nearest(bisect_right(scale, gain) - 1, -1)
    return tried


def _nested(unjudged: Unjudged, grades: Sequence[int], numbers: Sequence[int]) -> Grading:
    """The first `numbers[t - 1]` documents get `grades[t]` or more, the others `grades[0]`."""
    grading: Grading = []
    for grade, number in zip(grades[:0:-1], numbers[::-1], strict=True):
        grading += [grade] * (number - len(grading))
    return grading + [grades[0]] * (unjudged.count - len(grading))


@dataclass(frozen=True, slots=True)
class _Sums:
    """DCG and ideal: what is fixed, and what each number (a column) of each t (a row) adds."""

    fixed_dcg: float
    fixed_ideal: float
    dcg: Reals
    ideal: Reals

    def ratio(self, numbers: Sequence[int]) -> float:
        dcg, ideal = self.fixed_dcg, self.fixed_ideal
        for row, number in enumerate(numbers):
            dcg += float(self.dcg[row, number])
            ideal += float(self.ideal[row, number])
        return dcg / ideal if ideal else 0.0


def _sums(
    unjudged: Unjudged,
    measure: Measure,
    gains: Sequence[float],
    judged: Mapping[float, int],
    *,
    earliest: bool,
) -> _Sums:
    import numpy as np  # noqa: PLC0415

    seen, count = unjudged.seen, unjudged.count
    within = unjudged.within(measure.depth)
    total = sum(judged.values()) + count
    discounts, sums = _discounts(max(total, seen.retrieved).bit_length())
    depth = min(measure.depth, total)
    places = unjudged.places[:within]
    fixed_dcg = gains[0] * float(discounts[places - 1].sum())
    gain = gain_of(measure)
    for rank, grade in zip(seen.ranks, seen.grades, strict=True):
        if rank <= measure.depth:
            fixed_dcg += gain(grade) * float(discounts[rank - 1])

    # Numbers count what is taken: 0 ... `within` of the earliest, or as many more than `beyond`.
    order = places if earliest else places[::-1]
    taken = np.concatenate(([0.0], np.cumsum(discounts[order - 1])))
    numbers = np.arange(within + 1) + (0 if earliest else count - within)
    dcg = np.outer(np.diff(gains), taken)
    ideal = np.zeros_like(dcg)
    fixed_ideal = below = 0.0
    for level in sorted({*judged, *gains} - {0.0}):
        step, below = level - below, level
        known = sum(number for gained, number in judged.items() if gained >= level)
        row = bisect_left(gains, level)
        if row == 0:
            fixed_ideal += step * float(sums[min(depth, known + count)])
        elif row == len(gains):
            fixed_ideal += step * float(sums[min(depth, known)])
        else:
            ideal[row - 1] += step * sums[np.minimum(depth, known + numbers)]
    return _Sums(fixed_dcg, fixed_ideal, dcg, ideal)


def _best(sums: _Sums, sign: int) -> list[int]:
    """The numbers with the greatest ratio (`sign` 1) or the least (-1), one for each row."""
    import numpy as np  # noqa: PLC0415

    rows, columns = sums.dcg.shape
    if columns == 1 or (sign < 0 and not sums.fixed_dcg):
        return [0] * rows  # nothing to choose, or the DCG of the fewest is 0, and so is the ratio
    best = [columns - 1] * rows
    ratio = sums.ratio(best)
    while True:
        worth = sign * (sums.dcg - ratio * sums.ideal)
        for row in range(rows - 2, -1, -1):
            worth[row] += np.maximum.accumulate(worth[row + 1])
        numbers: list[int] = []
        end = columns
        for row in range(rows):
            numbers.append(int(worth[row, :end].argmax()))
            end = numbers[-1] + 1
        found = sums.ratio(numbers)
        if sign * (found - ratio) <= 0:
            return best
        best, ratio = numbers, found


@cache
def _discounts(bits: int) -> tuple[Reals, Reals]:
    """Those of the ranks 1 ... 2^bits, and their sums from none of them on."""
    import numpy as np  # noqa: PLC0415

    discounts = 1 / np.log2(np.arange(2, 2**bits + 2))
    return discounts, np.concatenate(([0.0], np.cumsum(discounts)))
