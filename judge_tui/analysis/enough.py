"""Whether enough is judged to tell two runs apart: what the unjudged can still change, and what a
random sample of it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import ceil, log10, sqrt
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from judge_tui.analysis.judged_runs import lists_of_ranks
from judge_tui.analysis.unbiased import (
    JudgedUnion,
    UnbiasedDifference,
    UnbiasedDifferences,
    best_sums,
    discounts,
)
from judge_tui.arrays import Floats, Ints
from judge_tui.comparison.confidence_sequence import half_width
from judge_tui.comparison.power import critical_t
from judge_tui.comparison.settings import FEWEST_QUERIES
from judge_tui.counts import counted
from judge_tui.scoring import NOTHING, JudgedLists, JudgedQueries, Measure
from judge_tui.scoring.bounds import bounds_of
from judge_tui.scoring.judged_lists import of_each
from judge_tui.scoring.linear import LinearMeasure, linear
from judge_tui.scoring.measure import STEP

ALPHA = 0.05

Ends: TypeAlias = tuple[float, float]


class Answer(StrEnum):
    """What can be said of two runs, the surest first."""

    SETTLED = "settled"
    LIKELY = "likely settled"
    OPEN = "open"
    TOO_FEW = "too few queries"


@dataclass(frozen=True, slots=True)
class Enough:
    """Whether enough is judged to tell a run (its tag) from the baseline by a measure.

    `bounds`: the least and the greatest mean difference that grades for the unjudged can make,
    where they can be told. `unbiased`: what the random stratum says, and `interval` the same as a
    confidence sequence, its error shared with the other pairs that are asked about. `more`: about
    how many judgments of random pairs are lacking; where an open pair has none, `why`.
    """

    baseline: str
    tag: str
    measure: str
    answer: Answer
    bounds: Ends | None = None
    unbiased: UnbiasedDifference | None = None
    interval: Ends | None = None
    more: int | None = None
    why: str = ""

    @property
    def delta(self) -> float | None:
        """The unbiased difference, if there is one."""
        return None if self.unbiased is None else self.unbiased.delta

    def __str__(self) -> str:
        if self.more is not None:
            return f"{self.answer}: about {self.more:,} more"
        return f"{self.answer}: {self.why}" if self.why else str(self.answer)


def is_enough(
    union: JudgedUnion,
    measure: Measure,
    scale: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    alpha: float = ALPHA,
) -> tuple[Enough, ...]:
    """Answer for each pair of runs (the places of the baseline and of the run).

    The lists of the union are as deep as the measure looks. `scale`: the grades that a document may
    get, ascending. The answers, all together, are wrong in `alpha` of campaigns at most, however
    often they are asked for: where they rest on a sample, each has its part of that (Bonferroni).
    """
    bounds = _Bounds(union, measure, scale)
    sampled = _sampled(union, measure)
    each = alpha / max(1, len(pairs))
    return tuple(
        _answer(union, str(measure), bounds.between(*pair), sampled, *pair, each) for pair in pairs
    )


def _sampled(union: JudgedUnion, measure: Measure) -> UnbiasedDifferences | str:
    """What there is to estimate a difference by the measure, or why there is nothing."""
    if not union.depth:
        return union.unsampled
    its = linear(measure, min(measure.depth, union.depth))
    if its is None:
        return f"{measure} is no sum over ranks, which a sample could tell"
    if measure.depth > union.depth:
        return (
            f"{measure} looks deeper than the top {union.depth}, of which random pairs were drawn"
        )
    return UnbiasedDifferences(union, its)


def _answer(
    union: JudgedUnion,
    measure: str,
    bounds: Ends | None,
    sampled: UnbiasedDifferences | str,
    before: int,
    after: int,
    alpha: float,
) -> Enough:
    tags = union.tags[before], union.tags[after]
    found = sampled if isinstance(sampled, str) else sampled.between(before, after)
    unbiased = None if isinstance(found, str) else found
    interval = None if unbiased is None else sequence_interval(unbiased, alpha)
    settled = bounds is not None and _excludes(bounds)
    queries = int((union.counted[before] & union.counted[after]).sum())
    answer, more, why = Answer.OPEN, None, ""
    if settled:
        answer = Answer.SETTLED
    elif queries < FEWEST_QUERIES:
        answer = Answer.TOO_FEW
        why = f"{counted(queries, 'query', 'queries')} in common"
    elif unbiased is None or interval is None:
        why = str(found)
    elif interval[0] > 0 or interval[1] < 0:
        answer = Answer.LIKELY
    elif (lacking := judgments_lacking(unbiased, alpha)) is None:
        answer = Answer.TOO_FEW
    else:
        more = lacking
    return Enough(*tags, measure, answer, bounds, unbiased, interval, more, why)


def _excludes(bounds: Ends) -> bool:
    """Whether nothing unjudged can change the order, ties among them."""
    low, high = bounds
    return low > STEP or high < -STEP or max(-low, high) <= STEP


# What a sample shows


def sequence_interval(found: UnbiasedDifference, alpha: float = ALPHA) -> Ends:
    """Return the interval of a difference that holds at all looks at once (`half_width`), tightest
    where all is judged. It is wider than one look's t interval: few queries make it wider as
    Student's t does."""
    half = _half(found, found.variance, alpha)
    return found.delta - half, found.delta + half


