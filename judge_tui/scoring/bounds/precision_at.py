"""Bounds of precision at a rank that depends on R, the number of relevant documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.scoring.bounds.taken import Taken, try_every_number
from judge_tui.scoring.bounds.unjudged import Grading, Unjudged
from judge_tui.scoring.measure import Measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts: TypeAlias = NDArray[np.int64]
    Reals: TypeAlias = NDArray[np.float64]

__all__ = ["precision_at_multiple", "precision_at_r"]


def precision_at_r(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """Rprec: when c unjudged documents become relevant, R is known, and so is the rank looked at.

    As many of them as can be stand above it when they have the earliest unjudged places, as few
    as can be when they have the latest. Each c is tried.
    """
    return _best(unjudged, measure, lambda relevant: relevant)


def precision_at_multiple(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """RprecMult, at rank floor(multiple * R + 0.9): Rprec's argument holds for any rank."""
    multiple = measure.number("multiple")
    return _best(unjudged, measure, lambda relevant: (multiple * relevant + 0.9).astype(int))


def _best(
    unjudged: Unjudged, measure: Measure, rank: Callable[[Counts], Counts]
) -> tuple[Grading, Grading]:
    import numpy as np  # noqa: PLC0415

    seen, rel = unjudged.seen, measure.rel

    def value(taken: Taken) -> Reals:
        ranks = rank(seen.known.relevant(rel) + taken.numbers)
        above = np.searchsorted(unjudged.places, ranks, side="right")
        if taken.earliest:
            found = np.minimum(above, taken.numbers)
        else:
            found = np.maximum(above - taken.left, 0)
        found += np.searchsorted(seen.relevant_ranks(rel), ranks, side="right")
        return found / np.maximum(ranks, 1)  # at rank 0 nothing is found

    return try_every_number(unjudged, rel, 1, value)
