"""RBP: what a reader gains who goes on to the next result with probability p."""

from __future__ import annotations

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import PERSISTENCE, REL
from judge_tui.scoring.seen import Seen

__all__ = ["RBP", "RBP_RESIDUAL"]


def _rank_biased_precision(seen: Seen, measure: Measure) -> float:
    """Moffat and Zobel, TOIS 27(1), 2008: (1 - p) times the sum of p^(rank - 1) over the relevant.

    A document is relevant or not, as in ir_measures' RBP(rel=1), whose default p of 0.8 this is.
    trec_eval 10's `rbp` (p = 0.9) takes the grade itself for the gain where all grades are 0 or 1;
    with other grades it normalises by variables that it never sets, and its value means nothing.
    """
    p = measure.number("p")
    total = 0.0
    for rank in seen.relevant_ranks(measure.rel):
        if rank > measure.depth:
            break
        total += p ** (rank - 1)
    return (1.0 - p) * total


def _residual(seen: Seen, measure: Measure) -> float:
    """How much RBP could still gain: from unjudged results, and from all that follow the last one.

    Moffat and Zobel, TOIS 2008; all weights sum to 1, so this is 1 less those of judged results.
    trec_eval 10's `rbp_resid` leaves out what follows the last result where every result is
    judged, and says 0 for it.
    """
    p = measure.number("p")
    return 1.0 - (1.0 - p) * sum([p ** (rank - 1) for rank in seen.ranks])


RBP = Definition(
    name="RBP",
    summary="rank-biased precision with persistence p",
    value=_rank_biased_precision,
    cutoff="optional",
    parameters=(PERSISTENCE, REL),
)

RBP_RESIDUAL = Definition(
    name="RBPResidual",
    summary="how much RBP could still gain from what nobody judged",
    value=_residual,
    cutoff="none",
    parameters=(PERSISTENCE,),
    condenses=False,
    quality=False,
    credited="judged",
)
