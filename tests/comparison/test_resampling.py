"""Permutations and bootstraps: counted, drawn, and the same whatever stands beside them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from judge_tui.comparison import resampling
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.comparison.resampling import (
    _EXACT_SIGNS,
    DRAWS,
    RESAMPLES,
    bootstrap,
    bootstrap_intervals,
    permutation,
)


def permutation_of_one(differences, seed):
    """The test of a single pair."""
    (result,) = permutation(np.array([differences]), seed)
    return result


def bootstrap_interval(values, seed):
    return bootstrap_intervals(np.array([values]), seed)[0]


def uneven(pairs, queries, seed=0):
    return np.random.default_rng(seed).normal(0.02, 0.1, (pairs, queries))


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9), st.sampled_from([0.05, 0.0370370371]))
def test_permutation_equals_brute_force(whole, unit):
    sums = [
        sum(d if s else -d for d, s in zip(whole, signs, strict=True))
        for signs in product((0, 1), repeat=len(whole))
    ]
    greater = sum(s >= sum(whole) for s in sums) / len(sums)
    less = sum(s <= sum(whole) for s in sums) / len(sums)
    result = permutation_of_one([d * unit for d in whole], 0)
    assert (result.p_greater, result.p_less) == (greater, less)
    assert result.p == sum(abs(s) >= abs(sum(whole)) for s in sums) / len(sums)


@given(st.lists(st.integers(-999_999, 999_999), min_size=1, max_size=11))
def test_permutation_of_uneven_values_equals_brute_force(millionths):
    # Without a common step: the sums of the two halves are counted, not a table.
    signs = np.array(list(product((-1, 1), repeat=len(millionths))))
    sums = signs @ np.abs(np.array(millionths))
    result = permutation_of_one([m / 1e6 + 0.0 for m in millionths], 0)
    assert result.p == (np.abs(sums) >= abs(sum(millionths))).mean()
    assert result.p_greater == (sums >= sum(millionths)).mean()


def test_sums_that_only_rounding_parts_are_equal():
    # 1/3 + 1/3 - 2/3 is 0, and no pattern is less extreme than that; each number rounded to nine
    # digits, it is not.
    assert permutation_of_one([1 / 3, 1 / 3, -2 / 3], 0).p == 1.0
    thirds = [1 / 3, 1 / 3, -2 / 3] * 13
    assert permutation_of_one(thirds, 0).p == 1.0


@pytest.mark.parametrize(("step", "p"), [(1e-9, 1.0), (2e-9, 2 * 5 / 16), (9e-9, 2 / 16)])
def test_what_is_as_far_apart_as_rounding_could_part_it_is_equal(step, p):
    # Half a step of 1e-9 for each of four differences, in either sum: of the 16 patterns those as
    # far out as 4 less 4 steps, as 8 less 4, and as 36 less 4.
    assert permutation_of_one([step] * 4, 0).p == p


def test_a_drawn_p_is_never_0_and_comes_from_the_seed():
    assert permutation_of_one(np.linspace(0.1, 0.9, 61), 0).p == 1 / (DRAWS + 1)
    sample = uneven(1, _EXACT_SIGNS + 20)[0]
    assert permutation_of_one(sample, 1) != permutation_of_one(sample, 2)


def test_drawn_and_counted_permutations_agree(monkeypatch):
    # One sample of 28 uneven values, all of whose 2^28 patterns are counted, then drawn from.
    sample = np.random.default_rng(5).normal(0.03, 0.1, _EXACT_SIGNS)
    counted = permutation_of_one(sample, 0)
    monkeypatch.setattr(resampling, "_EXACT_SIGNS", 0)
    drawn = permutation_of_one(sample, 0)
    assert drawn != counted
    # Three standard deviations of a share in 100,000 draws are at most .0048.
    assert drawn.p == pytest.approx(counted.p, abs=0.005)
    assert drawn.p_greater == pytest.approx(counted.p_greater, abs=0.005)
    assert drawn.p_less == pytest.approx(counted.p_less, abs=0.005)


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


def test_bootstrap_interval_of_nothing_to_resample():
    assert bootstrap_intervals(np.array([[0.5]]), 0) == [None]
    assert bootstrap_intervals(np.array([[0.25, 0.25]]), 0) == [None]


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


def test_bootstrap_of_what_has_no_variance():
    (one,) = bootstrap(np.array([[0.5]]), 0)
    assert one.why == "a variance needs at least 2 queries, here 1"
    same, other = bootstrap(np.array([[0.3 - 0.2, 0.2 - 0.1], [0.1, 0.2]]), 0)
    assert same.why == "all differences are equal: they have no variance"
    assert other.p is not None
