"""G and BinG: gain discounted by how much better the results before could have been."""

from __future__ import annotations

from math import log2
from typing import cast

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.numbers import Gains
from judge_tui.scoring.parameters import GAINS, REL
from judge_tui.scoring.seen import Seen

__all__ = ["BIN_G", "G"]


def _g(seen: Seen, measure: Measure) -> float:
    """trec_eval's experimental `G` (2008).

    A document at rank i adds gain / log2(2 + cost - gained): `gained` is what the first i results
    gained, `cost` what the best i results would, each taken for at least 1. Divided by the gain
    of all documents; 0 where nothing gains.

    trec_eval's ideal is wrong where given gains are less than 1 apart, as that of `nDCG` is.
    """
    gain = cast(Gains, measure.parameter("gains")).of
    ideal = sorted((g for g in map(gain, seen.known.grades) if g > 0), reverse=True)
    best = sum(ideal)
    if not best:
        return 0.0
    score = gained = cost = 0.0
    reached = 0
    for rank, grade in zip(seen.ranks, seen.grades, strict=True):
        here = gain(grade)
        if not here:
            continue
        gained += here
        for value in ideal[reached:rank]:
            cost += max(value, 1.0)
        cost += rank - max(reached, min(rank, len(ideal)))
        reached = rank
        score += here / log2(2 + cost - gained)
    return score / best


def _binary_g(seen: Seen, measure: Measure) -> float:
    """trec_eval's experimental `binG` (2008): 1 / log2(2 + results before that are not relevant),
    averaged over the relevant documents.
    """
    total = 0.0
    for found, rank in enumerate(seen.relevant_ranks(measure.rel), start=1):
        total += 1.0 / log2(2 + rank - found)
    return total / seen.known.relevant(measure.rel) if total else 0.0


G = Definition(
    name="G",
    summary="gain discounted by how much better the results before could have been",
    value=_g,
    cutoff="none",
    parameters=(GAINS,),
    share=False,
)

BIN_G = Definition(
    name="BinG",
    summary="relevant documents discounted by the results before that are not relevant",
    value=_binary_g,
    cutoff="none",
    parameters=(REL,),
    lowered_by_missed=True,
)
