"""The measures, each of many lists at once, with its paper and where the tools differ.

A measure gets lists that are cut at its cutoff already, and gives a value for each. It is made of
counts and of sums taken in the order of ranks, so that its last digit is trec_eval's.

A new measure is a function here under `@_measure`. Where judging more can be bounded, `STRATEGIES`
(`bounds`) names how; where trec_eval has it, `TREC_NAMES` (`trec_names`) has its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import accumulate, chain, pairwise
from math import log2
from operator import mul
from typing import Any, TypeVar, cast

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.errors import UsageError
from judge_tui.scoring.gains import g_of, gain_of, ideal_gains, ndcg_rel_of, one_by_one, rndcg_of
from judge_tui.scoring.judged_lists import JudgedLists, of_each
from judge_tui.scoring.measure import (
    GAINS,
    PERSISTENCE,
    REL,
    ROUNDING,
    Definition,
    Measure,
    Parameter,
    Points,
    checked,
    choice,
    geometric_mean,
    number,
    whole_number,
)
from judge_tui.sums import total

__all__ = ["DEFAULT_MEASURES", "MEASURES"]

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "P@5", "R@100", "AP", "Judged@10")

_measures: dict[str, Definition] = {}

MEASURES: Mapping[str, Definition] = _measures
"""By name, in the order in which help and tables list them."""

ValueOf = TypeVar("ValueOf", bound=Callable[[JudgedLists, Measure], Floats])


def _measure(name: str, **fields: Any) -> Callable[[ValueOf], ValueOf]:
    """Enter a function in the registry; the first line of its docstring is the summary.

    `fields`: those of `Definition`. Without them a measure has no cutoff and one parameter, `rel`.
    """

    def enter(value: ValueOf) -> ValueOf:
        summary = (value.__doc__ or name).splitlines()[0]
        usual = {"summary": summary, "cutoff": "none", "parameters": (REL,)}
        _measures[name] = Definition(name, value=value, **{**usual, **fields})
        return value

    return enter


def _relevant(lists: JudgedLists, measure: Measure) -> Bools:
    """Return bool[hits]: which have a grade that counts as relevant."""
    return lists.grade >= measure.rel


def _found(lists: JudgedLists, measure: Measure) -> Ints:
    """Return int64[lists]: the relevant documents that were retrieved."""
    return lists.count(_relevant(lists, measure))


def _known(lists: JudgedLists, measure: Measure) -> Ints:
    """Return int64[lists]: R, the relevant documents of the query, retrieved or not."""
    return lists.relevant_known(measure.rel)


def _over(part: Ints | Floats, whole: Ints | Floats) -> Floats:
    """Return the quotient, and 0 where there is no part."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=part != 0)


# Measures that most people ask for.


@_measure(
    "nDCG",
    aliases=("NDCG",),
    cutoff="optional",
    parameters=(choice("dcg", "log2", "exp-log2", default="log2"), GAINS),
    credited="truths",
)
def _ndcg(lists: JudgedLists, measure: Measure) -> Floats:
    """normalised discounted cumulative gain

    Jarvelin and Kekalainen, TOIS 20(4), 2002; trec_eval's `ndcg` and `ndcg_cut`; discount
    log2(rank + 1). The gain is the grade; 2^grade - 1 with dcg='exp-log2' (Burges et al., ICML
    2005); or one of `gains` (trec_eval `ndcg.1=3.5`), 0 and less among them. The ideal list is of
    all judged documents that gain anything, cut at the same rank; a query without one scores 0.
    trec_eval's ideal is wrong where given gains are less than 1 apart: it sorts whole numbers.
    """
    query, rank, best = ideal_gains(lists.known, measure)
    weights = best / _log2(rank + 1)
    ideal = np.bincount(query, weights=weights, minlength=len(lists.known))[lists.query]
    dcg = lists.sum(of_each(gain_of(measure), lists.grade) / _log2(lists.rank + 1))
    return np.divide(dcg, ideal, out=np.zeros(len(lists)), where=ideal != 0)


