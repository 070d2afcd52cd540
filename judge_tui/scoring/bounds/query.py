"""The bounds of one query, and what they make of the bounds of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from judge_tui.model import Qrels
from judge_tui.scoring.bounds.registry import strategy_of
from judge_tui.scoring.bounds.unjudged import Unjudged
from judge_tui.scoring.known import Known
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.rules import Rules, refuse_bounds
from judge_tui.scoring.seen import Seen

__all__ = [
    "QueryBounds",
    "Range",
    "average_bounds",
    "bounds_of",
    "bounds_of_missing",
    "grades_up_to",
    "unbounded",
    "without_bounds",
]

Range: TypeAlias = tuple[float, float]
"""The least and the greatest value, low <= score <= high."""

QueryBounds: TypeAlias = tuple[Range | None, ...]
"""Those of one query, one a measure; None where there are none (`unbounded` says why)."""


def bounds_of(
    seen: Seen, measures: Sequence[Measure], rules: Rules, grades: Sequence[int]
) -> QueryBounds:
    """The bounds of one query by each measure, over all gradings of what nobody judged: what goes
    beside `values_of`.

    Unjudged are the retrieved documents that are not in the qrels or have a negative grade there.
    Each may get any of `grades` (ascending: `grades_up_to`, or a campaign's scale), independently,
    or all stay as they are: which is no grading at all to Bpref and infAP, and one with a grade of
    0 to most others. What is not retrieved stays as it is. Both bounds are values of the measure
    for a grading that exists, not estimates. Raises `UsageError` under `judged_only`, where
    unjudged documents do not count.
    """
    refuse_bounds(rules)
    if rules.depth is not None:
        seen = seen.first(rules.depth)
    unjudged = Unjudged(seen, grades)
    return tuple([_bounds(unjudged, measure) for measure in measures])


def bounds_of_missing(known: Known, measures: Sequence[Measure]) -> QueryBounds:
    """The bounds of a query that the run does not answer: it retrieved nothing to be judged."""
    return tuple(
        (measure.missing(known), measure.missing(known)) if unbounded(measure) is None else None
        for measure in measures
    )


def grades_up_to(greatest: int | None, qrels: Qrels) -> range:
    """The grades of bare files: 0 to `greatest`, or to the greatest in the qrels, at least 1."""
    if greatest is None:
        greatest = max((grade for grades in qrels.values() for grade in grades.values()), default=1)
    return range(max(greatest, 1) + 1)


def average_bounds(
    measures: Sequence[Measure], queries: Sequence[QueryBounds]
) -> Mapping[str, Range]:
    """The bounds of a run from those of its queries (at least one), by full name of the measure.

    Queries are graded apart from each other, and an average of any kind rises with each of its
    values, so that the least average is that of the least values. Measures without bounds are left
    out.
    """
    averaged: dict[str, Range] = {}
    for measure, column in zip(measures, zip(*queries, strict=True), strict=True):
        ranges = [each for each in column if each is not None]
        if len(ranges) == len(column):
            average = measure.definition.average
            averaged[str(measure)] = (
                average([low for low, _ in ranges]),
                average([high for _, high in ranges]),
            )
    return averaged


def unbounded(measure: Measure) -> str | None:
    """Why a measure has no bounds; None where it has."""
    strategy = strategy_of(measure)
    return strategy if isinstance(strategy, str) else None


def without_bounds(measures: Iterable[Measure]) -> dict[str, str]:
    """Why a measure has no bounds, by its full name, for those of the measures that have none."""
    reasons = {str(measure): unbounded(measure) for measure in measures}
    return {name: why for name, why in reasons.items() if why is not None}


def _bounds(unjudged: Unjudged, measure: Measure) -> Range | None:
    strategy = strategy_of(measure)
    if isinstance(strategy, str):
        return None
    # The measure itself says what the two gradings are worth, so that a bound is a value that it
    # can have. The score is one of these: what it is worth to leave all unjudged.
    score = measure.value(unjudged.seen)
    if not unjudged.count:
        return score, score
    graded = [unjudged.graded(grading, measure.depth) for grading in strategy(unjudged, measure)]
    values = [score, *map(measure.value, graded)]
    return min(values), max(values)
