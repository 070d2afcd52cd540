"""Power and numbers of queries against SciPy and published values."""

from math import isnan, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import nctdtr, stdtr, stdtrit

from judge_tui.comparison.power import (
    PowerQuestion,
    critical_t,
    detectable_effect,
    power_of,
    queries_needed,
    upper_tail,
)
from judge_tui.errors import UsageError
from tests.comparison.paired_power import power_by_scipy

SIDES = st.sampled_from(["two-sided", "greater"])


@given(
    st.integers(2, 5000),
    st.floats(0.01, 2),
    st.sampled_from([0.001, 0.01, 0.05, 0.2]),
    SIDES,
)
def test_power_equals_scipys(n, effect, alpha, alternative):
    theirs = power_by_scipy(effect, n, alpha, alternative)
    assume(not isnan(theirs))
    assert power_of(effect, n, alpha, alternative) == pytest.approx(theirs, abs=1e-7)


@given(
    st.floats(0.05, 1.5),
    st.sampled_from([0.5, 0.8, 0.95]),
    st.sampled_from([0.01, 0.05]),
    SIDES,
)
def test_queries_needed_are_the_fewest_that_suffice(effect, power, alpha, alternative):
    needed = queries_needed(effect, power, alpha, alternative)
    assert power_by_scipy(effect, needed, alpha, alternative) > power - 1e-9
    if needed > 2:
        assert not power_by_scipy(effect, needed - 1, alpha, alternative) > power + 1e-9
    assert power_of(effect, needed, alpha, alternative) >= power


def test_queries_needed_gold():
    # G*Power's manual and Cohen's tables: d_z .5 at .80 and .95, two-sided .05: 34 and 54.
    assert (queries_needed(0.5), queries_needed(0.5, 0.95)) == (34, 54)
    assert queries_needed(-0.5) == 34
    assert queries_needed(1e-6) is None


@pytest.mark.parametrize(("n", "effect"), [(30, 0.529), (50, 0.404), (100, 0.283)])
def test_detectable_effect_gold(n, effect):
    # Paired t, alpha .05, power .8: G*Power's values.
    assert detectable_effect(n) == pytest.approx(effect, abs=5e-4)
    assert power_of(effect, n) == pytest.approx(0.8, abs=2e-3)
    assert queries_needed(detectable_effect(n)) in (n, n + 1)  # but for the last bit


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


@given(st.integers(1, 3000), st.just(0.0) | st.floats(1e-9, 30), st.floats(0, 12))
def test_the_distribution_equals_scipys(df, bound, shift):
    """But for bounds near 0, such as 7e-153, of which SciPy's has no number."""
    assert upper_tail(bound, df) == pytest.approx(float(stdtr(df, -bound)), rel=1e-6, abs=1e-30)
    theirs = float(nctdtr(df, shift, bound))
    assert upper_tail(bound, df, shift) == pytest.approx(1 - theirs, abs=1e-9)


@pytest.mark.parametrize(("df", "shift", "bound"), [(4, 100, 60), (4, 100, 150), (4, 300, 250)])
def test_a_great_shift_takes_finer_steps(df, shift, bound):
    assert upper_tail(bound, df, shift) == pytest.approx(1 - nctdtr(df, shift, bound), abs=1e-12)


@pytest.mark.parametrize("df", [1, 2, 10, 500])
@pytest.mark.parametrize("tail", [1e-6, 0.025, 0.4, 0.5, 0.9])
def test_quantiles_equal_scipys(df, tail):
    assert critical_t(tail, df) == pytest.approx(-float(stdtrit(df, tail)), rel=1e-7, abs=1e-9)


def test_what_has_no_power():
    assert power_of(0.5, 1) is None
    assert power_of(50.0, 10_000) == 1.0
    assert detectable_effect(0) is detectable_effect(1) is None
    assert detectable_effect(2, alpha=1e-6) is None
    assert detectable_effect(30, alpha=0.9) is None


def test_answers_belong_to_the_question():
    needed, had, least = PowerQuestion(delta=0.05, sd=0.2, queries=50).answers()
    assert needed[1:4] == (0.25, 0.05, queries_needed(0.25))
    assert needed.power >= 0.8
    assert had[1:5] == (0.25, 0.05, 50, power_of(0.25, 50))
    assert least[1:5] == (detectable_effect(50), detectable_effect(50) * 0.2, 50, 0.8)
    (least,) = PowerQuestion(queries=30).answers()
    assert (least.effect, least.delta) == (detectable_effect(30), None)
    assert [bool(one.why) for one in PowerQuestion(effect=0.3, queries=1).answers()] == [0, 1, 1]


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({}, "there is neither an effect nor a number of queries"),
        ({"effect": 0.3, "delta": 0.1}, "--effect cannot go with --delta or --sd"),
        ({"delta": 0.1}, "--delta needs --sd"),
        ({"delta": 0.1, "sd": 0.0}, "the standard deviation is 0"),
        ({"effect": nan}, "the effect is nan"),
        ({"delta": 0.0, "sd": 1.0}, "the effect is 0"),
        ({"effect": 0.3, "alpha": 1.0}, "alpha 1.0 is not between 0 and 1"),
        ({"effect": 0.3, "power": 0.05}, "power 0.05 is not between alpha 0.05 and 1"),
        ({"effect": 0.3, "queries": 0}, "--queries is 0"),
    ],
)
def test_questions_that_make_no_sense(asked, what):
    with pytest.raises(UsageError) as error:
        PowerQuestion(**asked)
    assert error.value.what == what
