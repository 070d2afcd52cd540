"""Randomised Tukey HSD against all permutations of small cases, and the limits it must have."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from judge_tui import compare
from judge_tui.comparison.compare import compare_scores
from judge_tui.comparison.resampling import permutation
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.comparison.tukey import tukey_draws, tukey_test
from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import parse_measures
from judge_tui.scoring.slices import slice_scores
from tests.scored import score_runs


def brute(values):
    """Shares of all permutations of every query's values whose range is as great."""
    values = np.array(values)
    ranges = []
    for dealt in product(*(list(permutations(column)) for column in values.T)):
        sums = np.sum(dealt, axis=0)
        ranges.append(sums.max() - sums.min())
    sums = values.sum(axis=1)
    sizes = np.abs(sums[:, None] - sums)
    return (np.array(ranges)[:, None, None] >= sizes - 1e-7).mean(axis=0)


@pytest.mark.parametrize(
    "values",
    [
        [[0.1, 0.5, 0.9], [0.2, 0.4, 1.0], [0.0, 0.1, 0.3]],
        [[0.5, 0.5, 0.5, 0.5], [1.0, 0.5, 1.0, 0.5], [0.0, 0.5, 0.0, 1.0]],
        [[1 / 3, 2 / 3, 1 / 3], [2 / 3, 1 / 3, 0.0], [0.0, 1.0, 1 / 3]],
    ],
)
def test_equals_all_permutations(values):
    p = tukey_test(np.array(values), 0)
    # Three standard deviations of a share in 100,000 draws are at most .0048.
    assert p == pytest.approx(brute(values), abs=0.005)
    assert (p == p.T).all()
    assert (np.diag(p) == 1).all()


def test_of_two_runs_it_is_the_permutation_test():
    generator = np.random.default_rng(4)
    values = generator.uniform(0, 1, (2, 24))
    exact = permutation(values[1:] - values[:1], 0)[0].p
    assert tukey_test(values, 0)[0, 1] == pytest.approx(exact, abs=0.005)


def test_equal_runs_and_ties():
    assert (tukey_test(np.full((3, 10), 0.5), 0) == 1).all()
    # 0.3 - 0.2 and 0.2 - 0.1 are one difference: equal sums have equal p.
    noisy = tukey_test(np.array([[0.3 - 0.2, 0.7, 0.2], [0.2 - 0.1, 0.4, 0.9]]), 0)
    clean = tukey_test(np.array([[0.1, 0.7, 0.2], [0.1, 0.4, 0.9]]), 0)
    assert (noisy == clean).all()


def test_sums_that_only_rounding_parts_are_equal():
    # Differences of -1/3, -1/3, 2/3, 2/3: of the 16 ways to deal them 12 have a sum of 2/3 or more,
    # up or down. Each number rounded to nine digits, 2/3 - 1/3 - 1/3 + 2/3 is more than 1/3 + 1/3.
    values = [[1 / 3, 1 / 3, 0.0, 0.0], [0.0, 0.0, 2 / 3, 2 / 3]]
    # Three standard deviations of a share in 100,000 draws are at most .0048.
    assert tukey_test(values, 0)[0, 1] == pytest.approx(12 / 16, abs=0.005)


def test_what_is_as_far_apart_as_rounding_could_part_it_is_equal():
    # Half a step of 1e-9 for each of four values, in the observed sum and in the drawn one.
    assert tukey_test([[0.0, 0.0], [0.5, 2e-9]], 0)[0, 1] == 1
    assert tukey_test([[0.0, 0.0], [0.5, 3e-9]], 0)[0, 1] == pytest.approx(0.5, abs=0.005)


def test_draws_come_from_the_seed():
    values = np.random.default_rng(1).uniform(0, 1, (3, 8))
    once = tukey_test(values, 3)
    assert (once == tukey_test(values, 3)).all()
    assert (once != tukey_test(values, 4)).any()
    assert tukey_draws(50, 50) == 100_000
    assert tukey_draws(5, 7000) == 10_000
    # p = (b + 1) / (draws + 1), never 0.
    assert tukey_test(np.array([[0.0] * 40, [1.0] * 40]), 0)[0, 1] == 1 / 100_001


def test_over_the_queries_of_all_runs():
    qrels = {f"q{i}": {"good": 1} for i in range(9)}

    def run(tag, first, query_ids):
        return Run(
            tag, {q: {"good": 2.0 if first else 1.0, "x": 1.0 if first else 2.0} for q in query_ids}
        )

    runs = [
        run("a", True, list(qrels)),
        run("b", False, list(qrels)[1:]),
        run("c", True, list(qrels)[:8]),
    ]
    result = compare(qrels, runs, "RR", tukey=True)
    assert [(pair.tags, pair.queries, pair.delta) for pair in result.tukey] == [
        (("a", "b"), 7, -0.5),
        (("a", "c"), 7, 0.0),
        (("b", "c"), 7, 0.5),
    ]
    assert result.to_dict()["tukey"][0]["tags"] == ["a", "b"]
    assert compare(qrels, runs, "RR").tukey is None


def test_of_a_slice_without_measures_there_is_none():
    qrels = {f"q{i}": {"good": 1} for i in range(8)}
    runs = [Run(tag, {q: {"good": 2.0, "x": x} for q in qrels}) for tag, x in (("a", 1), ("b", 3))]
    measures = parse_measures("RR")
    scores = score_runs(qrels, runs, measures)
    settings = ComparisonSettings(tukey=True)

    def compared(slices):
        cut = slice_scores(scores, "class", slices, {"modern": []})
        return compare_scores(replace(scores, slices=cut), settings)

    found = compared({q: "modern" if at < 4 else "lookup" for at, q in enumerate(qrels)})
    assert [(one.slice, one.queries, one.delta) for one in found.tukey] == [("lookup", 4, -0.5)]
    with pytest.raises(UsageError, match="no judged query in common"):
        compared(dict.fromkeys(qrels, "modern"))
