"""R: the share of the relevant documents that is among the first k results."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["R"]


def _recall(seen: Seen, measure: Measure) -> float:
    """trec_eval's `recall`: of all documents judged relevant; 0 where there is none."""
    found = seen.relevant_within(measure.rel, measure.depth)
    return found / seen.known.relevant(measure.rel) if found else 0.0


R = Definition(
    name="R",
    aliases=("Recall",),
    summary="recall: share of the relevant documents among the first k results",
    value=_recall,
    cutoff="required",
    parameters=(REL,),
    credited="hits",
    lowered_by_missed=True,
)
