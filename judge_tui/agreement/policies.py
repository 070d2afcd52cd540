"""The policies that make one grade of several, by name; without numpy, for help texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

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
    # A grade that somebody gave: grades are an order, not a measure.
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


class Policy(NamedTuple):
    """What decides pairs whose judges differ.

    `decide`: votes (int64[pairs, grades of the scale]) and the scale, ascending, to grades.
    `reported` follows the word "pairs" in reports; `tie`: which of two grades that are as good is
    taken, for help texts, "" where there is always one.
    """

    decide: Callable[[Ints, Ints], Ints]
    reported: str
    tie: str = ""


POLICIES: dict[str, Policy] = {
    "majority": Policy(_majority, "by majority", "none on a tie"),
    "median": Policy(_median, "by the median", "of two in the middle the lower"),
    "mean-rounded": Policy(_mean_rounded, "by the rounded mean", "of two as near the higher"),
    "min": Policy(
        lambda votes, scale: scale[(votes > 0).argmax(axis=1)],
        "by the least grade",
    ),
    "max": Policy(
        lambda votes, scale: scale[::-1][(votes[:, ::-1] > 0).argmax(axis=1)],
        "by the greatest grade",
    ),
}
"""Besides these there is `JUDGE`."""

RULES: dict[str, str] = {
    "adjudicated": "settled by the lead",
    "unanimous": "on which all judges agree",
    "single judge": "graded by one judge",
    **{name: policy.reported for name, policy in POLICIES.items()},
    JUDGE: "as one judge graded",
}
"""Every way in which a pair can come by its grade, in the order of reports, and its words there,
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
