"""Wilcoxon's signed-rank test, exact also where differences are tied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import erfc, sqrt

import numpy as np

from judge_tui.significance.grid import Floats, Integers, on_grid
from judge_tui.significance.paired.sums import chances_of_sums
from judge_tui.significance.result import TestResult

__all__ = ["EXACT_UP_TO", "pratt", "pratt_tests", "wilcoxon", "wilcoxon_tests"]

EXACT_UP_TO = 200
"""Non-zero pairs up to which the distribution of the rank sum is computed."""

# How many differences are ranked at once: what a processor keeps near.
_NEAR = 1 << 16


def wilcoxon(differences: Sequence[float] | Floats) -> TestResult:
    """Signed-rank test of n paired differences, zeros dropped (Wilcoxon, 1945).

    `statistic` is W = min(W+, W-), as in `scipy.stats.wilcoxon`. Up to 200 non-zero pairs p comes
    from the permutation distribution of the observed mid-ranks, which SciPy takes only where there
    are no ties; above, from the normal approximation with the variance corrected for ties and no
    correction for continuity. Undefined where every difference is zero.
    """
    return wilcoxon_tests(np.asarray([differences], dtype=np.float64))[0]


def pratt(differences: Sequence[float] | Floats) -> TestResult:
    """The same with zeros ranked first and then left out (Pratt, 1959; SciPy's "pratt")."""
    return pratt_tests(np.asarray([differences], dtype=np.float64))[0]


def wilcoxon_tests(differences: Floats, _: int = 0) -> list[TestResult]:
    """`wilcoxon` of each row."""
    return list(_signed_rank(differences, with_zeros=False))


def pratt_tests(differences: Floats, _: int = 0) -> list[TestResult]:
    """`pratt` of each row."""
    return list(_signed_rank(differences, with_zeros=True))


def _signed_rank(differences: Floats, *, with_zeros: bool) -> Iterator[TestResult]:
    rows = max(1, _NEAR // max(1, differences.shape[1]))
    for start in range(0, len(differences), rows):
        grid = on_grid(differences[start : start + rows])
        ranks = _doubled_midranks(np.abs(grid))
        if not with_zeros:
            ranks -= 2 * (grid == 0).sum(axis=1, keepdims=True)
        ranks[grid == 0] = 0
        plus = np.where(grid > 0, ranks, 0).sum(axis=1).tolist()
        total = ranks.sum(axis=1).tolist()
        for row, signs in enumerate(grid):
            yield _result(ranks[row][signs != 0], plus[row], total[row])


def _result(ranks: Integers, plus: int, total: int) -> TestResult:
    """`ranks`: doubled, of the differences that are not zero; `plus`: the sum of those above it."""
    if not len(ranks):
        return TestResult(why="no query differs")
    if len(ranks) <= EXACT_UP_TO:
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
    """Of each row by itself. Doubled, so that mid-ranks are whole numbers."""
    order = np.argsort(sizes, axis=1)
    ordered = np.take_along_axis(sizes, order, axis=1)
    edges = np.ones((len(sizes), sizes.shape[1] + 1), dtype=np.bool_)
    edges[:, 1:-1] = ordered[:, 1:] != ordered[:, :-1]
    places = np.arange(sizes.shape[1])
    first = np.maximum.accumulate(np.where(edges[:, :-1], places, 0), axis=1)
    last = np.minimum.accumulate(np.where(edges[:, 1:], places, sizes.shape[1])[:, ::-1], axis=1)[
        :, ::-1
    ]
    ranks = np.empty_like(sizes)
    np.put_along_axis(ranks, order, first + last + 2, axis=1)
    return ranks


def _exact(ranks: Integers, plus: int) -> tuple[float, float]:
    """P(W+ <= plus) and P(W+ >= plus) when every sign is a fair coin."""
    chances = chances_of_sums(ranks)
    # Each tail is added up by itself: 1 - tail would lose a small one.
    return min(1.0, float(chances[: plus + 1].sum())), min(1.0, float(chances[plus:].sum()))
