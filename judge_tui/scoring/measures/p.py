"""P: the share of the first k results that is relevant."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["P"]


def _precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `P`: divided by k even where fewer than k documents were retrieved."""
    return seen.relevant_within(measure.rel, measure.depth) / measure.depth


P = Definition(
    name="P",
    aliases=("Precision",),
    summary="precision: share of the first k results that is relevant",
    value=_precision,
    cutoff="required",
    parameters=(REL,),
    credited="results",
)
