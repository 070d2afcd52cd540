"""Each judge against the others, against SciPy and by hand."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from scipy.stats import ttest_1samp

from judge_tui.agreement.data import kinds_of
from judge_tui.agreement.each_judge import against_others, beside_others
from tests.agreement.grades_drawn import SCALE, data, places


def test_a_small_campaign_by_hand():
    # c is graded beside a and b: 3 - (1 + 1)/2 = 2, 3 - (2 + 1)/2 = 1.5, 2 - 0 = 2, and nobody
    # else graded the last one. c agrees in none of the 2 + 2 + 1 comparisons.
    found = against_others(data("120.", "11..", "3322"))["c"]
    assert found.pairs == 3
    assert found.estimates["bias"].value == pytest.approx((2 + 1.5 + 2) / 3)
    assert found.estimates["agreement"].value == 0
    assert list(found.to_dict()) == [
        "pairs",
        "agreement",
        "kappa_quadratic",
        "bias",
        "ci95",
        "alpha_without",
    ]


@given(places())
def test_bias_is_the_mean_of_differences_with_students_interval(codes):
    scale = (0, 1, 3, 9)
    values = np.array([*scale, np.nan])[codes]
    others = np.delete(values, 0, axis=0)
    there = ~np.isnan(values[0]) & ~np.isnan(others).all(axis=0)
    found = beside_others(kinds_of(codes, 4), 0, scale)
    bias = found.estimates["bias"]
    assert found.pairs == there.sum()
    if not there.any():
        assert bias.value is None
        return
    differences = values[0][there] - np.nanmean(others[:, there], axis=0)
    assert bias.value == pytest.approx(differences.mean(), abs=1e-12)
    if there.sum() < 2 or np.ptp(differences) < 1e-9:
        assert bias.ci95 is None
        assert bias.why
    else:
        oracle = ttest_1samp(differences, 0).confidence_interval()
        assert bias.ci95 == pytest.approx((oracle.low, oracle.high), abs=1e-9)


@given(places(least=3))
def test_alpha_without_a_judge_is_that_of_the_others(codes):
    rows = ["".join("." if code < 0 else str(code) for code in row) for row in codes.tolist()]
    found = against_others(data(*rows))
    for at, one in enumerate(found.values()):
        left = np.delete(codes, at, axis=0)
        units = left[:, (left >= 0).sum(axis=0) >= 2]
        given_grades = np.unique(units[units >= 0])
        if units.shape[1] < 2 or len(given_grades) < 2:
            assert one.alpha_without.value is None
            continue
        oracle = krippendorff.alpha(
            np.where(units < 0, np.nan, units),
            value_domain=[0, 1, 2, 3],
            level_of_measurement="ordinal",
        )
        assert one.alpha_without.value == pytest.approx(oracle, abs=1e-9)


def test_of_two_judges_one_is_left():
    found = against_others(data("0123" * 5, "0122" * 5))["a"]
    assert found.alpha_without.value is None
    assert found.alpha_without.why == "only one judge is left"


def test_intervals_of_one_pair_are_missing_and_said_to_be():
    found = against_others(data("0", "1"))["a"]
    assert found.estimates["bias"].value == -1
    assert found.to_dict()["why"]["bias"] == "no interval: it takes two pairs"
    assert found.estimates["kappa_quadratic"].value == 0
    assert len(SCALE) == 4
