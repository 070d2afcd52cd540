"""The confidence sequence: its formula, and how often campaigns that are looked at after each round
are stopped though there is no difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm, t

from judge_tui.comparison.confidence_sequence import half_width


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.001])
def test_it_is_tightest_where_that_is_planned(alpha):
    """Beside the same boundary by every other rho."""
    planned = 70.0

    def width(log_rho):
        rho = np.exp(log_rho)
        return np.sqrt((planned + rho) * np.log((planned + rho) / (rho * alpha**2))) / planned

    least = minimize_scalar(width, bounds=(-10, 10), method="bounded")
    assert half_width(planned, planned, alpha) == pytest.approx(least.fun)


@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_it_is_wider_than_an_interval_of_one_look(alpha):
    information = np.geomspace(1e-3, 1e3, 61)
    errors = half_width(information, 1.0, alpha) * np.sqrt(information)
    assert (errors > norm.isf(alpha / 2)).all()
    assert errors.argmin() == 30


def looks(draw, campaigns, queries, waiting, rounds):
    """The mean difference and its error after each round, float64[campaigns, rounds] twice, where
    the truth is 0: queries differ, and so many pairs of each are judged one after the other."""
    shape = (campaigns, queries, waiting)
    off = draw.normal(0, 0.05, (*shape[:2], 1)) + draw.choice([-0.3, 0, 0, 0.3], shape)
    number = np.arange(1, waiting + 1)
    difference = (off.cumsum(axis=2) * waiting / number)[:, :, :: waiting // rounds]
    mean, spread = difference.mean(axis=1), difference.std(axis=1, ddof=1)
    return mean, spread / np.sqrt(queries)


def test_looking_after_each_round_stops_few_campaigns_in_error():
    mean, error = looks(np.random.default_rng(3), 4000, 40, 40, 20)
    full = 1 / error[:, -1:] ** 2
    width = half_width(1 / error**2, full)
    assert (np.abs(mean) > width).any(axis=1).mean() <= 0.05
    # An interval of one look is wrong at one of many, which is why it is not taken.
    once = np.abs(mean) > t.isf(0.025, 39) * error
    assert once[:, 0].mean() == pytest.approx(0.05, abs=0.015)
    assert once.any(axis=1).mean() > 0.15
