"""The coefficients of two judges against published numbers, irrCAC and their definitions."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.stats import t as student

from judge_tui.agreement.coefficients import (
    COEFFICIENTS,
    KAPPA_WEIGHTS,
    ac2,
    cohen_kappa,
    percent_agreement,
)
from judge_tui.agreement.estimates import NO_PAIRS

SAS = [[0, 4, 1], [0, 8, 0], [0, 1, 5]]
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
DIAGNOSES = [[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]]
ALIKE = [[0, 0, 0], [0, 9, 0], [0, 0, 0]]
NOBODY = [[0, 0], [0, 0]]
NORMAL_95 = 1.959963984540054
IRRCAC = json.loads(Path(__file__).with_name("irrcac.json").read_text())["confusions"]
# irrCAC rounds to 15 digits, and has the points of Student's t from another version of SciPy.
EXACTLY = 1e-9


@st.composite
def confusions(draw, least=2, most=5):
    size = draw(st.integers(least, most))
    row = st.lists(st.integers(0, 12), min_size=size, max_size=size)
    return draw(st.lists(row, min_size=size, max_size=size))


PUBLISHED = [
    # SAS PROC FREQ; statsmodels' test_inter_rater.py has it as table10.
    (cohen_kappa(SAS), 0.4842, (0.2137, 0.7547), 5e-5),
    (cohen_kappa(SAS, "linear"), 0.4701, (0.1845, 0.7558), 1e-4),
    # Gwet (2014), Handbook of Inter-Rater Reliability: cont3x3abstractors in irrCAC; linear and
    # quadratic from scikit-learn.
    (cohen_kappa(ABSTRACTORS), 0.79641, None, 5e-6),
    (cohen_kappa(ABSTRACTORS, "linear"), 0.8429, None, 5e-5),
    (cohen_kappa(ABSTRACTORS, "quadratic"), 0.89216, None, 5e-6),
    # irrCAC (Python 0.4), CAC(table, weights="quadratic").gwet(); its own test_gwet.py.
    (ac2(ABSTRACTORS, (0, 1, 2)), 0.94024, (0.90468, 0.97579), 5e-6),
    (ac2(DIAGNOSES, (1, 2, 3, 4)), 0.299, (0.150, 0.447), 5e-4),
    # statsmodels' proportion_confint(89, 100, method="wilson").
    (percent_agreement(ABSTRACTORS), 0.89, (0.8137, 0.9375), 1e-4),
]


@pytest.mark.parametrize(("found", "value", "ci95", "near"), PUBLISHED)
def test_published_numbers(found, value, ci95, near):
    assert found.value == pytest.approx(value, abs=near)
    assert ci95 is None or found.ci95 == pytest.approx(ci95, abs=near)


def test_the_standard_error_of_sas():
    low, high = cohen_kappa(SAS).ci95
    assert (high - low) / 2 / NORMAL_95 == pytest.approx(0.1380, abs=5e-5)


@pytest.mark.parametrize("weights", KAPPA_WEIGHTS)
@pytest.mark.parametrize("name", IRRCAC)
def test_kappa_and_its_standard_error_are_irrcacs(name, weights):
    counts, oracle = IRRCAC[name]["counts"], IRRCAC[name]["kappa"][weights]
    found = cohen_kappa(counts, weights)
    assert found.value == pytest.approx(oracle["value"], abs=EXACTLY)
    # Ours is the interval of the normal distribution, irrCAC's that of Student's t.
    error = (found.value - found.ci95[0]) / NORMAL_95
    assert error == pytest.approx(oracle["error"], abs=EXACTLY)
    low = found.value - student.ppf(0.975, sum(map(sum, counts)) - 1) * error
    assert low == pytest.approx(oracle["ci95"][0], abs=EXACTLY)


@pytest.mark.parametrize("name", IRRCAC)
def test_ac2_with_its_interval_is_irrcacs(name):
    counts, oracle = IRRCAC[name]["counts"], IRRCAC[name]["ac2"]
    found = ac2(counts, range(len(counts)))
    assert found.value == pytest.approx(oracle["value"], abs=EXACTLY)
    assert found.ci95 == pytest.approx(oracle["ci95"], abs=EXACTLY)


DISTANCES = {
    "none": lambda a, b: a != b,
    "linear": lambda a, b: abs(a - b),
    "quadratic": lambda a, b: (a - b) ** 2,
}


def kappa_of_shares(shares, weights):
    """Cohen (1968), for shares of the pairs, which may be complex: how far the two grades of a pair
    are apart, over how far any grades of the two judges are."""
    size = len(shares)
    apart = np.array([[DISTANCES[weights](a, b) for b in range(size)] for a in range(size)])
    by_chance = np.outer(shares.sum(axis=1), shares.sum(axis=0)) / shares.sum() ** 2
    return 1 - (apart * shares).sum() / shares.sum() / (apart * by_chance).sum()


def ac2_of_shares(shares, scale):
    """Gwet (2014): chance by how often each grade was used by both, over the whole scale."""
    span = scale[-1] - scale[0]
    credit = np.array([[1 - ((a - b) / span) ** 2 for b in scale] for a in scale])
    used = (shares.sum(axis=0) + shares.sum(axis=1)) / 2 / shares.sum()
    size = len(scale)
    chance = credit.sum() / (size * (size - 1)) * (used * (1 - used)).sum()
    return ((credit * shares).sum() / shares.sum() - chance) / (1 - chance)


def delta_method(confusion, coefficient):
    """Value and variance over multinomial shares through the derivatives of the coefficient, each
    by a complex step (Squire and Trapp 1998), which rounds nothing away."""
    shares = np.array(confusion) / np.sum(confusion)
    slopes = np.zeros_like(shares)
    for cell in np.ndindex(shares.shape):
        moved = shares.astype(complex)
        moved[cell] += 1e-30j
        slopes[cell] = coefficient(moved).imag / 1e-30
    variance = (shares * slopes**2).sum() - (shares * slopes).sum() ** 2
    return coefficient(shares), variance / np.sum(confusion)


@given(confusions(), st.sampled_from(sorted(KAPPA_WEIGHTS)))
@example([[0, 0, 0], [0, 1, 0], [1, 0, 0]], "linear")
def test_kappa_and_its_interval_equal_the_delta_method(confusion, weights):
    used = [sum(map(bool, map(sum, side))) for side in (confusion, zip(*confusion, strict=True))]
    assume(min(used) > 1)
    value, variance = delta_method(confusion, lambda shares: kappa_of_shares(shares, weights))
    found = cohen_kappa(confusion, weights)
    assert found.value == pytest.approx(value, abs=1e-10)
    # A difference of two sums: what is zero there may be 1e-17 or so here.
    if found.ci95 is not None and variance > 1e-12:
        reach = NORMAL_95 * variance**0.5
        assert found.ci95 == pytest.approx(
            (max(-1, value - reach), min(1, value + reach)), abs=1e-8
        )


@given(confusions(3, 3))
def test_ac2_and_its_interval_equal_the_delta_method(confusion):
    n = np.sum(confusion)
    assume(n > 1)
    value, variance = delta_method(confusion, lambda shares: ac2_of_shares(shares, (0, 1, 3)))
    found = ac2(confusion, (0, 1, 3))
    assert found.value == pytest.approx(value, abs=1e-10)
    if found.ci95 is not None and variance > 1e-12:
        reach = student.ppf(0.975, n - 1) * variance**0.5
        assert found.ci95 == pytest.approx(
            (max(-1, value - reach), min(1, value + reach)), abs=1e-8
        )


def test_ac2_counts_grades_that_nobody_gave_and_takes_grades_as_numbers():
    padded = [[*row, 0] for row in ABSTRACTORS] + [[0] * 4]
    shares = np.array(padded) / 100
    assert ac2(padded, (0, 1, 2, 3)).value == pytest.approx(ac2_of_shares(shares, (0, 1, 2, 3)))
    assert ac2(padded, (0, 1, 2, 3)).value > ac2(ABSTRACTORS, (0, 1, 2)).value + 0.01
    assert ac2(ABSTRACTORS, (0, 1, 3)).value != ac2(ABSTRACTORS, (0, 1, 2)).value
    assert ac2(ABSTRACTORS, (5, 7, 9)).value == pytest.approx(ac2(ABSTRACTORS, (0, 1, 2)).value)


@given(confusions(), st.sampled_from(list(COEFFICIENTS)))
def test_which_judge_is_first_does_not_matter(confusion, name):
    turned = [list(column) for column in zip(*confusion, strict=True)]
    scale = range(len(confusion))
    one, other = (COEFFICIENTS[name](each, scale) for each in (confusion, turned))
    assert one.value == (None if other.value is None else pytest.approx(other.value))
    assert one.ci95 == (None if other.ci95 is None else pytest.approx(other.ci95))
    assert one.why == other.why


@pytest.mark.parametrize(
    ("found", "value", "why"),
    [
        *((coefficient(NOBODY, (0, 1)), None, NO_PAIRS) for coefficient in COEFFICIENTS.values()),
        # Never 0 or 1 where chance alone agrees fully.
        *((cohen_kappa(ALIKE, weights), None, "same grade") for weights in KAPPA_WEIGHTS),
        (ac2(ALIKE, (0, 1, 2)), 1.0, "no interval"),
        # An interval without width is none.
        (cohen_kappa([[3, 0], [0, 3]]), 1.0, "no interval"),
        (cohen_kappa([[5, 3], [0, 0]]), 0.0, "no interval"),
        (ac2([[1, 0], [0, 0]], (0, 1)), 1.0, "no interval"),
        (ac2([[0, 1], [0, 0]], (0, 1)), -1.0, "no interval"),
    ],
)
def test_what_is_undefined_is_none_and_says_why(found, value, why):
    assert (found.value, found.ci95) == (value if value is None else pytest.approx(value), None)
    assert why in found.why


def test_intervals_stay_within_their_bounds():
    assert cohen_kappa([[9, 1], [0, 9]]).ci95[1] == 1.0
    # With all of n in agreement Wilson's lower end is n / (n + z^2).
    ends = percent_agreement([[10, 0], [0, 0]]).ci95
    assert ends == (pytest.approx(10 / (10 + NORMAL_95**2)), 1.0)
    assert percent_agreement([[0, 4], [4, 0]]).ci95[0] == 0.0
