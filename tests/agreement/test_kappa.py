"""Cohen's kappa against published numbers, its definition and the delta method."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from judge_tui.agreement import cohen_kappa, percent_agreement
from judge_tui.agreement.coefficients import KAPPA_WEIGHTS
from judge_tui.errors import UsageError

SAS = [[0, 4, 1], [0, 8, 0], [0, 1, 5]]
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


@st.composite
def confusions(draw, least=2, most=5):
    size = draw(st.integers(least, most))
    cell = st.integers(0, 12)
    return draw(
        st.lists(st.lists(cell, min_size=size, max_size=size), min_size=size, max_size=size)
    )


def transposed(confusion):
    return [list(column) for column in zip(*confusion, strict=True)]


def test_sas_example():
    # SAS PROC FREQ; statsmodels' test_inter_rater.py has it as table10.
    plain = cohen_kappa(SAS)
    assert plain.value == pytest.approx(0.4842, abs=5e-5)
    assert plain.ci95 == pytest.approx((0.2137, 0.7547), abs=5e-5)
    assert (plain.ci95[1] - plain.ci95[0]) / 2 / 1.959964 == pytest.approx(0.1380, abs=5e-5)
    linear = cohen_kappa(SAS, "linear")
    assert linear.value == pytest.approx(0.4701, abs=5e-5)
    assert linear.ci95 == pytest.approx((0.1845, 0.7558), abs=1e-4)


def test_two_abstractors():
    # Gwet (2014), Handbook of Inter-Rater Reliability: cont3x3abstractors in irrCAC; linear and
    # quadratic from scikit-learn.
    assert cohen_kappa(ABSTRACTORS).value == pytest.approx(0.79641, abs=5e-6)
    assert cohen_kappa(ABSTRACTORS, "linear").value == pytest.approx(0.8429, abs=5e-5)
    assert cohen_kappa(ABSTRACTORS, "quadratic").value == pytest.approx(0.89216, abs=5e-6)


DISTANCES = {"none": lambda a, b: a != b, "linear": lambda a, b: abs(a - b)}
DISTANCES["quadratic"] = lambda a, b: (a - b) ** 2


@given(
    st.lists(st.tuples(st.sampled_from((0, 1, 2, 3)), st.sampled_from((0, 1, 2, 3))), min_size=1),
    st.sampled_from(sorted(KAPPA_WEIGHTS)),
)
def test_equals_its_definition_over_the_whole_scale(grades, weights):
    """Cohen (1968): how far the two grades of a pair are apart, over how far any grades of the two
    judges are; and by places of the scale, also those that nobody chose."""
    first, second = zip(*grades, strict=True)
    assume(len(set(first) | set(second)) > 1)
    confusion = [[sum(g == (a, b) for g in grades) for b in range(4)] for a in range(4)]
    apart = sum(DISTANCES[weights](a, b) for a, b in grades) / len(grades)
    by_chance = sum(DISTANCES[weights](a, b) for a in first for b in second) / len(grades) ** 2
    assert cohen_kappa(confusion, weights).value == pytest.approx(1 - apart / by_chance, abs=1e-12)


def kappa_of_shares(shares, weights):
    """The same definition for shares of the pairs, which may be complex."""
    size = len(shares)
    apart = np.array([[DISTANCES[weights](a, b) for b in range(size)] for a in range(size)])
    by_chance = np.outer(shares.sum(axis=1), shares.sum(axis=0)) / shares.sum() ** 2
    return 1 - (apart * shares).sum() / shares.sum() / (apart * by_chance).sum()


@given(confusions(), st.sampled_from(sorted(KAPPA_WEIGHTS)))
@example([[0, 0, 0], [0, 1, 0], [1, 0, 0]], "linear")
def test_value_and_interval_equal_the_delta_method(confusion, weights):
    """The variance of multinomial shares through the derivatives of kappa, each by a complex step
    (Squire and Trapp 1998), which rounds nothing away."""
    rows, columns = map(sum, confusion), map(sum, zip(*confusion, strict=True))
    assume(sum(n > 0 for n in rows) > 1)
    assume(sum(n > 0 for n in columns) > 1)
    pairs = np.sum(confusion)
    shares = np.array(confusion) / pairs
    slopes = np.zeros_like(shares)
    for cell in np.ndindex(shares.shape):
        moved = shares.astype(complex)
        moved[cell] += 1e-30j
        slopes[cell] = kappa_of_shares(moved, weights).imag / 1e-30
    variance = ((shares * slopes**2).sum() - (shares * slopes).sum() ** 2) / pairs
    value = kappa_of_shares(shares, weights)
    found = cohen_kappa(confusion, weights)
    assert found.value == pytest.approx(value, abs=1e-10)
    # A difference of two sums: what is zero there may be 1e-17 or so here.
    if found.ci95 is not None and variance > 1e-12:
        reach = 1.959963984540054 * variance**0.5
        low, high = max(-1, value - reach), min(1, value + reach)
        assert found.ci95 == pytest.approx((low, high), abs=1e-8)


@given(confusions(), st.sampled_from(sorted(KAPPA_WEIGHTS)))
def test_which_judge_is_first_does_not_matter(confusion, weights):
    one, other = cohen_kappa(confusion, weights), cohen_kappa(transposed(confusion), weights)
    assert one.value == (None if other.value is None else pytest.approx(other.value))
    assert one.ci95 == (None if other.ci95 is None else pytest.approx(other.ci95))
    assert one.why == other.why


@given(confusions(), st.randoms())
def test_plain_kappa_does_not_know_what_grades_are_called(confusion, random):
    order = list(range(len(confusion)))
    random.shuffle(order)
    shuffled = [[confusion[a][b] for b in order] for a in order]
    one, other = cohen_kappa(confusion), cohen_kappa(shuffled)
    assert one.value == (None if other.value is None else pytest.approx(other.value))


def test_on_two_grades_all_weights_are_one():
    values = {cohen_kappa([[10, 2], [3, 20]], weights).value for weights in KAPPA_WEIGHTS}
    assert len(values) == 1


def test_undefined_where_both_gave_one_grade_and_never_zero_or_one():
    found = cohen_kappa([[0, 0, 0], [0, 9, 0], [0, 0, 0]])
    assert (found.value, found.ci95) == (None, None)
    assert "same grade" in found.why


def test_undefined_without_shared_pairs():
    found = cohen_kappa([[0, 0], [0, 0]])
    assert (found.value, found.ci95) == (None, None)
    assert "no pair in common" in found.why


@pytest.mark.parametrize(
    ("confusion", "value"),
    [([[3, 0], [0, 3]], 1.0), ([[5, 3], [0, 0]], 0.0)],
    ids=["perfect agreement", "one judge gave one grade only"],
)
def test_an_interval_without_width_is_none(confusion, value):
    found = cohen_kappa(confusion)
    assert (found.value, found.ci95) == (value, None)
    assert "no interval" in found.why


def test_interval_stays_within_minus_one_and_one():
    assert cohen_kappa([[9, 1], [0, 9]]).ci95[1] == 1.0


def test_a_table_that_is_not_square_is_refused():
    with pytest.raises(UsageError, match="square"):
        cohen_kappa([[1, 2, 3], [1, 2, 3]])


def test_unknown_weights_are_refused_with_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'quadratic'"):
        cohen_kappa(SAS, "quadradic")


def test_percent_agreement_with_wilsons_interval():
    # 89 of 100: Wilson interval .8137 to .9375 (statsmodels' proportion_confint).
    found = percent_agreement(ABSTRACTORS)
    assert found.value == 0.89
    assert found.ci95 == pytest.approx((0.8137, 0.9375), abs=1e-4)


def test_percent_agreement_is_one_where_all_grades_are_the_same():
    found = percent_agreement([[10, 0], [0, 0]])
    # With all of n in agreement Wilson's lower end is n / (n + z^2).
    assert found.value == 1.0
    assert found.ci95 == pytest.approx((10 / (10 + 1.959963984540054**2), 1.0))
    assert percent_agreement([[0, 4], [4, 0]]).ci95[0] == 0.0
    assert percent_agreement([[0, 0], [0, 0]]).value is None
