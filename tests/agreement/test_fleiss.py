"""Fleiss' kappa against published numbers and its definition."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement import fleiss_kappa

# Fleiss (1971), Psychol. Bull. 76:378-382, table 1: 30 patients, 6 psychiatrists, 5 diagnoses.
FLEISS_1971 = """
    00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
    10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
    00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
# The worked example of textbooks and encyclopedias: 10 units, 14 raters, 5 categories.
TEXTBOOK = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_fleiss_1971():
    table = [[int(digit) for digit in row] for row in FLEISS_1971.split()]
    assert len(table) == 30
    assert fleiss_kappa(table).value == pytest.approx(0.43024, abs=5e-6)


def test_textbook_table():
    assert fleiss_kappa(TEXTBOOK).value == pytest.approx(0.20993, abs=5e-6)


@st.composite
def ratings(draw):
    """By unit, the grade of each rater."""
    raters, grades = draw(st.integers(2, 5)), draw(st.integers(2, 4))
    rating = st.lists(st.integers(0, grades - 1), min_size=raters, max_size=raters)
    return draw(st.lists(rating, min_size=1, max_size=12))


@given(ratings())
def test_equals_its_definition(units):
    """Of two raters of a unit, how many agree; and of any two grades, how many are the same."""
    table = [[unit.count(grade) for grade in range(4)] for unit in units]
    given = [grade for unit in units for grade in unit]
    alike = [one == other for unit in units for one, other in combinations(unit, 2)]
    agree = sum(alike) / len(alike)
    chance = sum(given.count(grade) ** 2 for grade in set(given)) / len(given) ** 2
    if chance == 1:
        assert fleiss_kappa(table).value is None
    else:
        expected = (agree - chance) / (1 - chance)
        assert fleiss_kappa(table).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([], "no pair was judged"),
        ([[2, 1], [1, 1]], "some pairs have 2 and some 3 grades"),
        ([[1, 0], [0, 1]], "two judges"),
        ([[0, 3], [0, 3]], "all grades are the same"),
    ],
)
def test_undefined_is_said(table, why):
    found = fleiss_kappa(table)
    assert found.value is None
    assert why in found.why
