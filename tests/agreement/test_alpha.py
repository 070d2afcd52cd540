"""Krippendorff's alpha against published numbers, the krippendorff package and every resample."""

from itertools import product

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement import METRICS, krippendorff_alpha
from judge_tui.agreement.alpha import alphas_by_part

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: four observers,
# twelve units, "." where an observer gave none.
CANONICAL = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
SCALE = (1, 2, 3, 4, 5)


def table_of(observers, scale):
    """Units x grades, from one string of grades for each observer."""
    units = zip(*observers, strict=True)
    return [[unit.count(str(grade)) for grade in scale] for unit in units]


def oracle(table, scale, metric):
    return krippendorff.alpha(
        value_counts=np.array(table), value_domain=list(scale), level_of_measurement=metric
    )


def test_the_canonical_table():
    found = krippendorff_alpha(table_of(CANONICAL, SCALE), SCALE)
    assert found["nominal"].value == pytest.approx(0.7434, abs=5e-5)
    assert found["ordinal"].value == pytest.approx(0.8154, abs=5e-5)
    assert found["interval"].value == pytest.approx(0.8491, abs=5e-5)


@st.composite
def ratings(draw):
    scale = draw(st.sampled_from([(0, 1), (0, 1, 2, 3), (0, 1, 3, 9)]))
    rating = st.lists(st.integers(0, 4), min_size=len(scale), max_size=len(scale))
    return scale, draw(st.lists(rating, min_size=2, max_size=15))


@given(ratings())
def test_equals_the_krippendorff_package_with_grades_missing(case):
    scale, table = case
    found = krippendorff_alpha(table, scale, resamples=1)
    usable = [unit for unit in table if sum(unit) >= 2]
    given = sum(any(column) for column in zip(*usable, strict=True))
    if len(usable) < 2 or given < 2:
        assert all(found[metric].value is None and found[metric].why for metric in METRICS)
        return
    for metric in METRICS:
        assert found[metric].value == pytest.approx(oracle(table, scale, metric), abs=1e-12)


@given(ratings(), st.randoms())
def test_order_of_the_units_does_not_matter_even_for_the_interval(case, random):
    scale, table = case
    shuffled = list(table)
    random.shuffle(shuffled)
    assert krippendorff_alpha(table, scale, resamples=50) == krippendorff_alpha(
        shuffled, scale, resamples=50
    )


@given(ratings(), st.randoms())
def test_nominal_alpha_does_not_know_what_grades_are_called(case, random):
    scale, table = case
    order = list(range(len(scale)))
    random.shuffle(order)
    renamed = [[unit[at] for at in order] for unit in table]
    one = krippendorff_alpha(table, scale, resamples=1)["nominal"].value
    other = krippendorff_alpha(renamed, scale, resamples=1)["nominal"].value
    assert one == (None if other is None else pytest.approx(other))


@pytest.mark.parametrize("metric", METRICS)
def test_the_interval_is_that_of_all_resamples_of_the_units(metric):
    # Five units have 5^5 = 3,125 resamples, all equally likely: the share of them below the
    # interval's ends must be about .025 and .975. The oracle scores each resample on its own, so
    # that ordinal distances follow the grades of that resample.
    scale = (0, 1, 2, 3)
    table = [[3, 0, 0, 0], [1, 2, 0, 0], [0, 2, 1, 0], [0, 0, 1, 2], [1, 0, 0, 2]]
    kinds = {}
    for drawn in product(range(5), repeat=5):
        kinds.setdefault(tuple(sorted(drawn)), []).append(drawn)
    alphas, weights = [], []
    for kind, same in kinds.items():
        resample = [table[unit] for unit in kind]
        if sum(any(column) for column in zip(*resample, strict=True)) > 1:
            alphas.append(oracle(resample, scale, metric))
            weights.append(len(same))
    alphas, weights = np.array(alphas), np.array(weights) / sum(weights)

    low, high = krippendorff_alpha(table, scale, resamples=20_000)[metric].ci95
    near = 1e-9
    assert weights[alphas < low - near].sum() <= 0.03
    assert weights[alphas <= low + near].sum() >= 0.02
    assert weights[alphas < high - near].sum() <= 0.98
    assert weights[alphas <= high + near].sum() >= 0.97


