"""Whether enough is judged to tell two runs apart: what the unjudged can still change, and what a
random sample of it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import log10, sqrt
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from judge_tui.analysis.judged_runs import lists_of_ranks
from judge_tui.analysis.unbiased import (
    JudgedUnion,
    UnbiasedDifferences,
    differences_of,
)
from judge_tui.arrays import Floats, Ints, best_sums
from judge_tui.comparison.comparison import UnbiasedDifference
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
    how many judgments of random pairs are lacking, of those that are `left`; where an open pair has
    none, `why`.
    """

    baseline: str
    tag: str
    measure: str
    answer: Answer
    bounds: Ends | None = None
    unbiased: UnbiasedDifference | None = None
    interval: Ends | None = None
    more: int | None = None
    left: int = 0
    why: str = ""

    @property
    def delta(self) -> float | None:
        """The unbiased difference, if there is one."""
        return None if self.unbiased is None else self.unbiased.delta

    @property
    def queries(self) -> int | None:
        """Over how many queries the difference is, if there is one."""
        return None if self.unbiased is None else self.unbiased.queries

    @property
    def told(self) -> bool:
        """Whether one of the two is better."""
        if self.answer is Answer.SETTLED and self.bounds is not None:
            return max(map(abs, self.bounds)) > STEP
        return self.answer is Answer.LIKELY

    @property
    def lacking(self) -> str:
        """What is to be judged, where that is known."""
        if self.more is None:
            return self.why
        if self.more == self.left:
            return f"judge all {self.left:,} that are left"
        return f"about {counted(self.more, 'random pair')} more"

    @property
    def short(self) -> str:
        """The answer without its reason."""
        return str(self.answer) if self.more is None else f"{self.answer}: {self.lacking}"

    def __str__(self) -> str:
        return f"{self.answer}: {self.lacking}" if self.lacking else str(self.answer)


def is_enough(
    union: JudgedUnion,
    measure: Measure,
    scale: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    alpha: float = ALPHA,
    known: JudgedUnion | None = None,
) -> tuple[Enough, ...]:
    """Answer for each pair of runs (the places of the baseline and of the run).

    The lists of the union are as deep as the measure looks. `scale`: the grades that a document may
    get, ascending. `known`: the same union with later grades, for bounds alone. The answers, all
    together, are wrong in `alpha` of campaigns at most, however often they are asked for: where
    they rest on a sample, each has its part of that (Bonferroni).
    """
    bounds = _Bounds(known or union, measure, scale)
    sampled = differences_of(union, measure)
    each = alpha / max(1, len(pairs))
    return tuple(
        _answer(union, str(measure), bounds.between(*pair), sampled, *pair, each) for pair in pairs
    )


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
    if interval and bounds:  # then values are shares, and differ by 1 at most
        interval = max(-1.0, interval[0]), min(1.0, interval[1])
    settled = bounds is not None and _excludes(bounds)
    queries = int((union.counted[before] & union.counted[after]).sum())
    left = int((union.not_chosen & ~union.sample).sum())
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
    elif too_few_queries(unbiased, alpha):
        answer = Answer.TOO_FEW
    else:
        lacking = judgments_lacking(unbiased, alpha)
        more = left if lacking is None else min(lacking, left)
    return Enough(*tags, measure, answer, bounds, unbiased, interval, more, left, why)


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


def too_few_queries(found: UnbiasedDifference, alpha: float = ALPHA) -> bool:
    """Whether even with all judged a t interval would hold 0, and that of a difference greater by
    two errors of the sampling, too. As long as more than half of the variance is that of the
    sampling, nobody can tell."""
    by_sampling = max(0.0, found.variance - found.full_variance)
    at_most = abs(found.delta) + 2 * sqrt(by_sampling)
    at_best = critical_t(alpha / 2, found.queries - 1) * sqrt(found.full_variance)
    return by_sampling <= found.full_variance and at_best >= at_most


def judgments_lacking(found: UnbiasedDifference, alpha: float = ALPHA) -> int | None:
    """Return about how many more random pairs are to be judged, as many of each query as now, until
    the interval leaves out 0, were the difference the one that is seen; to one digit. None where it
    would not with all that wait."""
    waiting, judged, each = found.sampled.T

    def shows(times: float) -> bool:
        then = np.minimum(waiting, times * judged)
        variance = found.full_variance + float((each * (waiting / then - 1)).sum())
        return _half(found, min(variance, found.variance), alpha) < abs(found.delta)

    if _half(found, found.full_variance, alpha) >= abs(found.delta):
        return None
    low, high = 1.0, float((waiting / judged).max(initial=1.0))
    for _ in range(40):
        middle = sqrt(low * high)
        low, high = (low, middle) if shows(middle) else (middle, high)
    number = float((np.minimum(waiting, high * judged) - judged).sum())
    digits = int(10 ** int(log10(max(number, 1))))
    return max(1, round(number / digits) * digits)


