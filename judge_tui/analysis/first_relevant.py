"""At which rank each run has its first relevant document, over all queries."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.standing import Standing
from judge_tui.scoring.at_once import UNJUDGED

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FirstRelevant", "RankHistogram", "first_relevant"]

_ENDS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class FirstRelevant:
    """One run: `counts`, the queries in each bucket; `none`, those without a relevant document in
    what is kept; `open`, those in which an unjudged document stands before the first relevant one
    (or anywhere, where there is none), so that the true rank may be less.

    `median`: of the ranks, where none counts as more than any; None with a reason in `why`.
    """

    tag: str
    queries: int
    counts: tuple[int, ...]
    none: int
    open: int
    median: float | None
    why: str | None

    @property
    def share_none(self) -> float | None:
        """The share of the queries without one, None where no query is scored."""
        return self.none / self.queries if self.queries else None


@dataclass(frozen=True, slots=True)
class RankHistogram:
    """`buckets`: the first and the last rank of each. `nothing_known`: judged queries for which no
    document is known to be relevant; a run that answers them has them among its `none`."""

    rel: int
    buckets: tuple[tuple[int, int], ...]
    runs: tuple[FirstRelevant, ...]
    nothing_known: int

    @property
    def labels(self) -> tuple[str, ...]:
        """The buckets in words: "3", "4–5"."""
        return tuple(
            str(first) if first == last else f"{first}–{last}" for first, last in self.buckets
        )


def first_relevant(standing: Standing, rel: int = 1) -> RankHistogram:
    """The histogram of each run, over the queries that it is scored for."""
    depth = standing.seen.shape[2]
    ends = [end for end in _ENDS if end < depth]
    ends.append(max(depth, 1) if depth > _ENDS[-1] else next(e for e in _ENDS if e >= depth))
    starts = [1, *(end + 1 for end in ends[:-1])]
    ranks, unsure = _ranks(standing, rel)
    runs = []
    for place, tag in enumerate(standing.rankings.tags):
        used = standing.scored[place]
        found = ranks[place][used]
        counts = [
            int(((found >= start) & (found <= end)).sum())
            for start, end in zip(starts, ends, strict=True)
        ]
        middle, why = _median(found.tolist())
        runs.append(
            FirstRelevant(
                tag=tag,
                queries=int(used.sum()),
                counts=tuple(counts),
                none=int((found == 0).sum()),
                open=int(unsure[place][used].sum()),
                median=middle,
                why=why,
            )
        )
    relevant = standing.known[:, rel:].sum(axis=1)
    return RankHistogram(
        rel=rel,
        buckets=tuple(zip(starts, ends, strict=True)),
        runs=tuple(runs),
        nothing_known=int((standing.judged & (relevant == 0)).sum()),
    )


def _ranks(standing: Standing, rel: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """int64[runs, queries], 0 where there is none; and whether something unjudged stands before."""
    seen = standing.seen
    runs, queries, depth = seen.shape
    if not depth:
        return np.zeros((runs, queries), dtype=np.int64), np.zeros((runs, queries), dtype=bool)
    relevant, unjudged = seen >= rel, seen == UNJUDGED
    there = relevant.any(axis=2)
    first = np.where(there, relevant.argmax(axis=2) + 1, 0)
    first_unjudged = np.where(unjudged.any(axis=2), unjudged.argmax(axis=2) + 1, depth + 1)
    return first, first_unjudged < np.where(there, first, depth + 1)


def _median(ranks: list[int]) -> tuple[float | None, str | None]:
    if not ranks:
        return None, "the run answers no judged query"
    middle = median([rank or float("inf") for rank in ranks])
    if middle == float("inf"):
        return None, "half of the queries or more have nothing relevant in what is kept"
    return float(middle), None
