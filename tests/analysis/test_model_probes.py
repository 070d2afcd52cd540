"""What probes do to grades, against plain counting and SciPy's interval."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from judge_tui.agreement.alt_test import alt_test
from judge_tui.analysis.model_judge import ModelStudy
from judge_tui.analysis.model_order import ModelOrder
from judge_tui.analysis.model_probes import CLAIM, WORDS, probe_results
from judge_tui.analysis.warnings import warn_of_model


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


@pytest.mark.parametrize(
    ("fooled", "is_warned"),
    # By SciPy, Wilson's interval of 4 of 20 begins at .081, and that of 5 at .112.
    [(0, False), (4, False), (5, True), (20, True)],
)
def test_a_model_that_is_surely_fooled_is_warned_of(fooled, is_warned):
    grades = [(0, 2)] * fooled + [(0, 0)] * (20 - fooled)
    low = binomtest(fooled, 20).proportion_ci(method="wilson").low
    assert (low > 0.1) == is_warned
    study = ModelStudy(
        judge="m",
        policy="majority",
        shared=20,
        undecided=0,
        beside=(),
        two_people=(),
        slices=(),
        alt_test=alt_test(np.zeros(20, dtype=np.int8), {}, (0, 1, 2)),
        order=ModelOrder("nDCG@10"),
        next=(),
        probes=probe_results({CLAIM: grades}),
    )
    found = warn_of_model(study)
    assert len(found) == is_warned
    assert all("m for" in one and "20 documents" in one for one in found)
