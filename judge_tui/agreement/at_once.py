"""From judgments to final grades, a million pairs at once: what `decide_all` does, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.agreement.decide import checked_policy
from judge_tui.agreement.policies import POLICIES, RULES
from judge_tui.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]

__all__ = ["Decided", "Given", "decide_at_once", "grade_counts"]

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
    pairs, votes = grade_counts(judgments, scale, beside=settled_pairs)
    lead = np.searchsorted(pairs, settled_pairs)
    by_lead = np.zeros(len(pairs), dtype=bool)
    by_lead[lead] = True
    judges, kinds = votes.sum(axis=1), (votes > 0).sum(axis=1)
    disputed = (kinds > 1) & ~by_lead
    found = places[votes.argmax(axis=1)] if len(places) else none
    found[lead] = settled_grades
    open_ones = disputed.copy()
    if not undisputed_only:
        choice, decided = POLICIES[name].grades(votes[disputed], places)
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


def grade_counts(
    given: Sequence[Given], scale: Sequence[int], *, beside: Integers | None = None
) -> tuple[Integers, Integers]:
    """Every pair that was graded or is `beside` those, ascending, and int64[pairs, grades of the
    scale]: how often it was given each. `given`: one for each judge; `scale`: ascending."""
    import numpy as np  # noqa: PLC0415

    none = np.empty(0, dtype=np.int64)
    every = np.concatenate([none, *(pairs for pairs, _ in given)])
    columns = np.searchsorted(scale, np.concatenate([none, *(grades for _, grades in given)]))
    also = none if beside is None else beside
    pairs, rows = np.unique(np.concatenate([every, also]), return_inverse=True)
    cells = np.bincount(
        rows[: len(every)] * len(scale) + columns, minlength=len(pairs) * len(scale)
    )
    return pairs, cells.reshape(len(pairs), len(scale))
