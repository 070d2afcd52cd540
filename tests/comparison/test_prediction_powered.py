"""Prediction-powered means against the paper's formulas in plain sums, and how often they hold."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy.stats import t

from judge_tui.comparison.prediction_powered import prediction_powered

NOTHING = np.zeros(0)


def drawn(n, more, correlation, seed, shift=0.0):
    """What people say of n queries, and the model of these and of `more`; the mean is 0."""
    draw = np.random.default_rng(seed)
    people, noise = draw.normal(size=(2, n + more))
    model = correlation * people + sqrt(1 - correlation**2) * noise + shift
    return people[:n], model[:n], model[n:]


def mean(values):
    return sum(values) / len(values)


def summed(one, other):
    """The sum of the products of what is above the means."""
    return sum((a - mean(one)) * (b - mean(other)) for a, b in zip(one, other, strict=True))


def plain(people, model, alone):
    """Angelopoulos, Duchi & Zrnic (2023): lambda, estimate, variance and interval, by sums."""
    n, more, every = len(people), len(alone), [*model, *alone]
    spread = summed(every, every) / (n + more - 1)
    weight = summed(people, model) / (n - 1) / ((1 + n / more) * spread)
    weight = max(0, min(1, weight))
    estimate = mean(people) + weight * (mean(alone) - mean(model))
    left = [y - weight * f for y, f in zip(people, model, strict=True)]
    variance = summed(left, left) / (n - 2) / n + weight**2 * spread / more
    half = t.ppf(0.975, n - 2) * sqrt(variance)
    worth = summed(people, people) / (n - 1) / variance
    return estimate, estimate - half, estimate + half, variance, weight, worth


@pytest.mark.parametrize(
    ("n", "more", "correlation"), [(6, 3, 0.95), (10, 50, 0.8), (40, 400, 0.6), (30, 5, 0.9)]
)
def test_values_are_those_of_the_paper(n, more, correlation):
    people, model, alone = drawn(n, more, correlation, seed=n, shift=3)
    found = prediction_powered(people, model, alone)
    assert not isinstance(found, str)
    values = (found.estimate, *found.ci95, found.variance, found.weight, found.worth)
    assert values == pytest.approx(plain(people.tolist(), model.tolist(), alone.tolist()))
    assert found.correlation == pytest.approx(np.corrcoef(people, model)[0, 1])
    assert (found.queries, found.more) == (n, more)


def test_a_model_on_another_scale_has_at_most_the_weight_1():
    people, model, alone = drawn(20, 100, 0.9, seed=2)
    found = prediction_powered(people, model / 10, alone / 10)
    assert not isinstance(found, str)
    assert found.weight == 1
    values = plain(people.tolist(), (model / 10).tolist(), (alone / 10).tolist())
    assert (found.estimate, *found.ci95) == pytest.approx(values[:3])


@pytest.mark.parametrize(
    ("n", "more", "correlation"),
    [(10, 50, 0.9), (10, 50, 0.3), (20, 100, 0.6), (40, 400, 0.8), (30, 30, 0.5)],
)
def test_intervals_hold_the_truth(n, more, correlation):
    held, widths, seed = [], [], 0
    while len(held) < 1_000:
        people, model, alone = drawn(n, more, correlation, seed, shift=1)
        seed += 1
        found = prediction_powered(people, model, alone)
        if isinstance(found, str):
            continue
        low, high = found.ci95
        held.append(low <= 0 <= high)
        widths.append((high - low) / (2 * t.ppf(0.975, n - 1) * people.std(ddof=1) / sqrt(n)))
    assert 0.93 <= np.mean(held) <= 0.97
    # Narrower than without the model, the more so the better it is.
    assert np.mean(widths) < 1


def test_where_data_are_too_few_or_the_model_too_bad_there_is_none():
    people, model, alone = drawn(10, 50, 0.9, seed=1)
    flat = np.ones(10)
    for given in (
        (people[:5], model[:5], alone),
        (people, model, NOTHING),
        (NOTHING, NOTHING, alone),
        (people, -model, alone),
        (flat, model, alone),
        (people, flat, alone),
        (people, model, alone[:1] + 100),  # the mean of one query tells next to nothing
    ):
        assert isinstance(prediction_powered(*given), str)


@pytest.mark.parametrize("above", [False, True])
def test_it_is_shown_where_the_correlation_exceeds_what_noise_brings(above):
    # Centred and orthogonal: the correlation is what it is made of, 1 / sqrt(8) with 10 queries.
    line, bend = np.arange(10) - 4.5, (np.arange(10) - 4.5) ** 2
    bend -= bend.mean()
    line, bend = line / np.linalg.norm(line), bend / np.linalg.norm(bend)
    share = 1 / sqrt(8) + (1e-9 if above else -1e-9)
    model = share * line + sqrt(1 - share**2) * bend
    alone = np.tile(model, 10_000)
    assert isinstance(prediction_powered(line, model, alone), str) != above
