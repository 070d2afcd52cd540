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


class Part(NamedTuple):
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
        """Return the pair as JSON has it."""
        where = {} if self.slice is None else {"slice": self.slice}
        found = {name: getattr(self, name) for name in ("queries", "delta", "p", "draws")}
        return {"measure": self.measure, **where, "tags": list(self.tags), **found}


def tukey_draws(runs: int, queries: int) -> int:
    """Return how many permutations are drawn: 100,000; 10,000 for more than 10,000 values."""
    return _DRAWS if runs * queries <= _MANY else _FEWER_DRAWS


def tukey_tests(values: Floats, seed: int) -> Floats:
    """Return p of each pair of runs: measures x runs x queries -> measures x runs x runs,
    symmetric.

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


def _ranges(grid: Ints, draws: int, seed: int) -> Iterator[Ints]:
    """Yield ranges of the sums of permuted values: blocks of draws x measures, `draws` rows in
    all."""
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


def tukey_pairs(parts: Sequence[Part], seed: int) -> Iterator[TukeyPair]:
    """Test each run with each later one, measure by measure and part by part.

    Over the queries that all runs answer and that have a value by the measure; nothing for a part
    without one, or without a measure.
    """
    # Measures that are undefined for the same queries share what is drawn.
    together: dict[tuple[str | None, bytes], dict[Measure, Floats]] = {}
    for name, measures, scores in parts:
        for measure in measures:
            values = scores.by_measure[str(measure)]
            defined = ~np.isnan(values).any(axis=0)
            if defined.any():
                group = together.setdefault((name, defined.tobytes()), {})
                group[measure] = values[:, defined]
    found: dict[tuple[Measure, str | None], tuple[Floats, Floats]] = {}
    for (name, _), group in together.items():
        p_values = tukey_tests(np.array([*group.values()]), seed)
        for (measure, values), p in zip(group.items(), p_values, strict=True):
            found[measure, name] = values, p
    for measure in dict.fromkeys(measure for part in parts for measure in part.measures):
        for part in parts:
            if (measure, part.name) in found:
                yield from _pairs(measure, part, *found[measure, part.name])


def _pairs(measure: Measure, part: Part, values: Floats, p: Floats) -> Iterator[TukeyPair]:
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
