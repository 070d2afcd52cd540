"""Correlations of two orders: published values, SciPy, and the definitions written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from judge_tui.analysis.judge_orders import kendall_tau, order_of, swapped, tau_ap

# The vectors and values that Urbano and Marrero publish with their package ircor (its tests):
# x, y, both rounded so that there are ties, tau and tau_AP,b without ties, and the same with ties.
IRCOR = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
        [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
        (0.9111, 0.8333),
        (0.9398, 0.7321),
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
        (0.2889, 0.2880),
        (0.3765, 0.297),
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
        (-0.6889, -0.668),
        (-0.6510, -0.7047),
    ),
]

some_values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8).map(
    lambda pairs: tuple(np.array(pairs, dtype=float).T / 10)
)


@pytest.mark.parametrize(("x", "y", "x_ties", "y_ties", "without", "with_ties"), IRCOR)
def test_published_values(x, y, x_ties, y_ties, without, with_ties):
    for one, other, expected in ((x, y, without), (x_ties, y_ties, with_ties)):
        orders = order_of(one), order_of(other)
        for first, second in (orders, orders[::-1]):
            assert kendall_tau(first, second) == pytest.approx(expected[0], abs=5e-5)
            assert tau_ap(first, second) == pytest.approx(expected[1], abs=5e-5)


@given(some_values)
def test_tau_is_that_of_scipy(values):
    one, other = values
    found = kendall_tau(order_of(one), order_of(other))
    expected = kendalltau(one, other, variant="b").statistic
    if np.isnan(expected):
        assert found is None
    else:
        assert found == pytest.approx(expected, abs=1e-12)


@given(st.permutations(range(7)))
def test_tau_ap_is_the_definition_of_yilmaz_in_both_directions(other):
    def one_way(ranked, reference):
        """2 / (N - 1) * sum over i > 1 of C(i) / (i - 1), less 1: items as they are ranked."""
        place = {item: at for at, item in enumerate(reference)}
        shares = [
            sum(place[above] < place[item] for above in ranked[:at]) / at
            for at, item in enumerate(ranked)
            if at
        ]
        return 2 / (len(ranked) - 1) * sum(shares) - 1

    ranked = list(range(7))
    score = {item: -float(at) for at, item in enumerate(other)}
    orders = order_of([-float(item) for item in ranked]), order_of([score[i] for i in ranked])
    expected = (one_way(ranked, other) + one_way(other, ranked)) / 2
    assert tau_ap(*orders) == pytest.approx(expected, abs=1e-12)


def test_the_top_counts_more():
    order = order_of([4.0, 3.0, 2.0, 1.0])
    at_the_top, at_the_bottom = order_of([3.0, 4.0, 2.0, 1.0]), order_of([4.0, 3.0, 1.0, 2.0])
    assert kendall_tau(order, at_the_top) == kendall_tau(order, at_the_bottom)
    # 2/3 * (0 + 1 + 1) - 1 and 2/3 * (1 + 1 + 2/3) - 1.
    assert tau_ap(order, at_the_top) == pytest.approx(1 / 3)
    assert tau_ap(order, at_the_bottom) == pytest.approx(7 / 9)


@given(some_values)
def test_the_same_order_is_1_and_the_opposite_is_least(values):
    one = values[0]
    same, opposite = order_of(one), order_of(-one)
    if len(set(one.tolist())) == 1:
        assert kendall_tau(same, same) is None
        assert tau_ap(same, same) is None
    else:
        assert kendall_tau(same, same) == pytest.approx(1)
        assert tau_ap(same, same) == pytest.approx(1)
        assert kendall_tau(same, opposite) == pytest.approx(-1)
        assert tau_ap(same, opposite) == pytest.approx(-1)


def test_one_system_or_none_has_no_order():
    for n in (0, 1):
        order = order_of([0.5] * n)
        assert kendall_tau(order, order) is None
        assert tau_ap(order, order) is None
        assert swapped(order, order) == []


def test_noise_of_floats_is_a_tie_and_no_swap():
    one, other = order_of([0.7 - 0.5, 0.4 - 0.2, 0.1]), order_of([0.4 - 0.2, 0.7 - 0.5, 0.1])
    assert one[0, 1] == other[0, 1] == 0
    assert swapped(one, other) == []


def test_swaps_are_strict():
    # 0 and 1 change places; 2 is tied with 0 in the second; 3 stays last.
    assert swapped(order_of([3.0, 2.0, 1.5, 0.0]), order_of([1.0, 2.0, 1.0, 0.0])) == [(0, 1)]