def _log2(values: Ints) -> Floats:
    return of_each(log2, values)


@_measure("RR", aliases=("MRR",), cutoff="optional", credited="truths")
def _reciprocal_rank(lists: JudgedLists, measure: Measure) -> Floats:
    """reciprocal rank of the first relevant document

    Kantor and Voorhees, Information Retrieval 2, 2000; trec_eval's `recip_rank`. With a cutoff,
    ir_measures breaks ties as the script of MS MARCO does, by ascending doc_id.
    """
    relevant = _relevant(lists, measure)
    with_one, first = np.unique(lists.list[relevant], return_index=True)
    values = np.zeros(len(lists))
    values[with_one] = 1.0 / lists.rank[relevant][first]
    return values


@_measure("P", aliases=("Precision",), cutoff="required", credited="results")
def _precision(lists: JudgedLists, measure: Measure) -> Floats:
    """precision: share of the first k results that is relevant

    trec_eval's `P`: divided by k even where fewer than k documents were retrieved.
    """
    return _found(lists, measure) / measure.depth


@_measure("R", aliases=("Recall",), cutoff="required", credited="hits")
def _recall(lists: JudgedLists, measure: Measure) -> Floats:
    """recall: share of the relevant documents among the first k results

    trec_eval's `recall`: of all documents judged relevant; 0 where there is none.
    """
    return _over(_found(lists, measure), _known(lists, measure))


@_measure("AP", aliases=("MAP",), cutoff="optional", credited="truths")
def _average_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """average precision over the relevant documents

    Buckley and Voorhees, SIGIR 2000; trec_eval's `map` and `map_cut`. Divided by all relevant
    documents, also where the cutoff is smaller than their number; 0 where there is none.
    """
    return _over(_summed_precision(lists, measure), _known(lists, measure))


def _summed_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """Return float64[lists]: the precision at each relevant document that was retrieved, summed
    up."""
    relevant = _relevant(lists, measure)
    return lists.sum(lists.numbered(relevant) / lists.rank[relevant], relevant)


@_measure("Success", aliases=("Hit",), cutoff="required", credited="results")
def _success(lists: JudgedLists, measure: Measure) -> Floats:
    """1 where one of the first k results is relevant, else 0

    trec_eval's `success`. Elsewhere called hit rate, and at times recall@k, wrongly.
    """
    return (_found(lists, measure) > 0).astype(np.float64)


@_measure("Judged", cutoff="optional", condenses=False, quality=False, parameters=())
def _judged(lists: JudgedLists, measure: Measure) -> Floats:  # noqa: ARG001 - a measure's signature
    """share of the first k results, or of all, that is judged

    ir_measures' `Judged`, divided by what was retrieved where that is less than k; 0 where nothing
    was. ir_measures breaks ties by ascending doc_id, and takes a negative grade for a judgment.
    """
    return _over(lists.judged, lists.retrieved)


@_measure("Unjudged", cutoff="required", condenses=False, quality=False, parameters=())
def _unjudged(lists: JudgedLists, measure: Measure) -> Floats:
    """unjudged documents among the first k results, over k

    trec_eval 10's `unj`: divided by k even where fewer than k documents were retrieved, so that it
    is not 1 - Judged@k for short lists. trec_eval -J always says 0.
    """
    return (lists.retrieved - lists.judged) / measure.depth


@_measure("Rprec", aliases=("RPrec",), own_depth=True, credited="results")
def _r_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """precision after as many results as there are relevant documents

    trec_eval's `Rprec`; 0 where there is no relevant document.
    """
    known = _known(lists, measure)
    return _over(_found_within(lists, measure, known), known)


def _found_within(lists: JudgedLists, measure: Measure, depth: Ints) -> Ints:
    """Return int64[lists]: the relevant documents among the first `depth` (int64[lists])
    results."""
    return lists.count(_relevant(lists, measure) & (lists.rank <= depth[lists.list]))


# Measures for judgments that are not complete, and models of readers.


