"""Per-query values of two runs -> is the difference chance? Paired tests, corrections, intervals,
effect sizes and the verdict. Pure; numpy throughout, SciPy only where a distribution needs it.
"""

from __future__ import annotations

from judge_tui.significance.bootstrap import RESAMPLES, bootstrap_interval
from judge_tui.significance.changes import BUCKETS, Changes, sort_changes
from judge_tui.significance.compare import COMPARED_BY_DEFAULT, compare_runs
from judge_tui.significance.comparison import Comparison, Comparisons
from judge_tui.significance.corrections import CORRECTIONS, adjust
from judge_tui.significance.effect import detectable_effect, effect_size
from judge_tui.significance.grid import STEP, on_grid
from judge_tui.significance.paired import DEFAULT_TESTS, TESTS, PairedTest
from judge_tui.significance.result import ALTERNATIVES, Alternative, TestResult
from judge_tui.significance.verdict import Verdict, give_verdict

__all__ = [
    "ALTERNATIVES",
    "BUCKETS",
    "COMPARED_BY_DEFAULT",
    "CORRECTIONS",
    "DEFAULT_TESTS",
    "RESAMPLES",
    "STEP",
    "TESTS",
    "Alternative",
    "Changes",
    "Comparison",
    "Comparisons",
    "PairedTest",
    "TestResult",
    "Verdict",
    "adjust",
    "bootstrap_interval",
    "compare_runs",
    "detectable_effect",
    "effect_size",
    "give_verdict",
    "on_grid",
    "sort_changes",
]
