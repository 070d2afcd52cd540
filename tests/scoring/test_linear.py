"""Linear measures beside the measures that they are."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.errors import UsageError
from judge_tui.scoring import UNJUDGED, JudgedLists, JudgedQueries, parse_measure
from judge_tui.scoring.linear import linear, require_linear

NAMES = ["P@5", "P(rel=2)@20", "RBP(p=0.6)", "RBP@3", "nDCG", "nDCG@4", "nDCG(dcg='exp-log2')@10"]


@pytest.mark.parametrize("name", NAMES)
def test_a_sum_over_ranks_is_the_measure(name):
    measure = parse_measure(name)
    table = np.random.default_rng(3).integers(UNJUDGED, 4, (30, 12))
    graded = [row[row >= 0] for row in table]
    of = np.repeat(np.arange(len(table)), [len(row) for row in graded])
    known = JudgedQueries.of_grades(of, np.concatenate(graded), len(table))
    lists = JudgedLists.of_table(table, np.arange(len(table)), known)
    its = linear(measure, table.shape[1])
    assert its is not None

    def summed(grades):
        gains = np.array([its.gain(grade) if grade >= 0 else 0 for grade in grades.tolist()])
        return (gains[: len(its.discount)] * its.discount[: len(gains)]).sum()

    values = [summed(row) for row in table]
    if its.normalised:
        values = [one / summed(np.sort(row)[::-1]) for one, row in zip(values, graded, strict=True)]
    assert values == pytest.approx(measure.value(lists).tolist(), rel=1e-12)


@pytest.mark.parametrize("name", ["AP", "RR@10", "R@5", "P(judged_only=True)@5"])
def test_other_measures_are_no_sums(name):
    assert linear(parse_measure(name), 10) is None
    with pytest.raises(UsageError, match="no sum over the ranks"):
        require_linear(parse_measure(name), 10)
