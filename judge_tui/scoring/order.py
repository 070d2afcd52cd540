"""`Prefer` and `Authority`: does a list begin with what the answers say is to come first?

Both are about the order of results, whatever their grades: 1 or 0 for a query whose answers say
`prefer` or `authority`, undefined (NaN) for any other. So they need whole lists, and are worked
out beside the measures of grades.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from judge_tui.errors import UsageError
from judge_tui.model import Run, rank
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.measures import MEASURES
from judge_tui.scoring.scores import Scores
from judge_tui.truths import OrderDemands


def demanded_measures(demands: OrderDemands) -> tuple[str, ...]:
    """Return the names of the measures whose demand any query makes, `prefer` or `authority`."""
    made = {name for its in demands.values() for name in its}
    return tuple(name for name, one in MEASURES.items() if one.demand in made)


Value = TypeVar("Value", np.float64, np.bool_)


def with_order(
    scores: Scores, runs: Sequence[Run], demands: OrderDemands, measures: Sequence[Measure]
) -> Scores:
    """Return the scores by `measures`, and work out those of order among them.

    `scores`: of the same `runs` in the same order, by the others of the measures. A query that
    demands something and has no grades counts as well, where the run answers it or was asked it, or
    where the rules are `complete`; its other values are undefined. Raises `UsageError` where a
    measure is asked for and no query makes its demand.
    """
    ordered = {one.definition.demand: one for one in measures if one.definition.demand}
    for demand, measure in ordered.items():
        if measure.name not in demanded_measures(demands):
            raise UsageError(
                f"{measure} needs answers that say `{demand}`, and there are none",
                "give a file with such answers (--answers FILE), or leave the measure out",
            )
    demanding = [query_id for query_id, its in demands.items() if its]
    query_ids = tuple(sorted({*scores.query_ids, *demanding}))
    place = {query_id: at for at, query_id in enumerate(query_ids)}
    columns = [place[query_id] for query_id in scores.query_ids]

    def widened(values: NDArray[Value], missing: float | bool) -> NDArray[Value]:
        wide = np.full((len(runs), len(query_ids)), missing, dtype=values.dtype)
        wide[:, columns] = values
        return wide

    undefined = np.full(scores.counted.shape, np.nan)
    values = {
        str(one): widened(scores.by_measure.get(str(one), undefined), np.nan) for one in measures
    }
    answered, counted = widened(scores.answered, False), widened(scores.counted, False)
    for row, run in enumerate(runs):
        for query_id in demanding:
            at, found = place[query_id], run.scores.get(query_id, {})
            answered[row, at] = bool(found)
            counted[row, at] |= bool(found) or scores.rules.complete or query_id in run.asked
            doc_ids = rank(found)[: scores.rules.depth]
            for demand, its in demands[query_id].items():
                if demand in ordered and counted[row, at]:
                    values[ordered[demand].name][row, at] = its.met_by(doc_ids)
    return replace(
        scores,
        measures=tuple(measures),
        query_ids=query_ids,
        by_measure=values,
        found={name: widened(its, np.nan) for name, its in scores.found.items()},
        counted=counted,
        answered=answered,
    )
