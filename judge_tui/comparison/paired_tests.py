"""Paired tests whose p is counted or has a formula: Wilcoxon, Pratt, sign, McNemar and Student's t.

A test takes differences, pairs of runs x queries, run minus baseline, and gives one result a pair.
Differences are compared on a grid of whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import erfc, isnan, sqrt
from sys import intern
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.errors import UsageError
from judge_tui.scoring.measure import STEP

STEPS = 1e9
"""Steps in a whole: dividing by it gives the float nearest to a value on the grid."""


def on_grid(differences: ArrayLike) -> Ints:
    """Round to steps of 1e-9: floats -> as many integers, which keep their sums exact.

    The last dimension is the queries. Raises `UsageError` where a difference is not finite, or so
    great that sums of n would not be exact in a float (about 9e6 / n: measures lie between 0 and
    1).
    """
    steps = np.rint(np.asarray(differences, dtype=np.float64) / STEP)
    if not np.all(np.abs(steps).sum(axis=-1) < 2.0**53):
        raise UsageError(
            "the differences are not finite or too great to be compared exactly",
            "give per-query values of measures, which lie between 0 and 1",
        )
    return steps.astype(np.int64)


Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


@dataclass(frozen=True, slots=True)
class TestResult:
    """`p` is two-sided; `p_greater` and `p_less` are for the run being better and worse than the
    baseline. All three are None where the test is undefined, and `why` says the reason.
    `statistic` is None where the test has none but the mean difference.
    """

    __test__ = False  # the name is the field's; pytest must not take it for a test class

    statistic: float | None = None
    p: float | None = None
    p_greater: float | None = None
    p_less: float | None = None
    why: str = ""

    def p_of(self, alternative: Alternative) -> float | None:
        """Return the p of the alternative."""
        return {"two-sided": self.p, "greater": self.p_greater, "less": self.p_less}[alternative]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Results in the memory of their figures: float64[results, 4], which are `statistic`, `p`,
    `p_greater` and `p_less`, NaN for None; and the reasons, each kept once."""

    figures: Floats
    whys: list[str]

    @classmethod
    def of(cls, results: Iterable[TestResult]) -> ResultTable:
        """Return the table of these results."""
        found = [(one.statistic, one.p, one.p_greater, one.p_less, one.why) for one in results]
        figures = np.array([row[:4] for row in found], dtype=np.float64).reshape(-1, 4)
        return cls(figures, [intern(row[4]) for row in found])

    def p_of(self, alternative: Alternative) -> Floats:
        """Return the p of the alternative, float64[results]."""
        p: Floats = self.figures[:, 1 + ALTERNATIVES.index(alternative)]
        return p

    def to_results(self) -> list[TestResult]:
        """Return the results."""
        columns = (map(none_for_nan, column) for column in self.figures.T.tolist())
        return [TestResult(*row) for row in zip(*columns, self.whys, strict=True)]


def none_for_nan(figure: float) -> float | None:
    """Return a figure of an array, None where there is none."""
    return None if isnan(figure) else figure


_EXACT_UP_TO = 200
"""Non-zero pairs up to which the distribution of the rank sum is computed."""


def wilcoxon(differences: Floats) -> list[TestResult]:
    """Run the signed-rank test, zeros dropped (Wilcoxon, 1945).

    `statistic` is W = min(W+, W-), as in `scipy.stats.wilcoxon`. Up to 200 non-zero pairs p comes
    from the permutation distribution of the observed mid-ranks, which SciPy takes only where there
    are no ties; above, from the normal approximation with the variance corrected for ties and no
    correction for continuity. Undefined where every difference is zero.
    """
    return [_signed_rank(steps[steps != 0]) for steps in on_grid(differences)]


def pratt(differences: Floats) -> list[TestResult]:
    """Run the signed-rank test, zeros ranked first and then left out (Pratt, 1959; SciPy's
    "pratt"). Else as `wilcoxon`."""
    return [_signed_rank(steps) for steps in on_grid(differences)]


def _signed_rank(steps: Ints) -> TestResult:
    nonzero = steps != 0
    if not nonzero.any():
        return TestResult(why="no query differs")
    _, size, ties = np.unique(np.abs(steps), return_inverse=True, return_counts=True)
    # Doubled, so that mid-ranks are whole numbers.
    doubled = (2 * ties.cumsum() - ties + 1)[size]
    ranks, plus = doubled[nonzero], int(doubled[steps > 0].sum())
    total = int(ranks.sum())
    if len(ranks) <= _EXACT_UP_TO:
        chances = chances_of_sums(ranks)
        # Each tail is added up by itself: 1 - tail would lose a small one.
        p_less = min(1.0, float(chances[: plus + 1].sum()))
        p_greater = min(1.0, float(chances[plus:].sum()))
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


