"""The policies that make one grade of several, by name; without numpy, for help texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from judge_tui.errors import UsageError, unknown

if TYPE_CHECKING:
    from judge_tui.arrays import Ints

JUDGE = "judge"
"""The policy `judge:NAME`: that judge's grades as they stand."""

UNDECIDED = -1
"""What stands for a grade where the policy decides none."""


def _majority(votes: Ints, scale: Ints) -> Ints:
    grades: Ints = scale[votes.argmax(axis=1)]
    most = votes.max(axis=1, keepdims=True, initial=0)
    grades[(votes == most).sum(axis=1) > 1] = UNDECIDED
    return grades


def _median(votes: Ints, scale: Ints) -> Ints:
    reached = 2 * votes.cumsum(axis=1) >= votes.sum(axis=1, keepdims=True)
    grades: Ints = scale[reached.argmax(axis=1)]
    return grades


def _mean_rounded(votes: Ints, scale: Ints) -> Ints:
    # In whole numbers, which have no halves that are a little less.
    count, total = votes.sum(axis=1), votes @ scale
    off = abs(count[:, None] * scale[None, ::-1] - total[:, None])
    # The first of those as near is the upper one.
    grades: Ints = scale[::-1][off.argmin(axis=1)]
    return grades


POLICIES: dict[str, Callable[[Ints, Ints], Ints]] = {
    "majority": _majority,
    "median": _median,
    "mean-rounded": _mean_rounded,
    "min": lambda votes, scale: scale[(votes > 0).argmax(axis=1)],
    "max": lambda votes, scale: scale[::-1][(votes[:, ::-1] > 0).argmax(axis=1)],
}
"""What decides pairs whose judges differ: votes (int64[pairs, grades of the scale]) and the scale
to grades. Besides these there is `JUDGE`.

`median` is a grade that was given, as grades are an order and not a measure. `mean-rounded` is the
grade of the scale that is nearest to the mean. `TIES` says which of two that are as good."""

TIES: dict[str, str] = {
    "majority": "none on a tie",
    "median": "of two in the middle the lower",
    "mean-rounded": "of two as near the higher",
}
"""Policies that may find two grades as good -> which they take, for help texts."""

RULES: dict[str, str] = {
    "adjudicated": "settled by the lead",
    "unanimous": "on which all judges agree",
    "single judge": "graded by one judge",
    "majority": "by majority",
    "median": "by the median",
    "mean-rounded": "by the rounded mean",
    "min": "by the least grade",
    "max": "by the greatest grade",
    JUDGE: "as one judge graded",
}
"""Every way in which a pair can come by its grade, in the order of reports, and how it is worded,
after "pairs"."""


def checked_policy(policy: str) -> str:
    """Return the policy. Raises `UsageError` where there is none of that name."""
    name, colon, judge = policy.partition(":")
    if name == JUDGE:
        if not judge:
            raise UsageError("policy 'judge' names no judge", "write judge:NAME")
    elif colon or policy not in POLICIES:
        raise unknown("policy", policy, (*POLICIES, "judge:NAME"))
    return policy
