"""What the whole pool would say, from the part of it that was drawn at random: the difference of
two runs, and the relevant documents that nobody has seen yet.

What a strategy chooses is chosen for being relevant, or for being in one run and not in the other;
what it leaves out is not like that. The random stratum of a round is drawn uniformly out of what
the strategy left, so that it stands for all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints, best_sums
from judge_tui.comparison.comparison import Comparison, Comparisons, UnbiasedDifference
from judge_tui.comparison.power import critical_t
from judge_tui.comparison.settings import FEWEST_QUERIES
from judge_tui.counts import counted
from judge_tui.pooling.expected_gains import expected_gains
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import Measure, Rules
from judge_tui.scoring.judged_lists import of_each
from judge_tui.scoring.linear import LinearMeasure, linear

_LEAST_SHARE = 0.05
"""The share of a variance that is left, at least, when that of the sampling is taken away. Both are
estimates, so their difference may be 0 or less. The share is chosen, not measured: no plan hopes
for more than 20 times the information of now."""


@dataclass(frozen=True, eq=False)
class JudgedUnion:
    """What the runs retrieved, and what is known of it.

    `tags`: of the runs. `pairs`: all in their lists. `grades`: int64[pairs], the final ones,
    `UNJUDGED` for none. `chosen`: bool[pairs], those in the pool for any reason but chance;
    `drawn`: bool[pairs], the random stratum. `depth`: that of the union which it was drawn from,
    0 where nothing was drawn. `counted`: bool[runs, queries], the queries that are a run's own;
    `undecided`: bool[queries], those with a pooled pair that nobody has decided. Pooled pairs that
    no list holds: `other_query` and `other_grade`, int64[others]. `unsampled`: why nothing was
    drawn, where that is so.
    """

    tags: tuple[str, ...]
    pairs: RetrievedPairs
    grades: Ints
    chosen: Bools
    drawn: Bools
    depth: int
    counted: Bools
    undecided: Bools
    other_query: Ints
    other_grade: Ints
    unsampled: str = ""

    @property
    def queries(self) -> int:
        """How many there are."""
        return self.pairs.queries

    @cached_property
    def not_chosen(self) -> Bools:
        """bool[pairs]: the union without what was chosen: what the random stratum stands for."""
        return self.pairs.within(self.depth) & ~self.chosen

    @cached_property
    def sample(self) -> Bools:
        """bool[pairs]: what is graded of the random stratum."""
        return self.not_chosen & self.drawn & (self.grades >= 0)

    @cached_property
    def sizes(self) -> tuple[Ints, Ints]:
        """int64[queries] twice: the pairs that were not chosen, and those of the sample."""
        query, queries = self.pairs.query, self.queries
        return (
            np.bincount(query[self.not_chosen], minlength=queries),
            np.bincount(query[self.sample], minlength=queries),
        )

    def sums(self, query: Ints, values: Floats) -> Floats:
        """Return float64[queries]: the sums of float64[n] over those of each query."""
        # Without any values it would count, in integers.
        return np.bincount(query, values, self.queries).astype(np.float64, copy=False)

    def draw_of(self, among: Bools) -> Draw:
        """Return how the sample of these queries (bool[queries]) was drawn."""
        size, number = self.sizes
        drawable, sampled = among & (size > 0), among & (number > 0)
        share = sampled.sum() / drawable.sum() if drawable.any() else 1.0
        probability = np.zeros(self.queries)
        probability[sampled] = share * number[sampled] / size[sampled]
        return Draw(among, sampled, float(share), probability)


class Draw(NamedTuple):
    """How the sample of some queries was drawn.

    `among`: bool[queries], which queries. `sampled`: bool[queries], those of them that have a pair
    in the sample; `share`: how many these are of all that have pairs to draw. `probability`:
    float64[queries], that a pair of the query is in the sample; 0 where the query is not sampled.

    A small sample reaches some of the queries, which chance picks. So a probability is that of the
    query times that of the pair in it, and the queries that are sampled stand for the others.
    """

    among: Bools
    sampled: Bools
    share: float
    probability: Floats


class Sampling(NamedTuple):
    """What the sampling adds to the variance of a mean difference.

    Of each sampled query, float64[n]: `waiting`, how many pairs were left to draw; `judged`, how
    many of them are judged; `at_half`, the variance that is added where half of them are. What
    queries that are not sampled add is in these.
    """

    waiting: Floats
    judged: Floats
    at_half: Floats

    def variance(self, times: float = 1.0) -> float:
        """Return it, were so many times as many pairs of each query judged: that of a sum of simple
        random samples (Saerndal, Swensson & Wretman, 1992, chapter 3.3)."""
        judged = np.minimum(self.waiting, times * self.judged)
        return float((self.at_half * (self.waiting / judged - 1)).sum())


@dataclass(frozen=True, eq=False, slots=True)
class SampledDifference(UnbiasedDifference):
    """An unbiased difference, with the `variance` of its mean and what the `sampling` adds to it.
    Two are equal that show the same."""

    variance: float
    sampling: Sampling

    @property
    def full_variance(self) -> float:
        """What would be left of the variance were all judged."""
        return max(self.variance - self.sampling.variance(), _LEAST_SHARE * self.variance)


Between: TypeAlias = Callable[[int, int], SampledDifference | str]
"""How much better the second run is than the first (their places in the union), or why nobody can
tell."""


class UnbiasedDifferences:
    """The differences of the runs of a union by a measure that looks no deeper than it."""

    def __init__(self, union: JudgedUnion, measure: LinearMeasure) -> None:
        self._union = union
        self._measure = measure

    def between(self, before: int, after: int) -> SampledDifference | str:
        """Return how much better the run `after` is, as `Between`."""
        draw = self._draw(before, after)
        differences = self._differences(before, after, draw)
        if (n := len(differences)) < FEWEST_QUERIES:
            if undecided := int(self._union.undecided.sum()):
                return f"{counted(undecided, 'query has', 'queries have')} pairs to be judged first"
            return f"the two have {counted(n, 'judged query', 'judged queries')} in common"
        if (few := int(draw.sampled.sum())) < FEWEST_QUERIES and draw.share < 1:
            of = counted(few, "query", "queries")
            return f"random pairs of {of} are judged, {FEWEST_QUERIES} are needed"
        delta, spread = float(differences.mean()), float(differences.var(ddof=1))
        sampling, unseen = self._sampling(before, after, draw)
        # That queries differ holds the error of the sample, but for what it has not shown yet.
        variance = spread / n + unseen * sampling.variance()
        half = critical_t(0.025, n - 1) * sqrt(variance)
        pairs = int(self._union.sizes[1][draw.among].sum())
        return SampledDifference(delta, (delta - half, delta + half), n, pairs, variance, sampling)

    def _draw(self, before: int, after: int) -> Draw:
        both = self._union.counted[before] & self._union.counted[after]
        return self._union.draw_of(both & ~self._union.undecided)

    def _differences(self, before: int, after: int, draw: Draw) -> Floats:
        """float64[queries of the draw]: by the difference estimator (Saerndal, Swensson & Wretman,
        Model Assisted Survey Sampling, 1992, chapter 6.3): what is known, what is expected of the
        rest, and how far the sample is off from that, over its probabilities. One number is no
        estimate of its query: that of a sampled query stands for others, too."""
        union, weight = self._union, self._weights(before, after)
        query, sample = union.pairs.query, union.sample & draw.sampled[union.pairs.query]
        off = weight[sample] * (self._gain - self._expected)[sample]
        off /= draw.probability[query[sample]]
        total = union.sums(query, weight * self._proxy) + union.sums(query[sample], off)
        return total[draw.among]

    def _sampling(self, before: int, after: int, draw: Draw) -> tuple[Sampling, float]:
        """Return what the sampling adds, and the share of it that the sample has not shown. The
        residual is at least what one more document that is 1 off would make of it, as in a doubt
        (`expected_gains`): a sample that shows nothing relevant is not without error."""
        union, weight = self._union, self._weights(before, after)
        query, size = union.pairs.query, union.sizes[0]
        squares = union.sums(query, np.where(union.not_chosen, weight**2, 0))
        sample = union.sample & draw.sampled[query]
        # One residual for all: a query has few random pairs of its own.
        importance = weight[sample] ** 2 / draw.probability[query[sample]]
        off = (self._gain - self._expected)[sample] ** 2
        residual = (importance * off).sum() / importance.sum() if importance.sum() else 0.0
        unseen = max(0.0, 1 / (sample.sum() + 1) - residual)
        residual += unseen
        at_half = residual * squares[draw.sampled] / draw.among.sum() ** 2 / (draw.share or 1.0)
        waiting = size[draw.sampled].astype(np.float64)
        judged = waiting * draw.probability[draw.sampled]
        return Sampling(waiting, judged, at_half), unseen / residual

    def _weights(self, before: int, after: int) -> Floats:
        """float64[pairs]: what a document that gains 1 adds to the difference."""
        pairs, discount = self._union.pairs, self._measure.discount
        weight = pairs.discounts(after, discount) - pairs.discounts(before, discount)
        if self._measure.normalised:
            ideal = self._ideal[pairs.query]
            weight = np.divide(weight, ideal, out=np.zeros(len(weight)), where=ideal > 0)
        return weight

    @cached_property
    def _gain(self) -> Floats:
        """float64[pairs]: NaN where nobody judged."""
        grades = self._union.grades
        gain = np.full(len(grades), np.nan)
        gain[grades >= 0] = of_each(self._measure.gain, grades[grades >= 0])
        return gain

    @cached_property
    def _expected(self) -> Floats:
        """float64[pairs]: of what was not chosen, learnt from the sample alone: what was chosen is
        not like it."""
        union, pairs = self._union, self._union.pairs
        size, number = union.sizes
        stands_for = np.where(union.sample, (size / np.maximum(number, 1))[pairs.query], 0.0)
        gain = np.where(union.sample, self._gain, np.nan)
        return expected_gains(pairs.query, pairs.octile, gain, stands_for).gain

    @cached_property
    def _proxy(self) -> Floats:
        """float64[pairs]: the gain of what is known, expected of what was not chosen."""
        known = (self._union.grades >= 0) & ~self._union.not_chosen
        return np.where(known, self._gain, self._expected)

    @cached_property
    def _ideal(self) -> Floats:
        """float64[queries]: the best DCG of known and expected gains together. In a query that is
        not judged wholly, a sampled document counts for no less than is expected of it: or else a
        sample that happens to gain little would make the ideal smaller, and the difference that is
        divided by it greater."""
        union, discount = self._union, self._measure.discount
        there = union.other_grade >= 0
        query = np.concatenate([union.pairs.query, union.other_query[there]])
        gain = np.where(union.grades >= 0, self._gain, self._expected)
        size, number = union.sizes
        stands_for_others = union.sample & (number < size)[union.pairs.query]
        gain = np.where(stands_for_others, np.maximum(gain, self._expected), gain)
        gain = np.append(gain, of_each(self._measure.gain, union.other_grade[there]))
        return best_sums(query, gain, discount, union.queries)


def unbiased_by(union: JudgedUnion, measure: Measure) -> Between:
    """Return what tells the unbiased difference of two runs by a measure. Where a sample of the
    union tells none, it says why of every two."""
    summed = linear(measure, min(measure.depth, union.depth))
    if not union.depth:
        why = union.unsampled
    elif summed is None:
        why = f"{measure} is no sum over ranks, which a sample could tell"
    elif measure.depth > union.depth:
        why = f"{measure} looks deeper than the top {union.depth}, of which pairs were drawn"
    else:
        return UnbiasedDifferences(union, summed).between
    return lambda _before, _after: why


def with_unbiased(comparisons: Comparisons, union: JudgedUnion | None) -> Comparisons:
    """Return the comparisons with the unbiased difference beside each, or why there is none. Slices
    have none, nor have scores by other rules than the usual: the union knows whole lists and all
    queries alone."""
    scores = comparisons.scores
    if union is None or scores.rules != Rules():
        return comparisons
    between = {str(measure): unbiased_by(union, measure) for measure in scores.measures}

    def beside(one: Comparison) -> Comparison:
        if one.slice is not None:
            return one
        runs = map(union.tags.index, (one.baseline, one.tag))
        found = between[one.measure](*runs)
        if isinstance(found, str):
            return replace(one, why={**one.why, "unbiased": found})
        return replace(one, unbiased=found)

    found = tuple(map(beside, comparisons))
    any_unbiased = any(one.unbiased is not None for one in found)
    return replace(comparisons, comparisons=found, any_unbiased=any_unbiased)


class Missed(NamedTuple):
    """How many relevant documents of the union nobody has seen yet: the estimate and its 95 %
    `interval`, over so many `queries`, in which so many documents are `unjudged`. `by_run`: tag ->
    the estimate for its top. Relevant: with a grade of at least `rel`."""

    relevant: float
    interval: tuple[float, float]
    queries: int
    unjudged: int
    by_run: Mapping[str, float]
    rel: int


def missed_relevant(union: JudgedUnion, rel: int = 1) -> Missed | None:
    """Estimate how many documents with a grade of at least `rel` are not judged yet: each relevant
    one of the sample stands for 1/probability documents, itself among them (Horvitz & Thompson,
    Journal of the American Statistical Association 47, 1952). None where there is no sample."""
    draw = union.draw_of(union.counted.any(axis=0) & ~union.undecided)
    query = union.pairs.query
    sample = union.sample & draw.sampled[query]
    if not sample.any():
        return None
    unjudged = int((union.not_chosen & draw.among[query]).sum() - sample.sum())
    others = 1 / draw.probability[query[sample]] - 1
    relevant = union.grades[sample] >= rel
    low, high = weighted_count_limits(others[relevant], float(others.max()))
    by_run = {}
    for run, tag in enumerate(union.tags):
        at = union.pairs.at[run, :, : union.depth]
        top = np.zeros(len(query), dtype=bool)
        top[at[at >= 0]] = True
        by_run[tag] = float(others[relevant & top[sample]].sum())
    return Missed(
        min(float(others[relevant].sum()), unjudged),
        (min(low, unjudged), min(high, unjudged)),
        int(draw.among.sum()),
        unjudged,
        by_run,
        rel,
    )


def weighted_count_limits(
    weights: Floats, greatest: float, alpha: float = 0.05
) -> tuple[float, float]:
    """Return the limits of a weighted sum of Poisson counts, by the gamma distribution (Fay &
    Feuer, Statistics in Medicine 16, 1997): of no count, too, there is an upper one.

    `weights`: float64[counted], of each that was counted; `greatest`: of all that could have been.
    """
    from scipy.special import gammaincinv  # noqa: PLC0415 - most campaigns have no sample

    total, variance = float(weights.sum()), float((weights**2).sum())
    low = 0.0
    if total:
        low = variance / total * float(gammaincinv(total**2 / variance, alpha / 2))
    total, variance = total + greatest, variance + greatest**2
    if not total:
        return 0.0, 0.0
    return low, float(variance / total * gammaincinv(total**2 / variance, 1 - alpha / 2))
