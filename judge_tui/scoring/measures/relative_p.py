"""RelP: precision over the greatest that it could be at that rank."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["RELATIVE_P"]


def _relative_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `relative_P`: precision up to rank R, recall from there on."""
    found = seen.relevant_within(measure.rel, measure.depth)
    return found / min(measure.depth, seen.known.relevant(measure.rel)) if found else 0.0


RELATIVE_P = Definition(
    name="RelP",
    summary="P@k over the greatest it could be, as many documents being relevant",
    value=_relative_precision,
    cutoff="required",
    parameters=(REL,),
    lowered_by_missed=True,
)
