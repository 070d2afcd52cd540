"""YAAP: average precision on a scale on which its differences can be averaged."""

from __future__ import annotations

from math import log

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.measures.ap import summed_precision
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["YAAP"]


def _yet_another_average_precision(seen: Seen, measure: Measure) -> float:
    """Robertson, ECIR 2012; trec_eval's `yaap`: log((1 + S) / (1 + R - S)), S the summed precision
    and R the number of relevant documents. Below 0 where AP is below one half.
    """
    precision = summed_precision(seen, measure)
    return log((1.0 + precision) / (1.0 + seen.known.relevant(measure.rel) - precision))


YAAP = Definition(
    name="YAAP",
    summary="average precision on a logarithmic scale",
    value=_yet_another_average_precision,
    cutoff="none",
    parameters=(REL,),
    share=False,
    lowered_by_missed=True,
)
