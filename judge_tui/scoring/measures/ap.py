"""AP: precision averaged over the relevant documents (its mean is MAP)."""

from __future__ import annotations

from judge_tui.scoring.measure import REL, Definition, Measure
from judge_tui.scoring.seen import Seen

__all__ = ["AP"]


def _average_precision(seen: Seen, measure: Measure) -> float:
    """Buckley and Voorhees, SIGIR 2000; trec_eval's `map` and `map_cut`.

    Divided by the number of relevant documents, also when the cutoff is smaller than that; 0 where
    there is none.
    """
    total = 0.0
    for found, rank in enumerate(seen.relevant_ranks(measure.rel), start=1):
        if rank > measure.depth:
            break
        total += found / rank
    return total / seen.known.relevant(measure.rel) if total else 0.0


AP = Definition(
    name="AP",
    aliases=("MAP",),
    summary="average precision over the relevant documents",
    value=_average_precision,
    cutoff="optional",
    parameters=(REL,),
)
