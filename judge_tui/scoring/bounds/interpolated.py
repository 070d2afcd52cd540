"""Bounds of interpolated precision: the best precision from some level of recall on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from judge_tui.scoring.bounds.taken import Taken, try_every_number
from judge_tui.scoring.bounds.unjudged import Grading, Unjudged
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.numbers import Points

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.float64]

__all__ = ["interpolated_precision", "mean_interpolated_precision"]


def interpolated_precision(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """IPrec: the greatest i/r among the relevant documents i >= w, at ranks r, w = floor(xR + 0.9).

    When c unjudged documents become relevant, R and w are known; moving one of them to an earlier
    unjudged place makes no r greater and no i/r smaller, so that for this c the earliest places
    give the greatest value and the latest the least. Each c is tried.
    """
    return _best(unjudged, measure, (measure.number("recall"),))


def mean_interpolated_precision(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """IPrecAvg: for any c, the same places are best for all levels of recall, so for their mean."""
    return _best(unjudged, measure, cast(Points, measure.parameter("points")))


def _best(unjudged: Unjudged, measure: Measure, levels: Sequence[float]) -> tuple[Grading, Grading]:
    import numpy as np  # noqa: PLC0415

    seen, rel, places = unjudged.seen, measure.rel, unjudged.places
    relevant = np.array(seen.relevant_ranks(rel), dtype=np.int64)

    # Precision is greatest at a judged relevant document or where a stretch of unjudged places
    # ends: within it, each one taken adds 1 to i and to r, and i <= r. Of the earliest, the last
    # one taken may stand inside a stretch, and has a row of its own.
    inside = np.append(np.diff(places) == 1, False)
    ranks = np.union1d(relevant, places[~inside])
    ahead = np.searchsorted(places, ranks, side="right")
    judged = np.searchsorted(relevant, ranks, side="right")[:, None]
    judged_ahead = np.searchsorted(relevant, places)

    def value(taken: Taken) -> Reals:
        known = seen.known.relevant(rel) + taken.numbers
        found = judged + taken.among(ahead)
        precision = found / ranks[:, None]
        last = np.maximum(taken.numbers, 1) - 1
        last_found = np.where(taken.numbers > 0, judged_ahead[last] + taken.numbers, 0)
        total = np.zeros(len(known))
        for level in levels:
            wanted = (level * known + 0.9).astype(int)
            best = np.where(found >= wanted, precision, 0).max(axis=0)
            if taken.earliest:
                best = np.maximum(
                    best, np.where(last_found >= wanted, last_found / places[last], 0)
                )
            total += best
        return total

    return try_every_number(unjudged, rel, len(ranks), value)
