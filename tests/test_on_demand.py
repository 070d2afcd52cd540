"""Sequences whose members are made when they are asked for."""

from itertools import combinations

import pytest

from judge_tui.on_demand import OnDemand, every_two


@pytest.mark.parametrize("size", [0, 1, 2, 3, 40])
def test_every_two_are_the_combinations(size):
    pairs, expected = every_two(range(size)), [*combinations(range(size), 2)]
    assert list(pairs) == expected
    assert [pairs[at] for at in range(len(pairs))] == expected


def test_it_is_a_sequence():
    squares = OnDemand(5, lambda at: at * at)
    assert (len(squares), squares[-1], squares[1:3]) == (5, 16, (1, 4))
    assert squares == OnDemand(5, lambda at: at**2) != OnDemand(4, lambda at: at**2)
    with pytest.raises(IndexError):
        squares[5]
