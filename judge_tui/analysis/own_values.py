"""One run query by query."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.deltas import place_of_run
from judge_tui.analysis.standing import Standing
from judge_tui.scoring import Measure
from judge_tui.significance.corrections import STEP

__all__ = ["OwnValue", "OwnValues", "own_values"]


@dataclass(frozen=True, slots=True)
class OwnValue:
    """One query: what it is worth in the run. `query`: its place in the rankings. `nothing`: why
    its list has no results, "" where it has some (`Rankings.nothing`)."""

    query: int
    query_id: str
    value: float
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class OwnValues:
    """The queries that the run is scored for, least value first, ties by query id. `mean` is that
    of the measure, which need not be the arithmetic one; None where there is no query."""

    measure: Measure
    tag: str
    rows: tuple[OwnValue, ...]
    mean: float | None

    @property
    def zeros(self) -> int:
        """How many queries are worth 0."""
        return sum(row.value == 0 for row in self.rows)


def own_values(
    standing: Standing, measure: Measure, tag: str, *, among: Set[str] | None = None
) -> OwnValues:
    """What each query is worth in a run; the numbers are those of `score`. Values that differ by
    less than 5e-10 are ties. `among`: the ids of the queries that count, None for all.

    Raises `UsageError` for a run that is not there.
    """
    run = place_of_run(standing, tag)
    ids = standing.rankings.query_ids
    counts = np.array([among is None or query_id in among for query_id in ids], dtype=bool)
    places = (standing.scored[run] & counts).nonzero()[0]
    values = standing.values(measure)[run][places]
    order = sorted(
        zip(places.tolist(), values.tolist(), np.rint(values / STEP).tolist(), strict=True),
        key=lambda one: (one[2], ids[one[0]]),
    )
    rows = tuple(
        OwnValue(place, ids[place], value, standing.rankings.nothing(run, place))
        for place, value, _ in order
    )
    mean = measure.definition.average(values.tolist()) if rows else None
    return OwnValues(measure, tag, rows, mean)
