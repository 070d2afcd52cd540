"""The measures that few ask for, each with its paper."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from math import log, log2
from typing import cast

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import (
    GAINS,
    PERSISTENCE,
    REL,
    Definition,
    Gains,
    Measure,
    Parameter,
    Points,
    geometric_mean,
    number,
    share,
)
from judge_tui.scoring.measures.usual import summed_precision
from judge_tui.scoring.seen import Seen

__all__ = [
    "BIN_G",
    "BPREF",
    "ERR",
    "GM_BPREF",
    "INFAP",
    "IPREC",
    "IPREC_AVG",
    "NDCG_REL",
    "RBP",
    "RBP_RESIDUAL",
    "RELATIVE_P",
    "RPREC_MULT",
    "R_NDCG",
    "UTILITY",
    "YAAP",
    "G",
]


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


def _expected_reciprocal_rank(seen: Seen, measure: Measure) -> float:
    """Chapelle et al., CIKM 2009: a document of grade g satisfies with (2^g - 1) / 2^max_rel.

    As in gdeval.pl of TREC, which ir_measures runs, whose greatest grade is 4 and whose values
    are rounded to five decimals. Two things differ from it, and are right here: a query whose
    documents all have grade 0 scores 0 (gdeval leaves it out of the average), and any text may be
    a query id. Raises `UsageError` where the qrels hold a grade above `max_rel`.
    """
    greatest = int(measure.number("max_rel"))
    if seen.known.grades and seen.known.grades[0] > greatest:
        raise UsageError(
            f"the qrels hold grade {seen.known.grades[0]}, above the greatest that "
            f"{measure} knows, {greatest}",
            f"name the greatest grade of the scale: ERR(max_rel={seen.known.grades[0]})",
        )
    whole = 2.0**greatest
    score, still_reading = 0.0, 1.0
    for rank, grade in zip(seen.ranks, seen.grades, strict=True):
        if rank > measure.depth:
            break
        satisfied = (2.0**grade - 1) / whole
        score += satisfied * still_reading / rank
        still_reading *= 1 - satisfied
    return score


def _greatest_grade(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= 1000):
        raise ValueError(text)
    return int(text)


ERR = Definition(
    name="ERR",
    summary="expected reciprocal rank; max_rel is the greatest grade of the scale",
    value=_expected_reciprocal_rank,
    cutoff="optional",
    parameters=(Parameter("max_rel", 4, _greatest_grade, "a whole number from 1 to 1000"),),
)


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


def _relative_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `relative_P`: precision up to rank R, recall from there on."""
    found = seen.relevant_within(measure.rel, measure.depth)
    return found / min(measure.depth, seen.known.relevant(measure.rel)) if found else 0.0


RELATIVE_P = Definition(
    name="RelP",
    summary="P@k over the greatest it could be, as many documents being relevant",
    value=_relative_precision,
    cutoff="required",
    parameters=(REL,),
    lowered_by_missed=True,
)


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


def _yet_another_average_precision(seen: Seen, measure: Measure) -> float:
    """Robertson, ECIR 2012; trec_eval's `yaap`: log((1 + S) / (1 + R - S)), S the summed precision
    and R the number of relevant documents. Below 0 where AP is below one half.
    """
    precision = summed_precision(seen, measure)
    return log((1.0 + precision) / (1.0 + seen.known.relevant(measure.rel) - precision))


YAAP = Definition(
    name="YAAP",
    summary="average precision on a logarithmic scale",
    value=_yet_another_average_precision,
    cutoff="none",
    parameters=(REL,),
    share=False,
    lowered_by_missed=True,
)


def _utility(seen: Seen, measure: Measure) -> float:
    """trec_eval's `utility` without its fourth weight, for which one must know the collection.

    Weighted are the relevant results (`hit`), the others (`noise`, unjudged ones too) and the
    relevant documents that were not retrieved (`miss`).
    """
    found = len(seen.relevant_ranks(measure.rel))
    return (
        measure.number("hit") * found
        + measure.number("noise") * (seen.retrieved - found)
        + measure.number("miss") * (seen.known.relevant(measure.rel) - found)
    )


def _loses_by_missed(measure: Measure) -> bool:
    return measure.number("miss") < 0


UTILITY = Definition(
    name="Utility",
    summary="sum of what relevant results, other results and missed documents are worth",
    value=_utility,
    cutoff="none",
    parameters=(
        REL,
        Parameter("hit", 1.0, number, "a number"),
        Parameter("noise", -1.0, number, "a number"),
        Parameter("miss", 0.0, number, "a number"),
    ),
    share=False,
    lowered_by_missed=_loses_by_missed,
)


def _ndcg_rel(seen: Seen, measure: Measure) -> float:
    """trec_eval's experimental `ndcg_rel`: nDCG at each retrieved document that gains.

    One that was not retrieved counts with nDCG of the whole list. 0 where nothing gains.

    trec_eval's ideal is wrong where given gains are less than 1 apart, as that of `nDCG` is.
    """
    _, ideal_dcgs = _ideal_of_points(seen, measure)
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
    ideal, ideal_dcgs = _ideal_of_points(seen, measure)
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


def _ideal_of_points(seen: Seen, measure: Measure) -> tuple[list[float], list[float]]:
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
