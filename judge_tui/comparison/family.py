"""A family of paired tests: all that are made at once are corrected together, and give verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from math import nan
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.paired_tests import (
    ResultTable,
    TestResult,
    none_for_nan,
    on_grid,
)
from judge_tui.comparison.settings import (
    FEWEST_QUERIES,
    TESTS,
    ComparisonSettings,
    PairedTest,
    adjust,
)
from judge_tui.counts import counted
from judge_tui.scoring.measure import STEP

Sides: TypeAlias = tuple[Floats, Floats]
"""One value a query of the baseline, and one of the run, over the same queries."""

T = TypeVar("T")

_VALUES = 4_000_000
"""Values tested at once: 32 MB of each side."""


def in_batches(sides: Sequence[Sides], of: Callable[[Floats, Floats], Iterable[T]]) -> list[T]:
    """Apply `of` to all sides, and return what it makes of each two, in their order.

    `of` takes the baselines and the runs of all sides of as many queries at once, each pairs x
    queries: what is drawn for one pair is drawn for all.
    """
    by_queries: dict[int, list[int]] = {}
    for index, (before, _) in enumerate(sides):
        by_queries.setdefault(len(before), []).append(index)
    found: dict[int, T] = {}
    for queries, indexes in by_queries.items():
        size = max(1, _VALUES // max(1, queries))
        for start in range(0, len(indexes), size):
            some = indexes[start : start + size]
            before, after = (np.stack([sides[index][side] for index in some]) for side in (0, 1))
            found.update(zip(some, of(before, after), strict=True))
    return [found[index] for index in range(len(sides))]


class Verdict(StrEnum):
    """What may be said of a run beside its baseline."""

    BETTER = "better"
    WORSE = "worse"
    NOTHING_SHOWN = "no difference shown"
    TOO_FEW = "too few queries"


def give_verdict(
    queries: int,
    delta: float,
    result: TestResult,
    p_adjusted: float | None,
    settings: ComparisonSettings,
) -> Verdict:
    """Judge a run by one test, named beforehand.

    `queries`: number of pairs; `delta`: mean difference, run minus baseline, which points nowhere
    where it is smaller than 1e-9. Significant means `p_adjusted` < alpha. Better or worse needs
    the test and the mean to point the same way: a rank test can be significant for a run that wins
    often and little and loses seldom and much, and then no difference is shown.
    """
    if queries < FEWEST_QUERIES:
        return Verdict.TOO_FEW
    if p_adjusted is None or p_adjusted >= settings.alpha:
        return Verdict.NOTHING_SHOWN
    upward = settings.alternative == "greater"
    if settings.alternative == "two-sided":
        upward = (result.p_greater or 0.0) < (result.p_less or 0.0)
    if upward and delta >= STEP:
        return Verdict.BETTER
    if not upward and delta <= -STEP:
        return Verdict.WORSE
    return Verdict.NOTHING_SHOWN


class PairResult(NamedTuple):
    """What is known of two sides: their arithmetic means, NaN without a query, and their `delta`,
    0.0 where only rounding parts them. `tests` and `p_adjusted` are by name of the test; the
    verdict is that of the first test of the settings."""

    baseline_mean: float
    mean: float
    delta: float
    tests: Mapping[str, TestResult]
    p_adjusted: Mapping[str, float | None]
    verdict: Verdict


def run_tests(sides: Sequence[Sides], settings: ComparisonSettings) -> list[PairResult]:
    """Run the tests of `settings` on all sides, which are one family: correct their results, and
    give a verdict on each two of them.

    Nothing is drawn but from the seed of `settings`.
    """
    tables = apply_tests(sides, settings)
    adjusted = {
        name: adjust(table.p_of(settings.alternative), settings.correction)
        for name, table in tables.items()
    }
    return pair_results(sides, tables, adjusted, settings)


def apply_tests(sides: Sequence[Sides], settings: ComparisonSettings) -> dict[str, ResultTable]:
    """Run the tests on sides that may be a part of the family: name of the test -> a result for
    each two of them."""
    runs = {name: partial(_run, TESTS[name], settings.seed) for name in settings.tests}
    return {name: ResultTable.of(in_batches(sides, run)) for name, run in runs.items()}


def pair_results(
    sides: Sequence[Sides],
    tables: Mapping[str, ResultTable],
    adjusted: Mapping[str, Floats],
    settings: ComparisonSettings,
) -> list[PairResult]:
    """Return what is known of the sides, which may be a part of the family: their results and the
    adjusted p of these by name of the test, one for each two sides."""
    results = {name: table.to_results() for name, table in tables.items()}
    corrected = {name: [*map(none_for_nan, p.tolist())] for name, p in adjusted.items()}
    pairs = []
    for index, (before, _) in enumerate(sides):
        # A running sum adds from left to right, as `scoring.mean` does.
        old, new = (float(one.cumsum()[-1]) / len(one) if len(one) else nan for one in sides[index])
        delta = new - old if not len(before) or on_grid([new - old]).any() else 0.0
        tests = {name: found[index] for name, found in results.items()}
        p_adjusted = {name: found[index] for name, found in corrected.items()}
        by = settings.verdict_by
        verdict = give_verdict(len(before), delta, tests[by], p_adjusted[by], settings)
        pairs.append(PairResult(old, new, delta, tests, p_adjusted, verdict))
    return pairs


def _run(test: PairedTest, seed: int, before: Floats, after: Floats) -> Iterator[TestResult]:
    """Yield the results of the test, without a p where too few queries differ."""
    nonzero = np.count_nonzero(on_grid(after - before), axis=1).tolist()
    for result, differing in zip(test.on(before, after, seed), nonzero, strict=True):
        if result.p is not None and differing < test.least_nonzero:
            yield TestResult(
                why=f"the runs differ for {differing} of"
                f" {counted(before.shape[1], 'query', 'queries')}; the test needs"
                f" {test.least_nonzero}"
            )
        else:
            yield result
