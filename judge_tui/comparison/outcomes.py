"""Two columns of values side by side: how far they are apart, and whether that could be chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.comparison.bootstrap import bootstrap_intervals, why_no_interval
from judge_tui.comparison.corrections import STEP, Floats, adjust, on_grid
from judge_tui.comparison.paired import TESTS, Samples
from judge_tui.comparison.result import TestResult
from judge_tui.comparison.settings import Settings, Verdict, give_verdict
from judge_tui.scoring import mean

__all__ = ["Difference", "Outcome", "Sides", "differences_of", "outcomes_of"]

_VALUES = 4_000_000
"""Values tested at once: 32 MB of each side."""


@dataclass(frozen=True, slots=True)
class Sides:
    """One value a query on each side, aligned over the same queries, of which there is one."""

    before: Floats
    after: Floats


@dataclass(frozen=True, slots=True)
class Difference:
    """Arithmetic means, `delta` (after - before) with its 95 % bootstrap interval, and how many
    queries rise (`wins`), stay and fall. A `delta` that is 0 in steps of 1e-9 is 0.0. `ci95` is
    None where `why` has the reason.
    """

    before: float
    after: float
    delta: float
    ci95: tuple[float, float] | None
    wins: int
    ties: int
    losses: int
    why: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`tests` and `p_adjusted` by name of the test; the verdict is that of the first."""

    tests: Mapping[str, TestResult]
    p_adjusted: Mapping[str, float | None]
    verdict: Verdict


def differences_of(sides: Sequence[Sides], seed: int) -> list[Difference]:
    """How far apart each two sides are. Those of as many queries share their resamples."""
    intervals: list[tuple[float, float] | None] = [None] * len(sides)
    for places, samples in _batches(sides):
        found = bootstrap_intervals(samples.differences, seed)
        for place, interval in zip(places, found, strict=True):
            intervals[place] = interval
    return [_difference(each, ci95) for each, ci95 in zip(sides, intervals, strict=True)]


def outcomes_of(
    sides: Sequence[Sides], settings: Settings, *, others: Sequence[float | None] = ()
) -> list[Outcome]:
    """The tests of each two sides, corrected over all of them, which are one family.

    `others`: what other tests of the same family say, each its p for the alternative; None for one
    that has none, be it for want of queries. Nothing is drawn but from the seed of `settings`.
    """
    results: list[dict[str, TestResult]] = [{} for _ in sides]
    for places, samples in _batches(sides):
        for name in settings.tests:
            for place, result in zip(places, _test(name, samples, settings.seed), strict=True):
                results[place][name] = result
    adjusted = {
        name: adjust(
            [*(result[name].p_of(settings.alternative) for result in results), *others],
            settings.correction,
        )
        for name in settings.tests
    }
    return [
        _outcome(each, results[place], {name: p[place] for name, p in adjusted.items()}, settings)
        for place, each in enumerate(sides)
    ]


def _batches(sides: Sequence[Sides]) -> Iterator[tuple[list[int], Samples]]:
    """Places of sides of as many queries: what is drawn for one of them is drawn for all."""
    by_queries: dict[int, list[int]] = {}
    for place, each in enumerate(sides):
        by_queries.setdefault(len(each.before), []).append(place)
    for queries, places in by_queries.items():
        size = max(1, _VALUES // queries)
        for start in range(0, len(places), size):
            some = places[start : start + size]
            yield (
                some,
                Samples(
                    np.stack([sides[place].before for place in some]),
                    np.stack([sides[place].after for place in some]),
                ),
            )


def _test(name: str, samples: Samples, seed: int) -> Iterator[TestResult]:
    test = TESTS[name]
    grid = on_grid(samples.differences)
    nonzero = np.count_nonzero(grid, axis=1).tolist()
    for result, differing in zip(test.on(samples, seed), nonzero, strict=True):
        if result.p is not None and differing < test.least_nonzero:
            yield TestResult(
                why=f"the runs differ for {differing} of {grid.shape[1]} queries; "
                f"the test needs {test.least_nonzero}"
            )
        else:
            yield result


def _difference(sides: Sides, ci95: tuple[float, float] | None) -> Difference:
    grid = on_grid(sides.after - sides.before)
    before, after = mean(sides.before.tolist()), mean(sides.after.tolist())
    return Difference(
        before=before,
        after=after,
        delta=after - before if on_grid([after - before]).any() else 0.0,
        ci95=ci95,
        wins=int((grid > 0).sum()),
        ties=int((grid == 0).sum()),
        losses=int((grid < 0).sum()),
        why={"ci95": why_no_interval(len(grid))} if ci95 is None else {},
    )


def _outcome(
    sides: Sides,
    tests: Mapping[str, TestResult],
    p_adjusted: Mapping[str, float | None],
    settings: Settings,
) -> Outcome:
    # A running sum adds from left to right, as `mean` does.
    after, before = (side.cumsum()[-1].item() / len(side) for side in (sides.after, sides.before))
    delta = after - before
    first = settings.tests[0]
    verdict = give_verdict(
        len(sides.before),
        0.0 if abs(delta) < STEP else delta,
        tests[first],
        p_adjusted[first],
        alpha=settings.alpha,
        alternative=settings.alternative,
    )
    return Outcome(tests, p_adjusted, verdict)
