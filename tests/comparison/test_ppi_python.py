"""Prediction-powered means against ppi-python, which the authors of PPI++ wrote.

With one weight both have one estimate. ppi-python's weight is (n - 1) / n of ours, n the queries
that people judged. It divides by n, has the model's variance over those that the model alone
judged, and takes limits of the normal distribution. All of this is right where queries are many,
and its intervals are too narrow where they are few.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from judge_tui.comparison.prediction_powered import prediction_powered
from tests.comparison.test_prediction_powered import drawn

LIMIT = norm.ppf(0.975)
CASES = [(6, 3, 0.95), (10, 50, 0.8), (40, 400, 0.6), (30, 5, 0.9)]


# What it is made of warns when it is imported. One test, as that takes each process seconds.
@pytest.mark.filterwarnings("ignore")
def test_estimates_and_intervals_beside_its_own():
    import ppi_py

    for case in CASES:
        compare_estimate_weight_and_variance(ppi_py, *case)
    compare_intervals_of_many_queries(ppi_py)
    count_intervals_of_few_queries(ppi_py)


def interval(ppi, *values, lam=None):
    low, high = np.ravel(ppi.ppi_mean_ci(*values, alpha=0.05, lam=lam))
    return low, high


def variance(ppi, *values, lam):
    low, high = interval(ppi, *values, lam=lam)
    return ((high - low) / 2 / LIMIT) ** 2


def compare_estimate_weight_and_variance(ppi, n, more, correlation):
    people, model, alone = drawn(n, more, correlation, seed=n, shift=3)
    found = prediction_powered(people, model, alone)
    assert not isinstance(found, str)
    weighed = np.ravel(ppi.ppi_mean_pointestimate(people, model, alone, lam=found.weight))
    assert found.estimate == pytest.approx(weighed[0], rel=1e-12)

    # Its weight, by which its estimate is as far from the plain mean as it is; our covariance is
    # that of a sample, as both have the variance.
    [its] = np.ravel(ppi.ppi_mean_pointestimate(people, model, alone))
    weight = (its - people.mean()) / (alone.mean() - model.mean())
    assert 0 < weight < 1
    assert found.weight == pytest.approx(min(1, weight * n / (n - 1)), rel=1e-9)

    # Its two parts: of what the model gets wrong, and of the model over all that it judged.
    every, total, nothing = np.concatenate([model, alone]), n + more, np.zeros(n)
    wrong = variance(ppi, people, model, nothing, lam=found.weight)
    spread = variance(ppi, nothing, nothing, every, lam=found.weight) * total
    expected = wrong * n / (n - 2) + spread * total / (total - 1) / more
    assert found.variance == pytest.approx(expected, rel=1e-9)


def compare_intervals_of_many_queries(ppi):
    people, model, alone = drawn(4_000, 40_000, 0.7, seed=5)
    found = prediction_powered(people, model, alone)
    assert not isinstance(found, str)
    low, high = interval(ppi, people, model, alone)
    assert found.ci95 == pytest.approx((low, high), abs=0.005 * (high - low))


def count_intervals_of_few_queries(ppi):
    """Ours hold the truth, a mean of 0, more often."""
    ours, its, seed = [], [], 0
    while len(ours) < 1_000:
        values = drawn(10, 50, 0.9, seed, shift=1)
        seed += 1
        found = prediction_powered(*values)
        if isinstance(found, str):
            continue
        for held, (low, high) in ((ours, found.ci95), (its, interval(ppi, *values))):
            held.append(low <= 0 <= high)
    assert np.mean(its) < 0.92
    assert 0.93 <= np.mean(ours) <= 0.97