def judgments_lacking(found: UnbiasedDifference, alpha: float = ALPHA) -> int | None:
    """Return about how many more random pairs are to be judged, as many of each query as now, until
    the interval leaves out 0, were the difference the one that is seen; to two digits. None where
    all of them would not do: the queries are too few."""
    waiting, judged, each = found.sampled.T

    def shows(times: float) -> bool:
        then = np.minimum(waiting, times * judged)
        by_sampling = float((each * (waiting / then - 1)).sum()) if len(then) else 0.0
        variance = found.full_variance + by_sampling
        return _half(found, min(variance, found.variance), alpha) < abs(found.delta)

    if _half(found, found.full_variance, alpha) >= abs(found.delta):
        return None
    low, high = 1.0, float((waiting / judged).max(initial=1.0))
    for _ in range(40):
        middle = sqrt(low * high)
        low, high = (low, middle) if shows(middle) else (middle, high)
    number = float((np.minimum(waiting, high * judged) - judged).sum())
    digits = int(10 ** max(0, int(log10(max(number, 1))) - 1))
    return max(1, ceil(number / digits) * digits)


def _half(found: UnbiasedDifference, variance: float, alpha: float) -> float:
    if not variance:
        return 0.0
    wider = critical_t(alpha / 2, found.queries - 1) / NormalDist().inv_cdf(1 - alpha / 2)
    planned = found.full_variance * wider**2
    return float(half_width(1 / (variance * wider**2), 1 / planned, alpha))


# What the unjudged can still change