@_measure("Bpref", aliases=("BPref",))
def _bpref(lists: JudgedLists, measure: Measure) -> Floats:
    """share of judged nonrelevant documents that relevant ones are ranked before

    Buckley and Voorhees, SIGIR 2004, in the form of trec_eval's `bpref`. Each relevant document
    that was retrieved adds 1 less the share of the first min(R, N) judged nonrelevant documents
    that stand before it, R relevant and N not being known; divided by R.
    """
    relevant, known = _relevant(lists, measure), _known(lists, measure)
    least = np.minimum(lists.known.judged[lists.query] - known, known)
    of_list = lists.list[relevant]
    before = _place(lists)[relevant] - lists.numbered(relevant)
    worth = 1.0 - np.minimum(before, known[of_list]) / np.maximum(least[of_list], 1)
    return _over(lists.sum(np.where(before > 0, worth, 1.0), relevant), known)


def _place(lists: JudgedLists) -> Ints:
    """Return int64[hits]: 1, 2, … among the judged documents of its list."""
    return lists.condensed.rank


_EPSILON = 0.00001


@_measure("infAP")
def _inferred_ap(lists: JudgedLists, measure: Measure) -> Floats:
    """AP inferred from a pool of which a sample was judged

    Yilmaz and Aslam, CIKM 2006; trec_eval's `infAP`. Pooled documents that nobody judged (a
    negative grade) are taken to be relevant as often as the judged ones before the same rank; what
    was never pooled is not. Smoothed by 0.00001, so that it is never AP to the last digit.
    """
    chosen = _relevant(lists, measure)
    rank, relevant = lists.rank[chosen], lists.numbered(chosen) - 1
    judged = _place(lists)[chosen] - 1
    pooled = lists.pooled_before(chosen)
    before = np.maximum(rank - 1, 1)
    inferred = 1.0 / rank + ((rank - 1) / rank) * ((judged + pooled) / before) * (
        (relevant + _EPSILON) / (judged + 2 * _EPSILON)
    )
    worth = np.where(rank == 1, 1.0, inferred)
    return _over(lists.sum(worth, chosen), _known(lists, measure))


@_measure("RBP", cutoff="optional", parameters=(PERSISTENCE, REL))
def _rank_biased_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """rank-biased precision with persistence p

    Moffat and Zobel, TOIS 27(1), 2008: (1 - p) times the sum of p^(rank - 1) over the relevant, as
    in ir_measures' RBP(rel=1). trec_eval 10's `rbp` (p = 0.9) is the same where all grades are 0 or
    1; with other grades it normalises by variables that it never sets.
    """
    return _biased(lists, measure.number("p"), _relevant(lists, measure))


def _biased(lists: JudgedLists, p: float, where: Bools) -> Floats:
    """Return float64[lists]: how much of a reader's attention the chosen documents have."""
    weights = of_each(lambda rank: p ** (rank - 1), lists.rank[where])
    return (1.0 - p) * lists.sum(weights, where)


@_measure("RBPResidual", parameters=(PERSISTENCE,), condenses=False, quality=False)
def _residual(lists: JudgedLists, measure: Measure) -> Floats:
    """how much RBP could still gain from what nobody judged

    Moffat and Zobel, TOIS 27(1), 2008: 1 less the weights of judged results, so that all that
    follow the last one count. trec_eval 10's `rbp_resid` says 0 where every result is judged.
    """
    return 1.0 - _biased(lists, measure.number("p"), np.ones(len(lists.rank), bool))


_MAX_REL = Parameter(
    "max_rel",
    4,
    checked(whole_number, lambda greatest: greatest <= 1000),
    "a whole number from 1 to 1000",
)


