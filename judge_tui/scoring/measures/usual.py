"""The measures that most people ask for: nDCG, RR, P, R, Success, AP, Rprec, Judged."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import log2
from typing import cast

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import (
    GAINS,
    GRADED,
    REL,
    Definition,
    Gains,
    Measure,
    Parameter,
    geometric_mean,
)
from judge_tui.scoring.seen import Known, Seen

__all__ = [
    "AP",
    "GMAP",
    "JUDGED",
    "NDCG",
    "RPREC",
    "RR",
    "SUCCESS",
    "UNJUDGED",
    "P",
    "R",
    "gain_of",
    "summed_precision",
]


def _ndcg(seen: Seen, measure: Measure) -> float:
    """Jarvelin and Kekalainen, TOIS 20(4), 2002, with the discount log2(rank + 1).

    The gain is the grade, as in trec_eval (`ndcg`, `ndcg_cut`); with dcg='exp-log2' it is
    2^grade - 1 (Burges et al., ICML 2005), as in ir_measures, ranx and scikit-learn's examples.
    `gains` put other numbers in place of grades, 0 and less among them (trec_eval `ndcg.1=3.5`).
    The ideal list is made of all judged documents of the query that gain anything, retrieved or
    not, cut at the same rank. A query without one scores 0, as in trec_eval.

    trec_eval sorts given gains by their difference as a whole number, and so has a wrong ideal
    where two of them are less than 1 apart; here, they are sorted as the numbers they are.
    """
    ideal = seen.known.memo.get(measure.name)
    if ideal is None:
        ideal = seen.known.memo[measure.name] = _ideal(seen.known, measure)
    if not ideal or not seen.ranks:
        return 0.0
    return _dcg(seen.ranks, seen.grades, measure.depth, gain_of(measure)) / ideal


def gain_of(measure: Measure) -> Callable[[int], float]:
    """What a document of a grade gains by this nDCG."""
    exponential = measure.parameter("dcg") == "exp-log2"
    gains = measure.parameter("gains")
    if gains is GRADED:
        return _exponential if exponential else float
    of = cast(Gains, gains).of
    return (lambda grade: _exponential(of(grade))) if exponential else of


def _ideal(known: Known, measure: Measure) -> float:
    gain = gain_of(measure)
    grades: Sequence[int] = known.grades
    if measure.parameter("gains") is not GRADED:
        grades = sorted((g for g in grades if gain(g) > 0), key=gain, reverse=True)
    grades = grades[: measure.cutoff]
    return _dcg(range(1, len(grades) + 1), grades, measure.depth, gain)


def _dcg(
    ranks: Sequence[int], grades: Sequence[int], depth: int, gain: Callable[[int], float]
) -> float:
    total = 0.0
    for rank, grade in zip(ranks, grades, strict=True):
        if rank > depth:
            break
        gained = gain(grade)
        if gained:
            total += gained / log2(rank + 1)
    return total


def _exponential(grade: float) -> float:
    if grade > 1000:
        raise UsageError(
            f"grade {grade} is too great for dcg='exp-log2'", "use nDCG with its linear gain"
        )
    return math.pow(2.0, grade) - 1


def _discounting(text: str) -> str:
    if text not in ("log2", "exp-log2"):
        raise ValueError(text)
    return text


NDCG = Definition(
    name="nDCG",
    aliases=("NDCG",),
    summary="normalised discounted cumulative gain",
    value=_ndcg,
    cutoff="optional",
    parameters=(Parameter("dcg", "log2", _discounting, "'log2' or 'exp-log2'"), GAINS),
    credited="truths",
    lowered_by_missed=True,
)


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


def _precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `P`: divided by k even where fewer than k documents were retrieved."""
    return seen.relevant_within(measure.rel, measure.depth) / measure.depth


P = Definition(
    name="P",
    aliases=("Precision",),
    summary="precision: share of the first k results that is relevant",
    value=_precision,
    cutoff="required",
    parameters=(REL,),
    credited="results",
)


def _recall(seen: Seen, measure: Measure) -> float:
    """trec_eval's `recall`: of all documents judged relevant; 0 where there is none."""
    found = seen.relevant_within(measure.rel, measure.depth)
    return found / seen.known.relevant(measure.rel) if found else 0.0


R = Definition(
    name="R",
    aliases=("Recall",),
    summary="recall: share of the relevant documents among the first k results",
    value=_recall,
    cutoff="required",
    parameters=(REL,),
    credited="hits",
    lowered_by_missed=True,
)


def _success(seen: Seen, measure: Measure) -> float:
    """trec_eval's `success`: 1 or 0. Elsewhere called hit rate, and at times recall@k, wrongly."""
    return 1.0 if seen.relevant_within(measure.rel, measure.depth) else 0.0


SUCCESS = Definition(
    name="Success",
    aliases=("Hit",),
    summary="1 where one of the first k results is relevant, else 0",
    value=_success,
    cutoff="required",
    parameters=(REL,),
    credited="results",
)


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


def _r_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `Rprec`; 0 where there is no relevant document."""
    relevant = seen.known.relevant(measure.rel)
    return seen.relevant_within(measure.rel, relevant) / relevant if relevant else 0.0


RPREC = Definition(
    name="Rprec",
    aliases=("RPrec",),
    summary="precision after as many results as there are relevant documents",
    value=_r_precision,
    cutoff="none",
    parameters=(REL,),
    own_depth=True,
    credited="results",
    lowered_by_missed=True,
)


def _judged(seen: Seen, measure: Measure) -> float:
    """ir_measures' `Judged`, which says how far the other measures of the list can be trusted.

    Where fewer than k documents were retrieved, it is divided by their number, as ir_measures
    does: a result that is not there is not an unjudged one. Two things differ from ir_measures,
    and are right here: ties at rank k are broken in trec_eval's order (doc_id descending), like
    those of every other measure beside it; and a negative grade is no judgment. Nothing retrieved:
    0. Under `judged_only` it still looks at the whole list: in a condensed one it says nothing.
    """
    looked_at = min(measure.depth, seen.retrieved)
    if not looked_at:
        return 0.0
    return bisect_right(seen.ranks, measure.depth) / looked_at


JUDGED = Definition(
    name="Judged",
    summary="share of the first k results, or of all, that is judged",
    value=_judged,
    cutoff="optional",
    condenses=False,
    quality=False,
    credited="judged",
)


def _unjudged(seen: Seen, measure: Measure) -> float:
    """trec_eval 10's `unj`: divided by k even where fewer than k documents were retrieved.

    So it is not 1 - Judged@k for short lists. Under `judged_only` it still looks at the whole
    list, as Judged does; trec_eval -J always says 0.
    """
    looked_at = min(measure.depth, seen.retrieved)
    return (looked_at - bisect_right(seen.ranks, measure.depth)) / measure.depth


UNJUDGED = Definition(
    name="Unjudged",
    summary="unjudged documents among the first k results, over k",
    value=_unjudged,
    cutoff="required",
    condenses=False,
    quality=False,
    credited="judged",
)
