"""How runs do on each kind of query, and how evenly; and how values lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from judge_tui.analysis.basis import Basis
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.arrays import Floats
from judge_tui.model import Query
from judge_tui.scoring import Measure, Scores, mean, parse_measures
from judge_tui.scoring.measure import STEP
from judge_tui.scoring.slices import CLASS, declared_measures, slice_scores

SPREAD = "population standard deviation: of n values, divided by n"
"""What `sd` is in every spread."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How `n` values are spread: the least, the median (of two in the middle their mean), the
    arithmetic mean, the greatest and the population standard deviation; None where there is no
    value."""

    n: int
    least: float | None
    median: float | None
    mean: float | None
    greatest: float | None
    sd: float | None


def spread_of(values: Floats) -> Spread:
    """Return how values, float64[n], are spread; NaN is no value."""
    known = values[~np.isnan(values)].tolist()
    if not known:
        return Spread(0, None, None, None, None, None)
    middle = mean(known)
    sd = mean([(value - middle) ** 2 for value in known]) ** 0.5
    return Spread(len(known), min(known), median(known), middle, max(known), sd)


@dataclass(frozen=True, slots=True)
class RunSlice:
    """The queries that have one value of the field, or relevant documents of one kind. `name`: the
    value or kind, "" for none; `query_ids`: the queries for which any run is scored. `runs`: tag ->
    how the values of the run lie over those of them that it is scored for. `relevant`: how many
    pairs with a relevant document of the kind there are."""

    name: str
    query_ids: tuple[str, ...]
    runs: Mapping[str, Spread]
    relevant: int = 0

    @property
    def queries(self) -> int:
        """How many queries are in the slice."""
        return len(self.query_ids)


@dataclass(frozen=True, slots=True)
class Consistency:
    """How evenly a run does: `overall` over all its queries, `between` over the means of its
    slices, each slice counting once: what a one-way layout has as total and between its groups
    (Fisher, Statistical Methods for Research Workers, 1925). The less the standard deviations, the
    evener; two runs of equal means are told apart by them. `best` and `worst` are the slices of the
    greatest and the least mean, None where all are equal. With fewer than two slices, these and the
    standard deviation between them are None: one slice is neither even nor uneven."""

    tag: str
    overall: Spread
    between: Spread
    best: str | None
    worst: str | None


class ShareFound(NamedTuple):
    """What stands for a measure: the share of a query's relevant documents of a kind that is in the
    top `k`."""

    k: int

    def __str__(self) -> str:
        return f"share found in the top {self.k}"


By = TypeVar("By", Measure, ShareFound)


@dataclass(frozen=True, slots=True)
class RunSlices(Generic[By]):
    """How runs do in each slice of the field `by`, by a measure or by the share of documents that
    they find: the slices in the order of their names, "" last, and one consistency for each run;
    none where the slices are scored by different measures."""

    by: str
    measure: By
    slices: tuple[RunSlice, ...]
    consistency: tuple[Consistency, ...]


def query_slices(
    judged: JudgedRuns,
    measures: Sequence[Measure],
    by: str,
    of_query: Mapping[str, str],
    declared: Mapping[str, Sequence[Measure]] = MappingProxyType({}),
) -> tuple[RunSlices[Measure], ...]:
    """Return the slices of `scoring.slices.slice_scores`, without those in which no run is scored,
    by each of their measures: a slice has those that it has `declared` (name -> measures), else
    `measures`. `of_query`: query_id -> its value of the field; one that is not in it has none.
    """
    every = dict.fromkeys((*measures, *(one for its in declared.values() for one in its)))
    scores = judged.scores(every).only(measures)
    cut = slice_scores(scores, by, of_query, declared)
    filled = [one for one in cut.slices if one.scores.counted.any()]
    found = []
    for measure in every:
        slices = [
            RunSlice(
                one.name,
                tuple(sorted({query_id for run in one.runs for query_id in run.query_ids})),
                spreads(one.scores, measure),
            )
            for one in filled
        ]
        own = tuple(one for one, its in zip(slices, filled, strict=True) if measure in its.measures)
        values = dict(zip(scores.tags, scores.by_measure[measure.name], strict=True))
        consistency = consistency_of(values, slices) if cut.composite else ()
        found.append(RunSlices(by, measure, own, consistency))
    return tuple(one for one in found if one.slices) or (found[0],)


def measures_by(
    field: str, queries: Iterable[Query], of_query: Mapping[str, str], basis: Basis
) -> tuple[dict[str, tuple[Measure, ...]], Basis]:
    """Return what the classes of a campaign declare, if `field` is the class, but for what its
    grades and kept runs cannot tell: that is left out, and the basis returned says so."""
    if field != CLASS:
        return {}, basis
    parse = partial(parse_measures, max_rel=basis.scale[-1])
    declared = declared_measures(queries, of_query, parse)
    every = dict.fromkeys(one for measures in declared.values() for one in measures)
    left_out = {measure: why for measure in every if (why := basis.cannot_tell(measure))}
    can = {
        name: tuple(one for one in measures if one not in left_out)
        for name, measures in declared.items()
    }
    named = {measure.name: why for measure, why in left_out.items()}
    return can, replace(basis, left_out={**basis.left_out, **named})


def spreads(scores: Scores, measure: Measure) -> dict[str, Spread]:
    """Return tag -> how the values of the run are spread over the queries that have one."""
    values = scores.by_measure[measure.name]
    return {tag: spread_of(row) for tag, row in zip(scores.tags, values, strict=True)}


def consistency_of(
    values: Mapping[str, Floats], slices: Sequence[RunSlice]
) -> tuple[Consistency, ...]:
    """Return how evenly each run does over the slices. `values`: tag -> float64[queries], NaN where
    the run is not scored."""
    return tuple(
        _consistency(tag, spread_of(row), {one.name: one.runs[tag].mean for one in slices})
        for tag, row in values.items()
    )


def _consistency(tag: str, overall: Spread, means: Mapping[str, float | None]) -> Consistency:
    known = {name: mean for name, mean in means.items() if mean is not None}
    between = spread_of(np.array(list(known.values()), dtype=np.float64))
    # In steps of 1e-9: what is equal to a reader is equal here.
    steps = {name: round(mean / STEP) for name, mean in known.items()}
    apart = len(set(steps.values())) > 1
    return Consistency(
        tag=tag,
        overall=overall,
        between=between if len(known) > 1 else replace(between, sd=None),
        # Of equal ones the first, as they stand.
        best=max(steps, key=lambda name: steps[name]) if apart else None,
        worst=min(steps, key=lambda name: steps[name]) if apart else None,
    )
