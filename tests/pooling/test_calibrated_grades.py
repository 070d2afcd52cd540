"""Chances of grades by the grades of a model, against a plain reading of their definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from judge_tui.pooling.calibrated_grades import chances_of_grades


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scale", [(0, 1), (0, 1, 3), (0, 1, 2, 3)])
def test_chances_are_those_of_the_pairs_of_other_queries(seed, scale):
    draw = np.random.default_rng(seed)
    n = 120
    query = draw.integers(0, 6, n)
    by_model, grades = (draw.choice([-1, *scale], n) for _ in range(2))
    found = chances_of_grades(query, by_model, grades, scale)
    for at in range(n):
        if by_model[at] < 0:
            assert np.isnan(found[at]).all()
            continue
        alike = grades[(by_model == by_model[at]) & (query != query[at]) & (grades >= 0)].tolist()
        exact = [Fraction(alike.count(grade) + 1, len(alike) + len(scale)) for grade in scale]
        assert found[at] == pytest.approx([float(one) for one in exact], rel=1e-15)


def test_without_pairs_all_grades_are_as_likely():
    nothing = np.zeros(0, dtype=np.int64)
    assert chances_of_grades(nothing, nothing, nothing, (0, 1)).shape == (0, 2)
    alone = chances_of_grades(np.array([0, 0]), np.array([1, 0]), np.array([0, -1]), (0, 1))
    assert alone.tolist() == [[0.5, 0.5]] * 2
