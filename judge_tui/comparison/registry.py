"""The paired tests by the names that users write.

A new test takes a function in `paired_tests.py` (or in `resampling.py`, where it draws) that gives
a `TestResult` for each pair, a line in `TESTS`, and its values by hand in
`tests/comparison/test_paired_tests.py`. Commands, JSON, CSV and help follow `TESTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from judge_tui.arrays import Floats
from judge_tui.comparison.paired_tests import (
    TestResult,
    mcnemar,
    paired_t,
    pratt,
    sign,
    wilcoxon,
)
from judge_tui.comparison.resampling import bootstrap, permutation

__all__ = ["DEFAULT_TESTS", "FEWEST_QUERIES", "TESTS", "PairedTest"]

FEWEST_QUERIES = 6
"""With 5 pairs the smallest two-sided p of Wilcoxon's test is .0625: nothing could be shown."""


class PairedTest(NamedTuple):
    """A test as users name it.

    `on`: the values of the baselines and of the runs, each pairs x queries, and a seed -> one
    result a pair. Where fewer than `least_nonzero` queries differ the test gives no p: its smallest
    possible two-sided one would be above .05 whatever the data.
    """

    summary: str
    on: Callable[[Floats, Floats, int], list[TestResult]]
    least_nonzero: int = 0


TESTS: dict[str, PairedTest] = {
    "wilcoxon": PairedTest(
        "Wilcoxon signed-rank, zeros dropped",
        lambda old, new, _: wilcoxon(new - old),
        FEWEST_QUERIES,
    ),
    "pratt": PairedTest(
        "Wilcoxon signed-rank, zeros ranked (Pratt)",
        lambda old, new, _: pratt(new - old),
        FEWEST_QUERIES,
    ),
    "permutation": PairedTest(
        "sign flips of the mean difference",
        lambda old, new, seed: permutation(new - old, seed),
    ),
    "t": PairedTest(
        "paired t",
        lambda old, new, _: paired_t(new - old),
    ),
    "bootstrap": PairedTest(
        "studentised paired bootstrap",
        lambda old, new, seed: bootstrap(new - old, seed),
    ),
    "sign": PairedTest(
        "exact sign test",
        lambda old, new, _: sign(new - old),
        FEWEST_QUERIES,
    ),
    "mcnemar": PairedTest(
        "exact McNemar, for values of 0 and 1",
        lambda old, new, _: mcnemar(old, new),
        FEWEST_QUERIES,
    ),
}

DEFAULT_TESTS = ("wilcoxon", "permutation")
