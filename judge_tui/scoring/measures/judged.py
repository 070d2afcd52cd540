"""Judged: the share of the first k results that anybody judged."""

from __future__ import annotations

from bisect import bisect_right

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.seen import Seen

__all__ = ["JUDGED"]


def _judged(seen: Seen, measure: Measure) -> float:
    """ir_measures' `Judged`, which says how far the other measures of the list can be trusted.

    Where fewer than k documents were retrieved, it is divided by their number, as ir_measures
    does: a result that is not there is not an unjudged one. Two things differ from ir_measures,
    and are right here: ties at rank k are broken in trec_eval's order (doc_id descending), like
    those of every other measure beside it; and a negative grade is no judgment. Nothing retrieved:
    0. Under `judged_only` it still looks at the whole list: in a condensed one it says nothing.
    """
    looked_at = min(measure.depth, seen.retrieved)
    if not looked_at:
        return 0.0
    return bisect_right(seen.ranks, measure.depth) / looked_at


JUDGED = Definition(
    name="Judged",
    summary="share of the first k results that is judged",
    value=_judged,
    cutoff="required",
    condenses=False,
    quality=False,
    credited="judged",
)
