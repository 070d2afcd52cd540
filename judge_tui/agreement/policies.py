"""What decides a pair whose judges differ: one line of the registry each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]
    Chosen: TypeAlias = tuple[Integers, NDArray[np.bool_]]

__all__ = ["POLICIES", "RULES", "Policy"]


@dataclass(frozen=True, slots=True)
class Policy:
    """`grade`: two grades or more and the scale to a grade, None where the policy cannot tell.
    `grades`: the same of many pairs, votes (pairs x grades of the scale) and the scale to grades,
    and which of them hold. `told`: how a pair came by its grade, after "pairs".
    """

    name: str
    told: str
    grade: Callable[[Sequence[int], Sequence[int]], int | None]
    grades: Callable[[Integers, Integers], Chosen]


def _majority(grades: Sequence[int], _scale: Sequence[int]) -> int | None:
    ranked = Counter(grades).most_common(2)
    tied = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return None if tied else ranked[0][0]


def _majorities(votes: Integers, scale: Integers) -> Chosen:
    most = votes.max(axis=1, keepdims=True, initial=0)
    return scale[votes.argmax(axis=1)], (votes == most).sum(axis=1) == 1


def _median(grades: Sequence[int], _scale: Sequence[int]) -> int:
    return median_low(grades)


def _medians(votes: Integers, scale: Integers) -> Chosen:
    reached = 2 * votes.cumsum(axis=1) >= votes.sum(axis=1, keepdims=True)
    return _all(scale[reached.argmax(axis=1)])


def _mean_rounded(grades: Sequence[int], scale: Sequence[int]) -> int:
    # In whole numbers, which have no halves that are a little less.
    count, total = len(grades), sum(grades)
    return min(scale, key=lambda grade: (abs(count * grade - total), -grade))


def _means_rounded(votes: Integers, scale: Integers) -> Chosen:
    count, total = votes.sum(axis=1), votes @ scale
    off = abs(count[:, None] * scale[None, ::-1] - total[:, None])
    # The first of those as near is the upper one.
    return _all(scale[::-1][off.argmin(axis=1)])


def _min(grades: Sequence[int], _scale: Sequence[int]) -> int:
    return min(grades)


def _minima(votes: Integers, scale: Integers) -> Chosen:
    return _all(scale[(votes > 0).argmax(axis=1)])


def _max(grades: Sequence[int], _scale: Sequence[int]) -> int:
    return max(grades)


def _maxima(votes: Integers, scale: Integers) -> Chosen:
    return _all(scale[::-1][(votes[:, ::-1] > 0).argmax(axis=1)])


def _all(grades: Integers) -> Chosen:
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    return grades, np.ones(len(grades), dtype=bool)


POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("majority", "by majority", _majority, _majorities),
        Policy("median", "by the median", _median, _medians),
        Policy("mean-rounded", "by the rounded mean", _mean_rounded, _means_rounded),
        Policy("min", "by the least grade", _min, _minima),
        Policy("max", "by the greatest grade", _max, _maxima),
    )
}
"""Besides these there is `judge:NAME`: that judge's grades as they stand.

`median` is a grade that was given: of two in the middle the lower one, as grades are an order and
not a measure. `mean-rounded` is the grade of the scale that is nearest to the mean, of two as near
the upper one."""

RULES: dict[str, str] = {
    "adjudicated": "settled by the lead",
    "unanimous": "on which all judges agree",
    "single judge": "graded by one judge",
    **{name: policy.told for name, policy in POLICIES.items()},
    "judge": "as one judge graded",
}
"""Every way in which a pair can come by its grade, in the order in which they are told, and how it
is told, after "pairs"."""
