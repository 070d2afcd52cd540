"""Reciprocal rank fusion: the first k of all runs fused into one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import fsum

from judge_tui.pooling.strategies.strategy import Choice, Strategy, Tie

K = 60
"""The constant of Cormack, Clarke & Buettcher (2009), SIGIR, 758-759."""


def _choose(
    ranked: Sequence[Sequence[str]], _judged: Mapping[str, int], _pooled: AbstractSet[str], tie: Tie
) -> list[Choice]:
    """The sum of 1 / (60 + rank) over the runs, greatest first, then `tie`. Ranks count from 1, and
    the whole of each list is fused, so that a deeper pool begins with all of a shallower one.
    """
    shares: dict[str, list[float]] = {}
    for doc_ids in ranked:
        for rank, doc_id in enumerate(doc_ids, 1):
            shares.setdefault(doc_id, []).append(1 / (K + rank))
    # fsum is exact whatever the order: equal ranks in other runs are a tie, not a last digit.
    fused = {doc_id: fsum(parts) for doc_id, parts in shares.items()}
    order = sorted(fused, key=lambda doc_id: (-fused[doc_id], tie(doc_id)))
    return [Choice(doc_id) for doc_id in order]


RRF = Strategy(
    "rrf",
    "the top of the runs' reciprocal rank fusion",
    "at the top of all systems fused",
    _choose,
    whole_lists=True,
)
