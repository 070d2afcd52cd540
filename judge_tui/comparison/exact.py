"""Tests whose p is counted or has a formula: Wilcoxon, sign, McNemar and Student's t."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import erfc, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np

from judge_tui.comparison.corrections import Floats, Integers, on_grid
from judge_tui.comparison.result import TestResult

__all__ = [
    "EXACT_UP_TO",
    "Samples",
    "Tails",
    "Test",
    "chances_of_sums",
    "each",
    "mcnemar",
    "of_differences",
    "paired_t",
    "pratt",
    "pratt_tests",
    "sign",
    "wilcoxon",
    "wilcoxon_tests",
]


class Tails(NamedTuple):
    """The chance of a sum of at least the observed one, of at most it, and of at least its size."""

    greater: float
    less: float
    both: float

    @classmethod
    def mirrored(cls, at_least: Callable[[int], float], observed: int, slack: int) -> Tails:
        """Of sums whose signs may all be flipped: P(T <= x) = P(T >= -x).

        `at_least` gives P(T >= x); sums no more than `slack` apart count as equal.
        """
        size = abs(observed)
        towards, away = at_least(size - slack), at_least(-size - slack)
        both = 1.0 if size <= slack else min(1.0, 2 * towards)
        return cls(towards, away, both) if observed >= 0 else cls(away, towards, both)


@dataclass(frozen=True, slots=True)
class Samples:
    """Per-query values, pairs x queries: of the baselines, and of the runs beside them."""

    before: Floats
    after: Floats

    @property
    def differences(self) -> Floats:
        """Run minus baseline."""
        return self.after - self.before


Test: TypeAlias = Callable[[Samples, int], list[TestResult]]
"""Samples and a seed -> one result a pair, which no other pair beside it changes."""


def each(test: Callable[[Floats], TestResult]) -> Test:
    """A test that looks at the differences of one pair and draws nothing."""

    def run(samples: Samples, _: int) -> list[TestResult]:
        return [test(row) for row in samples.differences]

    return run


def of_differences(test: Callable[[Floats, int], list[TestResult]]) -> Test:
    """A test that takes the differences of all pairs at once."""

    def run(samples: Samples, seed: int) -> list[TestResult]:
        return test(samples.differences, seed)

    return run


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


def mcnemar(samples: Samples, _: int) -> list[TestResult]:
    """Exact test of the discordant queries, b gained and c lost (McNemar, 1947).

    `statistic` is min(b, c), as in statsmodels' `mcnemar(exact=True)`; p is that of b heads among
    b + c fair coins. Undefined where a value of either run is neither 0 nor 1, and where no query
    differs.
    """
    return [
        _of_discordant(after - before)
        if np.isin((before, after), (0, 1)).all()
        else TestResult(why=_NOT_BINARY)
        for before, after in zip(samples.before, samples.after, strict=True)
    ]


_NOT_BINARY = "the test is for measures whose values are 0 or 1, such as Success@10"


def _of_discordant(differences: Floats) -> TestResult:
    result = sign(differences)
    if result.p is None:
        return result
    gained, lost = int((differences > 0).sum()), int((differences < 0).sum())
    return replace(result, statistic=float(min(gained, lost)))


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


def chances_of_sums(sizes: Integers) -> Floats:
    """The chance of each sum when every one of n sizes is taken or left by a fair coin.

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
