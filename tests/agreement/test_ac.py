"""Gwet's AC2 against irrCAC's published output and the delta method."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from judge_tui.agreement import ac2
from judge_tui.errors import UsageError

ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
DIAGNOSES = [[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]]


def test_ac2_of_two_abstractors():
    # irrCAC (Python 0.4), CAC(table, weights="quadratic").gwet(): .94024 (.90468, .97579).
    found = ac2(ABSTRACTORS, (0, 1, 2))
    assert found.value == pytest.approx(0.94024, abs=5e-6)
    assert found.ci95 == pytest.approx((0.90468, 0.97579), abs=5e-6)


def test_two_diagnoses():
    # irrCAC's own test_gwet.py, cont4x4diagnosis: AC2 .299 (.150, .447).
    found = ac2(DIAGNOSES, (1, 2, 3, 4))
    assert found.value == pytest.approx(0.299, abs=5e-4)
    assert found.ci95 == pytest.approx((0.150, 0.447), abs=5e-4)


def test_all_grades_the_same_is_one():
    for found in (ac2([[0, 0], [0, 9]], (0, 1)), ac2([[0, 0, 0], [0, 9, 0], [0, 0, 0]], (0, 1, 2))):
        assert (found.value, found.ci95) == (1.0, None)
        assert "no interval" in found.why


def test_undefined_without_shared_pairs():
    assert ac2([[0, 0], [0, 0]], (0, 1)).value is None
    assert "no pair in common" in ac2([[0, 0], [0, 0]], (0, 1)).why


def test_one_pair_has_a_value_and_no_interval():
    assert ac2([[1, 0], [0, 0]], (0, 1)).value == 1.0
    assert ac2([[0, 1], [0, 0]], (0, 1)).ci95 is None


def test_a_scale_of_another_size_is_refused():
    with pytest.raises(UsageError, match="whole scale"):
        ac2(ABSTRACTORS, (0, 1, 2, 3))


def test_ac2_takes_the_grades_as_numbers():
    table = [[5, 1, 2], [0, 6, 3], [1, 0, 4]]
    assert ac2(table, (0, 1, 3)).value != ac2(table, (0, 1, 2)).value
    assert ac2(table, (0, 1, 2)).value == pytest.approx(ac2(table, (5, 7, 9)).value)


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3).filter(
        lambda table: sum(map(sum, table)) > 1
    )
)
def test_interval_is_the_delta_methods(confusion):
    # Independent of the formula: the coefficient's slope in each cell, by finite differences; its
    # variance over the multinomial table.
    scale = (0, 1, 3)
    n = sum(map(sum, confusion))
    cells = [count / n for row in confusion for count in row]

    def coefficient(shares):
        credit = [1 - ((a - b) / 3) ** 2 for a in scale for b in scale]
        used = [sum(shares[3 * g + j] + shares[3 * j + g] for j in range(3)) / 2 for g in range(3)]
        observed = sum(c * p for c, p in zip(credit, shares, strict=True))
        chance = sum(credit) / 6 * sum(p * (1 - p) for p in used)
        return (observed - chance) / (1 - chance)

    step = 1e-6
    slopes = []
    for at in range(9):
        up, down = list(cells), list(cells)
        up[at] += step
        down[at] -= step
        slopes.append((coefficient(up) - coefficient(down)) / (2 * step))
    mean = sum(p * s for p, s in zip(cells, slopes, strict=True))
    variance = sum(p * (s - mean) ** 2 for p, s in zip(cells, slopes, strict=True)) / n

    found = ac2(confusion, scale)
    assert found.value == pytest.approx(coefficient(cells))
    if found.ci95 is not None:
        reach = student.ppf(0.975, n - 1) * variance**0.5
        low, high = max(-1, found.value - reach), min(1, found.value + reach)
        assert found.ci95 == pytest.approx((low, high), abs=1e-5, rel=1e-5)
