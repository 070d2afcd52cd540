"""Krippendorff's alpha and Fleiss' kappa against published numbers, other packages, irrCAC and
every resample.

`irrcac.json` holds what irrCAC 0.4.4 finds with 15 digits: `raw.CAC` of the units (nominal weights
`identity`, interval ones `quadratic`), `table.CAC` of the confusions.
"""

import json
from itertools import combinations, product
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement.alpha import METRICS, fleiss_kappa, krippendorff_alpha
from judge_tui.agreement.ratings import patterns_of_counts
from tests.agreement.grades_drawn import SCALE, tables

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
IRRCAC = json.loads(Path(__file__).with_name("irrcac.json").read_text())["ratings"]


def counted(table, grades):
    return patterns_of_counts(np.array(table, dtype=np.int64).reshape(-1, grades))


def alpha(table, scale=SCALE, **more):
    """Of pairs x grades, a row a pair."""
    return krippendorff_alpha(counted(table, len(scale)), scale, **more)


def fleiss(table):
    return fleiss_kappa(counted(table, len(table[0]) if table else 2))


def oracle(table, scale, metric):
    return krippendorff.alpha(
        value_counts=np.array(table), value_domain=list(scale), level_of_measurement=metric
    )


def table_of(units, grades):
    return [[unit.count(grade) for grade in grades] for unit in units]


# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: four observers, twelve
# units; not all observers gave a grade.
CANONICAL = table_of(IRRCAC["Krippendorff 2011"]["units"], range(1, 6)), (1, 2, 3, 4, 5)


def test_the_canonical_table():
    found = alpha(*CANONICAL)
    assert found["nominal"].value == pytest.approx(0.7434, abs=5e-5)
    assert found["ordinal"].value == pytest.approx(0.8154, abs=5e-5)
    assert found["interval"].value == pytest.approx(0.8491, abs=5e-5)


@pytest.mark.parametrize("name", IRRCAC)
def test_alpha_is_irrcacs_with_grades_missing_or_not(name):
    units = IRRCAC[name]["units"]
    scale = sorted({grade for unit in units for grade in unit if grade is not None})
    found = alpha(table_of(units, scale), scale, resamples=0)
    # irrCAC's "ordinal" is another weighting than Krippendorff's.
    for metric in ("nominal", "interval"):
        value = IRRCAC[name]["alpha"][metric]["value"]
        assert (found[metric].value, found[metric].ci95) == (pytest.approx(value, abs=1e-9), None)


@given(tables())
def test_alpha_is_the_krippendorff_packages_with_grades_missing(case):
    scale, table = case
    found = alpha(table, scale, resamples=1)
    usable = [unit for unit in table if sum(unit) >= 2]
    if len(usable) < 2 or sum(map(any, zip(*usable, strict=True))) < 2:
        assert all(found[metric].value is None and found[metric].why for metric in METRICS)
        return
    for metric in METRICS:
        assert found[metric].value == pytest.approx(oracle(table, scale, metric), abs=1e-12)


@given(tables(), st.randoms())
def test_order_of_the_units_changes_no_digit_of_the_interval(case, random):
    scale, table = case
    shuffled = random.sample(table, len(table))
    assert alpha(table, scale, resamples=50) == alpha(shuffled, scale, resamples=50)


@pytest.mark.parametrize("metric", METRICS)
def test_the_interval_is_that_of_all_resamples_of_the_units(metric):
    # Five units have 5^5 = 3,125 resamples, all equally likely: the share of them below the
    # interval's ends must be about .025 and .975. The oracle scores each resample on its own, so
    # that ordinal distances follow the grades of that resample.
    table = [[3, 0, 0, 0], [1, 2, 0, 0], [0, 2, 1, 0], [0, 0, 1, 2], [1, 0, 0, 2]]
    times = {}
    for drawn in product(range(5), repeat=5):
        kind = tuple(sorted(drawn))
        times[kind] = times.get(kind, 0) + 1
    alphas, weights = [], []
    for kind, many in times.items():
        resample = [table[unit] for unit in kind]
        if sum(any(column) for column in zip(*resample, strict=True)) > 1:
            alphas.append(oracle(resample, SCALE, metric))
            weights.append(many)
    alphas, weights = np.array(alphas), np.array(weights) / sum(weights)

    low, high = alpha(table, resamples=20_000)[metric].ci95
    near = 1e-9
    assert weights[alphas < low - near].sum() <= 0.03
    assert weights[alphas <= low + near].sum() >= 0.02
    assert weights[alphas < high - near].sum() <= 0.98
    assert weights[alphas <= high + near].sum() >= 0.97


@given(tables(), st.integers(0, 9), st.sampled_from(list(METRICS)))
def test_the_interval_is_that_of_the_package_on_the_same_resamples(case, seed, metric):
    scale, table = case
    found = alpha(table, scale, seed=seed, resamples=40)[metric]
    rows, often = np.unique([unit for unit in table if sum(unit) >= 2], axis=0, return_counts=True)
    if found.value is None:
        return
    drawn = np.random.default_rng(seed).multinomial(often.sum(), often / often.sum(), size=40)
    resamples = [np.repeat(rows, times, axis=0) for times in drawn]
    alphas = [
        oracle(one, scale, metric) for one in resamples if np.count_nonzero(one.sum(axis=0)) > 1
    ]
    if found.ci95 is None:
        # Of 40, more than one in twenty are undefined, or all agree as much.
        assert len(alphas) < 38 or np.ptp(np.quantile(alphas, (0.025, 0.975))) < 1e-8
    else:
        assert len(alphas) >= 38
        assert found.ci95 == pytest.approx(np.quantile(alphas, (0.025, 0.975)), abs=1e-12)


