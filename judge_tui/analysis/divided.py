"""The queries on which the systems are furthest apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.rankings import NO_DOCUMENT, Rankings
from judge_tui.analysis.spread import spread_of
from judge_tui.analysis.standing import Standing
from judge_tui.scoring import Measure
from judge_tui.significance.corrections import STEP

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LEVEL", "Divided", "DividedQuery", "divided", "divided_by"]

LEVEL = "all level"
"""In the place of the best and of the worst run, where no run is either."""


@dataclass(frozen=True, slots=True)
class DividedQuery:
    """One query: over the `runs` that are scored for it the population standard deviation of their
    values, the least and the greatest value with the runs that have them (in the order of the
    runs), and how alike their lists are: the mean Jaccard index of the top k of every two of them,
    those left out that are both empty; None where no run has results. `nothing`: of each of these
    runs whose list has no results why that is so, in words (`Rankings.nothing`)."""

    query: int
    query_id: str
    runs: int
    sd: float
    least: float
    greatest: float
    worst: tuple[str, ...]
    best: tuple[str, ...]
    overlap: float | None
    nothing: Mapping[str, str]

    @property
    def level(self) -> bool:
        """Whether no run is better or worse than another."""
        return self.best == self.worst

    @property
    def range(self) -> float:
        """The greatest less the least value."""
        return self.greatest - self.least


@dataclass(frozen=True, slots=True)
class Divided:
    """The queries that at least two runs are scored for, greatest spread first, then least overlap,
    then by query id. `alone` counts those that only one run is scored for."""

    measure: Measure
    k: int
    rows: tuple[DividedQuery, ...]
    alone: int


def divided(standing: Standing, measure: Measure, k: int = 10) -> Divided:
    """Where the runs differ most by the measure: `divided_by` the values that it has."""
    return divided_by(standing.rankings, measure, standing.values(measure), standing.scored, k)


def divided_by(
    rankings: Rankings,
    measure: Measure,
    values: NDArray[np.float64],
    scored: NDArray[np.bool_],
    k: int = 10,
) -> Divided:
    """Where the runs differ most by `values`, float64[runs, queries], of those that are `scored`,
    bool[runs, queries].

    The overlap of two top k is the Jaccard index (Jaccard 1912): documents in both, divided by
    documents in either. 1 is the same documents, in whatever order; 0 none in common, as where one
    of the two is empty. Of two that are empty it is undefined.
    """
    tags, ids = rankings.tags, rankings.query_ids
    rows: list[DividedQuery] = []
    alone = 0
    for query, query_id in enumerate(ids):
        its = np.flatnonzero(scored[:, query])
        if len(its) < 2:
            alone += len(its)
            continue
        column = values[its, query]
        least, greatest = float(column.min()), float(column.max())
        # In steps of 1e-9: what is equal to a reader is equal here.
        steps = np.rint(column / STEP)
        rows.append(
            DividedQuery(
                query=query,
                query_id=query_id,
                runs=len(its),
                sd=spread_of(column).sd or 0.0,
                least=least,
                greatest=greatest,
                worst=tuple(tags[run] for run in its[steps == steps.min()].tolist()),
                best=tuple(tags[run] for run in its[steps == steps.max()].tolist()),
                overlap=_overlap(rankings.documents[its, query, :k]),
                nothing={
                    tags[run]: why for run in its.tolist() if (why := rankings.nothing(run, query))
                },
            )
        )
    rows.sort(
        key=lambda row: (
            -round(row.sd / STEP),
            1.0 if row.overlap is None else row.overlap,
            row.query_id,
        )
    )
    return Divided(measure, k, tuple(rows), alone)


def _overlap(lists: NDArray[np.int64]) -> float | None:
    """The mean Jaccard index of every two of some lists, int64[lists, ranks]."""
    run, rank = np.nonzero(lists != NO_DOCUMENT)
    if not len(run):
        return None
    _, number = np.unique(lists[run, rank], return_inverse=True)
    holds = np.zeros((len(lists), int(number.max()) + 1))
    holds[run, number] = 1.0
    both = holds @ holds.T
    size = np.diag(both)
    either = size[:, None] + size[None, :] - both
    one, other = np.triu_indices(len(lists), 1)
    some = either[one, other] > 0
    return float((both[one, other][some] / either[one, other][some]).mean())
