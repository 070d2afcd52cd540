"""Randomised Tukey HSD: all pairs of runs at once, against the greatest difference of any two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from judge_tui.scoring import RunScores, mean
from judge_tui.significance.grid import Floats, Integers, on_grid
from judge_tui.significance.parts import Parts

__all__ = ["TukeyPair", "tukey_draws", "tukey_pairs", "tukey_test"]

_DRAWS = 100_000
_FEWER_DRAWS = 10_000

_MANY = 10_000
"""Values, runs x queries, beyond which fewer permutations are drawn: 100,000 of them would take
minutes."""

_BLOCK = 500_000
"""Values permuted at once: 4 MB of them."""


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
        """The pair as JSON has it."""
        where = {} if self.slice is None else {"slice": self.slice}
        return {
            "measure": self.measure,
            **where,
            "tags": list(self.tags),
            "queries": self.queries,
            "delta": self.delta,
            "p": self.p,
            "draws": self.draws,
        }


def tukey_draws(runs: int, queries: int) -> int:
    """How many permutations are drawn: 100,000, and 10,000 for more than 10,000 values."""
    return _DRAWS if runs * queries <= _MANY else _FEWER_DRAWS


def tukey_test(values: Floats, seed: int) -> Floats:
    """p of each pair of runs: runs x queries -> runs x runs, symmetric, 1 on the diagonal.

    Carterette (TOIS 30(1), 2012): the values of each query are dealt out anew among the runs, and
    the greatest mean minus the least is what every observed difference has to stand beside; p =
    (b + 1) / (draws + 1). Two runs: the permutation test of their differences. Sums are compared as
    integers, and two that rounding to the grid could have parted count as equal.
    """
    grid = on_grid(values)
    runs, queries = grid.shape
    sums = grid.sum(axis=1)
    # Half a step for each value of two runs, in the observed difference and in the drawn one.
    sizes = np.abs(sums[:, np.newaxis] - sums) - 2 * queries
    ranges = np.sort(np.concatenate(list(_ranges(grid, tukey_draws(runs, queries), seed))))
    least = np.searchsorted(ranges, sizes.ravel(), side="left").reshape(sizes.shape)
    p: Floats = (len(ranges) - least + 1) / (len(ranges) + 1)
    return p


def _ranges(grid: Integers, draws: int, seed: int) -> Iterator[Integers]:
    """Blocks of ranges of the sums of permuted values, `draws` in all; the same for the seed."""
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = np.ascontiguousarray(grid.T)
    block = max(1, _BLOCK // rows.size)
    for start in range(0, draws, block):
        count = min(block, draws - start)
        dealt = generator.permuted(np.broadcast_to(rows, (count, *rows.shape)), axis=2)
        yield np.ptp(dealt.sum(axis=1), axis=1)


def tukey_pairs(runs: Sequence[RunScores], parts: Parts, seed: int) -> Iterator[TukeyPair]:
    """Each run with each later one, measure by measure and part by part.

    Over the queries that all runs answer; nothing for a part without one.
    """
    places = [{query_id: at for at, query_id in enumerate(run.query_ids)} for run in runs]
    within: dict[str | None, list[str]] = {}
    for query_id in runs[0].query_ids:
        if all(query_id in place for place in places):
            within.setdefault(parts.name_of(query_id), []).append(query_id)
    for measure, name in parts:
        query_ids = within.get(name, [])
        if not query_ids:
            continue
        values = [
            [run.values[str(measure)][place[query_id]] for query_id in query_ids]
            for run, place in zip(runs, places, strict=True)
        ]
        p = tukey_test(np.array(values), seed).tolist()
        means = [mean(row) for row in values]
        for one, other in combinations(range(len(runs)), 2):
            yield TukeyPair(
                measure=str(measure),
                slice=name,
                tags=(runs[one].tag, runs[other].tag),
                queries=len(query_ids),
                delta=means[other] - means[one],
                p=p[one][other],
                draws=tukey_draws(len(runs), len(query_ids)),
            )
