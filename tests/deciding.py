"""Final grades of pairs by their ids, as `decide` has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.agreement.decide import GradedPairs, decide
from judge_tui.model import Pair


@dataclass(frozen=True, slots=True)
class FinalGrades:
    qrels: dict[str, dict[str, int]]
    rules: dict[str, int]
    unresolved: tuple[Pair, ...]
    unjudged: tuple[Pair, ...]


def decide_by_id(
    judgments: Mapping[str, Mapping[Pair, int]],
    policy: str,
    scale: Sequence[int],
    *,
    adjudicated: Mapping[Pair, int],
    pool: Iterable[Pair] = (),
    undisputed_only: bool = False,
) -> FinalGrades:
    """`judgments`: judge -> pair -> grade; `pool`: pairs that should be judged."""
    pairs = sorted({*pool, *adjudicated, *(pair for one in judgments.values() for pair in one)})
    number = {pair: place for place, pair in enumerate(pairs)}

    def arrays(grades: Mapping[Pair, int]) -> GradedPairs:
        pairs = np.array([number[pair] for pair in grades], dtype=np.int64)
        return pairs, np.array([*grades.values()], dtype=np.int64)

    found = decide(
        {judge: arrays(grades) for judge, grades in judgments.items()},
        policy,
        scale,
        settled=arrays(adjudicated),
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
