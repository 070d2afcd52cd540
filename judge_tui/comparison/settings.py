"""How runs are compared: with which of them, by which tests, corrected how."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from judge_tui.comparison.corrections import CORRECTIONS
from judge_tui.comparison.paired_tests import ALTERNATIVES, Alternative
from judge_tui.comparison.registry import DEFAULT_TESTS, TESTS
from judge_tui.comparison.resampling import DRAWS, RESAMPLES
from judge_tui.errors import UsageError, unknown

__all__ = ["ComparisonSettings", "refuse_alpha"]


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


def _refuse_unknown(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            raise unknown(kind, name, known)


def refuse_alpha(alpha: float) -> None:
    """Raise `UsageError` unless 0 < alpha < 1."""
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1", "write .05")
