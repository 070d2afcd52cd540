"""The outcome of a comparison: one measure, one run, one baseline, and all of them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge_tui.model import Warning  # noqa: A004 - the noun of the product
from judge_tui.scoring import RunScores, Scores
from judge_tui.significance.changes import Changes
from judge_tui.significance.result import TestResult
from judge_tui.significance.rows import Cell, columns_of, rows_of
from judge_tui.significance.settings import Settings
from judge_tui.significance.tukey import TukeyPair
from judge_tui.significance.verdict import Verdict

__all__ = ["Comparison", "Comparisons"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One run against the baseline by one measure, over the queries that both runs answer, or
    over those of them in one slice.

    `slice` is None where all queries are compared. Means (arithmetic, whatever the measure),
    `delta` (mean - baseline_mean) and `ci95` are in the measure's own unit; `nonzero` counts the
    queries that differ. `tests` and `p_adjusted` are by name of the test. What is undefined is
    None, and `why` says the reason under its name.
    """

    measure: str
    baseline: str
    tag: str
    slice: str | None
    queries: int
    baseline_mean: float
    mean: float
    delta: float
    ci95: tuple[float, float] | None
    wins: int
    ties: int
    losses: int
    tests: Mapping[str, TestResult]
    p_adjusted: Mapping[str, float | None]
    effect_size: float | None
    detectable_effect: float | None
    verdict: Verdict
    changed: Changes
    why: Mapping[str, str]

    @property
    def nonzero(self) -> int:
        """The queries for which the two runs differ."""
        return self.wins + self.losses

    def contradicted(self, settings: Settings) -> bool:
        """Whether the test that the verdict is by is significant, and yet no difference is shown:
        it and the mean do not point the same way."""
        p = self.p_adjusted[settings.tests[0]]
        return self.verdict is Verdict.NOTHING_SHOWN and p is not None and p < settings.alpha

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it; floats at full precision."""
        entry: dict[str, Any] = {
            "measure": self.measure,
            "baseline": self.baseline,
            "tag": self.tag,
            **({} if self.slice is None else {"slice": self.slice}),
            "queries": self.queries,
            "baseline_mean": self.baseline_mean,
            "mean": self.mean,
            "delta": self.delta,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "nonzero": self.nonzero,
            "tests": {name: self._test_to_dict(name) for name in self.tests},
            "effect_size": self.effect_size,
            "detectable_effect": self.detectable_effect,
            "verdict": str(self.verdict),
            "changed": self.changed.to_dict(),
        }
        return {**entry, "why": dict(self.why)} if self.why else entry

    def _test_to_dict(self, name: str) -> dict[str, Any]:
        result = self.tests[name]
        if result.p is None:
            return {"p": None, "why": result.why}
        statistic = {} if result.statistic is None else {"statistic": result.statistic}
        return {
            **statistic,
            "p": result.p,
            "p_greater": result.p_greater,
            "p_less": result.p_less,
            "p_adjusted": self.p_adjusted[name],
        }


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Every measure x run (x slice) that was compared: one family. Iterated over, counted and
    indexed, it is its `comparisons`.

    `baseline` is None where all pairs of runs are compared; `sliced` says whether slices are,
    `complete` whether a query that a run does not answer counts as an empty list.
    `tukey` is None where it was not asked for, and empty where the runs share no query. `paired`:
    each baseline and the run beside it; `scores`: those of the runs; `gone`: tags of a saved result
    that are not scored now.
    """

    baseline: str | None
    settings: Settings
    sliced: bool
    complete: bool
    comparisons: tuple[Comparison, ...]
    tukey: tuple[TukeyPair, ...] | None
    paired: tuple[tuple[RunScores, RunScores], ...] = field(repr=False, compare=False)
    scores: Scores = field(repr=False, compare=False)
    warnings: tuple[Warning, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def family(self) -> int:
        """How many tests were corrected for together."""
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        """The comparisons, in their order."""
        return iter(self.comparisons)

    def __len__(self) -> int:
        """How many comparisons there are."""
        return len(self.comparisons)

    def __getitem__(self, place: int) -> Comparison:
        """The comparison at a place."""
        return self.comparisons[place]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what is in a row of `to_rows`; they depend on what was asked for."""
        return columns_of(self)

    def to_rows(self) -> list[tuple[Cell, ...]]:
        """One row a comparison, floats at full precision; what is undefined is None."""
        return rows_of(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON has it."""
        document: dict[str, Any] = {
            "schema_version": 1,
            "settings": {
                **self.settings.to_dict(),
                "baseline": self.baseline,
                "complete": self.complete,
            },
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
        }
        if self.tukey is not None:
            document["tukey"] = [pair.to_dict() for pair in self.tukey]
        return {**document, "warnings": [*map(str, self.warnings)]}
