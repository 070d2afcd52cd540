"""What a decision is made from, and what it says of single systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.report.evaluation import Evaluated
from judge_tui.significance import STEP, Comparison

if TYPE_CHECKING:
    from judge_tui.collect.price import Price

__all__ = ["DECISION_FILE", "Decided", "Seconds", "Spent"]

DECISION_FILE = "decision.md"


class Seconds(NamedTuple):
    """Of a system's queries that were answered: the median, and the 95th percentile (nearest
    rank); None where none was. `answered`: how many of the `queries` these are."""

    median: float | None
    p95: float | None
    answered: int
    queries: int


class Spent(NamedTuple):
    """`calls`: how often a system was asked for the answers that it is scored by, retries counted;
    what that costs, and so many calls for each of 1,000 queries; None without a price."""

    calls: int
    cost: float | None
    per_thousand: float | None


@dataclass(frozen=True, slots=True)
class Decided:
    """`prices`: of a call of each system, None where none is known. `choosing`: the systems that
    rank what a benchmark has for each query, and search for nothing."""

    evaluated: Evaluated
    prices: Mapping[str, Price | None]
    choosing: frozenset[str] = frozenset()

    @property
    def compared(self) -> list[Comparison]:
        """All other systems beside the baseline, by the first measure; [] where there is nothing
        to compare, or nothing to compare it by, or classes are compared each on its own terms."""
        if self.evaluated.own_terms:
            return []
        return self.evaluated.compared(self.evaluated.first)

    @property
    def best(self) -> list[str]:
        """The systems with the greatest mean by the first measure, which is one but for ties (to a
        reader: in steps of 1e-9); none where classes are measured by unlike things."""
        if not self.evaluated.over_all or not self.evaluated.evaluation.answered:
            return []
        measure = self.evaluated.first
        means = {run.tag: run.mean(measure) for run in self.evaluated.evaluation.scores.runs}
        greatest = max(means.values())
        return [tag for tag, mean in means.items() if greatest - mean < STEP]

    @property
    def seconds(self) -> dict[str, Seconds]:
        """Of each system."""
        return {
            one.name: Seconds(*one.latency, len(one.answers) - len(one.failed), len(one.answers))
            for one in self.evaluated.collected
        }

    @property
    def spent(self) -> dict[str, Spent]:
        """Of each system."""
        found = {}
        for one in self.evaluated.collected:
            calls = sum(answer.tries for answer in one.answers)
            price = self.prices.get(one.name)
            cost = None if price is None else calls * price.amount
            each = None if cost is None else cost * 1000 / len(one.answers)
            found[one.name] = Spent(calls, cost, each)
        return found
