"""The registry of paired tests: one file and one line each. A test takes n differences (run minus
baseline, one a query) and a seed, and gives a `TestResult`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from judge_tui.significance.grid import Floats
from judge_tui.significance.paired.permutation import permutation
from judge_tui.significance.paired.sign import sign
from judge_tui.significance.paired.t import paired_t
from judge_tui.significance.paired.wilcoxon import pratt, wilcoxon
from judge_tui.significance.result import TestResult

__all__ = ["DEFAULT_TESTS", "TESTS", "PairedTest"]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """One line of the registry. In a comparison, a test of fewer than `least_nonzero` queries that
    differ gives no p: its smallest possible two-sided one would be above .05 whatever the data.
    """

    name: str
    summary: str
    test: Callable[[Floats, int], TestResult]
    least_nonzero: int = 0


TESTS: dict[str, PairedTest] = {
    test.name: test
    for test in (
        PairedTest("wilcoxon", "Wilcoxon signed-rank, zeros dropped", lambda d, _: wilcoxon(d), 6),
        PairedTest("pratt", "Wilcoxon signed-rank, zeros ranked (Pratt)", lambda d, _: pratt(d), 6),
        PairedTest("permutation", "sign flips of the mean difference", permutation),
        PairedTest("t", "paired t", lambda d, _: paired_t(d)),
        PairedTest("sign", "exact sign test", lambda d, _: sign(d), 6),
    )
}

DEFAULT_TESTS = ("wilcoxon", "permutation")
