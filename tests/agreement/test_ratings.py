"""Grades as arrays: the judges and slices of them, and pairs by how they were graded."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement.ratings import NOT_GRADED, confusion_of, patterns_of, ratings_of
from judge_tui.errors import UsageError
from tests.agreement.grades_drawn import SCALE, grade_arrays, ratings
from tests.imports import imported_by


def patterns_by_hand(codes):
    """Column -> how many pairs were graded so."""
    columns = list(map(tuple, codes.T.tolist()))
    return {column: columns.count(column) for column in columns}


@given(grade_arrays(least=1), st.permutations(range(12)))
def test_every_pair_is_of_one_pattern_in_whatever_order_it_came(codes, order):
    whole = replace(ratings("0"), grades=codes)
    patterns = patterns_of(whole)
    found = dict(zip(map(tuple, patterns.grades.T.tolist()), patterns.times.tolist(), strict=True))
    assert found == patterns_by_hand(codes)
    counts = [[pattern.count(grade) for grade in range(4)] for pattern in found]
    assert patterns.counts.tolist() == counts
    shared = [n for pattern, n in found.items() if len(pattern) - pattern.count(NOT_GRADED) >= 2]
    assert patterns.shared().times.tolist() == shared
    again = patterns_of(replace(whole, grades=codes[:, order]))
    assert again.grades.tolist() == patterns.grades.tolist()
    assert again.times.tolist() == patterns.times.tolist()


@given(grade_arrays())
def test_confusions_count_what_each_two_gave_to_the_pairs_of_both(codes):
    patterns = patterns_of(replace(ratings("0"), grades=codes))
    for one, other in ((0, 1), (1, 0)):
        both = [*zip(codes[one].tolist(), codes[other].tolist(), strict=True)]
        counts = [[both.count((a, b)) for b in range(4)] for a in range(4)]
        assert confusion_of(codes[one], codes[other], 4).tolist() == counts
        two = patterns.grades[one], patterns.grades[other]
        assert confusion_of(*two, 4, patterns.times).tolist() == counts


@given(grade_arrays(least=3), st.sets(st.integers(0, 11)))
def test_patterns_of_some_pairs_are_of_the_judges_who_graded_them(codes, pairs):
    some = np.array(sorted(pairs), dtype=np.int64)
    found = patterns_of(replace(ratings("0"), grades=codes), some)
    its = codes[:, some]
    assert patterns_by_hand(its[(its != NOT_GRADED).any(axis=1)]) == dict(
        zip(map(tuple, found.grades.T.tolist()), found.times.tolist(), strict=True)
    )


def test_queries_and_classes_slice_the_pairs_and_halves_are_of_the_shared_ones():
    whole = replace(ratings("0123", "01.2"), classes=("how-to", ""))
    slices = {by: whole.slices(by) for by in ("query", "class", "half")}
    assert {
        by: {name: its.tolist() for name, its in one.items()} for by, one in slices.items()
    } == {
        "query": {"q1": [0, 1], "q2": [2, 3]},
        "class": {"": [2, 3], "how-to": [0, 1]},
        "half": {"first half": [0, 1], "second half": [3]},
    }


def test_only_some_judges_and_the_pairs_that_they_graded():
    whole = replace(
        ratings("0123", "0.2.", "...3"),
        gold=np.array([0, 1, 2, -1], dtype=np.int8),
    )
    some = whole.only(["c", "b"])
    assert some.judges == ("c", "b")
    assert some.grades.tolist() == [[-1, -1, 3], [0, 2, -1]]
    assert some.gold.tolist() == [0, 2, -1]
    assert [some.query_ids[at] for at in some.queries] == ["q1", "q2", "q2"]


@pytest.mark.parametrize(
    ("rows", "checks", "comparable"),
    [
        (("01",), {}, False),
        (("01", "01"), {}, True),
        (("01",), {"gold": np.array([-1, 1])}, True),
        (("01",), {"repeats": np.array([[-1, 1]])}, True),
    ],
)
def test_one_judge_alone_is_compared_with_repeats_and_gold(rows, checks, comparable):
    assert replace(ratings(*rows), **checks).comparable == comparable


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"scale": (0, 2)}, "grade 1 of judge 'anna' is not on the scale; known: 0, 2"),
        *(({"scale": scale}, "at least two grades") for scale in [(), (1,), (1, 0), (0, 0, 1)]),
    ],
)
def test_what_cannot_be_is_refused(asked, what):
    with pytest.raises(UsageError, match=what):
        ratings_of({"anna": {"p": 1}, "bert": {"p": 2}}, **{"scale": SCALE, **asked})


def test_any_hashable_is_a_pair():
    found = ratings_of({"a": {1: 0, "x": 1}, "b": {1: 0, "y": 1}}, SCALE)
    assert found.grades.tolist() == [[0, 1, -1], [0, -1, 1]]


def test_names_of_policies_and_bands_come_without_anything_heavy():
    names = imported_by(
        "import judge_tui.agreement.coefficients, judge_tui.agreement.policies, judge_tui.pooling"
    )
    assert names.isdisjoint({"numpy", "scipy", "sqlite3", "click", "textual"})
