"""What is asked of a comparison, and the verdict that follows from a test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from judge_tui.comparison.bootstrap import RESAMPLES
from judge_tui.comparison.corrections import CORRECTIONS
from judge_tui.comparison.drawn import DRAWS
from judge_tui.comparison.paired import DEFAULT_TESTS, TESTS
from judge_tui.comparison.result import ALTERNATIVES, Alternative, TestResult
from judge_tui.errors import UsageError, unknown

__all__ = [
    "FEWEST_QUERIES",
    "Settings",
    "Verdict",
    "give_verdict",
    "refuse_alpha",
    "refuse_power",
]


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
        _known("test", self.tests, TESTS)
        _known("correction", (self.correction,), CORRECTIONS)
        _known("alternative", (self.alternative,), ALTERNATIVES)
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
            "verdict_by": self.tests[0],
            "correction": self.correction,
            "alternative": self.alternative,
            "p_adjusted_of": self.p_adjusted_of,
            "alpha": self.alpha,
            "seed": self.seed,
            "permutations": DRAWS,
            "resamples": RESAMPLES,
        }

    @property
    def p_adjusted_of(self) -> str:
        """The p that is corrected and judged by: `p` is two-sided whatever the alternative."""
        return "p" if self.alternative == "two-sided" else f"p_{self.alternative}"


def _known(kind: str, given: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    for name in given:
        if name not in known:
            raise unknown(kind, name, known)


def refuse_alpha(alpha: float) -> None:
    """Raise `UsageError` unless 0 < alpha < 1."""
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1", "write .05")


def refuse_power(power: float, alpha: float) -> None:
    """Raise `UsageError` unless alpha < power < 1, which no effect at all has already, and for what
    `refuse_alpha` refuses."""
    refuse_alpha(alpha)
    if not alpha < power < 1:
        raise UsageError(f"power {power} is not between alpha {alpha} and 1", "write .8")


FEWEST_QUERIES = 6
"""With 5 pairs the smallest two-sided p of Wilcoxon's test is .0625: nothing could be shown."""


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
    *,
    alpha: float,
    alternative: Alternative = "two-sided",
) -> Verdict:
    """The verdict by one test, named beforehand.

    `queries`: number of pairs; `delta`: mean difference, run minus baseline. Significant means
    `p_adjusted` < `alpha`. Better or worse needs the test and the mean to point the same way: a
    rank test can be significant for a run that wins often and little and loses seldom and much,
    and then no difference is shown.
    """
    if queries < FEWEST_QUERIES:
        return Verdict.TOO_FEW
    if p_adjusted is None or p_adjusted >= alpha:
        return Verdict.NOTHING_SHOWN
    upward = _points_upward(result, alternative)
    if upward and delta > 0:
        return Verdict.BETTER
    if not upward and delta < 0:
        return Verdict.WORSE
    return Verdict.NOTHING_SHOWN


def _points_upward(result: TestResult, alternative: Alternative) -> bool:
    if alternative != "two-sided":
        return alternative == "greater"
    return (result.p_greater or 0.0) < (result.p_less or 0.0)
