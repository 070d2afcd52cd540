"""Paired tests against published values, SciPy, and brute force over all sign patterns."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from judge_tui.comparison import paired_tests, resampling
from judge_tui.comparison.paired_tests import chances_of_sums, effect_sizes, on_grid
from judge_tui.comparison.settings import TESTS
from judge_tui.errors import UsageError
from judge_tui.scoring import mean as mean_of


def one_pair(test):
    """The test of a single pair."""

    def tested(differences, *seed):
        (result,) = test(np.array([differences]), *seed)
        return result

    return tested


wilcoxon, pratt, sign, paired_t = map(
    one_pair,
    (paired_tests.wilcoxon, paired_tests.pratt, paired_tests.sign, paired_tests.paired_t),
)
permutation = one_pair(resampling.permutation)

# Ten queries of two systems, with ties and zeros; the expected values below were computed by hand
# from all 64 sign patterns and agree with R's coin package.
A = (1, 0.5, 1, 0, 1 / 3, 0.5, 1, 0.2, 0, 1)
B = (1, 1, 0.5, 0.25, 1, 1, 1, 0.5, 0, 1)
GOLD = [b - a for a, b in zip(A, B, strict=True)]

# Steps of 1/20 as P@20 has them: many ties, zeros, and float noise between equal differences.
steps = st.integers(-6, 6)
differences = st.lists(steps, min_size=1, max_size=9).map(lambda ds: [d * 0.05 for d in ds])
values = st.lists(st.floats(-1, 1).map(lambda x: round(x, 6)), min_size=2, max_size=40)


def test_gold_values():
    assert (wilcoxon(GOLD).statistic, wilcoxon(GOLD).p) == (4.0, 0.21875)
    assert pratt(GOLD).p == 0.1875
    assert sign(GOLD).p == 0.21875
    assert permutation(GOLD, 0).p == 0.1875
    assert paired_t(GOLD).p == pytest.approx(0.14683, abs=5e-6)


@pytest.mark.parametrize(("n", "p"), [(5, 0.0625), (6, 0.03125)])
def test_smallest_p_of_wilcoxon(n, p):
    # Two of the 2^n sign patterns are as extreme as "all the same sign".
    assert wilcoxon([0.1 * i for i in range(1, n + 1)]).p == p
    assert sign([0.1] * n).p == p


def midranks(sizes):
    return [sum(o < s for o in sizes) + (sum(o == s for o in sizes) + 1) / 2 for s in sizes]


@given(st.lists(steps, min_size=1, max_size=9), st.booleans())
def test_wilcoxon_equals_brute_force(whole, zeros_ranked):
    nonzero = [d for d in whole if d]
    result = (pratt if zeros_ranked else wilcoxon)([d * 0.05 for d in whole])
    if not nonzero:
        assert (result.p, result.why) == (None, "no query differs")
        return
    ranks = midranks([abs(d) for d in (whole if zeros_ranked else nonzero)])
    if zeros_ranked:
        ranks = [rank for rank, d in zip(ranks, whole, strict=True) if d]
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    plus = sum(r for r, d in zip(ranks, nonzero, strict=True) if d > 0)
    greater = sum(s >= plus for s in sums) / len(sums)
    less = sum(s <= plus for s in sums) / len(sums)
    assert result.statistic == min(plus, sum(ranks) - plus)
    assert (result.p_greater, result.p_less) == (greater, less)
    assert result.p == min(1.0, 2 * min(greater, less))


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40, unique=True), st.randoms())
def test_wilcoxon_without_ties_equals_scipy(sizes, random):
    signed = [size * random.choice((-1, 1)) / 100 for size in sizes]
    ours = wilcoxon(signed)
    for alternative, p in (
        ("two-sided", ours.p),
        ("greater", ours.p_greater),
        ("less", ours.p_less),
    ):
        theirs = stats.wilcoxon(signed, alternative=alternative, method="exact")
        assert p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.statistic == stats.wilcoxon(signed, method="exact").statistic


@pytest.mark.parametrize("zeros", [0, 30])
def test_wilcoxon_of_many_pairs_equals_scipys_corrected_approximation(zeros):
    generator = np.random.default_rng(7)
    signed = np.concatenate(
        (generator.integers(1, 9, 260) * generator.choice((-1, 1), 260), [0] * zeros)
    )
    signed = signed + (signed == 8) * 4
    for ours, method in ((wilcoxon(signed / 10), "wilcox"), (pratt(signed / 10), "pratt")):
        for alternative, p in (
            ("two-sided", ours.p),
            ("greater", ours.p_greater),
            ("less", ours.p_less),
        ):
            theirs = stats.wilcoxon(
                signed,
                zero_method=method,
                correction=False,
                alternative=alternative,
                method="asymptotic",
            )
            assert p == pytest.approx(theirs.pvalue, rel=1e-9)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=10))
def test_chances_of_sums_equal_brute_force(sizes):
    chances = chances_of_sums(np.array(sizes))
    counts = [0] * (sum(sizes) + 1)
    for taken in product((0, 1), repeat=len(sizes)):
        counts[sum(size for size, one in zip(sizes, taken, strict=True) if one)] += 1
    assert chances.tolist() == [count / 2 ** len(sizes) for count in counts]


@given(values)
def test_t_equals_scipy(sample):
    result = paired_t(sample)
    if len({int(step) for step in on_grid(sample)}) == 1:
        assert result.p is None
        assert "no variance" in result.why
        return
    for alternative, p in (
        ("two-sided", result.p),
        ("greater", result.p_greater),
        ("less", result.p_less),
    ):
        theirs = stats.ttest_rel(sample, np.zeros(len(sample)), alternative=alternative)
        assert p == pytest.approx(theirs.pvalue, rel=1e-8, abs=1e-12)
    assert result.statistic == pytest.approx(theirs.statistic, rel=1e-8, abs=1e-12)


@given(st.integers(0, 300), st.integers(0, 300))
def test_sign_equals_scipys_binomial(wins, losses):
    result = sign([0.1] * wins + [-0.1] * losses + [0.0] * 3)
    if not wins + losses:
        assert (result.p, result.why) == (None, "no query differs")
        return
    for alternative, p in (
        ("two-sided", result.p),
        ("greater", result.p_greater),
        ("less", result.p_less),
    ):
        theirs = stats.binomtest(wins, wins + losses, alternative=alternative)
        assert p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert result.statistic == wins


binary = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=60)


@given(binary)
def test_mcnemar_is_the_binomial_test_of_what_differs(rows):
    before, after = np.array(rows, dtype=float).T
    (ours,) = TESTS["mcnemar"].on(before[np.newaxis], after[np.newaxis], 0)
    lost, gained = int((before > after).sum()), int((before < after).sum())
    if not lost + gained:
        assert (ours.p, ours.why) == (None, "no query differs")
        return
    assert ours.statistic == min(lost, gained)
    assert ours.p == pytest.approx(stats.binomtest(lost, lost + gained).pvalue, rel=1e-9)


@pytest.mark.parametrize(("lost", "gained", "p"), [(121, 59, 4.43e-6), (0, 6, 0.03125)])
def test_mcnemar_gold(lost, gained, p):
    # Published discordant counts b = 121, c = 59 (exact p 4.43e-6) and b = 0, c = 6 (2 / 2^6).
    before = np.array([[1.0] * lost + [0.0] * gained + [1.0] * 30])
    after = np.array([[0.0] * lost + [1.0] * gained + [1.0] * 30])
    (result,) = TESTS["mcnemar"].on(before, after, 0)
    assert result.p == pytest.approx(p, abs=5e-9)
    assert result.statistic == min(lost, gained)


def test_mcnemar_of_other_values():
    before, after = np.array([[0.5, 1.0], [0.0, 1.0]]), np.array([[0.5, 0.0], [1.0, 0.0]])
    other, binary = TESTS["mcnemar"].on(before, after, 0)
    assert (other.p, binary.p) == (None, 1.0)
    assert "values are 0 or 1" in other.why


def test_identical_runs():
    same = [0.0] * 12
    assert permutation(same, 0).p == 1.0
    for test in (wilcoxon, pratt, sign):
        assert test(same).why == "no query differs"
    assert paired_t(same).why == "all differences are equal: they have no variance"
    assert paired_t([0.5]).why == "a variance needs at least 2 queries, here 1"


def result_of(name, sample):
    """The test of one pair of which the differences alone are given."""
    values = np.array([sample])
    (result,) = TESTS[name].on(np.maximum(-values, 0), np.maximum(values, 0), 0)
    return result


@pytest.mark.parametrize("name", TESTS)
def test_float_noise_does_not_break_ties(name):
    # 0.3 - 0.2 and 0.2 - 0.1 are unequal floats, and one difference.
    noisy = [0.3 - 0.2, 0.2 - 0.1, -(0.8 - 0.7), 0.5 - 0.3, 0.9 - 0.7, 0.4 - 0.1, 1 - 0.6]
    clean = [0.1, 0.1, -0.1, 0.2, 0.2, 0.3, 0.4]
    assert result_of(name, noisy).p == pytest.approx(result_of(name, clean).p, abs=1e-12)


@pytest.mark.parametrize("name", TESTS)
@given(differences)
def test_swapping_the_runs_swaps_the_sides(name, sample):
    one, other = result_of(name, sample), result_of(name, [-d for d in sample])
    if one.p is None:
        assert other.p is None
        return
    assert one.p == pytest.approx(other.p, abs=1e-12)
    assert one.p_greater == pytest.approx(other.p_less, abs=1e-12)
    assert 0 < one.p <= 1


@pytest.mark.parametrize("bad", [[float("nan")], [float("inf")], [1e30, 1.0]])
def test_what_cannot_be_compared_exactly_is_refused(bad):
    with pytest.raises(UsageError, match="not finite or too great"):
        on_grid(bad)


def test_effect_size_uses_the_sample_standard_deviation():
    # Differences 1, 2, 3: mean 2, sample sd 1 (population sd .816).
    for values, effect in (([1.0, 2.0, 3.0], 2.0), ([0.1, 0.1, 0.3 - 0.2], None), ([0.4], None)):
        assert effect_sizes(np.array([values]))[0] == effect


@pytest.mark.parametrize(
    ("values", "mean", "sample_sd"),
    [((0.92, 0.85, 0.84), 0.87, 0.0436), ((0.95, 0.72, 0.70), 0.79, 0.1389)],
)
def test_published_means_and_deviations(values, mean, sample_sd):
    # A published table of per-query nDCG gives the population sd (.0356, .1134); d_z divides by
    # the sample sd.
    assert mean_of(values) == pytest.approx(mean, abs=1e-12)
    assert mean_of(values) / effect_sizes(np.array([values]))[0] == pytest.approx(
        sample_sd, abs=5e-5
    )
