"""Bounds of measures that count the nonrelevant documents before each relevant one."""

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
    Worth: TypeAlias = Callable[[Counts, Counts, Counts], Reals]

__all__ = ["binary_gain", "preferences"]


def preferences(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """Bpref, of lists in which everything retrieved has been judged.

    The i-th relevant document, at rank r, then stands behind r - i nonrelevant ones and adds
    1 - min(r - i, R) / min(R, N). When c unjudged documents become relevant, R and N are known;
    moving one of them to an earlier unjudged place makes no r greater, so that for this c the
    earliest places give the greatest value and the latest the least. Each c is tried.
    """

    def worth(before: Counts, relevant: Counts, nonrelevant: Counts) -> Reals:
        import numpy as np  # noqa: PLC0415

        least = np.maximum(np.minimum(relevant, nonrelevant), 1)  # 0: nothing stands before any
        return 1 - np.minimum(before, relevant) / least

    return _best(unjudged, measure, worth)


def binary_gain(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """BinG, where that document adds 1 / log2(2 + r - i): Bpref's argument again."""

    def worth(before: Counts, relevant: Counts, nonrelevant: Counts) -> Reals:  # noqa: ARG001
        import numpy as np  # noqa: PLC0415

        return np.asarray(1 / np.log2(2 + before), dtype=np.float64)

    return _best(unjudged, measure, worth)


def _best(unjudged: Unjudged, measure: Measure, worth: Worth) -> tuple[Grading, Grading]:
    """`worth`: (nonrelevant before, R, N) -> what such a relevant document adds to R * value."""
    import numpy as np  # noqa: PLC0415

    seen, rel = unjudged.seen, measure.rel
    relevant = np.array([grade >= rel for grade in seen.grades], dtype=bool)
    nonrelevant_ahead = np.cumsum(~relevant) - ~relevant
    unjudged_ahead = np.array(seen.ranks, dtype=np.int64) - np.arange(1, len(relevant) + 1)

    # A row for each judged relevant document; then one for each stretch of unjudged documents
    # between judged nonrelevant ones: those taken from it all stand behind the same number.
    nonrelevant = nonrelevant_ahead[relevant][:, None]
    ahead = unjudged_ahead[relevant]
    ends = np.append(unjudged_ahead[~relevant], unjudged.count)
    passed = np.arange(len(ends))[:, None]

    def value(taken: Taken) -> Reals:
        known = seen.known.relevant(rel) + taken.numbers, seen.known.nonrelevant(rel) + taken.left
        judged = worth(nonrelevant + ahead[:, None] - taken.among(ahead), *known)
        from_stretch = np.diff(taken.among(ends), axis=0, prepend=0)
        others = worth(passed + taken.left_ahead, *known)
        total = judged.sum(axis=0) + (from_stretch * others).sum(axis=0)
        return np.asarray(total / np.maximum(known[0], 1), dtype=np.float64)

    return try_every_number(unjudged, rel, len(ahead) + len(ends), value)
