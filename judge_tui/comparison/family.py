"""A family of paired tests: what is asked of it, the tests there are, the correction for the many
comparisons made at once, and the verdict on each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import nan
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.paired_tests import (
    ALTERNATIVES,
    STEP,
    Alternative,
    TestResult,
    mcnemar,
    on_grid,
    paired_t,
    pratt,
    sign,
    wilcoxon,
)
from judge_tui.comparison.resampling import DRAWS, RESAMPLES, bootstrap, permutation
from judge_tui.errors import UsageError, unknown

__all__ = [
    "CORRECTIONS",
    "DEFAULT_TESTS",
    "FEWEST_QUERIES",
    "TESTS",
    "Outcome",
    "Settings",
    "Verdict",
    "adjust",
    "correct",
    "give_verdict",
    "in_batches",
    "means_of",
    "outcomes_of",
    "refuse_alpha",
]


class PairedTest(NamedTuple):
    """A line of the registry. `on`: the values of the baselines and of the runs, each pairs x
    queries, and a seed -> one result a pair. In a comparison, a test of fewer than `least_nonzero`
    queries that differ gives no p: its smallest possible two-sided one would be above .05 whatever
    the data."""

    summary: str
    on: Callable[[Floats, Floats, int], list[TestResult]]
    least_nonzero: int = 0


TESTS: dict[str, PairedTest] = {
    "wilcoxon": PairedTest(
        "Wilcoxon signed-rank, zeros dropped", lambda old, new, _: wilcoxon(new - old), 6
    ),
    "pratt": PairedTest(
        "Wilcoxon signed-rank, zeros ranked (Pratt)", lambda old, new, _: pratt(new - old), 6
    ),
    "permutation": PairedTest(
        "sign flips of the mean difference", lambda old, new, seed: permutation(new - old, seed)
    ),
    "t": PairedTest("paired t", lambda old, new, _: paired_t(new - old)),
    "bootstrap": PairedTest(
        "studentised paired bootstrap", lambda old, new, seed: bootstrap(new - old, seed)
    ),
    "sign": PairedTest("exact sign test", lambda old, new, _: sign(new - old), 6),
    "mcnemar": PairedTest(
        "exact McNemar, for values of 0 and 1", lambda old, new, _: mcnemar(old, new), 6
    ),
}

DEFAULT_TESTS = ("wilcoxon", "permutation")


def adjust(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """Adjusted p values of one family, in the order given; its size is `len(p_values)`.

    The family is every comparison that is printed. One whose test has no p stays None and counts as
    a p of 1 would: it was looked at, too, and left out it would make the others seem surer for want
    of data. Three comparisons, two of them without a p: .0039 becomes .0117 by Holm.
    """
    adjusted = CORRECTIONS[correction]([1.0 if p is None else p for p in p_values])
    return [
        None if p is None else corrected for p, corrected in zip(p_values, adjusted, strict=True)
    ]


def _holm(p_values: list[float]) -> list[float]:
    """Step-down Bonferroni: family-wise error under any dependence (Holm, 1979)."""
    adjusted = [1.0] * len(p_values)
    greatest = 0.0
    ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
    for done, place in enumerate(ascending):
        greatest = max(greatest, min(1.0, p_values[place] * (len(p_values) - done)))
        adjusted[place] = greatest
    return adjusted


def _benjamini_hochberg(p_values: list[float]) -> list[float]:
    """Step-up: the expected share of false discoveries (Benjamini and Hochberg, 1995)."""
    adjusted = [1.0] * len(p_values)
    least = 1.0
    descending = sorted(range(len(p_values)), key=lambda place: -p_values[place])
    for done, place in enumerate(descending):
        least = min(least, p_values[place] * len(p_values) / (len(p_values) - done))
        adjusted[place] = least
    return adjusted


CORRECTIONS: dict[str, Callable[[list[float]], list[float]]] = {
    "holm": _holm,
    "bh": _benjamini_hochberg,
    "none": list,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How runs are compared, the same for every pair.

    `baseline`: tag of the run that the others are compared with, None for the first; `all_pairs`:
    each run with each later one instead. The first of `tests` gives the verdicts, by its p for
    `alternative`, corrected over everything that is compared, at `alpha`. Whatever is drawn is
    drawn from `seed`. `tukey`: randomised Tukey HSD of all pairs of runs beside it. Raises
    `UsageError` for what does not exist.
    """

    baseline: str | None = None
    all_pairs: bool = False
    tests: tuple[str, ...] = DEFAULT_TESTS
    correction: str = "holm"
    alternative: Alternative = "two-sided"
    alpha: float = 0.05
    seed: int = 0
    tukey: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "tests", tuple(dict.fromkeys(self.tests)) or DEFAULT_TESTS)
        _refuse_unknown("test", self.tests, TESTS)
        _refuse_unknown("correction", (self.correction,), CORRECTIONS)
        _refuse_unknown("alternative", (self.alternative,), ALTERNATIVES)
        refuse_alpha(self.alpha)
        if self.seed < 0:
            raise UsageError(f"seed {self.seed} is negative", "give a whole number from 0")
        if self.all_pairs and self.baseline is not None:
            raise UsageError(
                "all pairs of runs have no baseline", "leave out the baseline or all pairs"
            )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON has them; `p_adjusted_of` names the p that was corrected."""
        return {
            "baseline": self.baseline,
            "all_pairs": self.all_pairs,
            "tests": list(self.tests),
            "verdict_by": self.verdict_by,
            "correction": self.correction,
            "alternative": self.alternative,
            "p_adjusted_of": self.p_adjusted_of,
            "alpha": self.alpha,
            "seed": self.seed,
            "permutations": DRAWS,
            "resamples": RESAMPLES,
        }

    @property
    def verdict_by(self) -> str:
        """The test that gives the verdicts."""
        return self.tests[0]

    @property
    def p_adjusted_of(self) -> str:
        """The p that is corrected and judged by: `p` is two-sided whatever the alternative."""
        return "p" if self.alternative == "two-sided" else f"p_{self.alternative}"


def _refuse_unknown(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            raise unknown(kind, name, known)


def refuse_alpha(alpha: float) -> None:
    """Raise `UsageError` unless 0 < alpha < 1."""
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1", "write .05")


FEWEST_QUERIES = 6
"""With 5 pairs the smallest two-sided p of Wilcoxon's test is .0625: nothing could be shown."""


