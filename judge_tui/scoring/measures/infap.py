"""infAP: average precision where only a sample of the pool was judged."""

from __future__ import annotations

from bisect import bisect_left

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["INFAP"]

_EPSILON = 0.00001


def _inferred_ap(seen: Seen, measure: Measure) -> float:
    """Yilmaz and Aslam, CIKM 2006; trec_eval's `infAP`.

    Before each relevant document, pooled ones that nobody judged (a negative grade) are taken to
    be relevant as often as the judged ones there; what was never pooled is not relevant. Without
    negative grades this is not AP to the last digit: the estimate is smoothed by 0.00001.
    """
    found = seen.relevant_ranks(measure.rel)
    if not found:
        return 0.0
    total = 0.0
    for relevant, rank in enumerate(found):
        if rank == 1:
            total += 1.0
            continue
        before = rank - 1
        judged = bisect_left(seen.ranks, rank)
        pooled = bisect_left(seen.pooled, rank)
        total += 1.0 / rank + (before / rank) * ((judged + pooled) / before) * (
            (relevant + _EPSILON) / (judged + 2 * _EPSILON)
        )
    return total / seen.known.relevant(measure.rel)


INFAP = Definition(
    name="infAP",
    summary="AP inferred from a pool of which a sample was judged",
    value=_inferred_ap,
    cutoff="none",
    parameters=(REL,),
    credited="judged",
    lowered_by_missed=True,
)
