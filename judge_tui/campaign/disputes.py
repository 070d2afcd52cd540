"""How many disagreements are open, and how many of them can change the order of the systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.effects import effects_of
from judge_tui.campaign.agreed import Counted
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.standing import StandingNow, settled_grades, standing_now
from judge_tui.scoring import parse_measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SWAPS_BY", "Disputes", "OpenCases", "disputes_of", "open_cases"]

SWAPS_BY = parse_measure("nDCG@10")
"""The measure by whose means the systems are ordered."""


@dataclass(frozen=True, slots=True)
class Disputes:
    """`open`: pairs with at least two different grades that the lead has not settled. `swapping`:
    those of them that put some two systems in another order, depending on which of their grades
    holds; None where there are fewer than two systems."""

    open: int
    swapping: int | None


@dataclass(frozen=True, slots=True)
class OpenCases:
    """What `disputes_of` needs: `pairs`, int64[n], the keys; `given`, bool[n, grades], which grades
    each was given; `systems`: how many runs there are; `now`: None where there is nothing to score
    them for."""

    pairs: NDArray[np.int64]
    given: NDArray[np.bool_]
    systems: int
    now: StandingNow | None


def open_cases(campaign: Campaign, counted: Counted) -> OpenCases:
    """The open cases among the grades that count, and what the runs are worth, as of one moment."""
    every = [np.empty(0, dtype=np.int64), *(pairs for pairs, _ in counted.given)]
    pairs, rows = np.unique(np.concatenate(every), return_inverse=True)
    given = np.zeros((len(pairs), max(campaign.settings.scale.grades) + 1), dtype=np.bool_)
    if counted.given:
        given[rows, np.concatenate([grades for _, grades in counted.given])] = True
    disputed = given.sum(axis=1) > 1
    with campaign.reading():
        disputed &= ~np.isin(pairs, settled_grades(campaign)[0])
        systems = campaign.rows("SELECT count(*) FROM runs")[0][0]
        now = None
        if disputed.any() and systems > 1:
            now = standing_now(campaign, depth=SWAPS_BY.depth, include_models=counted.models)
    return OpenCases(pairs[disputed], given[disputed], systems, now)


def disputes_of(found: OpenCases) -> Disputes:
    """Count them, and those that matter."""
    if found.now is None:
        return Disputes(len(found.pairs), 0 if found.systems > 1 else None)
    pool, kept = found.now.pool, found.now.kept
    at = pool.places_of(found.pairs)
    queries = kept.place_of_query(pool.queries[at])
    effects = effects_of(found.now.standing, queries, pool.documents[at], found.given, SWAPS_BY)
    return Disputes(len(found.pairs), int((effects.swaps > 0).sum()))