class Verdict(StrEnum):
    """What may be said of a run beside its baseline."""

    BETTER = "better"
    WORSE = "worse"
    NOTHING_SHOWN = "no difference shown"
    TOO_FEW = "too few queries"


def give_verdict(
    queries: int, delta: float, result: TestResult, p_adjusted: float | None, settings: Settings
) -> Verdict:
    """The verdict by one test, named beforehand.

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


Sides: TypeAlias = tuple[Floats, Floats]
"""One value a query of the baseline, and one of the run, over the same queries."""

T = TypeVar("T")

_VALUES = 4_000_000
"""Values tested at once: 32 MB of each side."""


def in_batches(sides: Sequence[Sides], of: Callable[[Floats, Floats], Iterable[T]]) -> list[T]:
    """What `of` makes of each two sides, in their order. It has those of as many queries at once,
    both pairs x queries: what is drawn for one of them is drawn for all."""
    by_queries: dict[int, list[int]] = {}
    for place, (before, _) in enumerate(sides):
        by_queries.setdefault(len(before), []).append(place)
    found: dict[int, T] = {}
    for queries, places in by_queries.items():
        size = max(1, _VALUES // max(1, queries))
        for start in range(0, len(places), size):
            some = places[start : start + size]
            before, after = (np.stack([sides[place][side] for place in some]) for side in (0, 1))
            found.update(zip(some, of(before, after), strict=True))
    return [found[place] for place in range(len(sides))]


class Means(NamedTuple):
    """Of two sides, arithmetic; `delta` is 0.0 where only rounding parts them. NaN without a
    query."""

    baseline: float
    run: float
    delta: float


def means_of(before: Floats, after: Floats) -> Means:
    """The means of two sides, and their difference."""
    if not len(before):
        return Means(nan, nan, nan)
    # A running sum adds from left to right, as `scoring.mean` does.
    baseline, run = (float(side.cumsum()[-1]) / len(side) for side in (before, after))
    return Means(baseline, run, run - baseline if on_grid([run - baseline]).any() else 0.0)


class Outcome(NamedTuple):
    """What is known of two sides: `tests` and `p_adjusted` are by name of the test; the verdict is
    that of the first."""

    means: Means
    tests: Mapping[str, TestResult]
    p_adjusted: Mapping[str, float | None]
    verdict: Verdict


def outcomes_of(sides: Sequence[Sides], settings: Settings) -> list[Outcome]:
    """The tests of each two sides, which are one family. Nothing is drawn but from the seed of
    `settings`."""
    tests = {name: partial(_run, TESTS[name], settings.seed) for name in settings.tests}
    return correct(sides, {name: in_batches(sides, of) for name, of in tests.items()}, settings)


def _run(test: PairedTest, seed: int, before: Floats, after: Floats) -> Iterator[TestResult]:
    """The results of the test, without a p where too few queries differ."""
    nonzero = np.count_nonzero(on_grid(after - before), axis=1).tolist()
    for result, differing in zip(test.on(before, after, seed), nonzero, strict=True):
        if result.p is not None and differing < test.least_nonzero:
            yield TestResult(
                why=f"the runs differ for {differing} of {before.shape[1]} queries; "
                f"the test needs {test.least_nonzero}"
            )
        else:
            yield result


def correct(
    sides: Sequence[Sides], results: Mapping[str, Sequence[TestResult]], settings: Settings
) -> list[Outcome]:
    """The results of the tests, a result of each two sides, corrected over all of them and judged.
    `results`: by name of the test."""
    adjusted = {
        name: adjust([one.p_of(settings.alternative) for one in found], settings.correction)
        for name, found in results.items()
    }
    outcomes = []
    for place, (before, after) in enumerate(sides):
        means = means_of(before, after)
        tests = {name: found[place] for name, found in results.items()}
        p_adjusted = {name: found[place] for name, found in adjusted.items()}
        by = settings.verdict_by
        verdict = give_verdict(len(before), means.delta, tests[by], p_adjusted[by], settings)
        outcomes.append(Outcome(means, tests, p_adjusted, verdict))
    return outcomes
