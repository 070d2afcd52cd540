"""RR: one over the rank of the first relevant document (its mean is MRR)."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["RR"]


def _reciprocal_rank(seen: Seen, measure: Measure) -> float:
    """Kantor and Voorhees, TREC-5 confusion track (Information Retrieval 2, 2000).

    trec_eval has it without a cutoff (`recip_rank`). With one, ir_measures hands over to the
    script of MS MARCO and breaks ties by ascending doc_id, so that its RR and RR@1000 of a run
    of 1000 can differ; here, both follow trec_eval's order.
    """
    ranks = seen.relevant_ranks(measure.rel)
    return 1 / ranks[0] if ranks and ranks[0] <= measure.depth else 0.0


RR = Definition(
    name="RR",
    aliases=("MRR",),
    summary="reciprocal rank of the first relevant document",
    value=_reciprocal_rank,
    cutoff="optional",
    parameters=(REL,),
    credited="truths",
)
