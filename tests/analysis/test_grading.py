"""The grades of pairs, found by a table of all pairs or by search, against a dictionary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.standing import NO_DOCUMENT, Grading

pair = st.tuples(st.integers(0, 4), st.integers(0, 9))


@pytest.mark.parametrize("spread", [1, 10**9])
@given(
    grades=st.dictionaries(pair, st.integers(0, 70_000), max_size=20),
    asked=st.lists(st.tuples(st.integers(0, 5), st.integers(NO_DOCUMENT, 11)), max_size=20),
)
def test_grades_of_pairs(spread, grades, asked):
    """Numbers of documents that are far apart leave no room for a table."""

    def number(document):
        return document if document == NO_DOCUMENT else document * spread

    given_pairs = list(grades)
    grading = Grading.of(
        np.array([query for query, _ in given_pairs], dtype=np.int64),
        np.array([number(document) for _, document in given_pairs], dtype=np.int64),
        np.array([grades[one] for one in given_pairs], dtype=np.int64),
    )
    found = grading.grades_of(
        np.array([query for query, _ in asked], dtype=np.int64),
        np.array([number(document) for _, document in asked], dtype=np.int64),
        -7,
    )
    assert found.tolist() == [grades.get(one, -7) for one in asked]
    assert len(grading) == len(grades)
