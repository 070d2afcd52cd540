"""The least p that tests of few queries can have, and what is said where it is too great."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from judge_tui.scoring import NO_REGRESSION
from judge_tui.significance import TESTS, Tried, adjust, least_p, nothing_worse
from judge_tui.significance.paired import Samples


@pytest.mark.parametrize("test", ["wilcoxon", "pratt", "permutation", "sign", "mcnemar"])
@pytest.mark.parametrize("queries", [1, 3, 6, 8])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_the_least_p_is_that_of_all_sign_patterns(test, queries, alternative):
    sizes = np.ones(queries) if test == "mcnemar" else np.arange(1, queries + 1) / 16
    signs = np.array([*product((0, 1), repeat=queries)], dtype=np.float64)
    samples = Samples(signs * sizes, (1 - signs) * sizes)
    found = [result.p_of(alternative) for result in TESTS[test].on(samples, 0)]
    assert min(p for p in found if p is not None) == pytest.approx(
        least_p(test, queries, alternative)
    )


@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
@pytest.mark.parametrize("queries", range(3, 11))
@pytest.mark.parametrize("measures", [1, 2, 5, 12])
def test_it_is_said_exactly_where_a_total_loss_is_not_worse(correction, queries, measures):
    lost = Samples(np.ones((measures, queries)), np.zeros((measures, queries)))
    p_values = [result.p for result in TESTS["wilcoxon"].on(lost, 0)]
    worse = queries >= 6 and min(adjust(p_values, correction)) < 0.05
    said = nothing_worse([Tried(queries, "wilcoxon")] * measures, correction=correction, alpha=0.05)
    assert bool(said) is not worse
    assert all(one.startswith(f"{NO_REGRESSION} cannot find anything worse here: ") for one in said)


def test_a_slice_that_alone_cannot_be_worse_is_named():
    family = [
        *[Tried(40, "wilcoxon", "")] * 3,
        *[Tried(7, "wilcoxon", "lookup")] * 2,
        Tried(40, "t", "small"),
    ]
    (said,) = nothing_worse(family, correction="holm", alpha=0.05)
    assert said == (
        "no-regression cannot find anything worse in lookup alone: with 7 queries the least p is"
        " 0.0156, 0.0938 corrected (holm) over a family of 6, and alpha is 0.05; compare by fewer"
        " measures (-m), take more queries, or require a number"
    )
    assert nothing_worse([], correction="holm", alpha=0.05) == ()
