"""Many pairs of judges as one, and one judge beside the others: against two judges, the definition,
derivatives and SciPy."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from judge_tui.agreement.coefficients import cohen_kappa, percent_agreement
from judge_tui.agreement.pooled import beside_others, pooled_agreement
from judge_tui.agreement.ratings import patterns_of
from tests.agreement.grades_drawn import grade_arrays, ratings


def pooled(codes, judge=None):
    return pooled_agreement(patterns_of(replace(ratings("0"), grades=codes)), judge)


def beside(whole, judge):
    return beside_others(patterns_of(whole), judge, whole.scale)


def compared(codes, judge):
    """The pairs of judges, and the pairs that both graded."""
    for a, b in combinations(range(len(codes)), 2):
        if judge in (None, a, b):
            both = np.flatnonzero((codes[a] >= 0) & (codes[b] >= 0))
            if len(both):
                yield a, b, both


def kappa_by_definition(codes, judge, weights):
    """One less disagreement observed by that expected, each summed over the pairs of judges."""
    observed = expected = 0.0
    for a, b, both in compared(codes, judge):
        n = weights[both].sum()
        observed += sum(weights[u] * (int(codes[a, u]) - int(codes[b, u])) ** 2 for u in both)
        expected += sum(
            weights[u] * weights[v] * (int(codes[a, u]) - int(codes[b, v])) ** 2 / n
            for u in both
            for v in both
        )
    return None if expected == 0 else 1 - observed / expected


@given(grade_arrays(most=2))
def test_of_two_judges_it_is_kappa_and_percent_agreement_with_their_intervals(codes):
    counts = [[int(((codes[0] == a) & (codes[1] == b)).sum()) for b in range(4)] for a in range(4)]
    oracles = {
        "agreement": percent_agreement(counts),
        "kappa_quadratic": cohen_kappa(counts, "quadratic"),
    }
    for judge in (None, 0, 1):
        found = pooled(codes, judge)
        assert found.pairs == sum(map(sum, counts))
        for name, other in oracles.items():
            ours = found.estimates[name]
            assert ours.value == (None if other.value is None else pytest.approx(other.value))
            assert ours.ci95 == (
                None if other.ci95 is None else pytest.approx(other.ci95, abs=1e-9)
            )
            assert (ours.why is None) == (other.why is None)


@given(grade_arrays(least=3))
def test_values_are_those_of_the_definition(codes):
    weights = np.ones(codes.shape[1])
    for judge in (None, 1):
        found = pooled(codes, judge)
        expected = kappa_by_definition(codes, judge, weights)
        value = found.estimates["kappa_quadratic"].value
        assert value == (None if expected is None else pytest.approx(expected, abs=1e-9))
        pairs = list(compared(codes, judge))
        alike = sum(int((codes[a, both] == codes[b, both]).sum()) for a, b, both in pairs)
        assert found.pairs == len({unit for _, _, both in pairs for unit in both.tolist()})
        if found.pairs:
            share = alike / sum(len(both) for _, _, both in pairs)
            assert found.estimates["agreement"].value == pytest.approx(share)


@given(grade_arrays(least=3, pairs=10))
def test_the_error_of_kappa_is_the_root_of_the_squared_derivatives(codes):
    # The delta method: how the value changes with the weight of one document, by small steps.
    whole = np.ones(codes.shape[1])
    for judge in (None, 0):
        found = pooled(codes, judge).estimates["kappa_quadratic"]
        assume(found.ci95 is not None)
        step = 1e-5
        slopes = []
        for unit in range(codes.shape[1]):
            more, less = whole.copy(), whole.copy()
            more[unit] += step
            less[unit] -= step
            ends = [kappa_by_definition(codes, judge, weights) for weights in (more, less)]
            slopes.append((ends[0] - ends[1]) / (2 * step))
        reach = 1.959963984540054 * sum(slope**2 for slope in slopes) ** 0.5
        low, high = max(-1, found.value - reach), min(1, found.value + reach)
        assert found.ci95 == pytest.approx((low, high), abs=1e-6)


@given(grade_arrays(least=3))
def test_judges_who_copy_each_other_are_no_new_evidence(codes):
    # Ten copies of one judge agree with the first as one does, and the interval is no narrower
    # than that of the one; independence would make it a third as wide.
    one = pooled(codes[:2], 0)
    copied = pooled(np.vstack([codes[:1], np.repeat(codes[1:2], 10, axis=0)]), 0)
    for name, single in one.estimates.items():
        many = copied.estimates[name]
        assert many.value == (None if single.value is None else pytest.approx(single.value))
        assert many.ci95 == (None if single.ci95 is None else pytest.approx(single.ci95, abs=1e-9))


@given(grade_arrays(least=3), st.permutations(range(12)))
def test_every_digit_is_the_same_in_whatever_order_the_pairs_came(codes, order):
    for judge in (None, 2):
        assert pooled(codes[:, order], judge) == pooled(codes, judge)


@pytest.mark.parametrize(
    ("documents", "alike", "cases"),
    [
        # All of three judges agree or all differ: the comparisons of a document are one case, so
        # that the interval is Wilson's for 20 documents, not for 60 comparisons.
        ([[1, 1, 1]] * 12 + [[0, 1, 2]] * 8, 12, 20),
        # Of the three comparisons of every document one is alike: the sums have no error at all.
        ([[0, 0, 1], [2, 2, 3], [1, 1, 3]] * 5, 5, 15),
    ],
)
def test_the_share_has_the_width_of_independent_comparisons(documents, alike, cases):
    found = pooled(np.array(documents, dtype=np.int8).T)
    oracle = percent_agreement([[alike, cases - alike], [0, 0]])
    assert found.pairs == cases
    assert found.estimates["agreement"].value == pytest.approx(oracle.value)
    assert found.estimates["agreement"].ci95 == pytest.approx(oracle.ci95)


def test_undefined_says_why():
    none = pooled(np.array([[0, -1], [-1, 1]], dtype=np.int8))
    assert none.pairs == 0
    for one in none.estimates.values():
        assert (one.value, one.why) == (None, "no pair has two grades to compare")
    same = pooled(np.ones((3, 4), dtype=np.int8)).estimates
    assert (same["agreement"].value, same["kappa_quadratic"].value) == (1.0, None)
    assert "one and the same grade" in same["kappa_quadratic"].why


def test_one_judge_beside_the_others_by_hand():
    # c is graded beside a and b: 3 - (1 + 1)/2 = 2, 3 - (2 + 1)/2 = 1.5, 2 - 0 = 2, and nobody
    # else graded the last one. c agrees in none of the 2 + 2 + 1 comparisons.
    found = beside(ratings("120.", "11..", "3322"), 2)
    assert found.pairs == 3
    assert found.estimates["bias"].value == pytest.approx((2 + 1.5 + 2) / 3)
    assert found.estimates["agreement"].value == 0


@given(grade_arrays())
def test_bias_is_the_mean_of_differences_with_students_interval(codes):
    scale = (0, 1, 3, 9)
    values = np.array([*scale, np.nan])[codes]
    there = ~np.isnan(values[0]) & ~np.isnan(values[1:]).all(axis=0)
    found = beside(replace(ratings("0"), grades=codes, scale=scale), 0)
    bias = found.estimates["bias"]
    assert found.pairs == there.sum()
    if not there.any():
        assert bias.value is None
        return
    differences = values[0][there] - np.nanmean(values[1:, there], axis=0)
    assert bias.value == pytest.approx(differences.mean(), abs=1e-12)
    if there.sum() < 3 or np.ptp(differences) < 1e-9:
        assert bias.ci95 is None
        assert bias.why
    else:
        oracle = ttest_1samp(differences, 0).confidence_interval()
        assert bias.ci95 == pytest.approx((oracle.low, oracle.high), abs=1e-9)


def test_the_interval_of_one_pair_is_missing():
    found = beside(ratings("0", "1"), 0).estimates
    assert (found["bias"].value, found["bias"].why) == (-1, "no interval: it takes three pairs")
    assert found["kappa_quadratic"].value == 0