def test_no_common_denominator_within_a_float():
    # Pairs of 2 to 60 grades: the common denominator of 1 to 59 has 25 digits.
    generator = np.random.default_rng(3)
    table = [generator.multinomial(n, (0.4, 0.3, 0.2, 0.1)).tolist() for n in range(2, 61)]
    for metric, found in alpha(table, resamples=1).items():
        assert found.value == pytest.approx(oracle(table, SCALE, metric), abs=1e-12)


def test_the_seed_makes_the_interval_and_only_the_interval():
    one, same, other = (alpha(*CANONICAL, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one["ordinal"].ci95 != other["ordinal"].ci95
    assert one["ordinal"].value == other["ordinal"].value


def test_many_patterns_are_drawn_in_blocks_with_the_same_result(monkeypatch):
    whole = alpha(*CANONICAL, resamples=100)
    monkeypatch.setattr("judge_tui.agreement.alpha._BLOCK", 30)
    assert alpha(*CANONICAL, resamples=100) == whole


def test_units_graded_once_say_nothing():
    table = [[2, 0], [1, 1], [0, 2]]
    assert alpha([*table, [1, 0], [0, 0]], (0, 1)) == alpha(table, (0, 1))


@pytest.mark.parametrize(
    ("table", "value", "why"),
    [
        # Never 0 or 1 where it is undefined.
        ([], None, "fewer than 2 pairs"),
        ([[1, 1]], None, "fewer than 2 pairs"),
        ([[1, 1], [1, 0]], None, "fewer than 2 pairs"),
        ([[0, 2], [0, 3]], None, "all grades are the same"),
        ([[0, 2], [0, 3], [1, 0]], None, "all grades are the same"),
        ([[3, 0]] * 20 + [[0, 3]] * 20, 1.0, "every resample agrees"),
        # Of two units, half of the resamples hold one of them twice, and with it one grade only.
        ([[2, 0], [0, 2]], 1.0, "one grade only"),
        # Of 39 alike and one of the other grade, .375 of the resamples lack that one.
        ([[2, 0]] * 39 + [[0, 2]], 1.0, "one grade only"),
    ],
)
def test_what_is_undefined_is_none_and_says_why(table, value, why):
    for found in alpha(table, (0, 1)).values():
        assert (found.value, found.ci95) == (value, None)
        assert why in found.why


@pytest.mark.parametrize(("agreeing", "interval"), [(2, False), (4, True)])
def test_an_interval_stands_on_nineteen_of_twenty_resamples(agreeing, interval):
    # 40 units; a resample without any of the last ones has one grade only: e^-2 or e^-4 of them.
    table = [[2, 0]] * (40 - agreeing) + [[0, 2]] + [[1, 1]] * (agreeing - 1)
    found = alpha(table, (0, 1))["nominal"]
    assert (found.ci95 is not None) == interval
    assert interval or "one grade only" in found.why


@pytest.mark.parametrize(
    ("table", "value"),
    # Fleiss (1971), Psychol. Bull. 76:378-382, table 1.
    [(table_of(IRRCAC["Fleiss 1971"]["units"], range(5)), 0.43024), (TEXTBOOK, 0.20993)],
)
def test_published_numbers_of_fleiss(table, value):
    assert fleiss(table).value == pytest.approx(value, abs=5e-6)


@pytest.mark.parametrize("name", ["Fleiss 1971", "drawn, all there"])
def test_fleiss_with_its_interval_is_irrcacs(name):
    found, values = fleiss(table_of(IRRCAC[name]["units"], range(5))), IRRCAC[name]["fleiss"]
    assert found.value == pytest.approx(values["value"], abs=1e-9)
    assert found.ci95 == pytest.approx(values["ci95"], abs=1e-9)


@st.composite
def complete(draw):
    """By unit, the grade of each rater."""
    raters, grades = draw(st.integers(2, 5)), draw(st.integers(2, 4))
    rating = st.lists(st.integers(0, grades - 1), min_size=raters, max_size=raters)
    return draw(st.lists(rating, min_size=1, max_size=12))


@given(complete())
def test_fleiss_equals_its_definition(units):
    """Of two raters of a unit, how many agree; and of any two grades, how many are the same."""
    given = [grade for unit in units for grade in unit]
    alike = [one == other for unit in units for one, other in combinations(unit, 2)]
    agree = sum(alike) / len(alike)
    chance = sum(given.count(grade) ** 2 for grade in set(given)) / len(given) ** 2
    found = fleiss(table_of(units, range(4))).value
    if chance == 1:
        assert found is None
    else:
        assert found == pytest.approx((agree - chance) / (1 - chance), abs=1e-12)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([], "no pair was judged"),
        ([[2, 1], [1, 1]], "some pairs have 2 and some 3 grades"),
        ([[1, 0], [0, 1]], "two judges"),
        ([[0, 3], [0, 3]], "all grades are the same"),
    ],
)
def test_undefined_fleiss_says_why(table, why):
    found = fleiss(table)
    assert found.value is None
    assert why in found.why
