"""From several judgments of a pair to its one grade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.agreement.policies import POLICIES, RULES
from judge_tui.errors import UsageError, unknown

__all__ = [
    "ANY_GRADE",
    "Decision",
    "FinalGrades",
    "Pair",
    "checked_policy",
    "decide",
    "decide_all",
]

Pair: TypeAlias = tuple[str, str]
"""(query_id, doc_id)"""


ANY_GRADE = range(10)
"""The grades that there can be."""

_JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Decision:
    """One pair's `grade` and the rule of `RULES` that made it; without a grade, the rule is
    `unresolved` (judged, but the policy cannot tell) or `unjudged`."""

    grade: int | None
    rule: str


_UNJUDGED = Decision(None, "unjudged")
_UNRESOLVED = Decision(None, "unresolved")


@dataclass(frozen=True, slots=True)
class FinalGrades:
    """The grades to be exported, and what each came from.

    `qrels`: query_id -> doc_id -> grade, ascending; `rules`: how many pairs each rule decided, in
    the order of `RULES`, those that decided none left out; `unresolved` and `unjudged`: the pairs
    without a grade, ascending.
    """

    qrels: dict[str, dict[str, int]]
    rules: dict[str, int]
    unresolved: tuple[Pair, ...]
    unjudged: tuple[Pair, ...]


def decide(
    grades: Mapping[str, int],
    policy: str,
    *,
    adjudicated: int | None = None,
    scale: Sequence[int] = ANY_GRADE,
) -> Decision:
    """The final grade of one pair. `grades`: judge -> grade, empty where nobody judged it.

    The lead's grade wins; then one judge, or judges of one mind; only then the policy. With
    `judge:NAME` it is that judge's grade, whatever the others and the lead say. "Skipped" and
    "cannot be judged" are no grades and do not belong into `grades`. Raises `UsageError` for an
    unknown policy.
    """
    return _decision(grades, checked_policy(policy), adjudicated, scale, undisputed_only=False)


def decide_all(
    judgments: Mapping[str, Mapping[Pair, int]],
    policy: str,
    *,
    adjudicated: Mapping[Pair, int] | None = None,
    pool: Iterable[Pair] = (),
    undisputed_only: bool = False,
    scale: Sequence[int] = ANY_GRADE,
) -> FinalGrades:
    """The final grades of all pairs.

    `judgments`: judge -> pair -> grade; `adjudicated`: the lead's grades; `pool`: pairs that should
    be judged, so that those without a grade are told. `undisputed_only`: no policy settles a
    dispute, only the lead does. `scale`: the grades that a mean may be rounded to. Raises
    `UsageError` for an unknown policy, and for a `judge:NAME` who has judged nothing.
    """
    name = checked_policy(policy)
    judge = name.partition(":")[2]
    if judge and judge not in judgments:
        raise unknown(_JUDGE, judge, sorted(judgments))
    settled = adjudicated or {}
    by_pair: dict[Pair, dict[str, int]] = {pair: {} for pair in (*pool, *settled)}
    for one, grades in judgments.items():
        for pair, grade in grades.items():
            by_pair.setdefault(pair, {})[one] = grade

    qrels: dict[str, dict[str, int]] = {}
    counts: Counter[str] = Counter()
    without: dict[str, list[Pair]] = {_UNRESOLVED.rule: [], _UNJUDGED.rule: []}
    for pair in sorted(by_pair):
        made = _decision(by_pair[pair], name, settled.get(pair), scale, undisputed_only)
        if made.grade is None:
            without[made.rule].append(pair)
        else:
            qrels.setdefault(pair[0], {})[pair[1]] = made.grade
            counts[made.rule] += 1
    return FinalGrades(
        qrels=qrels,
        rules={rule: counts[rule] for rule in RULES if counts[rule]},
        unresolved=tuple(without[_UNRESOLVED.rule]),
        unjudged=tuple(without[_UNJUDGED.rule]),
    )


def checked_policy(policy: str) -> str:
    """The policy itself. Raises `UsageError` where there is none of that name."""
    name, colon, judge = policy.partition(":")
    if name == _JUDGE:
        if not judge:
            raise UsageError("policy 'judge' names no judge", "write judge:NAME")
    elif colon or policy not in POLICIES:
        raise unknown("policy", policy, (*POLICIES, "judge:NAME"))
    return policy


def _decision(
    grades: Mapping[str, int],
    policy: str,
    adjudicated: int | None,
    scale: Sequence[int],
    undisputed_only: bool,
) -> Decision:
    name, _, judge = policy.partition(":")
    if name == _JUDGE:
        return Decision(grades[judge], _JUDGE) if judge in grades else _UNJUDGED
    if adjudicated is not None:
        return Decision(adjudicated, "adjudicated")
    given = list(grades.values())
    if not given:
        return _UNJUDGED
    if len(set(given)) == 1:
        return Decision(given[0], "unanimous" if len(given) > 1 else "single judge")
    grade = None if undisputed_only else POLICIES[policy].grade(given, scale)
    return _UNRESOLVED if grade is None else Decision(grade, policy)
