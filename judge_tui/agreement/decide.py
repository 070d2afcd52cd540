"""From several judgments of a pair to its one grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from judge_tui.agreement.policies import JUDGE, POLICIES, RULES, UNDECIDED, checked_policy
from judge_tui.arrays import Ints
from judge_tui.errors import check_known

GradedPairs: TypeAlias = tuple[Ints, Ints]
"""Pairs as numbers, each once, and their grades. An array is made as long as the greatest."""

Judgments: TypeAlias = Mapping[str, GradedPairs]
"""Judge -> pairs and grades; "skipped" and "cannot be judged" are no grades."""

_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Decisions:
    """The pairs that have a final grade, ascending, their `grades`, and how many each rule decided,
    in the order of `RULES`. `unresolved`: int64[m], ascending, the pairs that were judged and that
    the policy does not decide."""

    pairs: Ints
    grades: Ints
    unresolved: Ints
    rules: dict[str, int]


NOTHING_DECIDED = Decisions(_NONE, _NONE, _NONE, {})


def decide(
    judgments: Judgments,
    policy: str,
    scale: Sequence[int],
    *,
    settled: GradedPairs = (_NONE, _NONE),
    undisputed_only: bool = False,
) -> Decisions:
    """Decide the final grades of all pairs.

    The lead's grade (`settled`) wins; then one judge, or judges of one mind; only then the policy,
    unless `undisputed_only`. With `judge:NAME` that judge's grades are taken as they stand.
    `scale`: ascending, the grades that a mean may be rounded to. Raises `UsageError` for an unknown
    policy, and for a `judge:NAME` who has judged nothing.
    """
    name, _, judge = checked_policy(policy).partition(":")
    if name == JUDGE:
        check_known(JUDGE, judge, sorted(judgments))
        order = np.argsort(judgments[judge][0])
        pairs, grades = (one[order] for one in judgments[judge])
        return Decisions(pairs, grades, _NONE, {JUDGE: len(pairs)} if len(pairs) else {})

    values = np.asarray(scale, dtype=np.int64)
    pairs, votes = grade_counts(judgments, scale, also=settled[0])
    lead = np.searchsorted(pairs, settled[0])
    by_lead = np.zeros(len(pairs), dtype=bool)
    by_lead[lead] = True
    judges, different = votes.sum(axis=1), (votes > 0).sum(axis=1)
    disputed = (different > 1) & ~by_lead
    grades = values[votes.argmax(axis=1)]
    grades[lead] = settled[1]
    grades[disputed] = UNDECIDED
    if not undisputed_only:
        grades[disputed] = POLICIES[name].decide(votes[disputed], values)
    decided = grades != UNDECIDED
    counts = {
        "adjudicated": by_lead,
        "unanimous": (different == 1) & (judges > 1) & ~by_lead,
        "single judge": (judges == 1) & ~by_lead,
        name: disputed & decided,
    }
    rules = {
        rule: int(counts[rule].sum()) for rule in RULES if rule in counts and counts[rule].any()
    }
    return Decisions(pairs[decided], grades[decided], pairs[~decided], rules)


def grade_counts(
    judgments: Judgments, scale: Sequence[int], *, also: Ints = _NONE
) -> tuple[Ints, Ints]:
    """Count how often each pair was given each grade: pairs, ascending, and int64[pairs, grades of
    the scale]. `also`: pairs to list even if nobody graded them; `scale`: ascending."""
    graded = np.concatenate([_NONE, *(pairs for pairs, _ in judgments.values())])
    grades = np.concatenate([_NONE, *(grades for _, grades in judgments.values())])
    columns = np.searchsorted(scale, grades)
    every = np.concatenate([graded, also])
    there = np.zeros(int(every.max(initial=-1)) + 1, dtype=np.bool_)
    there[every] = True
    size = len(scale)
    cells = np.bincount(graded * size + columns, minlength=len(there) * size)
    return np.flatnonzero(there), cells.reshape(len(there), size)[there]