@_measure("ERR", cutoff="optional", parameters=(_MAX_REL,))
def _expected_reciprocal_rank(lists: JudgedLists, measure: Measure) -> Floats:
    """expected reciprocal rank; max_rel is the greatest grade of the scale

    Chapelle et al., CIKM 2009: a document of grade g satisfies with (2^g - 1) / 2^max_rel.
    gdeval.pl of TREC, which ir_measures runs, knows grades up to 4, rounds to five decimals, and
    leaves out queries whose documents all have grade 0, which score 0 here. Raises `UsageError`
    where the qrels hold a grade above `max_rel`.
    """
    greatest = int(measure.number("max_rel"))
    there = int(lists.known.grade.max(initial=0))
    if there > greatest:
        raise UsageError(
            f"the qrels hold grade {there}, above the greatest that {measure} knows, {greatest}",
            f"name the greatest grade of the scale: ERR(max_rel={there})",
        )
    whole = 2.0**greatest
    satisfied = of_each(lambda grade: (2.0**grade - 1) / whole, lists.grade)
    goes_on = (1 - satisfied).tolist()
    # A reader comes to a document with what all those before it have left over.
    reading = [
        accumulate(goes_on[begin : end - 1], mul, initial=1.0)
        for begin, end in pairwise(lists.start.tolist())
        if begin < end
    ]
    still_reading = np.array(list(chain.from_iterable(reading)), dtype=np.float64)
    return lists.sum(satisfied * still_reading / lists.rank)


# The results as a set, whatever their order.


@_measure("SetP", cutoff="optional", credited="results")
def _set_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """share of all results that is relevant

    trec_eval's `set_P`.
    """
    return _over(_found(lists, measure), lists.retrieved)


@_measure("SetR", cutoff="optional", credited="hits")
def _set_recall(lists: JudgedLists, measure: Measure) -> Floats:
    """share of the relevant documents among all results

    trec_eval's `set_recall`: of all documents judged relevant.
    """
    return _over(_found(lists, measure), _known(lists, measure))


_BETA = Parameter("beta", 1.0, checked(number, lambda beta: beta >= 0), "a number from 0")


@_measure("SetF", cutoff="optional", parameters=(REL, _BETA))
def _set_f(lists: JudgedLists, measure: Measure) -> Floats:
    """harmonic mean of SetP and SetR; beta (not squared) weighs recall

    trec_eval's `set_F`, which ir_measures runs: (beta + 1) P R / (beta P + R).
    The F2 of van Rijsbergen and of scikit-learn, where beta is squared, is SetF(beta=4).
    """
    precision, recall = _set_precision(lists, measure), _set_recall(lists, measure)
    beta = measure.number("beta")
    return _over((beta + 1.0) * precision * recall, beta * precision + recall)


@_measure("SetAP", cutoff="optional")
def _set_average_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """SetP times SetR

    trec_eval's `set_map`.
    """
    found = _found(lists, measure)
    return _over(found * found, lists.retrieved * _known(lists, measure))


@_measure("SetRelP", cutoff="optional")
def _set_relative_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """SetP over the greatest it could be for a list of that length

    trec_eval's `set_relative_P`.
    """
    return _over(_found(lists, measure), np.minimum(lists.retrieved, _known(lists, measure)))


# Precision at levels of recall, and other averages.

_RECALL = Parameter(
    "recall", 0.1, checked(number, lambda recall: 0 <= recall <= 1), "a number from 0 to 1"
)
_POINTS = Parameter(
    "points",
    Points((0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)),
    Points.read,
    "levels of recall, such as '0.2,0.5,0.8'",
)


@_measure("IPrec", parameters=(REL, ROUNDING), at=_RECALL)
def _interpolated_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """best precision at a level of recall or above it, the level rounded as by trec_eval 9

    trec_eval's `iprec_at_recall`; 0 where the level was not reached, which takes recall * R of the
    R relevant documents, rounded (`ROUNDING`). Of an empty list (under `judged_only`) trec_eval has
    0 / 0.
    """
    return _best_precision_from(lists, measure, measure.number("recall"))


