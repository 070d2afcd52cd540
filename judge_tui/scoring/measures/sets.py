"""SetP, SetRelP, SetR, SetAP, SetF: the results as a set, whatever their order."""

from __future__ import annotations

from judge_tui.scoring.measure import REL, Definition, Measure, Parameter, number
from judge_tui.scoring.seen import Seen

__all__ = ["SET_AP", "SET_F", "SET_P", "SET_R", "SET_RELATIVE_P"]


def _set_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `set_P`: of all that was retrieved."""
    seen = seen.first(measure.depth)
    found = len(seen.relevant_ranks(measure.rel))
    return found / seen.retrieved if found else 0.0


def _set_relative_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `set_relative_P`: of what could have been found in a list of that length."""
    seen = seen.first(measure.depth)
    found = len(seen.relevant_ranks(measure.rel))
    return found / min(seen.retrieved, seen.known.relevant(measure.rel)) if found else 0.0


def _set_recall(seen: Seen, measure: Measure) -> float:
    """trec_eval's `set_recall`: of all documents judged relevant."""
    seen = seen.first(measure.depth)
    found = len(seen.relevant_ranks(measure.rel))
    return found / seen.known.relevant(measure.rel) if found else 0.0


def _set_average_precision(seen: Seen, measure: Measure) -> float:
    """trec_eval's `set_map`: SetP times SetR."""
    seen = seen.first(measure.depth)
    found = len(seen.relevant_ranks(measure.rel))
    return found * found / (seen.retrieved * seen.known.relevant(measure.rel)) if found else 0.0


def _set_f(seen: Seen, measure: Measure) -> float:
    """trec_eval's `set_F`, which ir_measures runs: (beta + 1) P R / (beta P + R).

    This beta is not squared: the F2 of van Rijsbergen and of scikit-learn is SetF(beta=4).
    """
    seen = seen.first(measure.depth)
    found = len(seen.relevant_ranks(measure.rel))
    if not found:
        return 0.0
    precision = found / seen.retrieved
    recall = found / seen.known.relevant(measure.rel)
    beta = measure.number("beta")
    return (beta + 1.0) * precision * recall / (beta * precision + recall)


def _not_negative(text: str) -> float:
    value = number(text)
    if value < 0:
        raise ValueError(text)
    return value


SET_P = Definition(
    name="SetP",
    summary="share of all results that is relevant",
    value=_set_precision,
    cutoff="optional",
    parameters=(REL,),
    credited="results",
)

SET_RELATIVE_P = Definition(
    name="SetRelP",
    summary="SetP over the greatest it could be for a list of that length",
    value=_set_relative_precision,
    cutoff="optional",
    parameters=(REL,),
    lowered_by_missed=True,
)

SET_R = Definition(
    name="SetR",
    summary="share of the relevant documents among all results",
    value=_set_recall,
    cutoff="optional",
    parameters=(REL,),
    credited="hits",
    lowered_by_missed=True,
)

SET_AP = Definition(
    name="SetAP",
    summary="SetP times SetR",
    value=_set_average_precision,
    cutoff="optional",
    parameters=(REL,),
    lowered_by_missed=True,
)

SET_F = Definition(
    name="SetF",
    summary="harmonic mean of SetP and SetR; beta (not squared) weighs recall",
    value=_set_f,
    cutoff="optional",
    parameters=(REL, Parameter("beta", 1.0, _not_negative, "a number from 0")),
    lowered_by_missed=True,
)
