"""Unbiased differences over all samples of small cases, and over many draws of larger ones; limits
of what was missed beside published ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from judge_tui.analysis.unbiased import (
    SampledDifference,
    UnbiasedDifferences,
    missed_relevant,
    weighted_count_limits,
)
from judge_tui.pooling.pool import Pool, build_pool
from judge_tui.pooling.strategy import Aim
from judge_tui.scoring import UNJUDGED, parse_measure
from judge_tui.scoring.linear import linear
from tests.analysis.sampled import generated, with_others


def linear_of(name):
    return linear(parse_measure(name), 100)


def by_query(differences):
    """Of the first two runs."""
    return differences._differences(0, 1, differences._draw(0, 1))


def judged_with(campaign, chosen, sample):
    drawn = np.zeros(len(chosen), dtype=bool)
    drawn[[*sample]] = True
    return campaign.union(chosen, drawn)


@pytest.fixture(scope="module")
def small():
    """Three queries, of each of which four pairs are not chosen."""
    campaign = generated(np.random.default_rng(4), 3, documents=7, depth=4)
    pairs = campaign.union().pairs
    outside = [np.flatnonzero(pairs.query == query)[-4:] for query in range(3)]
    chosen = np.ones(len(pairs), dtype=bool)
    chosen[np.concatenate(outside)] = False
    return campaign, chosen, outside


@pytest.mark.parametrize("name", ["P@4", "P(rel=2)@3", "RBP(p=0.6)@4", "nDCG@3", "nDCG@4"])
def test_over_all_samples_the_mean_is_the_true_difference(small, name):
    campaign, chosen, outside = small
    measure = linear_of(name)
    # So many documents of the greatest grade are known elsewhere that the ideal is given.
    query, grade = np.repeat(range(3), 4), np.full(12, 3)
    found = []
    for samples in product(*(combinations(pairs, 2) for pairs in outside)):
        union = judged_with(campaign, chosen, np.concatenate(samples))
        union = with_others(union, query, grade)
        found.append(by_query(UnbiasedDifferences(union, measure)))
    truth = campaign.differences(measure)
    if measure.normalised:
        truth = truth / (3 * measure.discount[:4].sum())
    assert np.std(found, axis=0).max() > 0.05
    assert np.mean(found, axis=0) == pytest.approx(truth, abs=1e-12)


def test_a_pair_that_was_drawn_before_runs_changed_counts_only_where_it_is_drawn_again(small):
    campaign, chosen, outside = small
    measure = linear_of("RBP@4")
    truth = campaign.judged(np.random.default_rng(1), 1, 0).grades
    before = [pairs[0] for pairs in outside]
    found = []
    for samples in product(*(combinations(pairs, 2) for pairs in outside)):
        union = judged_with(campaign, chosen, np.concatenate(samples))
        grades = union.grades.copy()
        grades[before] = truth[before]
        union = replace(union, grades=grades)
        found.append(by_query(UnbiasedDifferences(union, measure)))
    assert np.mean(found, axis=0) == pytest.approx(campaign.differences(measure), abs=1e-12)


class WithoutExpectation(UnbiasedDifferences):
    """What the other queries let expect depends on which of them were sampled."""

    _expected = property(lambda self: np.zeros(len(self._union.pairs)))


def test_queries_that_have_no_random_pair_are_made_up_for(small):
    campaign, chosen, outside = small
    measure = linear_of("RBP@4")
    found = []
    for queries in combinations(range(3), 2):
        for sample in product(*(outside[query] for query in queries)):
            union = judged_with(campaign, chosen, sample)
            found.append(np.mean(by_query(WithoutExpectation(union, measure))))
    assert np.mean(found) == pytest.approx(campaign.differences(measure).mean(), abs=1e-12)


def test_where_all_is_judged_it_is_the_difference():
    campaign = generated(np.random.default_rng(1), 8)
    measure = linear_of("P@8")
    found = UnbiasedDifferences(campaign.judged(np.random.default_rng(2), 0.5, 99), measure)
    its = found.between(0, 1)
    truth = campaign.differences(measure)
    assert isinstance(its, SampledDifference)
    assert its.delta == pytest.approx(truth.mean())
    assert its.variance == its.full_variance == pytest.approx(truth.var(ddof=1) / 8)


@pytest.mark.parametrize(
    ("name", "share", "number", "draws"),
    [
        ("P@8", 0.3, 2, 1000),
        ("RBP@8", 0.0, 3, 500),
        ("P@8", 0.3, np.arange(40) % 2 * 2, 500),
        ("nDCG@8", 0.5, 2, 500),
    ],
)
def test_intervals_hold_the_truth(name, share, number, draws):
    draw = np.random.default_rng(12)
    measure = linear_of(name)
    every = generated(draw, 20_000)
    # The ideals are those that all documents give.
    best = -np.sort(-every.grade, axis=1)[:, :8]
    ideal = (best * measure.discount).sum(axis=1) if measure.normalised else np.ones(20_000)
    difference = every.differences(measure)
    truth = np.divide(difference, ideal, out=np.zeros(20_000), where=ideal > 0).mean()
    held = []
    for _ in range(draws):
        campaign = every.queries(draw.choice(20_000, 40, replace=False))
        union = campaign.judged(draw, share, number)
        found = UnbiasedDifferences(union, measure).between(0, 1)
        held.append(found.ci95[0] <= truth <= found.ci95[1])
    assert 0.93 <= np.mean(held) <= 0.97


def rounds_of(campaign, strategy, budgets, aim, seed):
    """The pool after rounds of `build_pool`, all of which were judged: bool[pairs] twice, what was
    chosen and what was drawn."""
    runs, queries, _ = campaign.order.shape
    pairs = campaign.union().pairs
    ids = [(f"q{q}", f"d{d}") for q, d in zip(pairs.query, pairs.document, strict=True)]
    grades = campaign.grade[pairs.query, pairs.document].tolist()
    results = {
        f"run{run}": {
            f"q{query}": [f"d{one}" for one in campaign.order[run, query]]
            for query in range(queries)
        }
        for run in range(runs)
    }
    judged = {}
    for (query_id, doc_id), grade in zip(ids, grades, strict=True):
        judged.setdefault(query_id, {})[doc_id] = grade
    pool, options = Pool(), {"depth": 8, "audit": 0.3, "seed": seed, "judged": judged, "aim": aim}
    for budget in budgets:
        pool = pool.after(build_pool(results, pool, strategy=strategy, budget=budget, **options))
    return tuple(np.array([pair in its for pair in ids]) for its in (pool.chosen, pool.drawn))


@pytest.mark.parametrize("strategy", ["mm", "settle"])
def test_rounds_of_a_strategy_give_no_bias(strategy):
    """Whatever it learns: over many seeds of one campaign, the mean is its true difference, and not
    what the judged documents alone would say."""
    campaign = generated(np.random.default_rng(5), 12, better=2.0)
    measure = linear_of("RBP@8")
    truth = campaign.differences(measure).mean()
    aim = Aim(measure.discount, measure.gain, between=(0, 1)) if strategy == "settle" else None
    found, plain = [], []
    for seed in range(300):
        union = campaign.union(*rounds_of(campaign, strategy, (25, 50), aim, seed))
        found.append(np.mean(by_query(UnbiasedDifferences(union, measure))))
        known = np.where(union.grades > 0, 1.0, 0.0)
        weight = union.pairs.discounts(1, measure.discount)
        weight -= union.pairs.discounts(0, measure.discount)
        plain.append((weight * known).sum() / 12)
    error = np.std(found) / np.sqrt(300)
    assert abs(np.mean(found) - truth) < 3 * error < 0.03
    assert abs(np.mean(plain) - truth) > 0.03


def test_variances_are_those_of_the_draws():
    """Of the mean, over queries and samples; and what would be left of it, were all judged."""
    draw = np.random.default_rng(8)
    measure = linear_of("P@8")
    every = generated(draw, 20_000)
    full = every.differences(measure).var() / 40
    found = []
    for _ in range(400):
        campaign = every.queries(draw.choice(20_000, 40, replace=False))
        found.append(UnbiasedDifferences(campaign.judged(draw, 0.3, 2), measure).between(0, 1))
    assert np.mean([one.variance for one in found]) == pytest.approx(
        np.var([one.delta for one in found]), rel=0.15
    )
    assert np.mean([one.full_variance for one in found]) == pytest.approx(full, rel=0.15)


def test_a_sample_that_shows_nothing_is_not_without_error():
    """Nothing is relevant of the sample: the truth may be as far off as one document would be."""
    draw = np.random.default_rng(5)
    campaign = generated(draw, 30)
    nothing = replace(campaign, grade=np.zeros_like(campaign.grade))
    found = UnbiasedDifferences(nothing.judged(draw, 0.3, 2), linear_of("P@8")).between(0, 1)
    waiting, judged, at_half = found.sampling
    by_one = (at_half * (waiting / judged - 1)).sum()
    assert found.delta == 0
    assert found.variance == pytest.approx(by_one)
    assert found.ci95[1] == pytest.approx(2.0452 * by_one**0.5, rel=1e-4)
    everything = UnbiasedDifferences(nothing.judged(draw, 0.3, 99), linear_of("P@8")).between(0, 1)
    assert everything.ci95 == (0, 0)


def test_queries_that_are_not_judged_are_left_out():
    campaign = generated(np.random.default_rng(1), 10)
    union = campaign.judged(np.random.default_rng(2), 0.3, 2)
    measure = linear_of("P@8")
    undecided = np.arange(10) >= 8
    its = UnbiasedDifferences(replace(union, undecided=undecided), measure).between(0, 1)
    assert its.queries == 8
    same = campaign.queries(~undecided)
    kept = union.pairs.query < 8
    part = same.union(union.chosen[kept], union.drawn[kept])
    # But that others are left out of what is expected, too.
    assert its.delta == pytest.approx(
        UnbiasedDifferences(part, measure).between(0, 1).delta, abs=0.05
    )
    few = replace(union, undecided=np.arange(10) >= 5)
    assert (
        UnbiasedDifferences(few, measure).between(0, 1) == "5 queries have pairs to be judged first"
    )


FLEISS = (
    (  # cases by the mother's age, of first to fifth children
        (107, 141, 60, 40, 39, 25),
        (25, 150, 110, 84, 82, 39),
        (3, 71, 114, 103, 108, 75),
        (1, 26, 64, 89, 137, 96),
        (0, 8, 63, 112, 262, 295),
    ),
    (  # births
        (230061, 329449, 114920, 39487, 14208, 3052),
        (72202, 326701, 208667, 83228, 28466, 5375),
        (15050, 175702, 207081, 117300, 45026, 8660),
        (2293, 68800, 132424, 98301, 46075, 9834),
        (327, 30666, 123419, 149919, 104088, 34392),
    ),
)
"""Down syndrome in Michigan (Fleiss, Statistical Methods for Rates and Proportions, 1981, table
14.4), the example of Fay and Feuer."""

PUBLISHED = {0: (92.3, 80.4, 105.8), 4: (75.52901, 67.70212, 188.30017)}
"""Per 100,000: of first children, as Fay and Feuer's table 1 has it; of the fifth and later, as the
R package dsrTest 0.2.1 prints it."""


@pytest.mark.parametrize("child", PUBLISHED)
def test_limits_of_weighted_counts_are_those_of_fay_and_feuer(child):
    cases, births = np.array(FLEISS[0]), np.array(FLEISS[1])
    weight = births.mean(axis=0) / births.mean(axis=0).sum() / births[child] * 1e5
    counted = np.repeat(weight, cases[child])
    rate, *ends = PUBLISHED[child]
    rel = 1e-3 if child == 0 else 1e-7
    assert counted.sum() == pytest.approx(rate, rel=rel)
    assert weighted_count_limits(counted, weight.max()) == pytest.approx(ends, rel=rel)


def test_of_no_count_there_is_an_upper_limit():
    """-log(alpha / 2) documents may be there of which none was met, times what one stands for."""
    assert weighted_count_limits(np.zeros(0), 5.0) == pytest.approx((0.0, 5 * -np.log(0.025)))
    assert weighted_count_limits(np.zeros(0), 0.0) == (0.0, 0.0)


def test_missed_documents_are_as_many_as_there_are():
    draw = np.random.default_rng(6)
    held, off, parts = [], [], []
    for _ in range(400):
        campaign = generated(draw, 15)
        union = campaign.judged(draw, 0.2, 2 + np.arange(15) % 2)
        found = missed_relevant(union)
        relevant = campaign.grade[union.pairs.query, union.pairs.document] > 0
        unseen = relevant & (union.grades == UNJUDGED)
        held.append(found.interval[0] <= unseen.sum() <= found.interval[1])
        off.append(found.relevant - unseen.sum())
        in_second = np.isin(np.arange(len(unseen)), union.pairs.at[1])
        parts.append(found.by_run["run1"] - (unseen & in_second).sum())
    assert np.mean(held) >= 0.95
    for each in (off, parts):
        assert abs(np.mean(each)) < 3 * np.std(each) / np.sqrt(len(each))


def test_where_nothing_is_left_nothing_is_missed():
    campaign = generated(np.random.default_rng(1), 8)
    found = missed_relevant(campaign.judged(np.random.default_rng(2), 0.5, 99))
    assert (found.relevant, found.interval, found.unjudged) == (0, (0, 0), 0)
    assert missed_relevant(campaign.judged(np.random.default_rng(2), 0.5, 0)) is None
