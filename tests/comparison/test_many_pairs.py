"""Many pairs at once: what is drawn is shared, and no pair changes another."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from threadpoolctl import threadpool_info, threadpool_limits

from judge_tui.comparison import resampling
from judge_tui.comparison.family import TESTS
from judge_tui.comparison.paired_tests import chances_of_sums, on_grid
from judge_tui.comparison.resampling import (
    _EXACT_SIGNS,
    DRAWS,
    RESAMPLES,
    bootstrap,
    bootstrap_intervals,
    permutation,
)


def bootstrap_interval(values, seed):
    return bootstrap_intervals(np.array([values]), seed)[0]


def uneven(pairs, queries, seed=0, shift=0.02):
    return np.random.default_rng(seed).normal(shift, 0.1, (pairs, queries))


@pytest.mark.parametrize("queries", [_EXACT_SIGNS + 1, 50, 129, 300])
def test_a_pair_is_the_same_alone_and_among_others(queries):
    differences = uneven(70, queries)
    differences[3, : queries - _EXACT_SIGNS] = 0  # counted, while its neighbours are drawn
    differences[4] = np.round(differences[4], 1)
    together = permutation(differences, 5)
    for place in (0, 3, 4, 69):
        assert permutation(differences[[place]], 5) == [together[place]]
    assert permutation(differences[::-1], 5) == together[::-1]


def test_intervals_are_the_same_to_the_last_bit_alone_and_among_others():
    differences = uneven(60, 50)
    together = bootstrap_intervals(differences, 5)
    assert [bootstrap_interval(row, 5) for row in differences] == together
    assert bootstrap_intervals(differences, 6) != together
    assert bootstrap_intervals(uneven(3, 1), 5) == [None] * 3


def test_opposite_pairs_have_opposite_p_also_where_they_are_drawn():
    differences = uneven(6, 60)
    for tests in (permutation, bootstrap):
        for one, other in zip(tests(differences, 1), tests(-differences, 1), strict=True):
            assert (one.p, one.p_greater, one.p_less) == (other.p, other.p_less, other.p_greater)


def blas_threads():
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]


@pytest.mark.parametrize(
    ("test", "draws"),
    [
        (permutation, "_octets"),
        (bootstrap, "_resample_counts"),
        (bootstrap_intervals, "_resample_counts"),
    ],
)
def test_products_are_left_to_one_thread(monkeypatch, test, draws):
    seen, drawn = [], getattr(resampling, draws)

    def watched(queries, seed):
        for block in drawn(queries, seed):
            yield block
            # Asked for the next: the product with this one is done.
            seen.extend(blas_threads())

    monkeypatch.setattr(resampling, draws, watched)
    with threadpool_limits(limits=2, user_api="blas"):
        test(uneven(2, 40), 0)
        assert {*blas_threads()} == {2}
    assert {*seen} == {1}


def test_drawn_sums_equal_a_count_by_whole_numbers():
    # The same bits, taken one by one as signs: what the product of floats must count.
    n = 40
    grid = np.random.default_rng(1).integers(-(10**9), 10**9, (3, n))
    drawn = np.random.Generator(np.random.PCG64(7)).bytes(DRAWS * 5)
    bits = np.unpackbits(np.frombuffer(drawn, np.uint8).reshape(DRAWS, 5), axis=1)[:, :n]
    signs = bits.astype(np.int64) * 2 - 1
    for row, result in zip(grid, permutation(grid * 1e-9, 7), strict=True):
        observed = int(row.sum())
        sums = signs @ (row if observed >= 0 else -row)
        greater = (1 + int((sums >= abs(observed) - n).sum())) / (DRAWS + 1)
        both = (1 + int((np.abs(sums) >= abs(observed) - n).sum())) / (DRAWS + 1)
        assert result.p == both
        assert (result.p_greater if observed >= 0 else result.p_less) == greater


@pytest.mark.parametrize("queries", [8, 20])
def test_permutations_equal_scipy(queries):
    # All 2^8 patterns are counted by both; of 2^20, SciPy draws.
    for row in uneven(3, queries, seed=2):
        (ours,) = permutation(row[np.newaxis], 0)
        for alternative, p in (
            ("two-sided", ours.p),
            ("greater", ours.p_greater),
            ("less", ours.p_less),
        ):
            theirs = stats.permutation_test(
                (row, np.zeros(queries)),
                lambda x, y, axis: (x - y).mean(axis=axis),
                permutation_type="samples",
                vectorized=True,
                alternative=alternative,
                n_resamples=20_000,
                rng=np.random.default_rng(1),
            )
            # Three standard deviations of a share in 20,000 draws are at most .011.
            assert p == pytest.approx(theirs.pvalue, abs=1e-12 if queries == 8 else 0.011)


def test_intervals_equal_scipys_percentiles():
    row = uneven(1, 40)[0]
    theirs = stats.bootstrap(
        (row,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    # The ends of an interval from 10,000 resamples vary by about 1/40 of its width.
    width = theirs.high - theirs.low
    assert bootstrap_interval(row, 0) == pytest.approx(tuple(theirs), abs=width / 20)


def test_intervals_are_numpys_quantiles_of_the_resamples():
    # Of 40 queries all resamples fit into the first draw; sums in steps are exact in any order.
    row = uneven(1, 40)[0]
    drawn = np.random.Generator(np.random.PCG64(3)).integers(0, 40, size=(RESAMPLES, 40))
    sums = on_grid(row)[drawn].sum(axis=1)
    ends = np.quantile(sums, [(1 - 0.95) / 2, (1 + 0.95) / 2]) / 40 / 1e9
    assert bootstrap_interval(row, 3) == tuple(ends)


def test_intervals_equal_all_resamples_of_three_queries():
    values = [0.1, 0.2, 0.6]
    means = sorted(sum(drawn) / 3 for drawn in product(values, repeat=3))
    low, high = np.quantile(means, [0.025, 0.975], method="inverted_cdf")
    assert bootstrap_interval(values, 0) == pytest.approx((low, high), abs=1e-12)


def brute_bootstrap(differences):
    """Shares of all n^n resamples whose t is as far out, up and down."""
    values = np.array(differences)
    n = len(values)
    t = values.mean() / (values.std(ddof=1) / n**0.5)
    shifted = values - values.mean()
    two = greater = less = 0
    for drawn in product(shifted, repeat=n):
        mean, sd = np.mean(drawn), np.std(drawn, ddof=1)
        if len({round(value, 9) for value in drawn}) == 1:
            out = np.inf * np.sign(mean) if abs(mean) > 1e-9 else np.nan
        else:
            out = mean / (sd / n**0.5)
        two += not abs(out) < abs(t) - 1e-9
        greater += not out < t - 1e-9
        less += not out > t + 1e-9
    return two / n**n, greater / n**n, less / n**n


@pytest.mark.parametrize(
    "differences",
    [[0.1, 0.2, 0.4, -0.1, 0.3], [-0.1, -0.2, -0.4, 0.1], [0.2, 0.2, 0.0, 0.0], [0.5, -0.5, 0.1]],
)
def test_bootstrap_equals_all_resamples_of_few_queries(differences):
    (ours,) = bootstrap(np.array([differences]), 0)
    two, greater, less = brute_bootstrap(differences)
    # Three standard deviations of a share in 10,000 resamples are at most .015.
    assert ours.p == pytest.approx(two, abs=0.015)
    assert ours.p_greater == pytest.approx(greater, abs=0.015)
    assert ours.p_less == pytest.approx(less, abs=0.015)


def test_bootstrap_of_many_queries_is_close_to_the_t_test():
    for row, result in zip(uneven(3, 200), bootstrap(uneven(3, 200), 0), strict=True):
        theirs = stats.ttest_1samp(row, 0)
        assert result.statistic == pytest.approx(theirs.statistic, rel=1e-6)
        assert result.p == pytest.approx(theirs.pvalue, abs=0.02)
        # p = (b + 1) / (resamples + 1) for a whole number b.
        b = result.p * (RESAMPLES + 1)
        assert b == pytest.approx(round(b), abs=1e-6)


def test_bootstrap_of_what_has_no_variance():
    (one,) = bootstrap(np.array([[0.5]]), 0)
    assert one.why == "a variance needs at least 2 queries, here 1"
    same, other = bootstrap(np.array([[0.3 - 0.2, 0.2 - 0.1], [0.1, 0.2]]), 0)
    assert same.why == "all differences are equal: they have no variance"
    assert other.p is not None


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


@given(st.lists(st.integers(0, 9), min_size=1, max_size=10))
def test_chances_of_sums_equal_brute_force(sizes):
    chances = chances_of_sums(np.array(sizes))
    counts = [0] * (sum(sizes) + 1)
    for taken in product((0, 1), repeat=len(sizes)):
        counts[sum(size for size, one in zip(sizes, taken, strict=True) if one)] += 1
    assert chances.tolist() == [count / 2 ** len(sizes) for count in counts]
