"""`Prefer` and `Authority`: does a list begin with what the answers say is to come first?

Both are about the order of results, whatever their grades: 1 or 0 for a query whose answers say
`prefer` or `authority`, undefined (NaN) for any other. So they need whole lists, and are worked
out beside the measures of grades.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.errors import UsageError
from judge_tui.model import Run, rank
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.scores import Rules, Scores
from judge_tui.truths import OrderDemands

__all__ = [
    "ORDER_MEASURES",
    "demanded_measures",
    "with_order",
]

ORDER_MEASURES = {"prefer": "Prefer", "authority": "Authority"}
"""What answers call a demand -> the measure of whether it is met."""


def demanded_measures(demands: OrderDemands) -> tuple[str, ...]:
    """The names of the measures of which any query makes the demand."""
    made = {name for its in demands.values() for name in its}
    return tuple(measure for name, measure in ORDER_MEASURES.items() if name in made)


def with_order(
    scores: Scores,
    runs: Iterable[Run],
    demands: OrderDemands,
    measures: Sequence[Measure],
    rules: Rules,
) -> Scores:
    """The scores by `measures`, those of order among them, which are worked out here.

    `scores`: of the same `runs` in the same order, by the others of the measures. A query that
    demands something and has no grades counts as well, where the run answers it or was asked it
    (or with `rules.complete`); its other values are undefined. Raises `UsageError` where a measure
    is asked for and no query makes its demand.
    """
    asked = [measure for measure in measures if measure.definition.of_order]
    for measure in asked:
        if measure.definition.name not in demanded_measures(demands):
            demand = measure.definition.name.lower()
            raise UsageError(
                f"{measure} is measured where answers say `{demand}`, and none do",
                "name the file of answers that do with --answers, or leave it out",
            )
    if not asked:
        return scores
    runs = list(runs)
    demanding = {query_id for query_id, its in demands.items() if its}
    query_ids = tuple(sorted({*scores.query_ids, *demanding}))
    place = {query_id: at for at, query_id in enumerate(query_ids)}
    columns = [place[query_id] for query_id in scores.query_ids]
    shape = len(runs), len(query_ids)

    def widened(values: Floats) -> Floats:
        wide = np.full(shape, np.nan)
        wide[:, columns] = values
        return wide

    answered, counted = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    answered[:, columns], counted[:, columns] = scores.answered, scores.counted
    values = {name: widened(known) for name, known in scores.by_measure.items()}
    values |= {str(measure): np.full(shape, np.nan) for measure in asked}
    for row, run in enumerate(runs):
        for query_id in demanding:
            found = run.scores.get(query_id)
            at = place[query_id]
            answered[row, at] = bool(found)
            counted[row, at] |= bool(found) or rules.complete or query_id in run.asked
            if not counted[row, at]:
                continue
            doc_ids = rank(found)[: rules.depth] if found else []
            for measure in asked:
                its = demands[query_id].get(measure.definition.name.lower())
                if its is not None:
                    values[str(measure)][row, at] = its.met_by(doc_ids)
    return replace(
        scores,
        measures=tuple(measures),
        query_ids=query_ids,
        by_measure={str(measure): values[str(measure)] for measure in measures},
        counted=counted,
        answered=answered,
        missing_qrels=tuple(
            tuple(query_id for query_id in missing if query_id not in demanding)
            for missing in scores.missing_qrels
        ),
    )
