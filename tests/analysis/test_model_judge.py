"""A model beside people, against the krippendorff package and plain counting."""

from itertools import combinations

import krippendorff
import numpy as np
import pytest

from judge_tui.agreement.ratings import NOT_GRADED
from judge_tui.analysis.model_judge import (
    FINAL,
    ModelPairs,
    beside_people,
    beside_two_people,
    best_systems,
    compare_grades,
    next_pairs,
    slices_of_grades,
)
from judge_tui.analysis.slices import NO_TEXT

SCALE = (0, 1, 2, 4)
PAIRS = 120


def drawn(seed, missing=0.0):
    random = np.random.default_rng(seed)
    grades = random.integers(0, len(SCALE), PAIRS)
    return np.where(random.random(PAIRS) < missing, NOT_GRADED, grades).astype(np.int8)


def a_model(**changes):
    random = np.random.default_rng(99)
    fields = {
        "scale": SCALE,
        "model": drawn(1),
        "people": {"ann": drawn(2, 0.3), "bob": drawn(3, 0.5), "cyd": drawn(4, 1.0)},
        "final": drawn(5, 0.2),
        "words": {"class": random.choice(["", "a", "b"], PAIRS).tolist(), "kind": ["x"] * PAIRS},
        "lengths": random.choice([NO_TEXT, *range(10, 40)], PAIRS),
        "top": random.random(PAIRS) < 0.3,
    }
    return ModelPairs(**fields | changes)


def holds(found, one, other):
    """What plain counting and krippendorff make of the pairs that both graded."""
    both = (one >= 0) & (other >= 0)
    values = np.array(SCALE)
    first, second = values[one[both]], values[other[both]]
    assert found.pairs == both.sum()
    counts = np.array([[((first == a) & (second == b)).sum() for b in SCALE] for a in SCALE])
    assert found.confusion == tuple(map(tuple, counts.tolist()))
    # Cohen (1960, 1968): disagreement over what chance would give, by the places on the scale.
    chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    apart = np.abs(np.subtract.outer(np.arange(len(SCALE)), np.arange(len(SCALE))))
    for weights, kappa in ((apart > 0, found.kappa), (apart**2, found.kappa_quadratic)):
        expected = 1 - (weights * counts).sum() / (weights * chance).sum()
        assert kappa.value == pytest.approx(expected)
    alpha = krippendorff.alpha(
        np.stack([first, second]).astype(float),
        level_of_measurement="ordinal",
        value_domain=np.array(SCALE, dtype=float),
    )
    assert found.alpha.value == pytest.approx(alpha)
    assert (found.mean, found.other_mean) == pytest.approx((first.mean(), second.mean()))
    assert found.bias.value == pytest.approx((first - second).mean())
    assert found.agreement.value == pytest.approx((first == second).mean())


@pytest.mark.parametrize("seed", range(5))
def test_two_by_other_tools(seed):
    one, other = drawn(seed, 0.1), drawn(seed + 50, 0.3)
    holds(compare_grades(one, other, SCALE, resamples=0), one, other)


def test_beside_the_final_grade_and_each_person():
    grades = a_model()
    found = beside_people(grades)
    assert [one.other for one in found] == [FINAL, "ann", "bob"]
    for one in found:
        other = grades.people.get(one.other, grades.final)
        holds(one.comparison, grades.model, other)


def test_two_people_and_the_model_on_the_same_pairs():
    grades = a_model()
    [two] = beside_two_people(grades)
    ann, bob = grades.people["ann"], grades.people["bob"]
    both = (ann >= 0) & (bob >= 0)
    for found, one, other in zip(
        (two.comparison, *two.model),
        (ann, grades.model, grades.model),
        (bob, ann, bob),
        strict=True,
    ):
        holds(found, one[both], other[both])


def test_without_a_pair_in_common_nothing_is_zero():
    nothing = np.full(PAIRS, NOT_GRADED, dtype=np.int8)
    grades = a_model(people={}, final=nothing)
    [one] = beside_people(grades)
    assert one.comparison.pairs == 0
    for name in ("agreement", "kappa", "kappa_quadratic", "alpha", "bias"):
        assert getattr(one.comparison, name).value is None
        assert getattr(one.comparison, name).why
    assert (one.comparison.mean, one.comparison.other_mean) == (None, None)
    assert beside_two_people(grades) == slices_of_grades(grades) == ()


def test_slices_are_the_pairs_of_one_class_length_or_place():
    grades = a_model()
    found = {(one.by, one.name): one.comparison for one in slices_of_grades(grades)}
    # One kind only is no slice.
    assert {by for by, _ in found} == {"class", "length", "top"}
    assert [name for by, name in found if by == "class"] == ["a", "b", ""]
    for (by, name), one in found.items():
        if by == "class":
            its = np.array(grades.words["class"]) == name
        elif by == "top":
            its = grades.top == (name == "top")
        else:
            low, high = map(int, name.removesuffix(" characters").split("–"))
            its = (low <= grades.lengths) & (grades.lengths <= high)
        holds(one, np.where(its, grades.model, NOT_GRADED), grades.final)
    thirds = [one.pairs for (by, _), one in found.items() if by == "length"]
    assert len(thirds) == 3
    assert sum(thirds) == (grades.shared & (grades.lengths != NO_TEXT)).sum()


def test_no_tops_without_runs():
    assert {one.by for one in slices_of_grades(a_model(top=None))} == {"class", "length"}


@pytest.mark.parametrize(
    ("means", "best"),
    [
        ([0.1], [0]),
        ([0.1, 0.4, 0.3, 0.2], [1]),
        ([0.1, 0.4, np.nan, 0.3, 0.2, 0.0], [1, 3]),
        ([np.nan], []),
        ([0.5] * 8, [0, 1]),
    ],
)
def test_the_best_quarter(means, best):
    assert best_systems(np.array(means)).tolist() == best


@pytest.mark.parametrize("budget", [0, 1, 7, 30, 10_000])
def test_next_pairs_level_what_people_judged(budget):
    grades = a_model(people={"ann": drawn(2, 0.7)}, final=drawn(2, 0.9))
    found = next_pairs(grades.model, grades.judged, grades.scale, budget)
    by_person = (grades.people["ann"] >= 0) | (grades.final >= 0)
    for one in found:
        its = grades.model == SCALE.index(one.grade)
        assert (one.judged, one.open) == ((its & by_person).sum(), (its & ~by_person).sum())
        assert 0 <= one.next <= one.open
    assert sum(one.next for one in found) == min(budget, sum(one.open for one in found))
    for one, other in combinations(found, 2):
        for less, more in ((one, other), (other, one)):
            # Nobody gets a pair that another grade, with more left, lacks by more than one.
            if less.next < less.open and more.next:
                assert more.judged + more.next <= less.judged + less.next + 1
