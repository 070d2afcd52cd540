"""Unjudged: how many of the first k results nobody judged, as a share of k."""

from __future__ import annotations

from bisect import bisect_right

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.seen import Seen

__all__ = ["UNJUDGED"]


def _unjudged(seen: Seen, measure: Measure) -> float:
    """trec_eval 10's `unj`: divided by k even where fewer than k documents were retrieved.

    So it is not 1 - Judged@k for short lists. Under `judged_only` it still looks at the whole
    list, as Judged does; trec_eval -J always says 0.
    """
    looked_at = min(measure.depth, seen.retrieved)
    return (looked_at - bisect_right(seen.ranks, measure.depth)) / measure.depth


UNJUDGED = Definition(
    name="Unjudged",
    summary="unjudged documents among the first k results, over k",
    value=_unjudged,
    cutoff="required",
    condenses=False,
    quality=False,
    credited="judged",
)
