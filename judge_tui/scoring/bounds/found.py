"""Bounds of average precision and its kin: sums over the relevant documents that were found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.scoring.bounds.unjudged import Grading, Unjudged
from judge_tui.scoring.measure import Measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Reals: TypeAlias = NDArray[np.float64]
    Ranks: TypeAlias = NDArray[np.int64]
    Weights: TypeAlias = Callable[[Ranks], tuple[Reals, Reals]]
    Value: TypeAlias = Callable[[Reals, Ranks], Reals]

__all__ = ["average_precision", "inferred_precision", "smoothed_precision"]


def average_precision(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """AP: the sum of i/r over the relevant documents i = 1, 2, ..., at ranks r, divided by R.

    Only how many of the unjudged become relevant has to be tried. For any such number, moving one
    of them to an earlier unjudged place makes no r greater, and no i/r smaller; so the earliest
    places give the greatest value and the latest the least, with R the same. The sums for all
    numbers come in one pass: a document that becomes relevant adds its own i/r and 1/r for each
    relevant document behind it.
    """
    return _best(unjudged, measure, _shares, _mean)


def smoothed_precision(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """YAAP: log((1 + S) / (1 + R - S)), S being AP's sum; with R given, it rises with S."""
    return _best(
        unjudged, measure, _shares, lambda sums, relevant: (1 + sums) / (1 + relevant - sums)
    )


def inferred_precision(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """infAP, of lists in which everything retrieved has been judged.

    Such a list gives the i-th relevant document at rank r

        w(i, r) = 1/r + h(r)/r * (i - 1 + e),   h(r) = (r - 1) / (r - 1 + 2e),   e = .00001,

    AP's i/r but for e. w falls when r grows, as i/r does: w(i, r) - w(i, r + 1) is a positive
    multiple of 1 + (i - 1 + e) * (h(r) - r * (h(r + 1) - h(r))). At r = 1 that is 1 - e * h(2); at
    greater r, h(r) is at least 1/(1 + 2e) and the part subtracted at most 2e. So AP's argument
    holds; and w is linear in i, so that the sums for all numbers still come in one pass.
    """
    return _best(unjudged, measure, _inferred_shares, _mean)


def _shares(ranks: Ranks) -> tuple[Reals, Reals]:
    return 1 / ranks, 1 / ranks


def _inferred_shares(ranks: Ranks) -> tuple[Reals, Reals]:
    before = ranks - 1
    each = before / (before + 2e-5) / ranks
    return 1 / ranks + 1e-5 * each, each


def _best(
    unjudged: Unjudged, measure: Measure, weights: Weights, value: Value
) -> tuple[Grading, Grading]:
    """The number of relevant ones with the least and with the greatest value.

    `weights`: ranks r -> (a, b), where the i-th relevant document at rank r counts a + (i - 1)b.
    `value`: (sums, R) -> values.
    """
    import numpy as np  # noqa: PLC0415

    numbers = unjudged.numbers_relevant(measure.rel)
    if len(numbers) == 1:
        return unjudged.all(unjudged.least), unjudged.all(unjudged.greatest)
    seen = unjudged.seen
    ranks = seen.relevant_ranks(measure.rel)
    judged = np.asarray(ranks[: bisect_right(ranks, measure.depth)], dtype=np.int64)
    judged_first, judged_each = weights(judged)
    places = unjudged.places[: unjudged.within(measure.depth)]
    first, each = weights(places)
    before = np.searchsorted(judged, places)
    behind = np.append(np.cumsum(judged_each[::-1])[::-1], 0.0)[before]
    start = float(judged_first.sum() + (np.arange(len(judged)) * judged_each).sum())
    alone = first + before * each + behind

    # A place adds to the sum what it adds alone, and a share for each chosen one that is before it
    # (when the earliest are chosen one by one) or behind it (when the latest are).
    earliest = alone + np.arange(len(places)) * each
    latest = (alone + np.cumsum(each[::-1])[::-1] - each)[::-1]
    beyond = unjudged.count - len(places)
    known = seen.known.relevant(measure.rel)

    # Beyond the cutoff a relevant document adds to R alone: for the greatest value none of these
    # is chosen, for the least all of them are.
    low = int(np.argmin(_values(start, latest, known + beyond, value)))
    high = int(np.argmax(_values(start, earliest, known, value)))
    return unjudged.last(beyond + low), unjudged.first(high)


def _values(start: float, steps: Reals, relevant: int, value: Value) -> Reals:
    import numpy as np  # noqa: PLC0415

    sums = np.cumsum(np.concatenate(([start], steps)))
    return value(sums, np.arange(relevant, relevant + len(sums)))


def _mean(sums: Reals, relevant: Ranks) -> Reals:
    import numpy as np  # noqa: PLC0415

    return sums / np.maximum(relevant, 1)  # nothing relevant: 0