@given(ratings(), st.integers(0, 9), st.sampled_from(list(METRICS)))
def test_the_interval_is_that_of_the_package_on_the_same_resamples(case, seed, metric):
    scale, table = case
    found = krippendorff_alpha(table, scale, seed=seed, resamples=40)[metric]
    kinds, often = np.unique([unit for unit in table if sum(unit) >= 2], axis=0, return_counts=True)
    if found.value is None:
        return
    drawn = np.random.default_rng(seed).multinomial(often.sum(), often / often.sum(), size=40)
    alphas = []
    for times in drawn:
        resample = np.repeat(kinds, times, axis=0)
        if np.count_nonzero(resample.sum(axis=0)) > 1:
            alphas.append(oracle(resample, scale, metric))
    if found.ci95 is None:
        assert len(alphas) < 38 or np.ptp(np.quantile(alphas, (0.025, 0.975))) < 1e-8
    else:
        assert found.ci95 == pytest.approx(np.quantile(alphas, (0.025, 0.975)), abs=1e-12)


@given(st.lists(ratings(), min_size=1, max_size=5), st.integers(1, 12))
def test_parts_are_as_each_by_itself(cases, together):
    scale = (0, 1, 2, 3)
    tables = [table for known, table in cases if len(known) == 4]
    rows = [(part, *unit) for part, table in enumerate(tables) for unit in table]
    rows = np.array(rows, dtype=np.int64).reshape(-1, 5)[::-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("judge_tui.agreement.alpha._NEAR", together * 10 * 21)
        found = alphas_by_part(
            rows[:, 1:],
            np.ones(len(rows), dtype=np.int64),
            rows[:, 0],
            scale,
            parts=len(tables),
            metrics=("ordinal", "nominal"),
            resamples=20,
        )
    for metric, estimates in found.items():
        alone = [krippendorff_alpha(table, scale, resamples=20)[metric] for table in tables]
        assert estimates == alone


def test_no_common_denominator_within_a_float():
    # Pairs of 2 to 60 grades: the common denominator of 1 to 59 has 25 digits.
    generator = np.random.default_rng(3)
    table = [generator.multinomial(n, (0.4, 0.3, 0.2, 0.1)).tolist() for n in range(2, 61)]
    for metric, found in krippendorff_alpha(table, (0, 1, 2, 3), resamples=1).items():
        assert found.value == pytest.approx(oracle(table, (0, 1, 2, 3), metric), abs=1e-12)


def test_the_seed_makes_the_interval_and_only_the_interval():
    table = table_of(CANONICAL, SCALE)
    one, same, other = (krippendorff_alpha(table, SCALE, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one["ordinal"].ci95 != other["ordinal"].ci95
    assert one["ordinal"].value == other["ordinal"].value


def test_many_kinds_of_pairs_are_drawn_in_blocks_with_the_same_result(monkeypatch):
    table = table_of(CANONICAL, SCALE)
    whole = krippendorff_alpha(table, SCALE, resamples=100)
    monkeypatch.setattr("judge_tui.agreement.alpha._BLOCK", 30)
    assert krippendorff_alpha(table, SCALE, resamples=100) == whole


def test_units_graded_once_say_nothing():
    table = [[2, 0], [1, 1], [0, 2]]
    assert krippendorff_alpha([*table, [1, 0], [0, 0]], (0, 1)) == krippendorff_alpha(table, (0, 1))


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([], "fewer than 2 pairs"),
        ([[1, 1]], "fewer than 2 pairs"),
        ([[1, 1], [1, 0]], "fewer than 2 pairs"),
        ([[0, 2], [0, 3]], "all grades are the same"),
        ([[0, 2], [0, 3], [1, 0]], "all grades are the same"),
    ],
)
def test_undefined_is_said_and_never_zero_or_one(table, why):
    for found in krippendorff_alpha(table, (0, 1)).values():
        assert (found.value, found.ci95) == (None, None)
        assert why in found.why


def test_perfect_agreement_is_one_without_an_interval():
    for found in krippendorff_alpha([[3, 0]] * 20 + [[0, 3]] * 20, (0, 1)).values():
        assert (found.value, found.ci95) == (1.0, None)
        assert "every resample agrees" in found.why


def test_no_interval_where_many_resamples_have_no_alpha():
    # Of two units, half of the resamples hold one of them twice, and with it one grade only.
    found = krippendorff_alpha([[2, 0], [0, 2]], (0, 1))["nominal"]
    assert found.ci95 is None
    assert "one grade only" in found.why


def test_five_thousand_pairs_and_thirty_judges():
    random = np.random.default_rng(5)
    truth = random.integers(0, 4, 5000)
    noise = random.integers(0, 4, (30, 5000))
    kept = random.random((30, 5000)) < 0.8
    grades = np.where(kept, truth, noise)
    table = np.stack([(grades == grade).sum(axis=0) for grade in range(4)], axis=1)
    # Two judges who each keep the truth with .8 agree beyond chance with .8 * .8 = .64.
    for found in krippendorff_alpha(table, (0, 1, 2, 3)).values():
        assert found.ci95[0] < found.value < found.ci95[1]
        assert found.value == pytest.approx(0.64, abs=0.02)