def _best_precision_from(lists: JudgedLists, measure: Measure, recall: float) -> Floats:
    """Return float64[lists]: the best where a level of recall is reached, or behind."""
    relevant = _relevant(lists, measure)
    of_list, found = lists.list[relevant], lists.numbered(relevant)
    exact = recall * _known(lists, measure)
    whole = np.floor(exact)
    nearest = measure.parameter("rounding") == "nearest"
    wanted = whole + (exact - whole >= 0.5) if nearest else np.floor(exact + 0.9)
    enough = found >= wanted[of_list]
    best = np.zeros(len(lists))
    np.maximum.at(best, of_list[enough], (found / lists.rank[relevant])[enough])
    return best


@_measure("IPrecAvg", parameters=(REL, _POINTS, ROUNDING))
def _mean_interpolated_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """mean of IPrec at eleven levels of recall, rounded likewise

    trec_eval's `11pt_avg`; or at the levels that are given.
    """
    points = cast(Points, measure.parameter("points"))
    added_up = np.zeros(len(lists))
    for recall in reversed(points):
        added_up += _best_precision_from(lists, measure, recall)
    return added_up / len(points)


_measure(
    "GMAP",
    summary="AP whose mean over the queries is the geometric one",
    average=geometric_mean,
    credited="truths",
)(_average_precision)

_measure(
    "GMBpref",
    summary="Bpref whose mean over the queries is the geometric one",
    average=geometric_mean,
)(_bpref)


# How much there was; summed over the queries.


@_measure(
    "NumQ",
    average=total,
    quality=False,
    credited="results",
    looks_at_results=False,
    parameters=(),
)
def _queries(lists: JudgedLists, measure: Measure) -> Floats:  # noqa: ARG001 - as above
    """number of queries averaged over

    trec_eval's `num_q`: all of the qrels' under `complete`.
    """
    return np.ones(len(lists))


@_measure("NumRet", average=total, quality=False, credited="results", parameters=())
def _retrieved(lists: JudgedLists, measure: Measure) -> Floats:  # noqa: ARG001 - as above
    """number of results

    trec_eval's `num_ret`: results, after the list was cut or condensed.
    """
    return lists.retrieved.astype(np.float64)


@_measure("NumRel", average=total, quality=False, credited="hits", looks_at_results=False)
def _relevant_known(lists: JudgedLists, measure: Measure) -> Floats:
    """number of relevant documents in the qrels

    trec_eval's `num_rel`. Under `complete` those of queries that the run does not answer count too;
    trec_eval -c then takes every grade above 0 for relevant in the sum, whatever -l says.
    """
    return _known(lists, measure).astype(np.float64)


@_measure("NumRelRet", average=total, credited="hits")
def _relevant_retrieved(lists: JudgedLists, measure: Measure) -> Floats:
    """number of relevant documents among the results

    trec_eval's `num_rel_ret`; ir_measures writes it NumRet(rel=1).
    """
    return _found(lists, measure).astype(np.float64)


@_measure("NumNonrelRet", average=total, quality=False)
def _nonrelevant_retrieved(lists: JudgedLists, measure: Measure) -> Floats:
    """number of results judged not relevant

    trec_eval's `num_nonrel_judged_ret`.
    """
    return lists.count(~_relevant(lists, measure)).astype(np.float64)


# Measures of trec_eval that few ask for.


@_measure("RelP", cutoff="required")
def _relative_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """P@k over the greatest it could be, as many documents being relevant

    trec_eval's `relative_P`: precision up to rank R, recall from there on.
    """
    return _over(_found(lists, measure), np.minimum(measure.depth, _known(lists, measure)))


_MULTIPLE = Parameter(
    "multiple",
    1.0,
    checked(number, lambda multiple: 0 <= multiple <= 1000),
    "a number from 0 to 1000",
)


@_measure("RprecMult", at=_MULTIPLE, own_depth=True)
def _multiple_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """precision at a multiple of the number of relevant documents

    trec_eval's `Rprec_mult`: precision at rank floor(multiple * R + 0.9); 0 where that is 0.
    """
    depth = (measure.number("multiple") * _known(lists, measure) + 0.9).astype(np.int64)
    return _over(_found_within(lists, measure, depth), depth)


