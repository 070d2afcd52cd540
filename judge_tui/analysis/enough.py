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
from judge_tui.analysis.unbiased import JudgedUnion, SampledDifference, unbiased_by
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
    None where nobody can tell. `unbiased`: what the random stratum says; `interval`: the same as a
    confidence sequence, its error shared with the other pairs of runs. `more`: about how many
    random pairs are to be judged yet, of those that are `left`; `why`: the reason where there is
    no such number.
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
    def apart(self) -> bool:
        """Whether it is known, surely or likely, which of the two is better."""
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
    get, ascending. `known`: the same union with later grades, for bounds alone. In no more than
    `alpha` of campaigns is any of the answers "likely settled" and wrong, however often they are
    asked for: each pair has its part of that error (Bonferroni).
    """
    bounds, between = _Bounds(known or union, measure, scale), unbiased_by(union, measure)
    each = alpha / max(1, len(pairs))
    return tuple(
        _answer(union, str(measure), pair, bounds.between(*pair), between(*pair), each)
        for pair in pairs
    )


def _answer(
    union: JudgedUnion,
    measure: str,
    pair: tuple[int, int],
    bounds: Ends | None,
    found: SampledDifference | str,
    alpha: float,
) -> Enough:
    baseline, tag = (union.tags[run] for run in pair)
    queries = int(union.counted[[*pair]].all(axis=0).sum())
    left = int((union.not_chosen & ~union.sample).sum())
    unbiased, interval = None, None
    if not isinstance(found, str):
        unbiased, interval = found, sequence_interval(found, alpha)
        if bounds:  # they are of measures from 0 to 1
            interval = max(-1.0, interval[0]), min(1.0, interval[1])
    answer, more, why = Answer.OPEN, None, ""
    if bounds is not None and _settle(bounds):
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
    return Enough(baseline, tag, measure, answer, bounds, unbiased, interval, more, left, why)


def _settle(bounds: Ends) -> bool:
    """Whether nothing unjudged can change the order, or the tie."""
    low, high = bounds
    return low > STEP or high < -STEP or max(-low, high) <= STEP


# What a sample shows


def sequence_interval(found: SampledDifference, alpha: float = ALPHA) -> Ends:
    """Return the interval of a difference that holds at all looks at once (`half_width`), tightest
    where all is judged."""
    half = _half(found, found.variance, alpha)
    return found.delta - half, found.delta + half


def too_few_queries(found: SampledDifference, alpha: float = ALPHA) -> bool:
    """Whether a t interval would hold 0 even with all judged, were the difference two standard
    errors of the sampling greater than it is seen. Never so while the sampling makes more than half
    of the variance: then nobody can tell."""
    by_sampling = found.variance - found.full_variance
    at_most = abs(found.delta) + 2 * sqrt(by_sampling)
    at_best = critical_t(alpha / 2, found.queries - 1) * sqrt(found.full_variance)
    return by_sampling <= found.full_variance and at_best >= at_most


def judgments_lacking(found: SampledDifference, alpha: float = ALPHA) -> int | None:
    """Return about how many more random pairs, to one digit, would make the interval leave out 0;
    None where even all that wait would not.

    It takes the difference that is seen for the true one, and the sample of each query to grow by
    the same factor.
    """
    sampling = found.sampling

    def shows(times: float) -> bool:
        variance = found.full_variance + sampling.variance(times)
        return _half(found, min(variance, found.variance), alpha) < abs(found.delta)

    if _half(found, found.full_variance, alpha) >= abs(found.delta):
        return None
    low, high = 1.0, float((sampling.waiting / sampling.judged).max(initial=1.0))
    for _ in range(40):
        middle = sqrt(low * high)
        low, high = (low, middle) if shows(middle) else (middle, high)
    grown = np.minimum(sampling.waiting, high * sampling.judged)
    number = float((grown - sampling.judged).sum())
    digits = int(10 ** int(log10(max(number, 1))))
    return max(1, round(number / digits) * digits)


def _half(found: SampledDifference, variance: float, alpha: float) -> float:
    """Half the interval at this variance. `half_width` is of a normal mean: for few queries errors
    are greater, as Student's t is."""
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
    not judged, in the lists and in the pool beside them: by measures from 0 to 1."""

    def __init__(self, union: JudgedUnion, measure: Measure, scale: Sequence[int]) -> None:
        self._union, self._measure, self._scale = union, measure, scale
        self._query = np.concatenate([union.pairs.query, union.other_query])
        self._grade = np.concatenate([union.grades, union.other_grade])
        documents = int(np.bincount(self._query, minlength=1).max())
        summed = linear(measure, min(measure.depth, documents))
        self._sums = None
        # Of gains below 0, an ideal is no bound.
        if summed is not None and min(map(summed.gain, scale)) >= 0:
            self._sums = _SumBounds(union, self._query, self._grade, summed, scale)

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
        """Bound each run by itself. A document of both may then be relevant to one and not to the
        other, which it never is: so the bounds are sound, but wider than need be."""
        ends = [bounds_of(self._lists(run), self._measure, self._scale) for run in (before, after)]
        (low_before, high_before), (low_after, high_after) = (one for one in ends if one)
        return low_after - high_before, high_after - low_before

    def _of_complete(self, before: int, after: int) -> tuple[Floats, Floats]:
        """Take the values where nothing of a query is unjudged. Elsewhere, R and AP are no greater
        than if only the own list held relevant ones of the unjudged, and no less than if all were
        relevant and none of them found; the others may be anything between 0 and 1."""
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
