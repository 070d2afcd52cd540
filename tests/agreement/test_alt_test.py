"""The Alt-Test against a plain reading of its authors' procedure, and SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, ttest_1samp

from judge_tui.agreement.alt_test import FEWEST_PAIRS, alt_test, benjamini_yekutieli
from judge_tui.agreement.ratings import NOT_GRADED
from judge_tui.errors import UsageError

SCALE = (0, 1, 3)


def drawn(seed, people=3, pairs=90, missing=0.2):
    """Grades of a model and of people around one truth, of which some are lacking."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, len(SCALE), pairs)

    def graded(noise, missing):
        grades = np.where(random.random(pairs) < noise, random.integers(0, 3, pairs), truth)
        return np.where(random.random(pairs) < missing, NOT_GRADED, grades).astype(np.int8)

    noises = random.uniform(0.1, 0.7, people)
    return graded(0.3, 0.05), {f"p{at}": graded(one, missing) for at, one in enumerate(noises)}


def by_the_paper(model, people, epsilon):
    """Calderon, Reichart & Dror (2025), section 3: one person after the other left out."""

    def score(grade, others):
        return -(np.mean([(SCALE[grade] - SCALE[one]) ** 2 for one in others]) ** 0.5)

    found = {}
    for person, grades in people.items():
        model_good, person_good = [], []
        for pair in range(len(model)):
            others = [its[pair] for who, its in people.items() if who != person and its[pair] >= 0]
            if model[pair] < 0 or grades[pair] < 0 or not others:
                continue
            own, its = score(model[pair], others), score(grades[pair], others)
            model_good.append(own >= its)
            person_good.append(its >= own)
        if len(model_good) >= FEWEST_PAIRS:
            apart = np.array(person_good, dtype=float) - np.array(model_good, dtype=float)
            p = ttest_1samp(apart, epsilon, alternative="less").pvalue
            found[person] = (len(apart), np.mean(model_good), np.mean(person_good), p)
    return found, false_discovery_control([one[3] for one in found.values()], method="by")


def compare(model, people, epsilon):
    """Hold the test against the paper's; returns it."""
    found = alt_test(model, people, SCALE, epsilon=epsilon)
    expected, adjusted = by_the_paper(model, people, epsilon)
    rejected = adjusted <= 0.05
    assert [one.person for one in found.against] == list(expected)
    for one, (pairs, own, other, p), wins, by in zip(
        found.against, expected.values(), rejected, adjusted, strict=True
    ):
        assert (one.pairs, one.wins) == (pairs, wins)
        assert (one.model_as_good, one.person_as_good) == pytest.approx((own, other))
        assert (one.p, one.p_adjusted) == pytest.approx((p, by), rel=1e-9)
    assert found.winning_rate == pytest.approx(np.mean(rejected))
    assert found.advantage == pytest.approx(np.mean([one[1] for one in expected.values()]))
    assert found.passes is bool(np.mean(rejected) >= 0.5)
    return found


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("seed", range(8))
def test_the_papers_procedure(seed, epsilon):
    compare(*drawn(seed, people=3 + seed % 3), epsilon)


def test_who_shares_few_pairs_is_not_tested_and_stands_beside_the_others():
    model, people = drawn(1)
    alone = compare(model, people, 0.15)
    _, other = drawn(2, people=1, missing=0.6)
    found = compare(model, {**people, "few": other["p0"]}, 0.15)
    assert "few" not in [one.person for one in found.against]
    assert found.advantage != alone.advantage


def test_some_pass_and_some_do_not():
    found = {alt_test(*drawn(seed), SCALE).passes for seed in range(8)}
    assert found == {True, False}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_benjamini_yekutieli_is_scipys(p_values):
    expected = false_discovery_control(p_values, method="by")
    assert benjamini_yekutieli(p_values) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("people", "pairs"), [(1, 90), (2, FEWEST_PAIRS - 1), (0, 90)], ids=["one", "few", "none"]
)
def test_it_cannot_be_told(people, pairs):
    found = alt_test(*drawn(0, people, pairs, missing=0), SCALE)
    assert (found.winning_rate, found.advantage, found.passes) == (None, None, None)
    assert found.why.startswith("cannot be told")


def test_pairs_that_the_model_lacks_do_not_count():
    model, people = drawn(1, 2, 60, missing=0)
    model[:30] = NOT_GRADED
    assert alt_test(model, people, SCALE).passes is None


@pytest.mark.parametrize(("wrong", "p"), [(0, 0.0), (1, 1.0)])
def test_the_same_on_every_pair_is_the_limit_of_t(wrong, p):
    ones = np.ones(60, dtype=np.int8)
    found = alt_test(ones - wrong, {"a": ones, "b": ones}, SCALE)
    assert [one.p for one in found.against] == [p, p]
    assert found.passes is (p == 0)


@pytest.mark.parametrize("epsilon", [-0.1, 1.0, float("nan")])
def test_epsilon_is_a_share(epsilon):
    with pytest.raises(UsageError, match="epsilon"):
        alt_test(*drawn(0), SCALE, epsilon=epsilon)