@_measure("nDCGRel", parameters=(GAINS,))
def _ndcg_rel(lists: JudgedLists, measure: Measure) -> Floats:
    """nDCG averaged over the ranks of the documents that gain

    trec_eval's experimental `ndcg_rel`. A document that was not retrieved counts with nDCG of the
    whole list. 0 where nothing gains.
    """
    return one_by_one(lists, measure, ndcg_rel_of)


@_measure("Rndcg", parameters=(REL, GAINS))
def _r_ndcg(lists: JudgedLists, measure: Measure) -> Floats:
    """nDCG averaged over the ranks where the ideal list changes its grade

    trec_eval's experimental `Rndcg`. With 5 documents of grade 2 and 3 of grade 1, at ranks 5 and
    8, and once more at the end of the list where that lies behind rank 9 (not behind rank 8, in
    trec_eval). 0 where there is no document of grade `rel`, or none that gains.
    """
    values = one_by_one(lists, measure, rndcg_of)
    return np.where(_known(lists, measure) > 0, values, 0.0)


@_measure("G", parameters=(GAINS,))
def _g(lists: JudgedLists, measure: Measure) -> Floats:
    """gain discounted by how much better the results before could have been

    trec_eval's experimental `G` (2008). A document at rank i adds gain / log2(2 + cost - gained):
    `gained` is what the first i results gained, `cost` what the best i would, each taken for at
    least 1. Divided by the gain of all documents; 0 where nothing gains.
    """
    return one_by_one(lists, measure, g_of)


@_measure("BinG")
def _binary_g(lists: JudgedLists, measure: Measure) -> Floats:
    """relevant documents discounted by the results before that are not relevant

    trec_eval's experimental `binG` (2008): 1 / log2(2 + results before that are not relevant),
    averaged over the relevant documents.
    """
    relevant = _relevant(lists, measure)
    before = lists.rank[relevant] - lists.numbered(relevant)
    return _over(lists.sum(1.0 / _log2(2 + before), relevant), _known(lists, measure))


@_measure("YAAP")
def _yet_another_average_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """average precision on a logarithmic scale

    Robertson, ECIR 2012; trec_eval's `yaap`: log((1 + S) / (1 + R - S)), S the summed precision
    and R the number of relevant documents. Below 0 where AP is below one half.
    """
    precision = _summed_precision(lists, measure)
    odds = (1.0 + precision) / (1.0 + _known(lists, measure) - precision)
    return np.array([math.log(one) for one in odds.tolist()])


@_measure(
    "Utility",
    parameters=(
        REL,
        Parameter("hit", 1.0, number, "a number"),
        Parameter("noise", -1.0, number, "a number"),
        Parameter("miss", 0.0, number, "a number"),
    ),
)
def _utility(lists: JudgedLists, measure: Measure) -> Floats:
    """sum of what relevant results, other results and missed documents are worth

    trec_eval's `utility`: the relevant results (`hit`), the others (`noise`, unjudged ones too) and
    the relevant documents that were not retrieved (`miss`), weighted. Its fourth weight is of the
    whole collection, which is not known here.
    """
    found = _found(lists, measure)
    hit, noise, miss = map(measure.number, ("hit", "noise", "miss"))
    missed = _known(lists, measure) - found
    utility: Floats = hit * found + noise * (lists.retrieved - found) + miss * missed
    return utility


# Whether what the answers want first comes first (`scoring.order`).


@_measure(
    "Prefer",
    summary="1 where a document of the better kind precedes any worse one, else 0; by answers",
    demand="prefer",
    parameters=(),
)
def _of_order(_: JudgedLists, measure: Measure) -> Floats:
    raise UsageError(
        f"{measure} is about the order of results, of which grades say nothing",
        "judge-tui score and compare measure it, by answers that say what is to come first",
    )


_measure(
    "Authority",
    summary="1 where result 1 is of the highest source in the list, else 0; by answers",
    demand="authority",
    parameters=(),
)(_of_order)
