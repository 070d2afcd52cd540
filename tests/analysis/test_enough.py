"""Answers to whether enough is judged: bounds beside all gradings of small campaigns, the others
beside many draws."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from judge_tui.analysis.enough import (
    Answer,
    is_enough,
    judgments_lacking,
    sequence_interval,
    too_few_queries,
)
from judge_tui.analysis.judged_runs import lists_of_ranks
from judge_tui.analysis.unbiased import (
    JudgedUnion,
    SampledDifference,
    Sampling,
    UnbiasedDifferences,
)
from judge_tui.comparison.power import critical_t
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import NOTHING, UNJUDGED, JudgedQueries, parse_measure
from judge_tui.scoring.linear import linear
from tests.analysis.sampled import generated

SCALE = (0, 1, 3)


def small(draw, queries=3, runs=3, depth=3, unjudged=4):
    """Lists of six documents, some shorter, one query of which a run has nothing; up to so many
    documents of a query are not judged, one of them in the pool alone."""
    documents = np.array(
        [[draw.permutation(6)[:depth] for _ in range(queries)] for _ in range(runs)]
    )
    documents[1, 0, 2:] = -1
    documents[0, 1] = -1
    pairs = RetrievedPairs.of(documents)
    grades = draw.choice(SCALE, len(pairs), p=[0.5, 0.3, 0.2])
    for query in range(queries):
        mine = np.flatnonzero(pairs.query == query)
        grades[draw.permutation(mine)[: draw.integers(0, unjudged)]] = UNJUDGED
    other = np.arange(queries)
    chosen = np.ones(len(pairs), dtype=bool)
    return JudgedUnion(
        tags=tuple("abc"[:runs]),
        pairs=pairs,
        grades=grades,
        chosen=chosen,
        drawn=~chosen,
        depth=0,
        counted=np.ones((runs, queries), dtype=bool),
        undecided=np.zeros(queries, dtype=bool),
        other_query=np.concatenate([other, other]),
        other_grade=np.array([*draw.choice(SCALE, queries), *draw.choice([-1, 1, 1], queries)]),
    )


def exhausted(union, measure):
    """The least and the greatest mean difference over all gradings, query by query."""
    ends = []
    for query in range(union.queries):
        mine, others = union.pairs.query == query, union.other_query == query
        grades = np.concatenate([union.grades[mine], union.other_grade[others]])
        free = np.flatnonzero(grades < 0)
        gradings = [*product(SCALE, repeat=len(free))]
        tables = []
        for grading in gradings:
            full = grades.copy()
            full[free] = grading
            tables.append(full)
        every = np.array(tables)
        known = JudgedQueries.of_grades(
            np.repeat(np.arange(len(every)), every.shape[1]), every.ravel(), len(every)
        )
        at = union.pairs.at[:2, query]
        place = np.where(at < 0, 0, at - np.flatnonzero(mine)[0])
        ranked = np.where(at[:, None] < 0, NOTHING, every[:, place].swapaxes(0, 1))
        before, after = measure.value(lists_of_ranks(ranked, known)).reshape(2, -1)
        ends.append(((after - before).min(), (after - before).max()))
    low, high = np.array(ends).mean(axis=0)
    return low, high


MEASURES = {
    "P@3": 1.0,
    "P(rel=2)@2": 1.0,
    "RBP(p=0.7)@3": 1.0,
    "nDCG@3": 0.5,
    "nDCG(dcg='exp-log2')@2": 0.5,
    "RR@3": 0.7,
    "Success@2": 0.5,
    "ERR(max_rel=3)@3": 0.5,
    "AP@3": 0.3,
    "R@3": 0.3,
    "SetR": 0.1,
    "Rprec": 0.1,
}
"""Measure -> of the campaigns that are settled, at least such a share is said to be."""


@pytest.mark.parametrize("name", MEASURES)
def test_settled_is_never_wrong(name):
    measure = parse_measure(name)
    draw = np.random.default_rng(5)
    settled = said = 0
    for _ in range(60):
        union = small(draw, unjudged=int(draw.integers(1, 4)))
        low, high = exhausted(union, measure)
        (found,) = is_enough(union, measure, SCALE, [(0, 1)])
        assert found.bounds[0] <= low + 1e-12
        assert found.bounds[1] >= high - 1e-12
        if MEASURES[name] == 1:
            assert found.bounds == pytest.approx((low, high))
        is_so = low > 1e-9 or high < -1e-9 or low == high == 0
        settled += is_so
        if found.answer is Answer.SETTLED:
            said += 1
            assert is_so
    assert settled > 5
    assert said >= MEASURES[name] * settled


def found_with(delta, judged=2.0):
    """60 queries, of each of which 20 pairs waited and so many were judged. Where these are 2, they
    make 9 tenths of the variance; what is left where all are is 1e-4."""
    full = 1e-4
    sampling = Sampling(*np.tile([[20.0], [judged], [full / 60]], 60))
    variance = full + full * (20 / judged - 1)
    ends = (delta - 0.06, delta + 0.06)
    return SampledDifference(delta, ends, 60, 120, variance, sampling)


def test_the_less_a_difference_the_more_is_lacking():
    least = sequence_interval(found_with(0.0, judged=20))[1]
    assert judgments_lacking(found_with(0.99 * least)) is None
    deltas = least * np.array([1.01, 1.1, 1.5, 2, 3])
    lacking = [judgments_lacking(found_with(delta)) for delta in deltas]
    assert lacking == sorted(lacking, reverse=True)
    assert lacking[0] == 1000  # of 60 x 18
    for delta, number in zip(deltas, lacking, strict=True):
        digit = 10 ** (len(str(number)) - 1)
        assert number % digit == 0
        lows = [
            sequence_interval(found_with(delta, judged=min(20, 2 + n / 60)))[0]
            for n in (number - digit / 2, number + digit / 2)
        ]
        assert lows[0] < 1e-6
        assert lows[1] > -1e-6


def test_queries_are_too_few_where_no_t_test_could_show_a_difference_with_all_judged():
    most = 20 / 1.1  # of which the sampling adds a tenth of the rest
    least = critical_t(0.025, 59) * 1e-2 - 2 * np.sqrt(1e-5)
    assert not too_few_queries(found_with(1.01 * least, most))
    assert too_few_queries(found_with(-0.99 * least, most))
    # The interval at every look is wider: it may never show what a t test does.
    assert judgments_lacking(found_with(1.01 * least, most)) is None
    # As long as little is judged, there may be more than is seen.
    assert not too_few_queries(found_with(0.0))


def test_likely_settled_is_seldom_wrong_and_what_is_lacking_is_enough():
    """Beside the truth: the second run is the better one. Of what is open and may be shown, about
    half is once so many more pairs are judged."""
    draw = np.random.default_rng(9)
    measure = parse_measure("P@8")
    answers, shown = [], []
    for better, sampled in [(0.2, 6), (1.2, 2), (1.2, 2), (2.5, 2)] * 25:
        campaign = generated(draw, 60, better=better)
        seed = int(draw.integers(2**31))
        first = campaign.judged(np.random.default_rng(seed), 0.3, sampled)
        (one,) = is_enough(first, measure, SCALE, [(0, 1)])
        answers.append(one.answer)
        assert one.answer is not Answer.LIKELY or one.delta > 0
        if one.more is not None:
            number = sampled + round(one.more / 60)
            later = campaign.judged(np.random.default_rng(seed), 0.3, number)
            (then,) = is_enough(later, measure, SCALE, [(0, 1)])
            shown.append(then.answer in (Answer.LIKELY, Answer.SETTLED))
    assert {*answers} == {Answer.LIKELY, Answer.OPEN, Answer.TOO_FEW}
    assert 0.35 <= np.mean(shown) <= 0.8


def test_pairs_share_the_error():
    draw = np.random.default_rng(1)
    union = generated(draw, 30).judged(draw, 0.3, 3)
    measure = parse_measure("nDCG@8")
    alone, together = (
        is_enough(union, measure, SCALE, pairs)[0] for pairs in ([(0, 1)], [(0, 1), (0, 2)])
    )
    its = UnbiasedDifferences(union, linear(measure, 8)).between(0, 1)
    assert alone.interval == sequence_interval(its)
    assert together.interval == sequence_interval(its, 0.025)
    assert together.interval[0] < alone.interval[0] < its.ci95[0]


WITHOUT_NUMBERS = {
    "AP": "no sum over ranks",
    "P@9": "deeper than the top 8",
}


@pytest.mark.parametrize("name", WITHOUT_NUMBERS)
def test_why_a_sample_tells_nothing(name):
    draw = np.random.default_rng(1)
    union = generated(draw, 30).judged(draw, 0.3, 3)
    (one,) = is_enough(union, parse_measure(name), SCALE, [(0, 1)])
    assert (one.answer, one.unbiased, one.interval, one.more) == (Answer.OPEN, None, None, None)
    assert WITHOUT_NUMBERS[name] in one.why


def test_without_a_sample_it_says_so():
    campaign = generated(np.random.default_rng(1), 30)
    union = replace(campaign.union(), unsampled="draw one")
    (one,) = is_enough(union, parse_measure("P@8"), SCALE, [(0, 1)])
    assert str(one) == "open: draw one"
    (one,) = is_enough(campaign.queries(slice(5)).union(), parse_measure("P@8"), SCALE, [(0, 1)])
    assert one.answer is Answer.TOO_FEW
