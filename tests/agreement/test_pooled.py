"""Many pairs of judges as one: against two judges, against the definition, against derivatives."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given

from judge_tui.agreement import cohen_kappa, percent_agreement
from judge_tui.agreement.data import kinds_of
from judge_tui.agreement.each_judge import pooled_agreement
from tests.agreement.grades_drawn import places


def pooled(codes, judge=None):
    return pooled_agreement(kinds_of(codes, 4), judge)


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


@given(places(most=2))
def test_of_two_judges_it_is_kappa_and_percent_agreement_with_their_intervals(codes):
    counts = [[int(((codes[0] == a) & (codes[1] == b)).sum()) for b in range(4)] for a in range(4)]
    kappa, percent = cohen_kappa(counts, "quadratic"), percent_agreement(counts)
    for found in (pooled(codes), pooled(codes, 0), pooled(codes, 1)):
        assert found.pairs == found.compared == sum(map(sum, counts))
        for ours, other in ((found.kappa_quadratic, kappa), (found.agreement, percent)):
            assert ours.value == (None if other.value is None else pytest.approx(other.value))
            assert ours.ci95 == (
                None if other.ci95 is None else pytest.approx(other.ci95, abs=1e-9)
            )
            assert (ours.why is None) == (other.why is None)


@given(places(least=3))
def test_values_are_those_of_the_definition(codes):
    weights = np.ones(codes.shape[1])
    for judge in (None, 1):
        found = pooled(codes, judge)
        expected = kappa_by_definition(codes, judge, weights)
        value = found.kappa_quadratic.value
        assert value == (None if expected is None else pytest.approx(expected, abs=1e-9))
        pairs = list(compared(codes, judge))
        alike = sum(int((codes[a, both] == codes[b, both]).sum()) for a, b, both in pairs)
        assert found.compared == sum(len(both) for _, _, both in pairs)
        assert found.pairs == len({unit for _, _, both in pairs for unit in both.tolist()})
        if found.compared:
            assert found.agreement.value == pytest.approx(alike / found.compared)


@given(places(least=3, pairs=10))
def test_the_error_of_kappa_is_the_root_of_the_squared_derivatives(codes):
    # The delta method: how the value changes with the weight of one document, by small steps.
    whole = np.ones(codes.shape[1])
    for judge in (None, 0):
        found = pooled(codes, judge).kappa_quadratic
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


@given(places(least=3))
def test_judges_who_copy_each_other_are_no_new_evidence(codes):
    # Ten copies of one judge agree with the first as one does, and the interval is no narrower
    # than that of the one; independence would make it a third as wide.
    one = pooled(codes[:2], 0)
    copied = pooled(np.vstack([codes[:1], np.repeat(codes[1:2], 10, axis=0)]), 0)
    for name in ("agreement", "kappa_quadratic"):
        single, many = getattr(one, name), getattr(copied, name)
        assert many.value == (None if single.value is None else pytest.approx(single.value))
        assert many.ci95 == (None if single.ci95 is None else pytest.approx(single.ci95, abs=1e-9))


@given(places(least=3))
def test_every_digit_is_the_same_in_whatever_order_the_pairs_came(codes):
    order = list(range(codes.shape[1]))
    random.Random(1).shuffle(order)
    for judge in (None, 2):
        assert pooled(codes[:, order], judge) == pooled(codes, judge)


def test_the_share_has_the_width_of_independent_comparisons():
    # Three judges, documents on which all agree or all differ: the three comparisons of a document
    # are one case, so that the interval is Wilson's for 20 documents, not for 60 comparisons.
    alike, unlike = [[1, 1, 1]] * 12, [[0, 1, 2]] * 8
    found = pooled(np.array(alike + unlike, dtype=np.int8).T)
    assert (found.pairs, found.compared) == (20, 60)
    assert found.agreement.ci95 == pytest.approx(percent_agreement([[12, 8], [0, 0]]).ci95)


def test_documents_that_do_not_differ_count_as_one_case_each():
    # Of the three comparisons of every document one is alike: the sums have no error at all.
    found = pooled(np.array([[0, 0, 1], [2, 2, 3], [1, 1, 3]] * 5, dtype=np.int8).T)
    assert found.agreement.value == pytest.approx(1 / 3)
    assert found.agreement.ci95 == pytest.approx(percent_agreement([[5, 10], [0, 0]]).ci95)


def test_undefined_is_said():
    none = pooled(np.array([[0, -1], [-1, 1]], dtype=np.int8))
    assert (none.pairs, none.agreement.value, none.kappa_quadratic.value) == (0, None, None)
    assert "no pair has two grades" in none.agreement.why
    same = pooled(np.ones((3, 4), dtype=np.int8))
    assert (same.agreement.value, same.kappa_quadratic.value) == (1.0, None)
    assert "one and the same grade" in same.kappa_quadratic.why
