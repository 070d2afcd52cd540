"""Pairs by how they were graded."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement.data import kinds_of
from tests.agreement.grades_drawn import places


@given(places(least=1))
def test_every_pair_is_of_one_kind(codes):
    kinds = kinds_of(codes, 4)
    found = dict(zip(map(tuple, kinds.places.T.tolist()), kinds.times.tolist(), strict=True))
    columns = list(map(tuple, codes.T.tolist()))
    assert found == {column: columns.count(column) for column in columns}
    assert kinds.table.tolist() == [[kind.count(grade) for grade in range(4)] for kind in found]
    shared = {kind: n for kind, n in found.items() if len(kind) - kind.count(-1) >= 2}
    assert kinds.shared.times.tolist() == list(shared.values())


@pytest.mark.parametrize("judges", [26, 27, 40, 60])
@given(seed=st.integers(0, 1000))
def test_so_many_judges_that_no_number_holds_their_grades(judges, seed):
    generator = np.random.default_rng(seed)
    few = generator.integers(-1, 4, (judges, 8)).astype(np.int8)
    codes = few[:, generator.integers(0, 8, 50)]
    kinds = kinds_of(codes, 4)
    found = dict(zip(map(tuple, kinds.places.T.tolist()), kinds.times.tolist(), strict=True))
    columns = list(map(tuple, codes.T.tolist()))
    assert found == {column: columns.count(column) for column in columns}
    order = generator.permutation(50)
    again = kinds_of(codes[:, order], 4)
    assert again.places.tolist() == kinds.places.tolist()
    assert again.times.tolist() == kinds.times.tolist()
