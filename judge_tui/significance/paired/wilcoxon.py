"""Wilcoxon's signed-rank test, exact also where differences are tied."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt

import numpy as np

from judge_tui.significance.grid import Floats, Integers, on_grid
from judge_tui.significance.paired.sums import chances_of_sums
from judge_tui.significance.result import TestResult

__all__ = ["EXACT_UP_TO", "pratt", "wilcoxon"]

EXACT_UP_TO = 200
"""Non-zero pairs up to which the distribution of the rank sum is computed."""


def wilcoxon(differences: Sequence[float] | Floats) -> TestResult:
    """Signed-rank test of n paired differences, zeros dropped (Wilcoxon, 1945).

    `statistic` is W = min(W+, W-), as in `scipy.stats.wilcoxon`. Up to 200 non-zero pairs p comes
    from the permutation distribution of the observed mid-ranks, which SciPy takes only where there
    are no ties; above, from the normal approximation with the variance corrected for ties and no
    correction for continuity. Undefined where every difference is zero.
    """
    grid = on_grid(differences)
    return _signed_rank(grid[grid != 0], zeros=0)


def pratt(differences: Sequence[float] | Floats) -> TestResult:
    """The same with zeros ranked first and then left out (Pratt, 1959; SciPy's "pratt")."""
    grid = on_grid(differences)
    nonzero = grid[grid != 0]
    return _signed_rank(nonzero, zeros=len(grid) - len(nonzero))


def _signed_rank(nonzero: Integers, zeros: int) -> TestResult:
    if not len(nonzero):
        return TestResult(why="no query differs")
    # Doubled, so that mid-ranks are whole numbers.
    ranks = _doubled_midranks(np.abs(nonzero)) + 2 * zeros
    plus = int(ranks[nonzero > 0].sum())
    total = int(ranks.sum())
    if len(nonzero) <= EXACT_UP_TO:
        p_less, p_greater = _exact(ranks, plus)
    else:
        # sum(r^2)/4 is the variance for any ranks: ties and Pratt's zeros are in it already.
        z = (plus - total / 2) / sqrt(float((ranks.astype(np.float64) ** 2).sum()) / 4)
        p_less, p_greater = erfc(-z / sqrt(2)) / 2, erfc(z / sqrt(2)) / 2
    return TestResult(
        statistic=min(plus, total - plus) / 2,
        p=min(1.0, 2 * min(p_less, p_greater)),
        p_greater=p_greater,
        p_less=p_less,
    )


def _doubled_midranks(sizes: Integers) -> Integers:
    _, group, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((2 * last - counts + 1)[group], dtype=np.int64)


def _exact(ranks: Integers, plus: int) -> tuple[float, float]:
    """P(W+ <= plus) and P(W+ >= plus) when every sign is a fair coin."""
    chances = chances_of_sums(ranks)
    # Each tail is added up by itself: 1 - tail would lose a small one.
    return min(1.0, float(chances[: plus + 1].sum())), min(1.0, float(chances[plus:].sum()))
