"""Measures of ranked lists: those that most people ask for, those for judgments that are not
complete, and models of readers."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate, chain, pairwise
from operator import mul
from typing import cast

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.errors import UsageError
from judge_tui.scoring.judged_lists import JudgedLists, of_each
from judge_tui.scoring.measure import (
    GAINS,
    GRADED,
    PERSISTENCE,
    REL,
    Gains,
    Measure,
    Parameter,
    checked,
    choice,
    geometric_mean,
    whole_number,
)
from judge_tui.scoring.measures import (
    TREC_EVAL,
    count_found,
    count_found_within,
    count_known,
    is_relevant,
    log2_of,
    measure_named,
    quotient,
    summed_precision,
)

# Measures that most people ask for.


def gain_of(measure: Measure) -> Callable[[int], float]:
    """Return what a document of a grade gains by nDCG."""
    gain = cast(Gains, measure.parameter("gains")).of
    return gain if measure.parameter("dcg") == "log2" else lambda grade: _exponential(gain(grade))


def _exponential(grade: float) -> float:
    if grade > 1000:
        raise UsageError(
            f"grade {grade:g} is too great for dcg='exp-log2'", "use nDCG with its linear gain"
        )
    return math.pow(2.0, grade) - 1


@measure_named(
    "nDCG",
    "Järvelin and Kekäläinen, TOIS 20(4), 2002",
    aliases=("NDCG",),
    cutoff="optional",
    parameters=(choice("dcg", "log2", "exp-log2", default="log2"), GAINS),
    credited="truths",
)
def _ndcg(lists: JudgedLists, measure: Measure) -> Floats:
    """normalised discounted cumulative gain

    trec_eval's `ndcg` and `ndcg_cut`; discount log2(rank + 1). The gain is the grade; 2^grade - 1
    with dcg='exp-log2' (Burges et al., ICML 2005); or one of `gains` (trec_eval `ndcg.1=3.5`), 0
    and less among them. The ideal list is of all judged documents that gain anything, cut at the
    same rank; a query without one scores 0.
    trec_eval's ideal is wrong where given gains are less than 1 apart: it sorts whole numbers.
    """
    known = lists.queries
    best = of_each(gain_of(measure), known.grade)
    if measure.parameter("gains") != GRADED:  # else they fall as the grades do
        best = best[np.lexsort((-best, known.query))]
    top = (known.rank <= measure.depth) & (best > 0)
    weights = best[top] / log2_of(known.rank[top] + 1)
    ideal = np.bincount(known.query[top], weights, len(known))[lists.query]
    dcg = lists.sum(of_each(gain_of(measure), lists.grade) / log2_of(lists.rank + 1))
    return np.divide(dcg, ideal, out=np.zeros(len(lists)), where=ideal != 0)


@measure_named(
    "RR",
    "Kantor and Voorhees, Information Retrieval 2, 2000",
    aliases=("MRR",),
    cutoff="optional",
    credited="truths",
)
def _reciprocal_rank(lists: JudgedLists, measure: Measure) -> Floats:
    """reciprocal rank of the first relevant document

    trec_eval's `recip_rank`. With a cutoff, ir_measures breaks ties as the script of MS MARCO
    does, by ascending doc_id.
    """
    relevant = is_relevant(lists, measure)
    with_one, first = np.unique(lists.list[relevant], return_index=True)
    values = np.zeros(len(lists))
    values[with_one] = 1.0 / lists.rank[relevant][first]
    return values


@measure_named("P", TREC_EVAL, aliases=("Precision",), cutoff="required", credited="results")
def _precision(lists: JudgedLists, measure: Measure) -> Floats:
    """precision: share of the first k results that is relevant

    trec_eval's `P`: divided by k even where fewer than k documents were retrieved.
    """
    return count_found(lists, measure) / measure.depth


@measure_named("R", TREC_EVAL, aliases=("Recall",), cutoff="required", credited="hits")
def _recall(lists: JudgedLists, measure: Measure) -> Floats:
    """recall: share of the relevant documents among the first k results

    trec_eval's `recall`: of all documents judged relevant; 0 where there is none.
    """
    return quotient(count_found(lists, measure), count_known(lists, measure))


@measure_named(
    "AP",
    "Buckley and Voorhees, SIGIR 2000",
    aliases=("MAP",),
    cutoff="optional",
    credited="truths",
)
def _average_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """average precision over the relevant documents

    trec_eval's `map` and `map_cut`. Divided by all relevant documents, also where the cutoff is
    smaller than their number; 0 where there is none.
    """
    return quotient(summed_precision(lists, measure), count_known(lists, measure))


measure_named(
    "GMAP",
    TREC_EVAL,
    summary="AP whose mean over the queries is the geometric one",
    average=geometric_mean,
    credited="truths",
)(_average_precision)


@measure_named("Success", TREC_EVAL, aliases=("Hit",), cutoff="required", credited="results")
def _success(lists: JudgedLists, measure: Measure) -> Floats:
    """1 where one of the first k results is relevant, else 0

    trec_eval's `success`. Elsewhere called hit rate, and at times recall@k, wrongly.
    """
    return (count_found(lists, measure) > 0).astype(np.float64)


@measure_named(
    "Judged",
    "the code of ir_measures",
    cutoff="optional",
    condenses=False,
    quality=False,
    parameters=(),
)
def _judged(lists: JudgedLists, measure: Measure) -> Floats:  # noqa: ARG001 - a measure's signature
    """share of the first k results, or of all, that is judged

    Divided by what was retrieved where that is less than k; 0 where nothing was. ir_measures breaks
    ties by ascending doc_id, and takes a negative grade for a judgment.
    """
    return quotient(lists.judged, lists.retrieved)


@measure_named(
    "Unjudged", TREC_EVAL, cutoff="required", condenses=False, quality=False, parameters=()
)
def _unjudged(lists: JudgedLists, measure: Measure) -> Floats:
    """unjudged documents among the first k results, over k

    trec_eval 10's `unj`: divided by k even where fewer than k documents were retrieved, so that it
    is not 1 - Judged@k for short lists. trec_eval -J always says 0.
    """
    return (lists.retrieved - lists.judged) / measure.depth


@measure_named("Rprec", TREC_EVAL, aliases=("RPrec",), own_depth=True, credited="results")
def _r_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """precision after as many results as there are relevant documents

    trec_eval's `Rprec`; 0 where there is no relevant document.
    """
    known = count_known(lists, measure)
    return quotient(count_found_within(lists, measure, known), known)


# Measures for judgments that are not complete, and models of readers.


@measure_named("Bpref", "Buckley and Voorhees, SIGIR 2004", aliases=("BPref",))
def _bpref(lists: JudgedLists, measure: Measure) -> Floats:
    """share of judged nonrelevant documents that relevant ones are ranked before

    trec_eval's `bpref`. Each relevant document that was retrieved adds 1 less the share of the
    first min(R, N) judged nonrelevant documents that stand before it, R relevant and N not being
    known; divided by R.
    """
    relevant, known = is_relevant(lists, measure), count_known(lists, measure)
    least = np.minimum(lists.queries.judged[lists.query] - known, known)
    of_list = lists.list[relevant]
    before = _place(lists)[relevant] - lists.numbered(relevant)
    worth = 1.0 - np.minimum(before, known[of_list]) / np.maximum(least[of_list], 1)
    return quotient(lists.sum(np.where(before > 0, worth, 1.0), relevant), known)


measure_named(
    "GMBpref",
    TREC_EVAL,
    summary="Bpref whose mean over the queries is the geometric one",
    average=geometric_mean,
)(_bpref)


def _place(lists: JudgedLists) -> Ints:
    """Return int64[hits]: 1, 2, … among the judged documents of its list."""
    return lists.condensed.rank


_EPSILON = 0.00001


@measure_named("infAP", "Yilmaz and Aslam, CIKM 2006")
def _inferred_ap(lists: JudgedLists, measure: Measure) -> Floats:
    """AP inferred from a pool of which a sample was judged

    trec_eval's `infAP`. Pooled documents that nobody judged (a negative grade) are taken to be
    relevant as often as the judged ones before the same rank; what was never pooled is not.
    Smoothed by 0.00001, so that it is never AP to the last digit.
    """
    chosen = is_relevant(lists, measure)
    rank, relevant = lists.rank[chosen], lists.numbered(chosen) - 1
    judged = _place(lists)[chosen] - 1
    pooled = lists.pooled_before(chosen)
    before = np.maximum(rank - 1, 1)
    inferred = 1.0 / rank + ((rank - 1) / rank) * ((judged + pooled) / before) * (
        (relevant + _EPSILON) / (judged + 2 * _EPSILON)
    )
    worth = np.where(rank == 1, 1.0, inferred)
    return quotient(lists.sum(worth, chosen), count_known(lists, measure))


@measure_named(
    "RBP",
    "Moffat and Zobel, TOIS 27(1), 2008",
    cutoff="optional",
    parameters=(PERSISTENCE, REL),
)
def _rank_biased_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """rank-biased precision with persistence p

    (1 - p) times the sum of p^(rank - 1) over the relevant, as in ir_measures' RBP(rel=1).
    trec_eval 10's `rbp` (p = 0.9) is the same where all grades are 0 or 1; with other grades it
    normalises by variables that it never sets.
    """
    return _biased(lists, measure.number("p"), is_relevant(lists, measure))


def _biased(lists: JudgedLists, p: float, where: Bools) -> Floats:
    """Return float64[lists]: how much of a reader's attention the chosen documents have."""
    weights = of_each(lambda rank: p ** (rank - 1), lists.rank[where])
    return (1.0 - p) * lists.sum(weights, where)


