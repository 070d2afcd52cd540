"""Rprec: precision at the rank R, the number of relevant documents."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["RPREC"]


def _r_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `Rprec`; 0 where there is no relevant document."""
    relevant = seen.known.relevant(measure.rel)
    return seen.relevant_within(measure.rel, relevant) / relevant if relevant else 0.0


RPREC = Definition(
    name="Rprec",
    aliases=("RPrec",),
    summary="precision after as many results as there are relevant documents",
    value=_r_precision,
    cutoff="none",
    parameters=(REL,),
    own_depth=True,
    credited="results",
    lowered_by_missed=True,
)
