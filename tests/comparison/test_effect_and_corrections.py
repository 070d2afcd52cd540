from itertools import chain, combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from judge_tui.comparison.comparison import Changes
from judge_tui.comparison.family import Settings, Verdict, adjust, give_verdict
from judge_tui.comparison.paired_tests import TestResult, effect_sizes
from judge_tui.comparison.power import detectable_effect
from judge_tui.comparison.resampling import RESAMPLES, bootstrap_intervals
from judge_tui.scoring import mean as mean_of
from tests.comparison.paired_power import power_by_scipy


def effect_size(values):
    return effect_sizes(np.array([values]))[0]


p_values = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def holm(sample: list[float]) -> list[float]:
    """By closed testing (Marcus, Peritz and Gabriel 1976): of all families that a hypothesis is in,
    the greatest p of Bonferroni."""
    places = range(len(sample))
    families = [one for size in places for one in combinations(places, size + 1)]
    p = {one: min(1.0, len(one) * min(sample[at] for at in one)) for one in families}
    return [max(p[one] for one in families if place in one) for place in places]


@given(p_values)
def test_corrections_equal_closed_testing_and_scipy(sample):
    assert adjust(sample, "holm") == pytest.approx(holm(sample), abs=1e-12)
    expected = false_discovery_control(sample, method="bh").tolist()
    assert adjust(sample, "bh") == pytest.approx(expected, abs=1e-12)
    assert adjust(sample, "none") == sample


def test_holm_by_hand():
    # Holm 1979: .01 x 3, .02 x 2, .03 x 1 and never less than the one before.
    assert adjust([0.03, 0.01, 0.02], "holm") == pytest.approx([0.04, 0.03, 0.04])


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_a_comparison_without_a_p_is_one_of_the_family(correction):
    # The family is what is printed, three comparisons: .0039 x 3, and not .0039 x 1.
    assert adjust([None, 0.0039, None], correction) == [None, pytest.approx(0.0117), None]
    assert adjust([None], correction) == [None]
    assert adjust([], correction) == []


def test_comparisons_without_a_p_by_hand():
    # m = 4. Holm: .02 x 4 and .03 x 3. Benjamini and Hochberg: .03 x 4 / 2, and .02 x 4 / 1 is
    # held down to that.
    assert adjust([None, 0.02, None, 0.03], "holm") == [
        None,
        pytest.approx(0.08),
        None,
        pytest.approx(0.09),
    ]
    assert adjust([None, 0.02, None, 0.03], "bh") == [
        None,
        pytest.approx(0.06),
        None,
        pytest.approx(0.06),
    ]
    assert adjust([None, 0.02], "none") == [None, 0.02]


@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=20))
def test_a_comparison_without_a_p_counts_as_one_of_p_1(sample):
    for correction in ("holm", "bh"):
        counted = adjust([1.0 if p is None else p for p in sample], correction)
        for p, adjusted, expected in zip(sample, adjust(sample, correction), counted, strict=True):
            assert adjusted == (None if p is None else pytest.approx(expected, abs=1e-12))


@pytest.mark.parametrize(("n", "expected"), [(30, 0.529), (50, 0.404), (100, 0.283)])
def test_detectable_effect_gold(n, expected):
    # Paired t, alpha .05, power .8: G*Power's values.
    assert detectable_effect(n) == pytest.approx(expected, abs=5e-4)


@given(
    st.integers(3, 400),
    st.sampled_from([0.001, 0.01, 0.05, 0.1]),
    st.sampled_from(["two-sided", "greater"]),
)
def test_a_t_test_has_the_power_that_the_detectable_effect_promises(n, alpha, alternative):
    effect = detectable_effect(n, alpha, alternative)
    power = power_by_scipy(effect, n, alpha, alternative)
    assume(not isnan(power))
    assert power == pytest.approx(0.8, abs=1e-6)
    assert effect == detectable_effect(
        n, alpha, "less" if alternative == "greater" else alternative
    )


def test_what_cannot_be_detected_is_undefined():
    assert detectable_effect(0) is None
    assert detectable_effect(1) is None


def test_effect_size_uses_the_sample_standard_deviation():
    # Differences 1, 2, 3: mean 2, sample sd 1 (population sd .816).
    assert effect_size([1.0, 2.0, 3.0]) == pytest.approx(2.0)
    assert effect_size([0.1, 0.1, 0.3 - 0.2]) is None
    assert effect_size([0.4]) is None


