"""Randomised Tukey HSD: all pairs of runs at once, against the greatest difference of any two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from judge_tui.comparison.corrections import Floats, Integers, on_grid
from judge_tui.comparison.pairing import Parts
from judge_tui.scoring import Measure, RunScores, mean

__all__ = ["TukeyPair", "tukey_draws", "tukey_pairs", "tukey_tests"]

_DRAWS = 100_000
_FEWER_DRAWS = 10_000

_MANY = 10_000
"""Values, runs x queries, beyond which fewer permutations are drawn: 100,000 of them would take
minutes."""

_BLOCK = 100_000
"""Values of a measure permuted at once, which stay in the cache."""


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


def tukey_tests(values: Floats, seed: int) -> Floats:
    """p of each pair of runs: measures x runs x queries -> measures x runs x runs, symmetric.

    Carterette (TOIS 30(1), 2012): the values of each query are dealt out anew among the runs, and
    the greatest mean minus the least is what every observed difference has to stand beside; p =
    (b + 1) / (draws + 1). Two runs: the permutation test of their differences. Sums are compared as
    integers, and two that rounding to the grid could have parted count as equal. All measures share
    what is drawn, and each has the p that it would have alone.
    """
    grid = on_grid(values)
    measures, runs, queries = grid.shape
    draws = tukey_draws(runs, queries)
    ranges = np.concatenate(list(_ranges(grid, draws, seed)))
    p = np.empty((measures, runs, runs))
    for place, sums in enumerate(grid.sum(axis=2)):
        # Half a step for each value of two runs, in the observed difference and in the drawn one.
        sizes = np.abs(sums[:, np.newaxis] - sums) - 2 * queries
        ascending = np.sort(ranges[:, place])
        least = np.searchsorted(ascending, sizes.ravel(), side="left").reshape(sizes.shape)
        p[place] = (draws - least + 1) / (draws + 1)
    return p


def _ranges(grid: Integers, draws: int, seed: int) -> Iterator[Integers]:
    """Ranges of the sums of permuted values: blocks of draws x measures, `draws` rows in all."""
    generator = np.random.Generator(np.random.PCG64(seed))
    measures, runs, queries = grid.shape
    block = max(1, _BLOCK // (runs * queries))
    dealt = np.empty((block, queries, runs, measures), dtype=np.int64)
    dealt[:] = grid.transpose(2, 1, 0)
    # The values of all measures are moved as one thing, and from where they were moved before.
    cards = dealt.view(np.dtype((np.void, 8 * measures)))[..., 0]
    for start in range(0, draws, block):
        count = min(block, draws - start)
        generator.permuted(cards[:count], axis=2, out=cards[:count])
        yield np.ptp(dealt[:count].sum(axis=1), axis=1)


def tukey_pairs(runs: Sequence[RunScores], parts: Parts, seed: int) -> Iterator[TukeyPair]:
    """Each run with each later one, measure by measure and part by part.

    Over the queries that all runs answer and that have a value by the measure; nothing for a part
    without one, or without a measure.
    """
    places = [{query_id: at for at, query_id in enumerate(run.query_ids)} for run in runs]
    within: dict[str | None, list[str]] = {}
    for query_id in runs[0].query_ids:
        if all(query_id in place for place in places):
            within.setdefault(parts.name_of(query_id), []).append(query_id)
    found: dict[tuple[Measure, str | None], tuple[Floats, list[float], int]] = {}
    for name, query_ids in within.items():
        # Measures that are undefined for the same queries share what is drawn.
        together: dict[bytes, list[tuple[Measure, Floats]]] = {}
        for measure in parts.measures[name]:
            values = np.array(
                [
                    [run.values[str(measure)][at[query_id]] for query_id in query_ids]
                    for run, at in zip(runs, places, strict=True)
                ]
            )
            defined = ~np.isnan(values).any(axis=0)
            if defined.any():
                together.setdefault(defined.tobytes(), []).append((measure, values[:, defined]))
        for group in together.values():
            p = tukey_tests(np.array([values for _, values in group]), seed)
            for place, (measure, values) in enumerate(group):
                means = [mean(row) for row in values.tolist()]
                found[measure, name] = p[place], means, values.shape[1]
    for measure, name in parts:
        if (measure, name) not in found:
            continue
        of_pair, means, queries = found[measure, name]
        for one, other in combinations(range(len(runs)), 2):
            yield TukeyPair(
                measure=str(measure),
                slice=name,
                tags=(runs[one].tag, runs[other].tag),
                queries=queries,
                delta=means[other] - means[one],
                p=float(of_pair[one, other]),
                draws=tukey_draws(len(runs), queries),
            )
