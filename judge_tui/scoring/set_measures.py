"""Measures of results as a set, at levels of recall, what is counted, and those of trec_eval that
few ask for."""

from __future__ import annotations

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.scoring.judged_lists import JudgedLists
from judge_tui.scoring.measure import (
    REL,
    ROUNDING,
    Measure,
    Parameter,
    checked,
    number,
)
from judge_tui.scoring.measures import (
    TREC_EVAL,
    count_found,
    count_found_within,
    count_known,
    is_relevant,
    measure_named,
    quotient,
    refuse_grades,
)
from judge_tui.sums import total

# The results as a set, whatever their order.


@measure_named("SetP", TREC_EVAL, cutoff="optional", credited="results")
def _set_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """share of all results that is relevant"""
    return quotient(count_found(lists, measure), lists.retrieved)


@measure_named("SetR", TREC_EVAL, cutoff="optional", credited="hits")
def _set_recall(lists: JudgedLists, measure: Measure) -> Floats:
    """share of the relevant documents among all results

    trec_eval's `set_recall`: of all documents judged relevant.
    """
    return quotient(count_found(lists, measure), count_known(lists, measure))


_BETA = Parameter("beta", 1.0, checked(number, lambda beta: beta >= 0), "a number from 0")


@measure_named("SetF", TREC_EVAL, cutoff="optional", parameters=(REL, _BETA))
def _set_f(lists: JudgedLists, measure: Measure) -> Floats:
    """harmonic mean of SetP and SetR; beta (not squared) weighs recall

    trec_eval's `set_F`, which ir_measures runs: (beta + 1) P R / (beta P + R).
    The F2 of van Rijsbergen and of scikit-learn, where beta is squared, is SetF(beta=4).
    """
    precision, recall = _set_precision(lists, measure), _set_recall(lists, measure)
    beta = measure.number("beta")
    return quotient((beta + 1.0) * precision * recall, beta * precision + recall)


@measure_named("SetAP", TREC_EVAL, cutoff="optional")
def _set_average_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """SetP times SetR"""
    found = count_found(lists, measure)
    return quotient(found * found, lists.retrieved * count_known(lists, measure))


@measure_named("SetRelP", TREC_EVAL, cutoff="optional")
def _set_relative_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """SetP over the greatest it could be for a list of that length"""
    return quotient(
        count_found(lists, measure), np.minimum(lists.retrieved, count_known(lists, measure))
    )


# Precision at levels of recall, and other averages.

_RECALL = Parameter(
    "recall", 0.1, checked(number, lambda recall: 0 <= recall <= 1), "a number from 0 to 1"
)
_LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@measure_named("IPrec", TREC_EVAL, parameters=(REL, ROUNDING), at=_RECALL)
def _interpolated_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """best precision at a level of recall or above it, the level rounded as by trec_eval 9

    trec_eval's `iprec_at_recall`; 0 where the level was not reached, which takes recall * R of the
    R relevant documents, rounded (`ROUNDING`). Of an empty list (under `judged_only`) trec_eval has
    0 / 0.
    """
    return _best_precision_from(lists, measure, measure.number("recall"))


def _best_precision_from(lists: JudgedLists, measure: Measure, recall: float) -> Floats:
    """Return float64[lists]: the best where a level of recall is reached, or behind."""
    relevant = is_relevant(lists, measure)
    of_list, found = lists.list[relevant], lists.numbered(relevant)
    exact = recall * count_known(lists, measure)
    whole = np.floor(exact)
    nearest = measure.parameter("rounding") == "nearest"
    wanted = whole + (exact - whole >= 0.5) if nearest else np.floor(exact + 0.9)
    enough = found >= wanted[of_list]
    best = np.zeros(len(lists))
    np.maximum.at(best, of_list[enough], (found / lists.rank[relevant])[enough])
    return best


@measure_named("IPrecAvg", TREC_EVAL, parameters=(REL, ROUNDING))
def _mean_interpolated_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """mean of IPrec at eleven levels of recall, rounded likewise"""
    added_up = np.zeros(len(lists))
    for recall in reversed(_LEVELS):
        added_up += _best_precision_from(lists, measure, recall)
    return added_up / len(_LEVELS)


# How much there was; summed over the queries.


@measure_named(
    "NumQ",
    TREC_EVAL,
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


@measure_named("NumRet", TREC_EVAL, average=total, quality=False, credited="results", parameters=())
def _retrieved(lists: JudgedLists, measure: Measure) -> Floats:  # noqa: ARG001 - as above
    """number of results

    trec_eval's `num_ret`: results, after the list was cut or condensed.
    """
    return lists.retrieved.astype(np.float64)


@measure_named(
    "NumRel", TREC_EVAL, average=total, quality=False, credited="hits", looks_at_results=False
)
def _relevant_known(lists: JudgedLists, measure: Measure) -> Floats:
    """number of relevant documents in the qrels

    trec_eval's `num_rel`. Under `complete` those of queries that the run does not answer count too;
    trec_eval -c then takes every grade above 0 for relevant in the sum, whatever -l says.
    """
    return count_known(lists, measure).astype(np.float64)


@measure_named("NumRelRet", TREC_EVAL, average=total, credited="hits")
def _relevant_retrieved(lists: JudgedLists, measure: Measure) -> Floats:
    """number of relevant documents among the results

    trec_eval's `num_rel_ret`; ir_measures writes it NumRet(rel=1).
    """
    return count_found(lists, measure).astype(np.float64)


@measure_named("NumNonrelRet", TREC_EVAL, average=total, quality=False)
def _nonrelevant_retrieved(lists: JudgedLists, measure: Measure) -> Floats:
    """number of results judged not relevant"""
    return lists.count(~is_relevant(lists, measure)).astype(np.float64)


# Measures of trec_eval that few ask for.


@measure_named("RelP", TREC_EVAL, cutoff="required")
def _relative_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """P@k over the greatest it could be, as many documents being relevant

    trec_eval's `relative_P`: precision up to rank R, recall from there on.
    """
    return quotient(
        count_found(lists, measure), np.minimum(measure.depth, count_known(lists, measure))
    )


_MULTIPLE = Parameter(
    "multiple",
    1.0,
    checked(number, lambda multiple: 0 <= multiple <= 1000),
    "a number from 0 to 1000",
)


@measure_named("RprecMult", TREC_EVAL, at=_MULTIPLE, own_depth=True)
def _multiple_precision(lists: JudgedLists, measure: Measure) -> Floats:
    """precision at a multiple of the number of relevant documents

    trec_eval's `Rprec_mult`: precision at rank floor(multiple * R + 0.9); 0 where that is 0.
    """
    depth = (measure.number("multiple") * count_known(lists, measure) + 0.9).astype(np.int64)
    return quotient(count_found_within(lists, measure, depth), depth)


@measure_named("Utility", TREC_EVAL)
def _utility(lists: JudgedLists, measure: Measure) -> Floats:
    """number of relevant results less that of all others

    trec_eval's `utility` with its usual weights, 1 and -1; an unjudged result is one of the others.
    """
    return (2 * count_found(lists, measure) - lists.retrieved).astype(np.float64)


# What comes first, as answers demand it.

measure_named(
    "Prefer",
    "judge_tui",
    summary="1 where a document of the better kind precedes any worse one, else 0; by answers",
    demand="prefer",
    parameters=(),
)(refuse_grades)

measure_named(
    "Authority",
    "judge_tui",
    summary="1 where result 1 is of the highest source in the list, else 0; by answers",
    demand="authority",
    parameters=(),
)(refuse_grades)
