"""Success: whether there is anything relevant in the first k results."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["SUCCESS"]


def _success(seen: Seen, measure: Measure) -> float:
    """trec_eval's `success`: 1 or 0. Elsewhere called hit rate, and at times recall@k, wrongly."""
    return 1.0 if seen.relevant_within(measure.rel, measure.depth) else 0.0


SUCCESS = Definition(
    name="Success",
    aliases=("Hit",),
    summary="1 where one of the first k results is relevant, else 0",
    value=_success,
    cutoff="required",
    parameters=(REL,),
    credited="results",
)
