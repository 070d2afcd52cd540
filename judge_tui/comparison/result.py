"""What a paired test says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["ALTERNATIVES", "Alternative", "TestResult"]

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


@dataclass(frozen=True, slots=True)
class TestResult:
    """`p` is two-sided; `p_greater` and `p_less` are for the run being better and worse than the
    baseline. All three are None where the test is undefined, and `why` says the reason.
    `statistic` is None where the test has none but the mean difference.
    """

    __test__ = False  # the name is the field's; pytest must not take it for a test class

    statistic: float | None = None
    p: float | None = None
    p_greater: float | None = None
    p_less: float | None = None
    why: str = ""

    def p_of(self, alternative: Alternative) -> float | None:
        """The p of the alternative asked for."""
        return {"two-sided": self.p, "greater": self.p_greater, "less": self.p_less}[alternative]
