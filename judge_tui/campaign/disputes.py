"""How many disagreements are open, and how many of them can change the order of the systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.agreement import decide_at_once
from judge_tui.analysis import Standing
from judge_tui.analysis.effects import effects_of
from judge_tui.campaign.agreed import Counted
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.held import adjudicated_pairs
from judge_tui.campaign.judged_runs import too_deep
from judge_tui.campaign.standing import (
    grading_of,
    kept_rankings_of,
    pool_pairs,
    settled_grades,
)
from judge_tui.scoring import Rules, parse_measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SWAPS_BY", "Disputes", "OpenCases", "disputes_of", "open_cases"]

SWAPS_BY = parse_measure("nDCG@10")
"""The measure by whose means the systems are ordered."""

_NONE: NDArray[np.int64] = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Disputes:
    """`open`: pairs with at least two different grades that the lead has not settled. `swapping`:
    those of them that put some two systems in another order, depending on which of their grades
    holds; None where there are fewer than two systems, or too little is kept of them."""

    open: int
    swapping: int | None


@dataclass(frozen=True, slots=True)
class OpenCases:
    """What `disputes_of` needs: `count` of them, over so many `systems`, None where too little is
    kept of these; `queries` (places) and `documents` (keys), int64[n]; `given`, bool[n, grades],
    which grades each pair was given; `standing`: None where there is nothing to score the systems
    for, and no pairs are told."""

    count: int
    systems: int | None
    queries: NDArray[np.int64]
    documents: NDArray[np.int64]
    given: NDArray[np.bool_]
    standing: Standing | None


def open_cases(campaign: Campaign, counted: Counted) -> OpenCases:
    """The open cases among the grades that count, and what the runs are worth, as of one moment."""
    pairs, given = _given(counted, max(campaign.settings.scale.grades))
    disputed = given.sum(axis=1) > 1
    with campaign.reading():
        # Which pairs are settled is known at once; as what, takes a while with a million of them.
        settled = settled_grades(campaign) if len(adjudicated_pairs(campaign)) else (_NONE, _NONE)
        disputed &= ~np.isin(pairs, settled[0])
        count = int(disputed.sum())
        systems = campaign.rows("SELECT count(*) FROM runs")[0][0]
        if not count or systems < 2:
            return OpenCases(count, systems, _NONE, _NONE, given[:0], None)
        kept = kept_rankings_of(campaign, depth=SWAPS_BY.depth)
        if too_deep(kept.runs, SWAPS_BY, Rules()) is not None:
            return OpenCases(count, None, _NONE, _NONE, given[:0], None)
        pool = pool_pairs(campaign)
    scale = campaign.settings.scale.grades
    final = decide_at_once(list(counted.given), "majority", scale, settled=settled)
    grading = grading_of(kept, pool, (final.pairs, final.grades))
    at = pool.places_of(pairs[disputed])
    return OpenCases(
        count,
        systems,
        kept.place_of_query(pool.queries[at]),
        pool.documents[at],
        given[disputed],
        Standing(kept.rankings, grading, max(scale)),
    )


def disputes_of(found: OpenCases) -> Disputes:
    """Count them, and those that matter."""
    if found.standing is None:
        return Disputes(found.count, 0 if (found.systems or 0) > 1 else None)
    effects = effects_of(found.standing, found.queries, found.documents, found.given, SWAPS_BY)
    return Disputes(found.count, int((effects.swaps > 0).sum()))


def _given(counted: Counted, greatest: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Every pair that was graded, ascending, and bool[pairs, grades]: which grades it was given."""
    every = np.concatenate([_NONE, *(pairs for pairs, _ in counted.given)])
    grades = np.concatenate([_NONE, *(grades for _, grades in counted.given)])
    pairs, rows = np.unique(every, return_inverse=True)
    given = np.zeros((len(pairs), greatest + 1), dtype=np.bool_)
    given[rows, grades] = True
    return pairs, given
