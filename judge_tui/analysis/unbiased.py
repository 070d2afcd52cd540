"""What the whole pool would say, from the part of it that was drawn at random: the difference of
two runs, and the relevant documents that nobody has seen yet.

What a strategy chooses is chosen for being relevant, or for being in one run and not in the other;
what it leaves out is not like that. The random stratum of a round is drawn uniformly out of what
the strategy left, so that it stands for all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import NamedTuple

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

FEWEST_SAMPLED = 6
"""There is no estimate where random pairs of fewer queries are judged."""

_LEAST_SHARE = 0.05
"""What is left of a variance when that of the sampling is taken away, at least: both are estimates,
and their difference may be anything."""


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
        # Of nothing, it counts.
        return np.bincount(query, values, self.queries).astype(np.float64, copy=False)

    def draw_of(self, among: Bools) -> Draw:
        """Return how pairs of these queries (bool[queries]) came to be in the sample."""
        size, number = self.sizes
        waiting, sampled = among & (size > 0), among & (number > 0)
        share = sampled.sum() / waiting.sum() if waiting.any() else 1.0
        probability = np.zeros(self.queries)
        probability[sampled] = share * number[sampled] / size[sampled]
        return Draw(among, sampled, float(share), probability)


class Draw(NamedTuple):
    """How the sample of some queries, `among` (bool[queries]), was drawn: of all that had pairs
    left, the `share` was `sampled`; `probability`: float64[queries], of each pair there to be in
    the sample, 0 where the query was not sampled.

    Which queries have one pair more than others is drawn, too. So those with none are made up for
    by those that have some.
    """

    among: Bools
    sampled: Bools
    share: float
    probability: Floats


class UnbiasedDifferences:
    """The differences of the runs of a union by a measure that looks no deeper than it."""

    def __init__(self, union: JudgedUnion, measure: LinearMeasure) -> None:
        self._union = union
        self._measure = measure

    def between(self, before: int, after: int) -> UnbiasedDifference | str:
        """Return how much better the run `after` is than the run `before` (their places), or why
        nobody can tell."""
        draw = self._draw(before, after)
        differences = self._differences(before, after, draw)
        if (n := len(differences)) < FEWEST_QUERIES:
            if waiting := int(self._union.undecided.sum()):
                return f"{counted(waiting, 'query has', 'queries have')} pairs to be judged first"
            return f"the two have {counted(n, 'judged query', 'judged queries')} in common"
        if (few := int(draw.sampled.sum())) < FEWEST_SAMPLED and draw.share < 1:
            of = counted(few, "query", "queries")
            return f"random pairs of {of} are judged, {FEWEST_SAMPLED} are needed"
        delta, spread = float(differences.mean()), float(differences.var(ddof=1))
        sampled, unseen = self._sampled(before, after, draw)
        waiting, judged, each = sampled.T
        by_sampling = float((each * (waiting / judged - 1)).sum()) if len(each) else 0.0
        # The queries tell how far off the sample was, but for what it has not shown yet.
        variance = spread / n + unseen * by_sampling
        half = critical_t(0.025, n - 1) * sqrt(variance)
        return UnbiasedDifference(
            delta,
            (delta - half, delta + half),
            n,
            int(self._union.sizes[1][draw.among].sum()),
            variance,
            max(variance - by_sampling, _LEAST_SHARE * variance),
            sampled,
        )

    def by_query(self, before: int, after: int) -> Floats:
        """Return float64[queries]: the difference of each, NaN where it says nothing. That of one
        query is no estimate of it alone: the sampled ones stand for others, too."""
        draw = self._draw(before, after)
        differences = np.full(self._union.queries, np.nan)
        differences[draw.among] = self._differences(before, after, draw)
        return differences

    def _draw(self, before: int, after: int) -> Draw:
        both = self._union.counted[before] & self._union.counted[after]
        return self._union.draw_of(both & ~self._union.undecided)

    def _differences(self, before: int, after: int, draw: Draw) -> Floats:
        """The difference estimator (Saerndal, Swensson & Wretman, Model Assisted Survey Sampling,
        1992, chapter 6.3): what is known, what is expected of the rest, and of the sample, by its
        probabilities, how far that is off."""
        union, weight = self._union, self._weights(before, after)
        query, sample = union.pairs.query, union.sample & draw.sampled[union.pairs.query]
        off = weight[sample] * (self._gain - self._expected)[sample]
        off /= draw.probability[query[sample]]
        total = union.sums(query, weight * self._proxy) + union.sums(query[sample], off)
        return total[draw.among]

    def _sampled(self, before: int, after: int, draw: Draw) -> tuple[Floats, float]:
        """Return what `UnbiasedDifference.sampled` is, and the share of its residual that the
        sample has not shown. A residual is no less than if one more document were 1 off, as in a
        doubt (`expected_gains`): a sample that shows nothing relevant is not without error."""
        union, weight = self._union, self._weights(before, after)
        query, size = union.pairs.query, union.sizes[0]
        squares = union.sums(query, np.where(union.not_chosen, weight**2, 0))
        sample = union.sample & draw.sampled[query]
        # One residual for all: a query has few random pairs of its own.
        stands_for = weight[sample] ** 2 / draw.probability[query[sample]]
        off = (self._gain - self._expected)[sample] ** 2
        residual = (stands_for * off).sum() / stands_for.sum() if stands_for.sum() else 0.0
        unseen = max(0.0, 1 / (sample.sum() + 1) - residual)
        residual += unseen
        each = residual * squares[draw.sampled] / draw.among.sum() ** 2 / (draw.share or 1.0)
        waiting = size[draw.sampled].astype(np.float64)
        judged = waiting * draw.probability[draw.sampled]
        return np.stack([waiting, judged, each], axis=1), unseen / residual

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
        """float64[queries]: the best DCG that each query may be expected to have, of known and
        expected gains together. A sampled document stands for others, of which as much is expected
        as of it: where it gains less, it makes the ideal no smaller, by which what it stands for
        is divided."""
        union, discount = self._union, self._measure.discount
        there = union.other_grade >= 0
        query = np.concatenate([union.pairs.query, union.other_query[there]])
        gain = np.where(union.grades >= 0, self._gain, self._expected)
        size, number = union.sizes
        stands_for_more = union.sample & (number < size)[union.pairs.query]
        gain = np.where(stands_for_more, np.maximum(gain, self._expected), gain)
        gain = np.append(gain, of_each(self._measure.gain, union.other_grade[there]))
        return best_sums(query, gain, discount, union.queries)


def differences_of(union: JudgedUnion, measure: Measure) -> UnbiasedDifferences | str:
    """Return the differences of the runs by a measure, or why a sample of the union tells none."""
    if not union.depth:
        return union.unsampled
    its = linear(measure, min(measure.depth, union.depth))
    if its is None:
        return f"{measure} is no sum over ranks, which a sample could tell"
    if measure.depth > union.depth:
        return f"{measure} looks deeper than the top {union.depth}, of which pairs were drawn"
    return UnbiasedDifferences(union, its)


def with_unbiased(comparisons: Comparisons, union: JudgedUnion | None) -> Comparisons:
    """Return the comparisons with what a random sample says beside each, or why it says nothing: of
    whole lists and all queries, as they stand."""
    scores = comparisons.scores
    if union is None or scores.rules != Rules():
        return comparisons
    by_name = {str(one): differences_of(union, one) for one in scores.measures}

    def beside(one: Comparison) -> Comparison:
        its = by_name.get(one.measure)
        if its is None or one.slice is not None:
            return one
        found: UnbiasedDifference | str = (
            its
            if isinstance(its, str)
            else its.between(union.tags.index(one.baseline), union.tags.index(one.tag))
        )
        if isinstance(found, str):
            return replace(one, why={**one.why, "unbiased": found})
        return replace(one, unbiased=found)

    return replace(comparisons, comparisons=tuple(map(beside, comparisons)))


class Missed(NamedTuple):
    """How many relevant documents of the union nobody has seen yet: the estimate and its 95 %
    `interval`, over `queries`, where `unjudged` documents are left; by run (its tag), the estimates
    of how many of them are in its part of the union. Relevant: with a grade of at least `rel`."""

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
    stands_for = 1 / draw.probability[query[sample]] - 1
    relevant = union.grades[sample] >= rel
    low, high = weighted_count_limits(stands_for[relevant], float(stands_for.max()))
    shares = {}
    for run, tag in enumerate(union.tags):
        at = union.pairs.at[run, :, : union.depth]
        top = np.zeros(len(query), dtype=bool)
        top[at[at >= 0]] = True
        shares[tag] = float(stands_for[relevant & top[sample]].sum())
    return Missed(
        min(float(stands_for[relevant].sum()), unjudged),
        (min(low, unjudged), min(high, unjudged)),
        int(draw.among.sum()),
        unjudged,
        shares,
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
