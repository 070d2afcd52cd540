"""Queries that are judged, that a run is scored for, and that two runs are compared over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.standing import Standing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["QueryCounts", "failed_in_vain", "query_counts", "waiting_queries"]


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """`judged` queries have a final grade, and `in_vain` count beside these (`Standing.in_vain`),
    at `failed` of which some run failed. The least and the most of a run: `scored`, that it has a
    mean over, and `common`, that it shares with the baseline, None where nothing is compared (a run
    that shares none is not)."""

    judged: int
    scored: tuple[int, int]
    common: tuple[int, int] | None
    in_vain: int = 0
    failed: int = 0

    @property
    def counting(self) -> int:
        """How many count for a run that was asked all of them."""
        return self.judged + self.in_vain

    @property
    def beneath(self) -> tuple[int, int]:
        """Those that what is said of the runs rests on."""
        return self.scored if self.common is None else self.common


def query_counts(standing: Standing, baseline: str) -> QueryCounts:
    """Count them. `baseline`: the tag of a run."""
    place = standing.rankings.tags.index(baseline)
    scored = standing.scored.sum(axis=1)
    both = (standing.scored & standing.scored[place]).sum(axis=1)
    both[place] = 0
    common = both[both > 0]
    return QueryCounts(
        judged=int(standing.judged.sum()),
        scored=(int(scored.min()), int(scored.max())),
        common=(int(common.min()), int(common.max())) if len(common) else None,
        in_vain=int(standing.in_vain.sum()),
        failed=failed_in_vain(standing),
    )


def failed_in_vain(standing: Standing) -> int:
    """At how many of the queries that were asked in vain some run failed."""
    failed = np.zeros(len(standing.counting), dtype=np.bool_)
    failed[[query for _, query in standing.rankings.failed]] = True
    return int((failed & standing.in_vain).sum())


def waiting_queries(
    standing: Standing,
    runs: Sequence[int] | None = None,
    queries: NDArray[np.bool_] | None = None,
) -> dict[str, dict[str, bool]]:
    """The queries that wait for a grade (`Standing.waiting`), ascending by query_id: query_id ->
    tag of a run that was asked and found nothing -> whether it failed. Of these `runs` (places) and
    `queries` (bool[queries]) alone, None for all."""
    rankings = standing.rankings
    of_runs = range(len(rankings.tags)) if runs is None else runs
    waiting = standing.waiting if queries is None else standing.waiting & queries
    return {
        rankings.query_ids[query]: {
            rankings.tags[run]: (run, query) in rankings.failed
            for run in of_runs
            if waiting[run, query]
        }
        for query in np.flatnonzero(waiting[list(of_runs)].any(axis=0)).tolist()
    }
