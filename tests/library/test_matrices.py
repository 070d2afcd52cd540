"""`from_matrices`: the shape that scikit-learn's ranking metrics take, and their values."""

from __future__ import annotations

from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import judge_tui
from judge_tui.errors import UsageError


def matrices(queries, documents):
    """Grades, and scores that are all different."""
    grades = st.lists(st.integers(0, 3), min_size=documents, max_size=documents)
    size = {"min_size": queries, "max_size": queries}
    return st.tuples(st.lists(grades, **size), st.lists(st.permutations(range(documents)), **size))


@given(
    st.tuples(st.integers(1, 12), st.integers(2, 12)).flatmap(lambda shape: matrices(*shape)),
    st.integers(1, 13),
)
def test_values_are_those_of_the_textbook(both, cutoff):
    """nDCG with linear gains (Järvelin and Kekäläinen 2002), and AP; nothing is tied."""
    grades, scores = (np.array(matrix) for matrix in both)
    qrels, runs = judge_tui.from_matrices(grades, scores / 7)
    (run,) = judge_tui.score(qrels, runs, [f"nDCG@{cutoff}", "AP"]).runs
    ndcg, ap = [], []
    for row, of_row in zip(grades, scores, strict=True):
        found = row[np.argsort(-of_row)]
        gained, best = (
            sum(grade / log2(rank + 1) for rank, grade in enumerate(order[:cutoff], 1))
            for order in (found, np.sort(row)[::-1])
        )
        ndcg.append(gained / best if best else 0.0)
        hits = np.flatnonzero(found) + 1
        ap.append(np.mean(np.arange(1, len(hits) + 1) / hits) if len(hits) else 0.0)
    # The order of the values is that of the rows.
    assert run.values[f"nDCG@{cutoff}"] == pytest.approx(ndcg)
    assert run.values["AP"] == pytest.approx(ap)
    assert run.mean(f"nDCG@{cutoff}") == pytest.approx(np.mean(ndcg))


def test_what_is_not_judged_and_what_is_not_retrieved():
    grades = np.array([[1, np.nan, 0], [-1, 2, np.nan]])
    scores = np.array([[0.1, -5.0, np.nan], [-np.inf, 0.0, 3.0]])
    qrels, runs = judge_tui.from_matrices(grades, {"a": scores, "b": [[None, 1, 2], [3, 4, 5]]})
    assert qrels == {"0": {"0": 1, "2": 0}, "1": {"0": -1, "1": 2}}
    assert [(run.tag, run.scores) for run in runs] == [
        ("a", {"0": {"0": 0.1, "1": -5.0}, "1": {"1": 0.0, "2": 3.0}}),
        ("b", {"0": {"1": 1.0, "2": 2.0}, "1": {"0": 3.0, "1": 4.0, "2": 5.0}}),
    ]


def test_frames_are_matrices():
    grades, scores = [[1, None, 0], [-1, 2, None]], [[0.1, -5.0, None], [None, 0.0, 3.0]]
    expected = judge_tui.from_matrices(grades, scores)
    frames = [
        pd.DataFrame(matrix, columns=list("abc"), index=[7, 8]) for matrix in (grades, scores)
    ]
    assert judge_tui.from_matrices(*frames) == expected
    assert judge_tui.from_matrices(*(one.convert_dtypes() for one in frames)) == expected


def test_ids():
    qrels, (run,) = judge_tui.from_matrices([[1] * 11] * 101, [[0.5] * 11] * 101)
    assert list(qrels) == sorted(qrels) == list(run.scores)
    assert (min(qrels), max(qrels), max(qrels["000"])) == ("000", "100", "10")


@pytest.mark.parametrize(
    ("grades", "scores", "message"),
    [
        ([[1, 0]], [[1.0, 2.0, 3.0]], "the scores of run 'run' are 1 x 3, the grades 1 x 2"),
        (
            [[1, 0.5]],
            [[1.0, 2.0]],
            "document '1' of query '0' of the grades: grade 0.5 is not a whole",
        ),
        (
            [[1, 0]],
            [[1.0, np.inf]],
            "document '1' of query '0' of run 'run': score inf is not a finite",
        ),
        ([1, 0], [1.0, 2.0], "the grades are no matrix; give a row of numbers for each query"),
        ([[1, 0], [1]], [[1.0, 2.0]], "the grades are no matrix"),
        ([[]], [[]], "the grades are no matrix"),
        (np.zeros((2, 2, 2)), np.zeros((2, 2)), "the grades are no matrix"),
        ([["1", "b"]], [[1.0, 2.0]], "the grades are no matrix of numbers"),
        ([[1]], 7, "the scores of run 'run' are no matrix"),
    ],
)
def test_what_is_refused(grades, scores, message):
    with pytest.raises(UsageError, match=message):
        judge_tui.from_matrices(grades, scores)
