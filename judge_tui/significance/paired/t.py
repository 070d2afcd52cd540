"""Student's t test of paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from judge_tui.significance.grid import Floats, on_grid
from judge_tui.significance.result import TestResult

__all__ = ["paired_t"]


def paired_t(differences: Sequence[float] | Floats) -> TestResult:
    """t = mean / (sd / sqrt(n)) with n - 1 degrees of freedom and the sample sd (Student, 1908).

    The same as `scipy.stats.ttest_rel`. Undefined for fewer than two differences and where all
    are equal, which leaves no variance to compare with.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - costs 100 ms, scipy.stats 600

    values = np.asarray(differences, dtype=np.float64)
    n = len(values)
    if n < 2:
        return TestResult(why=f"a variance needs at least 2 queries, here {n}")
    if len(np.unique(on_grid(values))) == 1:
        return TestResult(why="all differences are equal: they have no variance")
    t = float(values.mean() / (values.std(ddof=1) / sqrt(n)))
    below, above = float(stdtr(n - 1, t)), float(stdtr(n - 1, -t))
    return TestResult(statistic=t, p=min(1.0, 2 * min(below, above)), p_greater=above, p_less=below)
