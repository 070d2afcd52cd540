"""Per-query values of two runs -> is the difference chance? Paired tests, corrections, intervals,
effect sizes, power and the verdict. Pure; numpy throughout, SciPy only for the paired t test.
"""

from __future__ import annotations

from judge_tui.comparison.compare import (
    COMPARED_BY_DEFAULT,
    compare_paired,
    compare_scores,
    measures_needed,
    parts_of,
)
from judge_tui.comparison.comparison import (
    BUCKETS,
    Changes,
    Comparison,
    Comparisons,
    sort_changes,
)
from judge_tui.comparison.family import (
    CORRECTIONS,
    DEFAULT_TESTS,
    FEWEST_QUERIES,
    TESTS,
    Settings,
    Verdict,
    adjust,
    give_verdict,
    outcomes_of,
)
from judge_tui.comparison.outcomes import ArmComparison, compare_arms
from judge_tui.comparison.paired_tests import ALTERNATIVES, STEP, Alternative, TestResult, on_grid
from judge_tui.comparison.power import (
    POWER,
    Plan,
    detectable_effect,
    make_plan,
    power_of,
    queries_needed,
)
from judge_tui.comparison.resampling import (
    DRAWS,
    RESAMPLES,
    bootstrap_intervals,
    why_no_interval,
)
from judge_tui.comparison.tukey import TukeyPair

__all__ = [
    "ALTERNATIVES",
    "BUCKETS",
    "COMPARED_BY_DEFAULT",
    "CORRECTIONS",
    "DEFAULT_TESTS",
    "DRAWS",
    "FEWEST_QUERIES",
    "POWER",
    "RESAMPLES",
    "STEP",
    "TESTS",
    "Alternative",
    "ArmComparison",
    "Changes",
    "Comparison",
    "Comparisons",
    "Plan",
    "Settings",
    "TestResult",
    "TukeyPair",
    "Verdict",
    "adjust",
    "bootstrap_intervals",
    "compare_arms",
    "compare_paired",
    "compare_scores",
    "detectable_effect",
    "give_verdict",
    "make_plan",
    "measures_needed",
    "on_grid",
    "outcomes_of",
    "parts_of",
    "power_of",
    "queries_needed",
    "sort_changes",
    "why_no_interval",
]
