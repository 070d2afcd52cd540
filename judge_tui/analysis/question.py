"""What is asked of the results, and what the answers rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge_tui.analysis.kept_runs import KeptRuns
from judge_tui.errors import UsageError
from judge_tui.model import Warning  # noqa: A004 - the noun of the product
from judge_tui.scoring import Measure

__all__ = ["Basis", "Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """Which runs are looked at, by what, and by whose grades.

    `tags`: the runs, none for all. `measures`: their names, none for the usual ones. `baseline`:
    the run that the others are compared with, None for the first. `k`: how far from the top a
    result is seen. `policy` and `include_models` say how judgments become grades, as for exported
    qrels; None: as the campaign's setting has it.
    """

    tags: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    baseline: str | None = None
    k: int = 10
    policy: str = "majority"
    include_models: bool | None = None


@dataclass(frozen=True, slots=True)
class Basis:
    """What the numbers rest on.

    `measures` are those that what is kept of the runs can answer, without the shares judged, which
    are the `shares`; `left_out`: which it cannot, and why. `baseline`: tag of a run. `grades`: the
    campaign's scale, ascending. `pairs` have a final grade, `unresolved` were judged and not
    decided by the policy, `unjudged` are in the pool and were judged by nobody. `models`: whether
    grades of models are among these, `only_models`: and no others. `kept`: of each run, cut where
    it had more for a judged query. `warnings`: what a reader of the view that is shown must know
    (`analysis.warnings`).
    """

    asked: Question
    campaign: str
    seed: int
    measures: tuple[Measure, ...]
    shares: tuple[Measure, ...]
    baseline: str
    grades: tuple[int, ...]
    pairs: int
    unresolved: int
    unjudged: int
    models: bool = False
    only_models: bool = False
    kept: KeptRuns = field(default_factory=KeptRuns)
    left_out: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[Warning, ...] = ()

    @property
    def about(self) -> str:
        """Where the grades came from, in a line for readers."""
        pairs = "1 pair" if self.pairs == 1 else f"{self.pairs:,} pairs"
        models = ", those of models among them" if self.models else ""
        whose = " (models only)" if self.only_models else models
        return (
            f"grades of the campaign by policy {self.asked.policy}{whose}: {pairs}; "
            f"left out of the pool: {self.unresolved:,} unresolved, {self.unjudged:,} not judged"
        )

    def refuse_deep_top(self, tag: str | None = None) -> None:
        """Raise `UsageError` where the top k is deeper than what is kept of the run, or of any."""
        for run, depth in self.kept.cut.items():
            if self.asked.k > depth and tag in (None, run):
                raise UsageError(
                    f"the top {self.asked.k} is deeper than the {depth} results a query that the "
                    f"campaign keeps of run {run!r}",
                    f"look at the top {depth} with -k {depth}, or load it again with a greater "
                    "--depth",
                )

    def cannot_tell(self, measure: Measure) -> str:
        """Why grades and what is kept of the runs do not tell a measure; "" where they do."""
        if measure.definition.of_order:
            return "it is about the order of results, of which grades say nothing"
        return self.kept.cannot_tell(measure)

    def to_dict(self) -> dict[str, Any]:
        """As the settings of a JSON document have it; no path of the machine."""
        return {
            "campaign": {
                "name": self.campaign,
                "policy": self.asked.policy,
                "include_models": self.models,
                "only_models": self.only_models,
                "left_out": {"unresolved": self.unresolved, "not_judged": self.unjudged},
            },
            "pairs": self.pairs,
            "grades": list(self.grades),
            "baseline": self.baseline,
            "k": self.asked.k,
            "seed": self.seed,
        }
