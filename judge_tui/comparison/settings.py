"""How runs are compared: the paired tests and the corrections by the names that users write, and
the settings that choose among them.

A new test takes a function in `paired_tests.py` (or in `resampling.py`, where it draws) that gives
a `TestResult` for each pair, a line in `TESTS`, and its values by hand in
`tests/comparison/test_paired_tests.py`; a new correction a function from p values to adjusted ones
and a line in `CORRECTIONS`. Commands, JSON, CSV and help follow these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from judge_tui.arrays import Floats
from judge_tui.comparison.paired_tests import (
    ALTERNATIVES,
    Alternative,
    TestResult,
    mcnemar,
    paired_t,
    pratt,
    sign,
    wilcoxon,
)
from judge_tui.comparison.resampling import DRAWS, RESAMPLES, bootstrap, permutation
from judge_tui.errors import UsageError, check_known

FEWEST_QUERIES = 6
"""With 5 pairs the smallest two-sided p of Wilcoxon's test is .0625: nothing could be shown."""


class PairedTest(NamedTuple):
    """A test as users name it.

    `on`: the values of the baselines and of the runs, each pairs x queries, and a seed -> one
    result a pair. Where fewer than `least_nonzero` queries differ the test gives no p: its smallest
    possible two-sided one would be above .05 whatever the data.
    """

    summary: str
    on: Callable[[Floats, Floats, int], list[TestResult]]
    least_nonzero: int = 0


TESTS: dict[str, PairedTest] = {
    "wilcoxon": PairedTest(
        "Wilcoxon signed-rank, zeros dropped",
        lambda old, new, _: wilcoxon(new - old),
        FEWEST_QUERIES,
    ),
    "pratt": PairedTest(
        "Wilcoxon signed-rank, zeros ranked (Pratt)",
        lambda old, new, _: pratt(new - old),
        FEWEST_QUERIES,
    ),
    "permutation": PairedTest(
        "sign flips of the mean difference",
        lambda old, new, seed: permutation(new - old, seed),
    ),
    "t": PairedTest(
        "paired t",
        lambda old, new, _: paired_t(new - old),
    ),
    "bootstrap": PairedTest(
        "studentised paired bootstrap",
        lambda old, new, seed: bootstrap(new - old, seed),
    ),
    "sign": PairedTest(
        "exact sign test",
        lambda old, new, _: sign(new - old),
        FEWEST_QUERIES,
    ),
    "mcnemar": PairedTest(
        "exact McNemar, for values of 0 and 1",
        # Experiments have few tasks: a p above .05 is shown beside those that differ.
        lambda old, new, _: mcnemar(old, new),
    ),
}

DEFAULT_TESTS = ("wilcoxon", "permutation")


def adjust(p_values: ArrayLike, correction: str) -> Floats:
    """Adjust the p values of one family, in the order given; its size is their number.

    The family is every comparison that is printed. One whose test has no p stays NaN and counts as
    a p of 1 would: it was looked at, too, and without it the others would seem more significant for
    want of data. Three comparisons, two of them without a p: .0039 becomes .0117 by Holm.
    """
    p = np.asarray(p_values, dtype=np.float64)
    unknown = np.isnan(p)
    return np.where(unknown, np.nan, CORRECTIONS[correction](np.where(unknown, 1.0, p)))


def _holm(p_values: Floats) -> Floats:
    """Adjust by step-down Bonferroni: family-wise error under any dependence (Holm, 1979)."""
    ascending = np.argsort(p_values, kind="stable")
    left = np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[ascending] = np.maximum.accumulate(np.minimum(1.0, p_values[ascending] * left))
    return adjusted


def _benjamini_hochberg(p_values: Floats) -> Floats:
    """Adjust by steps up: the expected share of false discoveries (Benjamini and Hochberg,
    1995)."""
    descending = np.argsort(-p_values, kind="stable")
    size = len(p_values)
    steps = p_values[descending] * size / np.arange(size, 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[descending] = np.minimum(1.0, np.minimum.accumulate(steps))
    return adjusted


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "bh": _benjamini_hochberg,
    "none": np.copy,
}


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """How runs are compared, the same for every pair.

    `baseline`: tag of the run that the others are compared with, None for the first; `all_pairs`:
    each run with each later one instead. The first of `tests` gives the verdicts, by its p for
    `alternative`, corrected over everything that is compared, at `alpha`. Whatever is drawn is
    drawn from `seed`. `tukey`: randomised Tukey HSD of all pairs of runs as well. Raises
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
        for test in self.tests:
            check_known("test", test, TESTS)
        check_known("correction", self.correction, CORRECTIONS)
        check_known("alternative", self.alternative, ALTERNATIVES)
        refuse_alpha(self.alpha)
        if self.seed < 0:
            raise UsageError(f"seed {self.seed} is negative", "give a whole number from 0")
        if self.all_pairs and self.baseline is not None:
            raise UsageError(
                "a comparison of all pairs has no baseline", "leave out one of the two"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON has them; `p_adjusted_of` names the p that was corrected."""
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


def refuse_alpha(alpha: float) -> None:
    """Raise `UsageError` unless 0 < alpha < 1."""
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1", "write .05")
