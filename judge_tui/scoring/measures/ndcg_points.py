"""nDCGRel and Rndcg: nDCG averaged over several ranks of the list."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from math import log2
from typing import cast

from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.numbers import Gains
from judge_tui.scoring.parameters import GAINS, REL
from judge_tui.scoring.seen import Seen

__all__ = ["NDCG_REL", "R_NDCG"]


def _ndcg_rel(seen: Seen, measure: Measure) -> float:
    """trec_eval's experimental `ndcg_rel`: nDCG at each retrieved document that gains.

    One that was not retrieved counts with nDCG of the whole list. 0 where nothing gains.

    trec_eval's ideal is wrong where given gains are less than 1 apart, as that of `nDCG` is.
    """
    _, ideal_dcgs = _ideal(seen, measure)
    if not ideal_dcgs:
        return 0.0
    gain = cast(Gains, measure.parameter("gains")).of
    total = dcg = 0.0
    found = 0
    for rank, grade in zip(seen.ranks, seen.grades, strict=True):
        here = gain(grade)
        if here:
            dcg += here / log2(rank + 1)
        if here > 0:
            found += 1
            total += dcg / ideal_dcgs[min(rank, len(ideal_dcgs)) - 1]
    total += (len(ideal_dcgs) - found) * dcg / ideal_dcgs[-1]
    return total / len(ideal_dcgs) if total > 0 else 0.0


def _r_ndcg(seen: Seen, measure: Measure) -> float:
    """trec_eval's experimental `Rndcg`: nDCG where the gain of the ideal list changes, averaged.

    With 5 documents of grade 2 and 3 of grade 1, at ranks 5 and 8, and once more at the end of the
    list where that lies behind rank 9 (not behind rank 8, in trec_eval). A query without a
    document of grade `rel` scores 0, as does one in which nothing gains.

    trec_eval's ideal is wrong where given gains are less than 1 apart, as that of `nDCG` is.
    """
    ideal, ideal_dcgs = _ideal(seen, measure)
    if not ideal or not seen.known.relevant(measure.rel):
        return 0.0
    gain = cast(Gains, measure.parameter("gains")).of
    dcgs = [0.0]
    for rank, grade in zip(seen.ranks, seen.grades, strict=True):
        here = gain(grade)
        dcgs.append(dcgs[-1] + here / log2(rank + 1) if here else dcgs[-1])
    total = 0.0
    points = 0
    for rank, (here, behind) in enumerate(zip(ideal, [*ideal[1:], 0.0], strict=True), start=1):
        if here != behind:
            total += dcgs[bisect_left(seen.ranks, rank + 1)] / ideal_dcgs[rank - 1]
            points += 1
    if seen.retrieved > len(ideal) + 1:
        total += dcgs[-1] / ideal_dcgs[-1]
        points += 1
    return total / points


def _ideal(seen: Seen, measure: Measure) -> tuple[list[float], list[float]]:
    """The gains of the ideal list, those above 0, and its DCG at each rank."""
    gain = cast(Gains, measure.parameter("gains")).of
    gains = sorted((g for g in map(gain, seen.known.grades) if g > 0), reverse=True)
    return gains, list(accumulate(g / log2(rank + 1) for rank, g in enumerate(gains, start=1)))


NDCG_REL = Definition(
    name="nDCGRel",
    summary="nDCG averaged over the ranks of the documents that gain",
    value=_ndcg_rel,
    cutoff="none",
    parameters=(GAINS,),
    share=False,
)

R_NDCG = Definition(
    name="Rndcg",
    summary="nDCG averaged over the ranks where the ideal list changes its grade",
    value=_r_ndcg,
    cutoff="none",
    parameters=(REL, GAINS),
    share=False,
)
