"""AP: precision averaged over the relevant documents (its mean is MAP)."""

from __future__ import annotations

from judge_tui.scoring.averages import geometric_mean
from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["AP", "GMAP", "summed_precision"]


def summed_precision(seen: Seen, measure: Measure) -> float:
    """The precision at each relevant document that was retrieved, summed up."""
    total = 0.0
    for found, rank in enumerate(seen.relevant_ranks(measure.rel), start=1):
        if rank > measure.depth:
            break
        total += found / rank
    return total


def _average_precision(seen: Seen, measure: Measure) -> float:
    """Buckley and Voorhees, SIGIR 2000; trec_eval's `map` and `map_cut`.

    Divided by the number of relevant documents, also when the cutoff is smaller than that; 0 where
    there is none.
    """
    total = summed_precision(seen, measure)
    return total / seen.known.relevant(measure.rel) if total else 0.0


AP = Definition(
    name="AP",
    aliases=("MAP",),
    summary="average precision over the relevant documents",
    value=_average_precision,
    cutoff="optional",
    parameters=(REL,),
    credited="truths",
    lowered_by_missed=True,
)

GMAP = Definition(
    name="GMAP",
    summary="AP whose mean over the queries is the geometric one",
    value=_average_precision,
    cutoff="none",
    parameters=(REL,),
    average=geometric_mean,
    credited="truths",
    lowered_by_missed=True,
)
