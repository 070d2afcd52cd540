"""Kappa, AC1, AC2, Fleiss' kappa and alpha against irrCAC, whose values are kept in irrcac/."""

import json

import pytest
from scipy.stats import t as student

from judge_tui.agreement import ac2, cohen_kappa, fleiss_kappa, krippendorff_alpha
from tests.agreement.irrcac.make_values import VALUES, tables

KEPT = json.loads(VALUES.read_text())
CONFUSIONS = KEPT["confusions"]
RATINGS = KEPT["ratings"]
# irrCAC rounds to 15 digits, and has the points of Student's t from another version of SciPy.
EXACTLY = 1e-9


def table_of(units):
    grades = sorted({grade for unit in units for grade in unit if grade is not None})
    return [[unit.count(grade) for grade in grades] for unit in units], grades


def test_the_values_kept_are_of_the_tables_in_the_script():
    asked = tables()
    assert {name: kept["counts"] for name, kept in CONFUSIONS.items()} == asked["confusions"]
    assert {name: kept["units"] for name, kept in RATINGS.items()} == asked["ratings"]


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@pytest.mark.parametrize("name", CONFUSIONS)
def test_kappa_and_its_standard_error(name, weights):
    counts, oracle = CONFUSIONS[name]["counts"], CONFUSIONS[name]["kappa"][weights]
    found = cohen_kappa(counts, weights)
    assert found.value == pytest.approx(oracle["value"], abs=EXACTLY)
    # Ours is the interval of the normal distribution, irrCAC's that of Student's t.
    error = (found.value - found.ci95[0]) / 1.959963984540054
    assert error == pytest.approx(oracle["error"], abs=EXACTLY)
    low = found.value - student.ppf(0.975, sum(map(sum, counts)) - 1) * error
    assert low == pytest.approx(oracle["ci95"][0], abs=EXACTLY)


@pytest.mark.parametrize("name", CONFUSIONS)
def test_ac2_with_its_interval(name):
    counts, oracle = CONFUSIONS[name]["counts"], CONFUSIONS[name]["ac2"]
    found = ac2(counts, range(len(counts)))
    assert found.value == pytest.approx(oracle["value"], abs=EXACTLY)
    assert found.ci95 == pytest.approx(oracle["ci95"], abs=EXACTLY)


@pytest.mark.parametrize("name", ["Fleiss 1971", "drawn, all there"])
def test_fleiss_with_its_interval(name):
    found = fleiss_kappa(table_of(RATINGS[name]["units"])[0])
    oracle = RATINGS[name]["fleiss"]
    assert found.value == pytest.approx(oracle["value"], abs=EXACTLY)
    assert found.ci95 == pytest.approx(oracle["ci95"], abs=EXACTLY)


@pytest.mark.parametrize("name", RATINGS)
def test_alpha_with_grades_missing_or_not(name):
    # irrCAC's "ordinal" is another weighting than Krippendorff's.
    found = krippendorff_alpha(*table_of(RATINGS[name]["units"]), resamples=0)
    for metric in ("nominal", "interval"):
        oracle = RATINGS[name]["alpha"][metric]["value"]
        assert found[metric].value == pytest.approx(oracle, abs=EXACTLY)
        assert found[metric].ci95 is None