def chances_of_sums(sizes: Ints) -> Floats:
    """Return the chance of each sum when every one of n sizes is taken or left by a fair coin.

    `sizes` are whole numbers from 0. Index i of the result is the sum i; its length is the sum of
    all sizes plus one, the work n times that. It is not to be written to.
    """
    return _chances(np.sort(sizes).tobytes())


@lru_cache(maxsize=16)  # runs without ties all have the ranks 1 to n
def _chances(ascending: bytes) -> Floats:
    sizes = np.frombuffer(ascending, dtype=np.int64)
    chances = np.zeros(int(sizes.sum()) + 1)
    chances[0] = 1.0
    reached = 1
    for size in sizes.tolist():
        halves = chances[:reached] / 2
        chances[:reached] = halves
        chances[size : size + reached] += halves
        reached += size
    chances.setflags(write=False)
    return chances


def sign(differences: Floats) -> list[TestResult]:
    """Run the exact binomial test of wins against losses, zeros dropped (Dixon and Mood, 1946).

    `statistic` is the number of wins. Undefined where every difference is zero.
    """
    grid = on_grid(differences)
    wins, losses = (grid > 0).sum(axis=1).tolist(), (grid < 0).sum(axis=1).tolist()
    return [_of_signs(won, lost) for won, lost in zip(wins, losses, strict=True)]


def _of_signs(wins: int, losses: int) -> TestResult:
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
    """Return P(X <= k) of a binomial of n fair coins, in whole numbers until the last division."""
    term = total = 1
    for i in range(k):
        term = term * (n - i) // (i + 1)
        total += term
    return total / (1 << n)


def mcnemar(before: Floats, after: Floats) -> list[TestResult]:
    """Run the exact test of the discordant queries, b gained and c lost (McNemar, 1947).

    `statistic` is min(b, c), as in statsmodels' `mcnemar(exact=True)`; p is that of b heads among
    b + c fair coins. Undefined where a value of either run is neither 0 nor 1, and where no query
    differs.
    """
    return [_of_outcomes(*rows) for rows in zip(before, after, strict=True)]


def _of_outcomes(before: Floats, after: Floats) -> TestResult:
    if not np.isin((before, after), (0, 1)).all():
        why = "the test is for measures whose values are 0 or 1, such as Success@10"
        return TestResult(why=why)
    gained, lost = int((after > before).sum()), int((after < before).sum())
    result = _of_signs(gained, lost)
    return result if result.p is None else replace(result, statistic=float(min(gained, lost)))


def paired_t(differences: Floats) -> list[TestResult]:
    """Run the paired t test: t = mean / (sd / sqrt(n)), n - 1 degrees of freedom (Student, 1908).

    `sd` is that of the sample, as in `scipy.stats.ttest_rel`. Undefined for fewer than two
    differences and where all are equal, which leaves no variance to compare with.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - costs 100 ms, scipy.stats 600

    n = differences.shape[1]
    results = [TestResult(why=without_variance(n))] * len(differences)
    varied = np.flatnonzero(varying(on_grid(differences)))
    rows = differences[varied]
    t = rows.mean(axis=1) / (rows.std(axis=1, ddof=1) / sqrt(n)) if len(varied) else np.empty(0)
    below, above = stdtr(n - 1, t), stdtr(n - 1, -t)
    both = np.minimum(1.0, 2 * np.minimum(below, above))
    for place, *figures in zip(
        varied, *(one.tolist() for one in (t, both, above, below)), strict=True
    ):
        results[place] = TestResult(*figures)
    return results


def varying(grid: Ints) -> Bools:
    """Tell for which pairs the differences are not all the same: bool[pairs]."""
    varies: Bools = (grid != grid[:, :1]).any(axis=1)
    return varies


def without_variance(n: int) -> str:
    """Say why n differences have no variance."""
    if n < 2:
        return f"a variance needs at least 2 queries, here {n}"
    return "all differences are equal: they have no variance"


def effect_sizes(differences: Floats) -> list[float | None]:
    """Return d_z of each pair: mean / sample sd of the differences (Cohen, 1988).

    None for fewer than two differences and where all are equal.
    """
    sizes: list[float | None] = [None] * len(differences)
    varied = np.flatnonzero(varying(on_grid(differences)))
    if len(varied):
        rows = differences[varied]
        found = rows.mean(axis=1) / rows.std(axis=1, ddof=1)
        for place, size in zip(varied.tolist(), found.tolist(), strict=True):
            sizes[place] = size
    return sizes
