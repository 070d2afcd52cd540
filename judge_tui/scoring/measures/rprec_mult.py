"""RprecMult: precision at a multiple of R, the number of relevant documents."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure, Parameter
from judge_tui.scoring.numbers import number
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["RPREC_MULT"]


def _multiple_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `Rprec_mult`: precision at rank floor(multiple * R + 0.9); 0 where that is 0."""
    rank = int(measure.number("multiple") * seen.known.relevant(measure.rel) + 0.9)
    return seen.relevant_within(measure.rel, rank) / rank if rank else 0.0


def _multiple(text: str) -> float:
    value = number(text)
    if not 0 <= value <= 1000:
        raise ValueError(text)
    return value


RPREC_MULT = Definition(
    name="RprecMult",
    summary="precision at a multiple of the number of relevant documents",
    value=_multiple_precision,
    cutoff="none",
    parameters=(REL,),
    at=Parameter("multiple", 1.0, _multiple, "a number from 0 to 1000"),
    own_depth=True,
    lowered_by_missed=True,
)
