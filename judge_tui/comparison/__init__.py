"""Per-query values of two runs -> is the difference chance? Paired tests, corrections, intervals,
effect sizes, power and the verdict. Pure; numpy throughout, SciPy only for the paired t test.
"""

from __future__ import annotations

from judge_tui.comparison.bootstrap import (
    RESAMPLES,
    bootstrap_interval,
    bootstrap_intervals,
    bootstrap_tests,
    why_no_interval,
)
from judge_tui.comparison.compare import (
    COMPARED_BY_DEFAULT,
    compare_paired,
    compare_scores,
)
from judge_tui.comparison.comparison import (
    BUCKETS,
    Changes,
    Comparison,
    Comparisons,
    sort_changes,
)
from judge_tui.comparison.corrections import CORRECTIONS, STEP, adjust, effect_size, on_grid
from judge_tui.comparison.drawn import DRAWS, permutation_tests
from judge_tui.comparison.outcomes import (
    Difference,
    Outcome,
    Sides,
    differences_of,
    outcomes_of,
)
from judge_tui.comparison.paired import DEFAULT_TESTS, TESTS, PairedTest
from judge_tui.comparison.pairing import measures_needed, parts_of, who_with_whom
from judge_tui.comparison.power import (
    POWER,
    Plan,
    detectable_effect,
    make_plan,
    power_of,
    queries_needed,
)
from judge_tui.comparison.result import ALTERNATIVES, Alternative, TestResult
from judge_tui.comparison.settings import Settings, Verdict, give_verdict
from judge_tui.comparison.tukey import TukeyPair, tukey_draws, tukey_tests

__all__ = [
    "ALTERNATIVES",
    "BUCKETS",
    "COMPARED_BY_DEFAULT",
    "CORRECTIONS",
    "DEFAULT_TESTS",
    "DRAWS",
    "POWER",
    "RESAMPLES",
    "STEP",
    "TESTS",
    "Alternative",
    "Changes",
    "Comparison",
    "Comparisons",
    "Difference",
    "Outcome",
    "PairedTest",
    "Plan",
    "Settings",
    "Sides",
    "TestResult",
    "TukeyPair",
    "Verdict",
    "adjust",
    "bootstrap_interval",
    "bootstrap_intervals",
    "bootstrap_tests",
    "compare_paired",
    "compare_scores",
    "detectable_effect",
    "differences_of",
    "effect_size",
    "give_verdict",
    "make_plan",
    "measures_needed",
    "on_grid",
    "outcomes_of",
    "parts_of",
    "permutation_tests",
    "power_of",
    "queries_needed",
    "sort_changes",
    "tukey_draws",
    "tukey_tests",
    "who_with_whom",
    "why_no_interval",
]