class _Bounds:
    """The least and the greatest mean difference of runs of a union, over all gradings of what is
    not judged: of what the lists hold, and of what the pool holds beside them."""

    def __init__(self, union: JudgedUnion, measure: Measure, scale: Sequence[int]) -> None:
        self._union, self._measure, self._scale = union, measure, scale
        documents = np.bincount(self._query_of_all, minlength=1).max()
        its = linear(measure, min(measure.depth, int(documents)))
        if its is not None and min(map(its.gain, scale)) < 0:
            its = None
        self._linear: LinearMeasure | None = its

    def between(self, before: int, after: int) -> Ends | None:
        """Return them for two runs, None where nobody can tell: over the queries that both have,
        judged or not. Each query is graded by itself."""
        both = self._union.counted[before] & self._union.counted[after]
        if not both.any():
            return None
        if self._linear is not None:
            ends = self._of_sums(self._linear, before, after)
        elif self._measure.definition.name in _BY_OWN_LIST and not self._measure.judged_only:
            ends = self._of_own_lists(before, after)
        elif self._measure.definition.name in _WITHIN_ONE:
            ends = self._of_complete(before, after)
        else:
            return None
        low, high = (float(one[both].mean()) for one in ends)
        return low, high

    @cached_property
    def _query_of_all(self) -> Ints:
        return np.concatenate([self._union.pairs.query, self._union.other_query])

    @cached_property
    def _grade_of_all(self) -> Ints:
        return np.concatenate([self._union.grades, self._union.other_grade])

    def _of_sums(self, its: LinearMeasure, before: int, after: int) -> tuple[Floats, Floats]:
        """Give each unjudged document the grade that is worst for the sign of its weight; one that
        has the same weight in both runs adds nothing. nDCG: over the smallest ideal that there can
        be, where that makes it worse, else over the greatest."""
        union, pairs = self._union, self._union.pairs
        weight = discounts(pairs, after, its.discount) - discounts(pairs, before, its.discount)
        least, greatest = self._gains(its)
        ends = weight * least[: len(pairs)], weight * greatest[: len(pairs)]
        low = union.sums(pairs.query, np.minimum(*ends))
        high = union.sums(pairs.query, np.maximum(*ends))
        if not its.normalised:
            return low, high
        small, large = (self._ideal(its, gain) for gain in (least, greatest))
        return (
            np.maximum(-1, _over(low, np.where(low < 0, small, large))),
            np.minimum(1, _over(high, np.where(high > 0, small, large))),
        )

    def _gains(self, its: LinearMeasure) -> tuple[Floats, Floats]:
        """float64[pairs and others] twice: the least and the greatest that each may gain."""
        grades = self._grade_of_all
        gains = [*map(its.gain, self._scale)]
        known = of_each(its.gain, np.maximum(grades, 0))
        return (
            np.where(grades < 0, min(gains), known),
            np.where(grades < 0, max(gains), known),
        )

    def _ideal(self, its: LinearMeasure, gain: Floats) -> Floats:
        return best_sums(self._query_of_all, gain, its.discount, self._union.queries)

    def _of_own_lists(self, before: int, after: int) -> tuple[Floats, Floats]:
        """Bound both runs by themselves: what both have may be good for one and bad for the other
        here, which no grading is; so the bounds are wider than need be, and sound."""
        ends = [bounds_of(self._lists(run), self._measure, self._scale) for run in (before, after)]
        (low_before, high_before), (low_after, high_after) = (one for one in ends if one)
        return low_after - high_before, high_after - low_before

    def _of_complete(self, before: int, after: int) -> tuple[Floats, Floats]:
        """Take the values where nothing of a query is unjudged. Elsewhere, R and AP are no greater
        than where nothing is relevant but in the own list, and no less than where all the unjudged
        are, and in vain; others may be anything between 0 and 1."""
        open_ = self._union.sums(self._query_of_all, (self._grade_of_all < 0).astype(np.float64))
        low, high = np.zeros((2, 2, self._union.queries))
        for place, run in enumerate((before, after)):
            lists = self._lists(run)
            value = self._measure.value(lists)
            low[place], high[place] = np.where(open_ > 0, [[0.0], [1.0]], value)
            if self._measure.definition.name in ("AP", "R"):
                relevant = self._known.at_least(self._measure.rel)
                low[place] = value * relevant / np.maximum(relevant + open_, 1)
                ends = bounds_of(lists, self._measure, self._scale)
                high[place] = high[place] if ends is None else ends[1]
        return low[1] - high[0], high[1] - low[0]

    def _lists(self, run: int) -> JudgedLists:
        at = self._union.pairs.at[run]
        table = np.where(at < 0, NOTHING, self._union.grades[at])
        return lists_of_ranks(table[None], self._known)

    @cached_property
    def _known(self) -> JudgedQueries:
        return JudgedQueries.of_grades(self._query_of_all, self._grade_of_all, self._union.queries)


_BY_OWN_LIST = ("RR", "Success", "ERR")
"""What these are worth depends on the list alone, whatever else is relevant."""

_WITHIN_ONE = ("AP", "R", "Rprec", "RelP", "SetR", "SetF", "SetAP", "SetRelP")
"""What these are worth lies between 0 and 1, and depends on all that is relevant."""


def _over(sums: Floats, ideal: Floats) -> Floats:
    """What is gained of the ideal; of none, as far as can be."""
    return np.divide(sums, ideal, out=np.sign(sums), where=ideal > 0)
