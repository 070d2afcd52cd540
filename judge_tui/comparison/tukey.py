"""Randomised Tukey HSD: all pairs of runs at once, against the greatest difference of any two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from judge_tui.arrays import Floats, Ints
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.scoring import Measure, Scores, mean


class ScoreGroup(NamedTuple):
    """Scores that are compared by themselves, by these measures: those of the slice of that name,
    or of all queries where it is None."""

    name: str | None
    measures: tuple[Measure, ...]
    scores: Scores


_DRAWS = 100_000
_FEWER_DRAWS = 10_000

_MANY = 10_000
"""Values, runs x queries, beyond which fewer permutations are drawn: 100,000 of them would take
minutes."""

_BLOCK = 100_000
"""Values permuted at once, which stay in the cache."""


@dataclass(frozen=True, slots=True)
class TukeyPair:
    """Two runs by one measure, over the `queries` that all runs answer.

    `delta`: mean of the second run minus that of the first. `p`, from so many `draws`, holds for
    all pairs of the measure (and slice) at once: nothing is to be corrected for them.
    """

    measure: str
    slice: str | None
    tags: tuple[str, str]
    queries: int
    delta: float
    p: float
    draws: int

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as JSON has it."""
        where = {} if self.slice is None else {"slice": self.slice}
        found = {name: getattr(self, name) for name in ("queries", "delta", "p", "draws")}
        return {"measure": self.measure, **where, "tags": list(self.tags), **found}


def tukey_draws(runs: int, queries: int) -> int:
    """Return how many permutations are drawn: 100,000; 10,000 for more than 10,000 values."""
    return _DRAWS if runs * queries <= _MANY else _FEWER_DRAWS


def tukey_test(values: Floats, seed: int) -> Floats:
    """Return p of each pair of runs: runs x queries -> runs x runs, symmetric.

    Carterette (TOIS 30(1), 2012): the values of each query are dealt out anew among the runs, and
    the greatest mean minus the least is what every observed difference has to stand beside; p =
    (b + 1) / (draws + 1). Two runs: the permutation test of their differences. Sums are compared as
    integers, and two that rounding to the grid could have parted count as equal.
    """
    grid = on_grid(values)
    draws = tukey_draws(*grid.shape)
    sums = grid.sum(axis=1)
    # Half a step for each value of two runs, in the observed difference and in the drawn one.
    sizes = np.abs(sums[:, np.newaxis] - sums) - 2 * grid.shape[1]
    ranges = np.sort(np.concatenate(list(_ranges(grid, draws, seed))))
    p: Floats = (draws - np.searchsorted(ranges, sizes, side="left") + 1) / (draws + 1)
    return p


def _ranges(grid: Ints, draws: int, seed: int) -> Iterator[Ints]:
    """Yield the ranges of the sums of permuted values in blocks, `draws` in all."""
    generator = np.random.Generator(np.random.PCG64(seed))
    runs, queries = grid.shape
    block = max(1, _BLOCK // (runs * queries))
    # Values are moved from where they were moved before.
    dealt = np.empty((block, queries, runs), dtype=np.int64)
    dealt[:] = grid.T
    for start in range(0, draws, block):
        some = dealt[: min(block, draws - start)]
        generator.permuted(some, axis=2, out=some)
        yield np.ptp(some.sum(axis=1), axis=1)


def tukey_pairs(parts: Sequence[ScoreGroup], seed: int) -> Iterator[TukeyPair]:
    """Test each run with each later one, measure by measure and part by part.

    Over the queries that all runs answer and that have a value by the measure; nothing for a part
    without one, or without a measure.
    """
    for measure in dict.fromkeys(measure for part in parts for measure in part.measures):
        for part in parts:
            if measure in part.measures:
                values = part.scores.by_measure[str(measure)]
                values = values[:, ~np.isnan(values).any(axis=0)]
                if values.size:
                    yield from _pairs(measure, part, values, tukey_test(values, seed))


def _pairs(measure: Measure, part: ScoreGroup, values: Floats, p: Floats) -> Iterator[TukeyPair]:
    means = [mean(row) for row in values.tolist()]
    runs, queries = values.shape
    for one, other in combinations(range(runs), 2):
        yield TukeyPair(
            measure=str(measure),
            slice=part.name,
            tags=(part.scores.tags[one], part.scores.tags[other]),
            queries=queries,
            delta=means[other] - means[one],
            p=float(p[one, other]),
            draws=tukey_draws(runs, queries),
        )
