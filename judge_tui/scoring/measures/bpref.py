"""Bpref: how often a relevant document is ranked before those judged not relevant."""

from __future__ import annotations

from bisect import bisect_left

from judge_tui.scoring.averages import geometric_mean
from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["BPREF", "GM_BPREF"]


def _bpref(seen: Seen, measure: Measure) -> float:
    """Buckley and Voorhees, SIGIR 2004, in the form of trec_eval's `bpref`.

    Each relevant document that was retrieved adds 1 less the share of the first min(R, N) judged
    nonrelevant documents that stand before it; R and N are all relevant and all judged
    nonrelevant documents of the query. Divided by R. What nobody judged plays no part.
    """
    rel = measure.rel
    found = seen.relevant_ranks(rel)
    if not found:
        return 0.0
    relevant = seen.known.relevant(rel)
    least = min(seen.known.nonrelevant(rel), relevant)
    total = 0.0
    for place, rank in enumerate(found):
        before = bisect_left(seen.ranks, rank) - place
        total += 1.0 - min(before, relevant) / least if before else 1.0
    return total / relevant


BPREF = Definition(
    name="Bpref",
    aliases=("BPref",),
    summary="share of judged nonrelevant documents that relevant ones are ranked before",
    value=_bpref,
    cutoff="none",
    parameters=(REL,),
    credited="judged",
    lowered_by_missed=True,
)

GM_BPREF = Definition(
    name="GMBpref",
    summary="Bpref whose mean over the queries is the geometric one",
    value=_bpref,
    cutoff="none",
    parameters=(REL,),
    average=geometric_mean,
    credited="judged",
    lowered_by_missed=True,
)