def _half(found: UnbiasedDifference, variance: float, alpha: float) -> float:
    if not variance:
        return 0.0
    wider = critical_t(alpha / 2, found.queries - 1) / NormalDist().inv_cdf(1 - alpha / 2)
    planned = found.full_variance * wider**2
    return float(half_width(1 / (variance * wider**2), 1 / planned, alpha))


# What the unjudged can still change


class _SumBounds:
    """The least and the greatest differences of runs, query by query, by a measure that is a sum
    over ranks. `query`, `grade`: int64[pairs and others], of the pairs of the union and of what is
    pooled beside them."""

    def __init__(
        self,
        union: JudgedUnion,
        query: Ints,
        grade: Ints,
        measure: LinearMeasure,
        scale: Sequence[int],
    ) -> None:
        self._union, self._query, self._grade = union, query, grade
        self._measure, self._scale = measure, scale

    def between(self, before: int, after: int) -> tuple[Floats, Floats]:
        """Give each unjudged document the grade that is worst for the sign of its weight; one that
        has the same weight in both runs adds nothing. nDCG: over the smallest ideal that there can
        be, where that makes it worse, else over the greatest."""
        pairs, discount = self._union.pairs, self._measure.discount
        weight = pairs.discounts(after, discount) - pairs.discounts(before, discount)
        least, greatest = (weight * gain[: len(pairs)] for gain in self._gains)
        low = self._union.sums(pairs.query, np.minimum(least, greatest))
        high = self._union.sums(pairs.query, np.maximum(least, greatest))
        if not self._measure.normalised:
            return low, high
        small, large = self._ideals
        return (
            np.maximum(-1, _over(low, np.where(low < 0, small, large))),
            np.minimum(1, _over(high, np.where(high > 0, small, large))),
        )

    @cached_property
    def _gains(self) -> tuple[Floats, Floats]:
        """float64[pairs and others] twice: the least and the greatest that each may gain."""
        gain = self._measure.gain
        gains = [*map(gain, self._scale)]
        known = of_each(gain, np.maximum(self._grade, 0))
        low, high = (np.where(self._grade < 0, end, known) for end in (min(gains), max(gains)))
        return low, high

    @cached_property
    def _ideals(self) -> tuple[Floats, Floats]:
        """float64[queries] twice: the smallest and the greatest ideal."""
        discount, queries = self._measure.discount, self._union.queries
        low, high = (best_sums(self._query, gain, discount, queries) for gain in self._gains)
        return low, high


class _Bounds:
    """The least and the greatest mean difference of runs of a union, over all gradings of what is
    not judged: of what the lists hold, and of what the pool holds beside them."""

    def __init__(self, union: JudgedUnion, measure: Measure, scale: Sequence[int]) -> None:
        self._union, self._measure, self._scale = union, measure, scale
        self._query = np.concatenate([union.pairs.query, union.other_query])
        self._grade = np.concatenate([union.grades, union.other_grade])
        documents = int(np.bincount(self._query, minlength=1).max())
        its = linear(measure, min(measure.depth, documents))
        self._sums = None
        # Of gains below 0, an ideal is no bound.
        if its is not None and min(map(its.gain, scale)) >= 0:
            self._sums = _SumBounds(union, self._query, self._grade, its, scale)

    def between(self, before: int, after: int) -> Ends | None:
        """Return them for two runs, None where nobody can tell: over the queries that both have,
        judged or not. Each query is graded by itself."""
        both = self._union.counted[before] & self._union.counted[after]
        name = self._measure.definition.name
        if not both.any():
            return None
        if self._sums is not None:
            ends = self._sums.between(before, after)
        elif name in _BY_OWN_LIST and not self._measure.judged_only:
            ends = self._of_own_lists(before, after)
        elif name in _WITHIN_ONE:
            ends = self._of_complete(before, after)
        else:
            return None
        low, high = (float(one[both].mean()) for one in ends)
        return low, high

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
        open_ = self._union.sums(self._query, (self._grade < 0).astype(np.float64))
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
        return JudgedQueries.of_grades(self._query, self._grade, self._union.queries)


_BY_OWN_LIST = ("RR", "Success", "ERR")
"""What these are worth depends on the list alone, whatever else is relevant."""

_WITHIN_ONE = ("AP", "R", "Rprec", "RelP", "SetR", "SetF", "SetAP", "SetRelP")
"""What these are worth lies between 0 and 1, and depends on all that is relevant."""


def _over(sums: Floats, ideal: Floats) -> Floats:
    """What is gained of the ideal; of none, as far as can be."""
    return np.divide(sums, ideal, out=np.sign(sums), where=ideal > 0)
