"""The least and the greatest mean that judging every document in runs' lists could give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.standing import Standing
from judge_tui.errors import UsageError
from judge_tui.scoring import Measure
from judge_tui.scoring.bounds import bounds_of, open_beyond, unbounded

__all__ = ["LooseEnds", "loose_ends"]


@dataclass(frozen=True, slots=True)
class LooseEnds:
    """What unjudged documents leave open: measure -> tag -> (low, high), low <= mean <= high, None
    for a run that is not scored. `why`: measure -> why it has no bounds. `of_kept`: the measures
    whose bounds would be wider if lists that were cut when they were loaded were there whole."""

    of: Mapping[str, Mapping[str, tuple[float, float] | None]]
    why: Mapping[str, str]
    of_kept: tuple[str, ...]


def loose_ends(standing: Standing, measures: Sequence[Measure], grades: Sequence[int]) -> LooseEnds:
    """Over all gradings, with the `grades` of the scale (ascending), of the unjudged documents in
    what is kept of the lists: the bounds of `score --bounds`, looking at as many results.

    Each query is graded by itself, and an average rises with each of its values.
    """
    tags = standing.rankings.tags
    found: dict[str, dict[str, tuple[float, float] | None]] = {}
    why: dict[str, str] = {}
    used = standing.scored.reshape(-1)
    lists = standing.lists.rows(used)
    for measure in measures:
        low, high = np.full(len(used), np.nan), np.full(len(used), np.nan)
        try:
            between = bounds_of(lists, measure, grades)
        except UsageError as error:
            why[measure.name] = str(error)
            continue
        if between is None:
            why[measure.name] = unbounded(measure) or ""
            continue
        low[used], high[used] = between
        average = measure.definition.average
        found[measure.name] = {
            tag: (average(lows[mine].tolist()), average(highs[mine].tolist()))
            if mine.any()
            else None
            for tag, lows, highs, mine in zip(
                tags,
                low.reshape(standing.scored.shape),
                high.reshape(standing.scored.shape),
                standing.scored,
                strict=True,
            )
        }
    of_kept = tuple(
        measure.name for measure in measures if measure.name in found and open_beyond(measure)
    )
    return LooseEnds(found, why, of_kept)
