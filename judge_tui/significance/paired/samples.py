"""What a paired test is given: many comparisons at once, each over the same number of queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.significance.grid import Floats
from judge_tui.significance.result import TestResult

__all__ = ["Samples", "Test", "each", "of_differences"]


@dataclass(frozen=True, slots=True)
class Samples:
    """Per-query values, pairs x queries: of the baselines, and of the runs beside them."""

    before: Floats
    after: Floats

    @property
    def differences(self) -> Floats:
        """Run minus baseline."""
        return self.after - self.before


Test: TypeAlias = Callable[[Samples, int], list[TestResult]]
"""Samples and a seed -> one result a pair, which no other pair beside it changes."""


def each(test: Callable[[Floats], TestResult]) -> Test:
    """A test that looks at the differences of one pair and draws nothing."""

    def run(samples: Samples, _: int) -> list[TestResult]:
        return [test(row) for row in samples.differences]

    return run


def of_differences(test: Callable[[Floats, int], list[TestResult]]) -> Test:
    """A test that takes the differences of all pairs at once."""

    def run(samples: Samples, seed: int) -> list[TestResult]:
        return test(samples.differences, seed)

    return run
