"""What a decision is made from, and what it says of single systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.report.evaluation import Evaluated
from judge_tui.report.page.sections.phrases import listed
from judge_tui.significance import STEP, Comparison

if TYPE_CHECKING:
    from judge_tui.analysis.demands import ClassDemand
    from judge_tui.collect.outcome import ClassInVain
    from judge_tui.collect.price import Price
    from judge_tui.significance.arms import ArmComparison

__all__ = ["Decided", "Seconds", "Spent"]


class Seconds(NamedTuple):
    """Of a system's queries that were answered: the median, and the 95th percentile (nearest
    rank); None where none was. `answered`: how many of the `queries` these are."""

    median: float | None
    p95: float | None
    answered: int
    queries: int


class Spent(NamedTuple):
    """`calls`: how often a system was asked for the replies that it is scored by, retries counted;
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
    def unanswering(self) -> list[str]:
        """The systems that failed at too many queries to be taken, or to be left for another."""
        return [one.name for one in self.evaluated.collected if one.failed_too_often]

    @property
    def silent(self) -> list[str]:
        """The systems that answered, and found nothing for over half of the queries: most likely
        they are wrongly set up, and nothing rests on a comparison with them."""
        return [
            one.name
            for one in self.evaluated.collected
            if one.mostly_in_vain and not one.failed_too_often
        ]

    @property
    def silent_for(self) -> dict[str, dict[str, ClassInVain]]:
        """System -> the classes, of those measured by themselves, for over half of whose queries
        it found nothing."""
        demanded = self.evaluated.demanded
        demanding = {one.name for one in demanded.classes} if demanded else ()
        return {
            one.name: {
                name: its
                for name, its in one.classes_in_vain.items()
                if self.evaluated.own_terms or name in demanding
            }
            for one in self.evaluated.collected
            if not one.failed_too_often
        }

    @property
    def _speaks(self) -> Callable[[str | None, str, str], bool]:
        """Whether anything rests on a comparison, over a class (None: over all queries), of two
        systems."""
        silent, silent_for = self.silent, self.silent_for

        def speaks(name: str | None, *tags: str) -> bool:
            return not any(tag in silent or name in silent_for.get(tag, ()) for tag in tags)

        return speaks

    def by(self, baseline: str, tag: str) -> str:
        """How a comparison of the two is introduced: `by`, or with whose failures."""
        down = [name for name in (baseline, tag) if name in self.unanswering]
        return f"with the failures of {listed(down)}, by" if down else "by"

    @property
    def every(self) -> list[Comparison]:
        """All comparisons, by every measure and of every class, but those with a system that is
        silent, or silent for that class."""
        speaks = self._speaks
        return [
            one
            for one in self.evaluated.comparisons or ()
            if speaks(one.slice, one.tag, one.baseline)
        ]

    @property
    def compared(self) -> list[Comparison]:
        """All other systems beside the baseline, by the first measure; [] where there is nothing
        to compare, or nothing to compare it by, or classes are compared each on its own terms."""
        if self.evaluated.own_terms:
            return []
        return [one for one in self.every if one.measure == self.evaluated.first.name]

    @property
    def in_order(self) -> list[tuple[ClassDemand, ArmComparison]]:
        """The same of what classes demand of the order of results."""
        speaks, demanded = self._speaks, self.evaluated.demanded
        return [
            (one, arm)
            for one in (demanded.classes if demanded else ())
            for arm in one.beside
            if speaks(one.name, arm.arm, arm.baseline)
        ]

    @property
    def best(self) -> list[str]:
        """The systems with the greatest mean by the first measure, which is one but for ties (to a
        reader: in steps of 1e-9), of those that are not silent; none where classes are measured by
        unlike things."""
        if not self.evaluated.over_all or not self.evaluated.evaluation.answered:
            return []
        measure, silent = self.evaluated.first, self.silent
        runs = self.evaluated.evaluation.scores.runs
        means = {run.tag: run.mean(measure) for run in runs if run.tag not in silent}
        greatest = max(means.values(), default=0.0)
        return [tag for tag, mean in means.items() if greatest - mean < STEP]

    @property
    def seconds(self) -> dict[str, Seconds]:
        """Of each system."""
        return {
            one.name: Seconds(*one.latency, len(one.replies) - len(one.failed), len(one.replies))
            for one in self.evaluated.collected
        }

    @property
    def spent(self) -> dict[str, Spent]:
        """Of each system."""
        found = {}
        for one in self.evaluated.collected:
            calls = sum(reply.tries for reply in one.replies)
            price = self.prices.get(one.name)
            cost = None if price is None else calls * price.amount
            each = None if cost is None else cost * 1000 / len(one.replies)
            found[one.name] = Spent(calls, cost, each)
        return found
