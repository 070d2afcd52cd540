"""Measures where an expected gain stands for each grade that is missing.

An unjudged document gains what it is expected to, a judged one what it does. Whether a document is
relevant is taken to be independent of the others, given what is expected of each. The expectations
are exact for P, RBP, RR, Success and ERR; R, AP and nDCG are quotients, and each is the quotient of
two expectations. Where everything is judged, all are what `Measure.value` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from judge_tui.arrays import Floats, Ints, best_sums
from judge_tui.errors import UsageError
from judge_tui.scoring.linear import LINEAR, LinearMeasure, linear
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.ranked_measures import satisfaction_of
from judge_tui.scoring.scores import Scores

StandIn: TypeAlias = str
"""What stands for the gain of a document that nobody judged: `model.STAND_INS`, or the grades of a
model, by its name."""


class FilledLists(NamedTuple):
    """What ranked lists gain, judged or expected.

    `gain`: float64[runs, queries, depth], of the document at each rank, 0 behind the end of a list.
    `query`, `known`: int64[documents], float64[documents], the query and the gain of every document
    that was judged or that any list holds, in any order.
    """

    gain: Floats
    query: Ints
    known: Floats


def gain_by(measure: Measure) -> Callable[[int], float]:
    """Return what a document of a grade gains by a measure that can be filled: how relevant it is,
    0 or 1, but its gain by nDCG, and how likely it satisfies by ERR."""
    if measure.definition.name == "ERR":
        return satisfaction_of(measure)
    sums = linear(measure, 1)
    return (lambda grade: float(grade >= measure.rel)) if sums is None else sums.gain


def filled_values(measure: Measure, lists: FilledLists) -> Floats:
    """Return float64[runs, queries]: the measure, of gains that are those of `gain_by`. Raises
    `UsageError` for a measure that cannot be filled."""
    refuse_unfilled([measure])
    sizes = np.bincount(lists.query, minlength=1)
    sums = linear(measure, max(lists.gain.shape[2], int(sizes.max())))
    if sums is not None:
        return _sum(lists, sums)
    cut = lists._replace(gain=lists.gain[:, :, : measure.depth])
    return FILLED[measure.definition.name](cut)


def as_filled(scores: Scores, values: Mapping[str, Floats], settings: Mapping[str, Any]) -> Scores:
    """Return the scores with filled `values` (full name of a measure -> float64[runs, queries]) in
    place of theirs, and with `settings` that say by what. Whether anything relevant was found is
    still told by what is known."""
    reciprocal = [one.name for one in scores.measures if one.definition.name == "RR"]
    return replace(
        scores,
        by_measure={**scores.by_measure, **values},
        found={name: scores.by_measure[name] for name in reciprocal},
        settings={**scores.settings, **settings},
    )


def refuse_unfilled(measures: Iterable[Measure]) -> None:
    """Raise `UsageError` for the first measure that cannot be filled."""
    for measure in measures:
        if why := why_unfilled(measure):
            known = (*LINEAR, *FILLED)
            raise UsageError(
                f"{measure} has {why}",
                f"name {', '.join(known[:-1])} or {known[-1]}, or count unjudged documents as zero",
            )


def why_unfilled(measure: Measure) -> str:
    """Say why a measure cannot be filled; "" where it can."""
    name = measure.definition.name
    if not (name in UNMOVED or measure.definition.of_order):
        if measure.judged_only:
            return "no unjudged documents to expect gains of"
        if name not in {*LINEAR, *FILLED}:
            return "no value where expected gains stand for grades"
    return ""


def _sum(lists: FilledLists, measure: LinearMeasure) -> Floats:
    """Return the expected sum (Järvelin and Kekäläinen, TOIS 20(4), 2002; Moffat and Zobel, TOIS
    27(1), 2008): expectations of sums are sums of expectations. nDCG divides it by the sum over the
    expected gains in their best order, without those below 0."""
    depth = min(lists.gain.shape[2], len(measure.discount))
    values = _added_up(lists.gain[:, :, :depth] * measure.discount[:depth])
    if not measure.normalised:
        return values
    gain = np.maximum(lists.known, 0)
    ideal = best_sums(lists.query, gain, measure.discount, values.shape[1])
    return np.divide(values, ideal, out=np.zeros_like(values), where=ideal != 0)


def _recall(lists: FilledLists) -> Floats:
    """Return the expected number of relevant documents found over that of all."""
    return _over_total(lists.gain, lists)


def _average_precision(lists: FilledLists) -> Floats:
    """Return the expected sum of precisions over the expected number of relevant documents, as
    Carterette, Allan & Sitaraman (SIGIR 2006) have it: a document at rank r adds its own chance,
    times 1 and the chances of those before it, over r."""
    gain, rank = lists.gain, np.arange(1, lists.gain.shape[2] + 1)
    before = gain.cumsum(axis=2) - gain
    return _over_total(gain * (1 + before) / rank, lists)


def _reciprocal_rank(lists: FilledLists) -> Floats:
    """Return the sum over ranks of 1 / rank times the chance that the first relevant document
    stands there. With chances to satisfy this is ERR (Chapelle et al., CIKM 2009)."""
    rank = np.arange(1, lists.gain.shape[2] + 1)
    none_before = np.ones_like(lists.gain)
    none_before[:, :, 1:] = (1 - lists.gain[:, :, :-1]).cumprod(axis=2)
    return _added_up(lists.gain * none_before / rank)


def _success(lists: FilledLists) -> Floats:
    """Return the chance that any result is relevant."""
    none = (1 - lists.gain).cumprod(axis=2)[:, :, -1:]
    return np.asarray((1 - none).sum(axis=2))


def _over_total(terms: Floats, lists: FilledLists) -> Floats:
    """Return the sums of the terms at each rank over what all documents of a query gain."""
    best = np.lexsort((-lists.known, lists.query))  # one order, so that the last digit is one
    total = np.bincount(lists.query[best], lists.known[best], terms.shape[1])
    found = _added_up(terms)
    return np.divide(found, total, out=np.zeros_like(found), where=total != 0)


def _added_up(terms: Floats) -> Floats:
    """Return the sum over the ranks, one after the other: so the last digit depends neither on
    other lists nor on how far they go."""
    return np.asarray(terms.cumsum(axis=2)[:, :, -1:].sum(axis=2))


FILLED: dict[str, Callable[[FilledLists], Floats]] = {
    "R": _recall,
    "AP": _average_precision,
    "RR": _reciprocal_rank,
    "Success": _success,
    "ERR": _reciprocal_rank,
}
"""How measures that are no plain sums are filled; the gains are cut at the cutoff already."""

UNMOVED = ("Judged", "Unjudged", "RBPResidual", "NumQ", "NumRet")
"""Measures of what was retrieved and judged: what is expected does not move them."""
