"""What probes do to grades, against plain counting and SciPy's interval."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from judge_tui.analysis.model_probes import CLAIM, WORDS, probe_results


def drawn(seed, documents=20):
    random = np.random.default_rng(seed)
    planted = [None if grade == 4 else grade for grade in random.integers(0, 5, documents).tolist()]
    return [*zip(random.integers(0, 3, documents).tolist(), planted, strict=True)]


@pytest.mark.parametrize("seed", range(3))
def test_who_grades_higher_is_fooled(seed):
    grades = {CLAIM: drawn(seed), WORDS: drawn(seed + 50)}
    found = probe_results(grades)
    assert [one.probe for one in found] == [WORDS, CLAIM]
    for one in found:
        graded = [two for two in grades[one.probe] if two[1] is not None]
        fooled = sum(planted > without for without, planted in graded)
        assert (one.asked, one.graded, one.fooled) == (20, len(graded), fooled)
        interval = binomtest(fooled, len(graded)).proportion_ci(method="wilson")
        assert one.share.value == pytest.approx(fooled / len(graded))
        assert one.share.ci95 == pytest.approx(interval)
        means = (one.mean_without, one.mean_with)
        assert means == pytest.approx(np.mean(graded, axis=0))


def test_answers_that_are_no_grade_fool_nobody():
    [one] = probe_results({WORDS: [(0, None), (1, None)]})
    assert (one.asked, one.graded, one.fooled) == (2, 0, 0)
    assert (one.share.value, one.mean_without, one.mean_with) == (None, None, None)
    assert one.share.why
    assert probe_results({}) == ()
