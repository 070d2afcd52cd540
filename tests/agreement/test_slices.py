"""Agreement by query, by class and over time is that of these pairs alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from judge_tui.agreement import SLICINGS, krippendorff_alpha, study
from judge_tui.agreement.data import kinds_of
from judge_tui.agreement.each_judge import pooled_agreement
from judge_tui.agreement.study import slices_by
from judge_tui.errors import UsageError
from tests.agreement.grades_drawn import SCALE, data, places


@given(places())
def test_a_slice_says_what_its_pairs_say_by_themselves(codes):
    rows = ["".join("." if code < 0 else str(code) for code in row) for row in codes.tolist()]
    grades = data(*rows)
    found = slices_by(grades, "query", resamples=20)
    there = (grades.places >= 0).any(axis=0)
    assert there.all()
    assert sum(one.pairs for one in found.values()) == grades.places.shape[1]
    for name, one in found.items():
        own = grades.places[:, grades.queries == grades.query_ids.index(name)]
        kinds = kinds_of(own, 4)
        pooled = pooled_agreement(kinds)
        assert one.pairs == own.shape[1]
        assert one.pairs_shared == ((own >= 0).sum(axis=0) >= 2).sum() == pooled.pairs
        assert (one.agreement, one.kappa_quadratic) == (pooled.agreement, pooled.kappa_quadratic)
        table = [[int((unit == grade).sum()) for grade in SCALE] for unit in own.T]
        assert one.alpha == krippendorff_alpha(table, SCALE, resamples=20)["ordinal"]


def test_classes_are_those_of_the_queries():
    grades = replace(data("0123", "0122"), classes=("how-to", ""))
    found = slices_by(grades, "class", resamples=20)
    assert list(found) == ["", "how-to"]
    assert [one.pairs for one in found.values()] == [2, 2]
    # 2 and 3 of the second query, of no class, graded 2 and 2 by b: one of two agrees.
    assert [one.agreement.value for one in found.values()] == [0.5, 1.0]


def test_halves_are_by_when_the_second_grade_came():
    # When a and b graded documents 0 to 4; c was late, and graded two first of all.
    grades = data("00000", "01101", "1...1")
    came = np.array([[1, 2, 3, 4, 5], [10, 9, 8, 7, 6], [11, 0, 0, 0, 0]], dtype=np.int32)
    grades = replace(grades, came=came)
    # Second grades came: 10, 9, 8, 7, and 5 for the last (0 and 5): order 4, 3, 2 | 1, 0.
    found = slices_by(grades, "half", resamples=20)
    assert list(found) == ["first half", "second half"]
    assert [one.pairs for one in found.values()] == [3, 2]
    # Of the three judges of document 4, b and c agree; on 3, a and b do, and on 2 they do not. On
    # document 1 they do not, and on 0 they do, but c with neither.
    first, second = (one.agreement.value for one in found.values())
    assert first == pytest.approx((1 + 1 + 0) / (3 + 1 + 1))
    assert second == pytest.approx((0 + 1) / (1 + 3))


def test_slices_that_say_nothing_say_why():
    found = study(data("0..1", "0..."), by="query", resamples=20).to_dict()
    assert found["by"] == "query"
    q2 = found["slices"]["q2"]
    assert (q2["pairs"], q2["pairs_shared"], q2["agreement"]) == (1, 0, None)
    assert q2["alpha"]["ordinal"]["value"] is None
    assert q2["why"]["agreement"] == "no pair has two grades to compare"


def test_an_unknown_slicing_is_refused():
    with pytest.raises(UsageError, match="did you mean 'query'"):
        slices_by(data("0", "0"), "querry")
    assert list(SLICINGS) == ["query", "class", "half"]
