"""The registry of paired tests: one line each. A test takes the values of any number
of pairs, `Samples`, and a seed, and gives a `TestResult` for each pair.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.comparison.bootstrap import bootstrap_tests
from judge_tui.comparison.drawn import permutation_tests
from judge_tui.comparison.exact import (
    Samples,
    Test,
    each,
    mcnemar,
    of_differences,
    paired_t,
    pratt_tests,
    sign,
    wilcoxon_tests,
)

__all__ = ["DEFAULT_TESTS", "TESTS", "PairedTest", "Samples"]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """One line of the registry. In a comparison, a test of fewer than `least_nonzero` queries that
    differ gives no p: its smallest possible two-sided one would be above .05 whatever the data.
    """

    name: str
    summary: str
    on: Test
    least_nonzero: int = 0


TESTS: dict[str, PairedTest] = {
    test.name: test
    for test in (
        PairedTest(
            "wilcoxon",
            "Wilcoxon signed-rank, zeros dropped",
            of_differences(wilcoxon_tests),
            6,
        ),
        PairedTest(
            "pratt",
            "Wilcoxon signed-rank, zeros ranked (Pratt)",
            of_differences(pratt_tests),
            6,
        ),
        PairedTest(
            "permutation",
            "sign flips of the mean difference",
            of_differences(permutation_tests),
        ),
        PairedTest("t", "paired t", each(paired_t)),
        PairedTest("bootstrap", "studentised paired bootstrap", of_differences(bootstrap_tests)),
        PairedTest("sign", "exact sign test", each(sign), 6),
        PairedTest("mcnemar", "exact McNemar, for values of 0 and 1", mcnemar, 6),
    )
}

DEFAULT_TESTS = ("wilcoxon", "permutation")
