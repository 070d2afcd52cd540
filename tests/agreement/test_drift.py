"""First and second half of a judge's work, against SciPy and by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from judge_tui.agreement.each_judge import drift
from tests.agreement.grades_drawn import data


def test_halves_follow_the_order_in_which_the_judge_graded():
    # a grades the same documents as b, but the later ones, in a's own order, one grade higher; the
    # last two documents nobody else graded, so that they are in no half.
    grades = data("1122111.", "1111000.", "......00")
    order = np.array([[1, 2, 7, 8, 3, 4, 5, 6]] * 3, dtype=np.int32)
    found = drift(replace(grades, came=order))["a"]
    # a's order: documents 0, 1, 4, 5 | 6, 2, 3; differences 0, 0, 1, 1 | 1 - (0 + 0)/2, 1, 1.
    assert (found.first.pairs, found.second.pairs) == (4, 3)
    assert found.first.estimates["bias"].value == pytest.approx(0.5)
    assert found.second.estimates["bias"].value == pytest.approx(1)
    assert found.change.value == pytest.approx(0.5)


grade_rows = st.text("0123", min_size=14, max_size=14)


@given(grade_rows, grade_rows)
def test_the_change_of_bias_is_welchs(one, other):
    found = drift(data(one, other))["a"]
    differences = np.array([int(a) - int(b) for a, b in zip(one, other, strict=True)], dtype=float)
    first, second = differences[:7], differences[7:]
    assert found.change.value == pytest.approx(second.mean() - first.mean(), abs=1e-12)
    if np.ptp(first) == np.ptp(second) == 0:
        assert found.change.ci95 is None
        assert found.p is None
        assert "the same everywhere" in found.change.why
        return
    oracle = ttest_ind(second, first, equal_var=False)
    interval = oracle.confidence_interval()
    assert found.p == pytest.approx(oracle.pvalue, abs=1e-9)
    assert found.change.ci95 == pytest.approx((interval.low, interval.high), abs=1e-9)


def test_too_few_pairs_are_said_to_be():
    none = drift(data("01..", "..01"))["a"]
    assert (none.change.value, none.p) == (None, None)
    assert none.change.why == "a half has no pair to compare"
    two = drift(data("01", "10"))["a"]
    assert two.change.value == 2
    assert two.change.ci95 is None
    assert "two pairs in each half" in two.change.why
