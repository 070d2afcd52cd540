"""From several judgments of a pair to its one grade: the policies, and who goes before them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.errors import UsageError, unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from judge_tui.arrays import Ints

    Chosen: TypeAlias = tuple[Ints, NDArray[np.bool_]]

__all__ = [
    "ANY_GRADE",
    "POLICIES",
    "RULES",
    "Decided",
    "FinalGrades",
    "Given",
    "Pair",
    "Policy",
    "checked_policy",
    "decide_all",
    "decide_at_once",
    "grade_counts",
]

Pair: TypeAlias = tuple[str, str]
"""(query_id, doc_id)"""

Given: TypeAlias = "tuple[Ints, Ints]"
"""Pairs as numbers, each once, and their grades (0 to 9)."""

ANY_GRADE = range(10)
"""The grades that there can be."""

_JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Policy:
    """What decides pairs whose judges differ. `grades`: votes (int64[pairs, grades of the scale])
    and the scale to grades, and which of them hold. `told`: how a pair came by its grade, after
    "pairs"."""

    name: str
    told: str
    grades: Callable[[Ints, Ints], Chosen]


@dataclass(frozen=True, slots=True)
class Decided:
    """The pairs that have a final grade, ascending, their `grades`, and how many each rule decided,
    in the order of `RULES`. `unresolved`: int64[m], ascending, the pairs that were judged and that
    the policy does not decide."""

    pairs: Ints
    grades: Ints
    unresolved: Ints
    rules: dict[str, int]


@dataclass(frozen=True, slots=True)
class FinalGrades:
    """The same under the ids of pairs. `qrels`: query_id -> doc_id -> grade, ascending;
    `unresolved` and `unjudged`: the pairs without a grade, ascending."""

    qrels: dict[str, dict[str, int]]
    rules: dict[str, int]
    unresolved: tuple[Pair, ...]
    unjudged: tuple[Pair, ...]


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
    dispute, only the lead does. `scale`: ascending, the grades that a mean may be rounded to.
    "Skipped" and "cannot be judged" are no grades. Raises `UsageError` for an unknown policy, and
    for a `judge:NAME` who has judged nothing.
    """
    judge = checked_policy(policy).partition(":")[2]
    if judge and judge not in judgments:
        raise unknown(_JUDGE, judge, sorted(judgments))
    settled = adjudicated or {}
    graded = [judgments[judge]] if judge else [*judgments.values()]
    pairs = sorted({*pool, *settled, *(pair for one in judgments.values() for pair in one)})
    number = {pair: place for place, pair in enumerate(pairs)}
    found = decide_at_once(
        [_arrays(one, number) for one in graded],
        policy,
        scale,
        settled=_arrays(settled, number),
        undisputed_only=undisputed_only,
    )
    qrels: dict[str, dict[str, int]] = {}
    for place, grade in zip(found.pairs.tolist(), found.grades.tolist(), strict=True):
        query_id, doc_id = pairs[place]
        qrels.setdefault(query_id, {})[doc_id] = grade
    unresolved = found.unresolved.tolist()
    without = {*range(len(pairs))}.difference(found.pairs.tolist(), unresolved)
    return FinalGrades(
        qrels=qrels,
        rules=found.rules,
        unresolved=tuple(pairs[place] for place in unresolved),
        unjudged=tuple(pairs[place] for place in sorted(without)),
    )


def decide_at_once(
    judgments: Sequence[Given],
    policy: str,
    scale: Sequence[int],
    *,
    settled: Given | None = None,
    undisputed_only: bool = False,
) -> Decided:
    """The same of pairs as numbers, a million at once.

    The lead's grade (`settled`) wins; then one judge, or judges of one mind; only then the policy.
    `judgments`: one for each judge; `scale`: the campaign's grades, ascending. For `judge:NAME`,
    give that judge's grades alone, which are taken as they stand: raises `UsageError` for more, as
    for an unknown policy.
    """
    import numpy as np  # noqa: PLC0415

    name = checked_policy(policy).partition(":")[0]
    if name == _JUDGE:
        if len(judgments) != 1:
            raise UsageError(f"policy {policy!r} is about one judge", "give that judge's grades")
        order = np.argsort(judgments[0][0])
        pairs, grades = (one[order] for one in judgments[0])
        rules = {_JUDGE: len(pairs)} if len(pairs) else {}
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
    given: Sequence[Given], scale: Sequence[int], *, beside: Ints | None = None
) -> tuple[Ints, Ints]:
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


def checked_policy(policy: str) -> str:
    """The policy itself. Raises `UsageError` where there is none of that name."""
    name, colon, judge = policy.partition(":")
    if name == _JUDGE:
        if not judge:
            raise UsageError("policy 'judge' names no judge", "write judge:NAME")
    elif colon or policy not in POLICIES:
        raise unknown("policy", policy, (*POLICIES, "judge:NAME"))
    return policy


def _arrays(grades: Mapping[Pair, int], number: Mapping[Pair, int]) -> Given:
    import numpy as np  # noqa: PLC0415

    pairs = np.array([number[pair] for pair in grades], dtype=np.int64)
    return pairs, np.array([*grades.values()], dtype=np.int64)


def _majorities(votes: Ints, scale: Ints) -> Chosen:
    most = votes.max(axis=1, keepdims=True, initial=0)
    return scale[votes.argmax(axis=1)], (votes == most).sum(axis=1) == 1


def _medians(votes: Ints, scale: Ints) -> Chosen:
    reached = 2 * votes.cumsum(axis=1) >= votes.sum(axis=1, keepdims=True)
    return _all(scale[reached.argmax(axis=1)])


def _means_rounded(votes: Ints, scale: Ints) -> Chosen:
    # In whole numbers, which have no halves that are a little less.
    count, total = votes.sum(axis=1), votes @ scale
    off = abs(count[:, None] * scale[None, ::-1] - total[:, None])
    # The first of those as near is the upper one.
    return _all(scale[::-1][off.argmin(axis=1)])


def _minima(votes: Ints, scale: Ints) -> Chosen:
    return _all(scale[(votes > 0).argmax(axis=1)])


def _maxima(votes: Ints, scale: Ints) -> Chosen:
    return _all(scale[::-1][(votes[:, ::-1] > 0).argmax(axis=1)])


def _all(grades: Ints) -> Chosen:
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    return grades, np.ones(len(grades), dtype=bool)


POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("majority", "by majority", _majorities),
        Policy("median", "by the median", _medians),
        Policy("mean-rounded", "by the rounded mean", _means_rounded),
        Policy("min", "by the least grade", _minima),
        Policy("max", "by the greatest grade", _maxima),
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
    _JUDGE: "as one judge graded",
}
"""Every way in which a pair can come by its grade, in the order in which they are told, and how it
is told, after "pairs"."""