@pytest.mark.parametrize(
    ("values", "mean", "sample_sd"),
    [((0.92, 0.85, 0.84), 0.87, 0.0436), ((0.95, 0.72, 0.70), 0.79, 0.1389)],
)
def test_published_means_and_deviations(values, mean, sample_sd):
    # A published table of per-query nDCG gives the population sd (.0356, .1134); d_z divides by
    # the sample sd.
    assert mean_of(values) == pytest.approx(mean, abs=1e-12)
    assert mean_of(values) / effect_size(values) == pytest.approx(sample_sd, abs=5e-5)


def test_bootstrap_interval():
    generator = np.random.default_rng(2)
    sample = generator.normal(0.1, 0.2, (1, 50))
    ((low, high),) = bootstrap_intervals(sample, 0)
    assert [(low, high)] == bootstrap_intervals(sample, 0)
    assert [(low, high)] != bootstrap_intervals(sample, 1)
    # For 50 values of a normal sample the interval is close to mean -+ 1.96 sd / sqrt(n).
    half = 1.96 * sample.std(ddof=0) / 50**0.5
    assert low == pytest.approx(sample.mean() - half, abs=0.01)
    assert high == pytest.approx(sample.mean() + half, abs=0.01)
    assert RESAMPLES == 10_000


def test_bootstrap_interval_of_nothing_to_resample():
    assert bootstrap_intervals(np.array([[0.5]]), 0) == [None]
    assert bootstrap_intervals(np.array([[0.25, 0.25]]), 0) == [None]


UP = TestResult(p=0.02, p_greater=0.01, p_less=0.99)
DOWN = TestResult(p=0.02, p_greater=0.99, p_less=0.01)


@pytest.mark.parametrize(
    ("queries", "delta", "result", "p_adjusted", "alternative", "verdict"),
    [
        (50, 0.1, UP, 0.02, "two-sided", Verdict.BETTER),
        (50, -0.1, DOWN, 0.02, "two-sided", Verdict.WORSE),
        (50, 0.1, UP, 0.05, "two-sided", Verdict.NOTHING_SHOWN),
        (50, -0.1, UP, 0.02, "two-sided", Verdict.NOTHING_SHOWN),
        (50, 0.1, DOWN, 0.02, "two-sided", Verdict.NOTHING_SHOWN),
        (50, 0.0, UP, 0.02, "two-sided", Verdict.NOTHING_SHOWN),
        (50, 0.0, TestResult(why="no query differs"), None, "two-sided", Verdict.NOTHING_SHOWN),
        (5, 0.1, UP, 0.02, "two-sided", Verdict.TOO_FEW),
        (5, 0.0, TestResult(why="no query differs"), None, "two-sided", Verdict.TOO_FEW),
        (50, 0.1, UP, 0.01, "greater", Verdict.BETTER),
        (50, -0.1, DOWN, 0.99, "greater", Verdict.NOTHING_SHOWN),
        (50, -0.1, DOWN, 0.01, "less", Verdict.WORSE),
    ],
)
def test_verdicts(queries, delta, result, p_adjusted, alternative, verdict):
    settings = Settings(alternative=alternative)
    assert give_verdict(queries, delta, result, p_adjusted, settings) is verdict


@given(st.lists(st.tuples(st.integers(-2, 2), st.booleans(), st.booleans()), max_size=12))
def test_every_query_is_in_exactly_one_bucket(rows):
    queries = [(f"q{at}", *row) for at, row in enumerate(rows)]
    members = Changes.of(reversed(queries))
    assert sorted(chain(*members)) == sorted(query_id for query_id, *_ in queries)


def test_found_and_lost_come_before_better_and_worse():
    queries = [
        ("f", 0, False, False),
        ("e", 5, False, True),
        ("d", -5, True, False),
        ("c", 2, True, True),
        ("b", -2, True, True),
        ("a", 0, True, True),
    ]
    assert Changes.of(queries).to_dict() == {
        "added": ["e"],
        "removed": ["d"],
        "improved": ["c"],
        "degraded": ["b"],
        "unchanged": ["a", "f"],
    }
