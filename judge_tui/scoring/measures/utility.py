"""Utility: what each document found, wrongly given or missed is worth, summed up."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure, Parameter
from judge_tui.scoring.numbers import number
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["UTILITY"]


def _utility(seen: Seen, measure: Measure) -> float:
    """trec_eval's `utility` without its fourth weight, for which one must know the collection.

    Weighted are the relevant results (`hit`), the others (`noise`, unjudged ones too) and the
    relevant documents that were not retrieved (`miss`).
    """
    found = len(seen.relevant_ranks(measure.rel))
    return (
        measure.number("hit") * found
        + measure.number("noise") * (seen.retrieved - found)
        + measure.number("miss") * (seen.known.relevant(measure.rel) - found)
    )


def _loses_by_missed(measure: Measure) -> bool:
    return measure.number("miss") < 0


UTILITY = Definition(
    name="Utility",
    summary="sum of what relevant results, other results and missed documents are worth",
    value=_utility,
    cutoff="none",
    parameters=(
        REL,
        Parameter("hit", 1.0, number, "a number"),
        Parameter("noise", -1.0, number, "a number"),
        Parameter("miss", 0.0, number, "a number"),
    ),
    share=False,
    lowered_by_missed=_loses_by_missed,
)
