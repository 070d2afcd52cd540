"""IPrec: the best precision that was had at a level of recall or above it."""

from __future__ import annotations

from typing import cast

from judge_tui.scoring.measure import Definition, Measure, Parameter
from judge_tui.scoring.numbers import Points, share
from judge_tui.scoring.parameters import REL
from judge_tui.scoring.seen import Seen

__all__ = ["IPREC", "IPREC_AVG"]


def _interpolated_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `iprec_at_recall`; 0 where the level of recall was not reached.

    The level is reached with floor(recall * R + 0.9) of the R relevant documents. Where a list is
    empty (under `judged_only`), trec_eval divides 0 by 0; nothing found is 0 here.
    """
    best = _best_from(seen, measure.rel)
    return _at(best, measure.number("recall"), seen.known.relevant(measure.rel))


def _mean_interpolated_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `11pt_avg`: the mean of IPrec at eleven levels of recall, or at those given."""
    best = _best_from(seen, measure.rel)
    relevant = seen.known.relevant(measure.rel)
    points = cast(Points, measure.parameter("points"))
    total = 0.0
    for recall in reversed(points):
        total += _at(best, recall, relevant)
    return total / len(points)


def _best_from(seen: Seen, rel: int) -> list[float]:
    """[n - 1]: the best precision at the n-th relevant document found or after it."""
    ranks = seen.relevant_ranks(rel)
    best = [found / rank for found, rank in enumerate(ranks, start=1)]
    for place in range(len(best) - 2, -1, -1):
        best[place] = max(best[place], best[place + 1])
    return best


def _at(best: list[float], recall: float, relevant: int) -> float:
    wanted = int(recall * relevant + 0.9)
    return best[max(wanted, 1) - 1] if wanted <= len(best) and best else 0.0


IPREC = Definition(
    name="IPrec",
    summary="best precision at a level of recall or above it",
    value=_interpolated_precision,
    cutoff="none",
    parameters=(REL,),
    at=Parameter("recall", 0.1, share, "a number from 0 to 1"),
    lowered_by_missed=True,
)

IPREC_AVG = Definition(
    name="IPrecAvg",
    summary="mean of IPrec at eleven levels of recall",
    value=_mean_interpolated_precision,
    cutoff="none",
    parameters=(
        REL,
        Parameter(
            "points",
            Points((0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)),
            Points.read,
            "levels of recall, such as '0.2,0.5,0.8'",
        ),
    ),
    lowered_by_missed=True,
)
