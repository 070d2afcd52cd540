"""Corrections, verdicts, and families of two columns of values side by side."""

from itertools import combinations
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from judge_tui.comparison.family import Verdict, give_verdict, run_tests
from judge_tui.comparison.paired_tests import TestResult
from judge_tui.comparison.settings import ComparisonSettings, adjust

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
    assert adjust(sample, "none").tolist() == sample


@pytest.mark.parametrize(
    ("p_values", "correction", "adjusted"),
    [
        # Holm 1979: .01 x 3, .02 x 2, .03 x 1 and never less than the one before.
        ([0.03, 0.01, 0.02], "holm", [0.04, 0.03, 0.04]),
        # The family is what is printed, with a p or without: .0039 x 3, and not .0039 x 1.
        ([None, 0.0039, None], "holm", [None, 0.0117, None]),
        ([None, 0.0039, None], "bh", [None, 0.0117, None]),
        ([None, 0.02, None, 0.03], "holm", [None, 0.08, None, 0.09]),
        # .03 x 4 / 2, and .02 x 4 / 1 is held down to that.
        ([None, 0.02, None, 0.03], "bh", [None, 0.06, None, 0.06]),
        ([None, 0.02], "none", [None, 0.02]),
        ([None], "holm", [None]),
        ([], "bh", []),
    ],
)
def test_corrections_by_hand(p_values, correction, adjusted):
    without = [nan if one is None else one for one in adjusted]
    assert adjust(p_values, correction).tolist() == pytest.approx(without, nan_ok=True)


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
    settings = ComparisonSettings(alternative=alternative)
    assert give_verdict(queries, delta, result, p_adjusted, settings) is verdict


WILCOXON = ComparisonSettings(tests=("wilcoxon",))


def sides(before, after):
    return np.array(before, dtype=float), np.array(after, dtype=float)


def test_sides_without_a_query_belong_to_the_family():
    one, none = sides([0.0] * 8, np.linspace(0.1, 0.8, 8)), sides([], [])
    (alone,) = run_tests([one], WILCOXON)
    nothing, among, _ = run_tests([none, one, none], WILCOXON)
    # Two patterns of signs of 2^8 are as extreme.
    assert alone.p_adjusted["wilcoxon"] == alone.tests["wilcoxon"].p == 2 / 2**8
    assert among.p_adjusted["wilcoxon"] == adjust([2 / 2**8, None, None], "holm")[0] == 6 / 2**8
    assert (nothing.p_adjusted["wilcoxon"], nothing.verdict) == (None, Verdict.TOO_FEW)


def test_sides_of_any_number_of_queries_stand_beside_each_other():
    rows = [sides([0.0] * n, np.linspace(0.1, 0.5, n)) for n in (3, 1, 9, 3)]
    rows.append(sides([0.0] * 9, [0.5] * 9))
    found = run_tests(rows, ComparisonSettings())
    few, better = Verdict.TOO_FEW, Verdict.BETTER
    assert [each.verdict for each in found] == [few, few, better, few, better]
    for row, each in zip(rows, found, strict=True):
        assert run_tests([row], ComparisonSettings())[0].tests == each.tests
