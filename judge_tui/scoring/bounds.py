"""The least and the greatest value over all gradings of the retrieved documents that nobody judged:
how far a score can be trusted while judgments are missing.

A strategy finds the two gradings, and the measure itself says what they are worth. Measures that
are not in `STRATEGIES` are not bounded.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.model import Qrels
from judge_tui.scoring.measure import GRADED, Measure
from judge_tui.scoring.measures.usual import gain_of
from judge_tui.scoring.rules import Rules, refuse_bounds
from judge_tui.scoring.seen import Known, Seen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.float64]
    Ranks: TypeAlias = NDArray[np.int64]

__all__ = [
    "STRATEGIES",
    "Grading",
    "QueryBounds",
    "Range",
    "Unjudged",
    "average_bounds",
    "bounds_of",
    "bounds_of_missing",
    "grades_up_to",
    "unbounded",
    "without_bounds",
]

Range: TypeAlias = tuple[float, float]
"""The least and the greatest value, low <= score <= high."""

QueryBounds: TypeAlias = tuple[Range | None, ...]
"""Those of one query, one a measure; None for a measure that is not bounded."""

Grading: TypeAlias = list[int]
"""One grade for each unjudged document, in the order of their ranks."""


def bounds_of(
    seen: Seen, measures: Sequence[Measure], rules: Rules, grades: Sequence[int]
) -> QueryBounds:
    """The bounds of one query by each measure, over all gradings of what nobody judged: what goes
    beside `values_of`.

    Unjudged are the retrieved documents that are not in the qrels or have a negative grade there.
    Each may get any of `grades` (ascending: `grades_up_to`, or a campaign's scale), independently,
    or all stay as they are, which is a grading with 0 to most measures. What is not retrieved stays
    as it is. Both bounds are values of the measure for a grading that exists, not estimates. Raises
    `UsageError` under `judged_only`, where unjudged documents do not count.
    """
    refuse_bounds(rules)
    if rules.depth is not None:
        seen = seen.first(rules.depth)
    unjudged = Unjudged(seen, grades)
    return tuple([_bounds(unjudged, measure) for measure in measures])


def bounds_of_missing(known: Known, measures: Sequence[Measure]) -> QueryBounds:
    """The bounds of a query that the run does not answer: it retrieved nothing to be judged."""
    return tuple(
        (measure.missing(known), measure.missing(known)) if unbounded(measure) is None else None
        for measure in measures
    )


def grades_up_to(greatest: int | None, qrels: Qrels) -> range:
    """The grades of bare files: 0 to `greatest`, or to the greatest in the qrels, at least 1."""
    if greatest is None:
        greatest = max((grade for grades in qrels.values() for grade in grades.values()), default=1)
    return range(max(greatest, 1) + 1)


def average_bounds(
    measures: Sequence[Measure], queries: Sequence[QueryBounds]
) -> Mapping[str, Range]:
    """The bounds of a run from those of its queries (at least one), by full name of the measure.

    Queries are graded apart from each other, and an average of any kind rises with each of its
    values, so that the least average is that of the least values. Measures without bounds are left
    out.
    """
    averaged: dict[str, Range] = {}
    for measure, column in zip(measures, zip(*queries, strict=True), strict=True):
        ranges = [each for each in column if each is not None]
        if len(ranges) == len(column):
            average = measure.definition.average
            averaged[str(measure)] = (
                average([low for low, _ in ranges]),
                average([high for _, high in ranges]),
            )
    return averaged


def unbounded(measure: Measure) -> str | None:
    """Why a measure has no bounds; None where it has."""
    if measure.definition.name not in STRATEGIES:
        return "not bounded"
    if measure.judged_only:
        return "not bounded over judged documents alone"
    if measure.cutoff is not None and measure.definition.name.startswith("Set"):
        return "not bounded with a cutoff"
    gains = measure.definition.name == "nDCG" and measure.parameter("gains") is not GRADED
    return "not bounded with gains of its own" if gains else None


def without_bounds(measures: Iterable[Measure]) -> dict[str, str]:
    """Why a measure has no bounds, by its full name, for those of the measures that have none."""
    reasons = {str(measure): unbounded(measure) for measure in measures}
    return {name: why for name, why in reasons.items() if why is not None}


def _bounds(unjudged: Unjudged, measure: Measure) -> Range | None:
    if unbounded(measure) is not None:
        return None
    # The score is one of these: what it is worth to leave all unjudged.
    score = measure.value(unjudged.seen)
    if not unjudged.count:
        return score, score
    find = STRATEGIES[measure.definition.name]
    graded = [unjudged.graded(grading, measure.depth) for grading in find(unjudged, measure)]
    values = [score, *map(measure.value, graded)]
    return min(values), max(values)


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


def _one_way(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:  # noqa: ARG001
    """All least and all greatest: measures that each grade moves in one direction, if at all.

    P, Success, RR, RBP, SetP and the counts: one more relevant document only adds. SetR = r/R: one
    that was retrieved adds 1 to both, and r <= R; so it does to SetRelP = r/min(n, R), to SetAP,
    and to SetF, which is (beta + 1) r / (beta R + n). Utility changes by a fixed amount with each,
    up or down: which grading is the least shows when both have been scored.
    """
    return unjudged.all(unjudged.least), unjudged.all(unjudged.greatest)


def _one_way_up_to_the_greatest(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """ERR (Chapelle et al., CIKM 2009), which rises with each grade.

    Let the document at rank r satisfy with probability q, and those behind it add s to a reader
    whom it did not satisfy. Given that this reader came to rank r, they add q/r + (1 - q)s. What
    is found behind is found once, at rank r + 1 or later; so s <= 1/(r + 1) < 1/r, and the sum
    rises with q. Raises `UsageError` where a grade is above `max_rel`.
    """
    if unjudged.greatest > measure.number("max_rel"):
        raise UsageError(
            f"an unjudged document may have grade {unjudged.greatest}, above the greatest that "
            f"{measure} knows, {measure.parameter('max_rel')}",
            f"name the greatest grade of the scale: ERR(max_rel={unjudged.greatest})",
        )
    return _one_way(unjudged, measure)


def _one_way_each_side(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """Measures that rise with grades within the cutoff and fall with grades beyond it.

    R@k = r/R: one more relevant document within the cutoff adds 1 to both, and r <= R; one beyond
    it adds to R alone. So with RelP = r/min(k, R).
    """
    within = unjudged.within(measure.depth)
    beyond = unjudged.count - within
    least, greatest = unjudged.least, unjudged.greatest
    return [least] * within + [greatest] * beyond, [greatest] * within + [least] * beyond


def _precision_at_r(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """Rprec: when c unjudged documents become relevant, R is known, and so is the rank looked at.

    As many of them as can be stand above it when they have the earliest unjudged places, as few
    as can be when they have the latest. Each c is tried.
    """
    import numpy as np  # noqa: PLC0415

    seen, rel = unjudged.seen, measure.rel
    numbers = np.array(unjudged.numbers_relevant(rel))
    ranks = seen.known.relevant(rel) + numbers
    above = np.searchsorted(unjudged.places, ranks, side="right")
    judged = np.searchsorted(seen.relevant_ranks(rel), ranks, side="right")
    divisor = np.maximum(ranks, 1)  # at rank 0 nothing is found
    latest = (np.maximum(above - (unjudged.count - numbers), 0) + judged) / divisor
    earliest = (np.minimum(above, numbers) + judged) / divisor
    return (
        unjudged.last(int(numbers[np.argmin(latest)])),
        unjudged.first(int(numbers[np.argmax(earliest)])),
    )


def _average_precision(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """AP: the sum of i/r over the relevant documents i = 1, 2, ..., at ranks r, divided by R.

    Only how many of the unjudged become relevant has to be tried. For any such number, moving one
    of them to an earlier unjudged place makes no r greater, and no i/r smaller; so the earliest
    places give the greatest value and the latest the least, with R the same. The sums for all
    numbers come in one pass: a document that becomes relevant adds its own i/r and 1/r for each
    relevant document behind it.
    """
    import numpy as np  # noqa: PLC0415

    numbers = unjudged.numbers_relevant(measure.rel)
    if len(numbers) == 1:
        return unjudged.all(unjudged.least), unjudged.all(unjudged.greatest)
    seen = unjudged.seen
    ranks = seen.relevant_ranks(measure.rel)
    judged = np.asarray(ranks[: bisect_right(ranks, measure.depth)], dtype=np.int64)
    places = unjudged.places[: unjudged.within(measure.depth)]
    each = 1 / places
    before = np.searchsorted(judged, places)
    behind = np.append(np.cumsum((1 / judged)[::-1])[::-1], 0.0)[before]
    start = float((np.arange(1, len(judged) + 1) / judged).sum())
    alone = each + before * each + behind

    # A place adds to the sum what it adds alone, and a share for each chosen one that is before it
    # (when the earliest are chosen one by one) or behind it (when the latest are).
    earliest = alone + np.arange(len(places)) * each
    latest = (alone + np.cumsum(each[::-1])[::-1] - each)[::-1]
    beyond = unjudged.count - len(places)
    known = seen.known.relevant(measure.rel)

    # Beyond the cutoff a relevant document adds to R alone: for the greatest value none of these
    # is chosen, for the least all of them are.
    low = int(np.argmin(_averages(start, latest, known + beyond)))
    high = int(np.argmax(_averages(start, earliest, known)))
    return unjudged.last(beyond + low), unjudged.first(high)


def _averages(start: float, steps: Reals, relevant: int) -> Reals:
    import numpy as np  # noqa: PLC0415

    sums: Reals = np.cumsum(np.concatenate(([start], steps)))
    return sums / np.maximum(np.arange(relevant, relevant + len(sums)), 1)


def _discounted_gain(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """nDCG@k, by the grade or by 2^grade - 1.

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
    offered = {gain(grade): grade for grade in _grades_to_try(unjudged)}
    gains = sorted(offered)
    judged = Counter(map(gain, unjudged.seen.known.grades))
    grades = [offered[each] for each in gains]
    if len(grades) == 1:
        return unjudged.all(grades[0]), unjudged.all(grades[0])
    beyond = unjudged.count - unjudged.within(measure.depth)
    latest = _best_numbers(_sums(unjudged, measure, gains, judged, earliest=False), -1)
    earliest = _best_numbers(_sums(unjudged, measure, gains, judged, earliest=True), 1)
    least = _nested(unjudged, grades, [beyond + number for number in latest])
    return least[::-1], _nested(unjudged, grades, earliest)


def _grades_to_try(unjudged: Unjudged) -> set[int]:
    # A scale may have two thousand million grades; so it is searched, never gone through.
    scale = unjudged.grades
    tried = {scale[0], scale[-1]}
    for grade in set(unjudged.seen.known.grades):
        for place in (bisect_left(scale, grade), bisect_right(scale, grade) - 1):
            if 0 <= place < len(scale):
                tried.add(scale[place])
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


def _best_numbers(sums: _Sums, sign: int) -> list[int]:
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


Strategy: TypeAlias = Callable[[Unjudged, Measure], tuple[Grading, Grading]]
"""The gradings with the least and with the greatest value, in either order; asked for only where at
least one document is unjudged."""

STRATEGIES: dict[str, Strategy] = {
    "nDCG": _discounted_gain,
    "R": _one_way_each_side,
    "RelP": _one_way_each_side,
    "AP": _average_precision,
    "GMAP": _average_precision,
    "Rprec": _precision_at_r,
    "ERR": _one_way_up_to_the_greatest,
    **dict.fromkeys(("RR", "P", "Success", "RBP", "Utility"), _one_way),
    **dict.fromkeys(("SetP", "SetR", "SetF", "SetAP", "SetRelP"), _one_way),
    **dict.fromkeys(("NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"), _one_way),
}