@measure_named(
    "RBPResidual",
    "Moffat and Zobel, TOIS 27(1), 2008",
    parameters=(PERSISTENCE,),
    condenses=False,
    quality=False,
)
def _residual(lists: JudgedLists, measure: Measure) -> Floats:
    """how much RBP could still gain from what nobody judged

    1 less the weights of judged results, so that all that follow the last one count. trec_eval
    10's `rbp_resid` says 0 where every result is judged.
    """
    return 1.0 - _biased(lists, measure.number("p"), np.ones(len(lists.rank), bool))


_MAX_REL = Parameter(
    "max_rel",
    4,
    checked(whole_number, lambda greatest: greatest <= 1000),
    "a whole number from 1 to 1000",
)


def satisfaction_of(measure: Measure) -> Callable[[int], float]:
    """Return how likely a document of a grade satisfies by ERR. That raises `UsageError` for a
    grade above `max_rel`."""
    greatest = int(measure.number("max_rel"))
    whole = 2.0**greatest

    def satisfaction(grade: int) -> float:
        if grade > greatest:
            raise UsageError(
                f"the qrels hold grade {grade}, above the greatest that {measure} knows,"
                f" {greatest}",
                f"write ERR(max_rel={grade})",
            )
        return (2.0**grade - 1) / whole

    return satisfaction


@measure_named("ERR", "Chapelle et al., CIKM 2009", cutoff="optional", parameters=(_MAX_REL,))
def _expected_reciprocal_rank(lists: JudgedLists, measure: Measure) -> Floats:
    """expected reciprocal rank; max_rel is the greatest grade of the scale

    A document of grade g satisfies with (2^g - 1) / 2^max_rel. gdeval.pl of TREC, which ir_measures
    runs, knows grades up to 4, rounds to five decimals, and leaves out queries whose documents all
    have grade 0, which score 0 here. Raises `UsageError` where the qrels hold a grade above
    `max_rel`.
    """
    satisfaction = satisfaction_of(measure)
    satisfaction(int(lists.queries.grade.max(initial=0)))  # refused wherever it stands
    satisfied = of_each(satisfaction, lists.grade)
    goes_on = (1 - satisfied).tolist()
    # A reader comes to a document with what all those before it have left over.
    reading = [
        accumulate(goes_on[begin : end - 1], mul, initial=1.0)
        for begin, end in pairwise(lists.start.tolist())
        if begin < end
    ]
    still_reading = np.array(list(chain.from_iterable(reading)), dtype=np.float64)
    return lists.sum(satisfied * still_reading / lists.rank)
