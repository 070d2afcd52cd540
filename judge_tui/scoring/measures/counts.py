"""NumQ, NumRet, NumRel, NumRelRet, NumNonrelRet: how much there was; summed over the queries."""

from __future__ import annotations

from judge_tui.scoring.measure import REL, Definition, Measure, total
from judge_tui.scoring.seen import Known, Seen

__all__ = ["NUM_NONREL_RET", "NUM_Q", "NUM_REL", "NUM_REL_RET", "NUM_RET"]


def _one(seen: Seen, measure: Measure) -> float:  # noqa: ARG001 - a measure's signature
    """trec_eval's `num_q`: the queries averaged over, all of the qrels' under `complete`."""
    return 1.0


def _one_missing(known: Known, measure: Measure) -> float:  # noqa: ARG001 - as above
    return 1.0


def _retrieved(seen: Seen, measure: Measure) -> float:  # noqa: ARG001 - as above
    """trec_eval's `num_ret`: results, after the list was cut or condensed."""
    return float(seen.retrieved)


def _relevant(seen: Seen, measure: Measure) -> float:
    """trec_eval's `num_rel`: documents judged relevant.

    Under `complete` those of queries that the run does not answer count too. trec_eval -c then
    takes every grade above 0 for relevant, whatever -l says, and only in the sum; here, `rel`
    holds in both.
    """
    return float(seen.known.relevant(measure.rel))


def _relevant_missing(known: Known, measure: Measure) -> float:
    return float(known.relevant(measure.rel))


def _relevant_retrieved(seen: Seen, measure: Measure) -> float:
    """trec_eval's `num_rel_ret`; ir_measures writes it NumRet(rel=1)."""
    return float(len(seen.relevant_ranks(measure.rel)))


def _nonrelevant_retrieved(seen: Seen, measure: Measure) -> float:
    """trec_eval's `num_nonrel_judged_ret`: results that were judged and are not relevant."""
    return float(len(seen.ranks) - len(seen.relevant_ranks(measure.rel)))


NUM_Q = Definition(
    name="NumQ",
    summary="number of queries averaged over",
    value=_one,
    cutoff="none",
    average=total,
    missing=_one_missing,
    whole=True,
    quality=False,
    credited="results",
    looks_at_results=False,
)

NUM_RET = Definition(
    name="NumRet",
    summary="number of results",
    value=_retrieved,
    cutoff="none",
    average=total,
    whole=True,
    quality=False,
    credited="results",
)

NUM_REL = Definition(
    name="NumRel",
    summary="number of relevant documents in the qrels",
    value=_relevant,
    cutoff="none",
    parameters=(REL,),
    average=total,
    missing=_relevant_missing,
    whole=True,
    quality=False,
    credited="hits",
    looks_at_results=False,
)

NUM_REL_RET = Definition(
    name="NumRelRet",
    summary="number of relevant documents among the results",
    value=_relevant_retrieved,
    cutoff="none",
    parameters=(REL,),
    average=total,
    whole=True,
    credited="hits",
)

NUM_NONREL_RET = Definition(
    name="NumNonrelRet",
    summary="number of results judged not relevant",
    value=_nonrelevant_retrieved,
    cutoff="none",
    parameters=(REL,),
    average=total,
    whole=True,
    quality=False,
    credited="judged",
)
