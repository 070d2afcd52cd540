"""From judgments to final grades, a million pairs at once: what `decide_all` does, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.agreement.decide import RULES, checked_policy
from judge_tui.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]

__all__ = ["Decided", "Given", "decide_at_once"]

Given: TypeAlias = "tuple[Integers, Integers]"
"""Pairs, each once, and their grades (0 to 9)."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The pairs that have a final grade, ascending, their `grades`, and how many each rule decided.

    `unresolved`: int64[m], ascending, the pairs that were judged and that the policy does not
    decide. `rules`: as in `FinalGrades`.
    """

    pairs: Integers
    grades: Integers
    unresolved: Integers
    rules: dict[str, int]


def decide_at_once(
    judgments: Sequence[Given],
    policy: str,
    scale: Sequence[int],
    *,
    settled: Given | None = None,
    undisputed_only: bool = False,
) -> Decided:
    """The final grades of all pairs: those of `decide_all`, with pairs as numbers.

    `judgments`: one for each judge; `scale`: the campaign's grades, ascending; `settled`: the
    lead's. For `judge:NAME`, give `decide_at_once` that judge's grades alone: raises `UsageError`
    for more, as for an unknown policy.
    """
    import numpy as np  # noqa: PLC0415

    name = checked_policy(policy).partition(":")[0]
    if name == "judge":
        if len(judgments) != 1:
            raise UsageError(f"policy {policy!r} is about one judge", "give that judge's grades")
        order = np.argsort(judgments[0][0])
        pairs, grades = (one[order] for one in judgments[0])
        rules = {"judge": len(pairs)} if len(pairs) else {}
        return Decided(pairs, grades, np.empty(0, dtype=np.int64), rules)

    places = np.asarray(scale, dtype=np.int64)
    none = np.empty(0, dtype=np.int64)
    settled_pairs, settled_grades = (none, none) if settled is None else settled
    given = np.concatenate([none, *(pairs for pairs, _ in judgments)])
    codes = np.searchsorted(places, np.concatenate([none, *(grades for _, grades in judgments)]))
    pairs, row = np.unique(np.concatenate([given, settled_pairs]), return_inverse=True)
    votes = np.bincount(
        row[: len(given)] * len(places) + codes, minlength=len(pairs) * len(places)
    ).reshape(len(pairs), len(places))

    by_lead = np.zeros(len(pairs), dtype=bool)
    by_lead[row[len(given) :]] = True
    judges, kinds = votes.sum(axis=1), (votes > 0).sum(axis=1)
    disputed = (kinds > 1) & ~by_lead
    found = places[votes.argmax(axis=1)] if len(places) else none
    found[row[len(given) :]] = settled_grades
    open_ones = disputed.copy()
    if not undisputed_only:
        choice, decided = _POLICIES[name](votes[disputed], places)
        found[disputed] = choice
        open_ones[disputed] = ~decided
    counts = {
        "adjudicated": by_lead,
        "unanimous": (kinds == 1) & (judges > 1) & ~by_lead,
        "single judge": (judges == 1) & ~by_lead,
        name: disputed & ~open_ones,
    }
    return Decided(
        pairs[~open_ones],
        found[~open_ones],
        pairs[open_ones],
        {rule: n for rule in RULES if rule in counts and (n := int(counts[rule].sum()))},
    )


def _majority(votes: Integers, scale: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    most = votes.max(axis=1, keepdims=True, initial=0)
    return scale[votes.argmax(axis=1)], (votes == most).sum(axis=1) == 1


def _median(votes: Integers, scale: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    reached = 2 * votes.cumsum(axis=1) >= votes.sum(axis=1, keepdims=True)
    return _all(scale[reached.argmax(axis=1)])


def _mean_rounded(votes: Integers, scale: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    count, total = votes.sum(axis=1), votes @ scale
    off = abs(count[:, None] * scale[None, ::-1] - total[:, None])
    # The first of those as near is the upper one.
    return _all(scale[::-1][off.argmin(axis=1)])


def _min(votes: Integers, scale: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    return _all(scale[(votes > 0).argmax(axis=1)])


def _max(votes: Integers, scale: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    return _all(scale[::-1][(votes[:, ::-1] > 0).argmax(axis=1)])


def _all(grades: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    import numpy as np  # noqa: PLC0415 - as above

    return grades, np.ones(len(grades), dtype=bool)


_POLICIES: dict[str, Callable[[Integers, Integers], tuple[Integers, NDArray[np.bool_]]]] = {
    "majority": _majority,
    "median": _median,
    "mean-rounded": _mean_rounded,
    "min": _min,
    "max": _max,
}
"""The policies of `decide`: votes (pairs x grades) and the scale to grades, and which hold."""
