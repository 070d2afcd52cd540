"""The sign test: only how often one run was better, not by how much."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.significance.grid import Floats, on_grid
from judge_tui.significance.result import TestResult

__all__ = ["sign"]


def sign(differences: Sequence[float] | Floats) -> TestResult:
    """Exact binomial test of wins against losses, zeros dropped (Dixon and Mood, 1946).

    `statistic` is the number of wins. Undefined where every difference is zero.
    """
    grid = on_grid(differences)
    wins, losses = int((grid > 0).sum()), int((grid < 0).sum())
    if not wins + losses:
        return TestResult(why="no query differs")
    few = _at_most(min(wins, losses), wins + losses)
    many = _at_most(max(wins, losses), wins + losses)
    return TestResult(
        statistic=float(wins),
        p=min(1.0, 2 * few),
        p_greater=few if wins > losses else many,
        p_less=many if wins > losses else few,
    )


def _at_most(k: int, n: int) -> float:
    """P(X <= k) of a binomial of n fair coins, in whole numbers until the last division."""
    term = total = 1
    for i in range(k):
        term = term * (n - i) // (i + 1)
        total += term
    return total / (1 << n)
