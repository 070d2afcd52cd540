"""Reciprocal rank fusion: the first k of all runs fused into one list."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from judge_tui.pooling.strategies.strategy import Strategy, Tie

__all__ = ["RRF", "K"]

K = 60
"""The constant of Cormack, Clarke & Buettcher (2009), SIGIR, 758-759."""


def _order(lists: Sequence[Sequence[str]], depth: int | None, tie: Tie) -> list[str]:
    """The sum of 1 / (60 + rank) over the runs, greatest first, then `tie`. Ranks count from 1, and
    the whole of each list is fused, so that a deeper pool begins with all of a shallower one.
    """
    shares: dict[str, list[float]] = {}
    for ranked in lists:
        for rank, doc_id in enumerate(ranked, 1):
            shares.setdefault(doc_id, []).append(1 / (K + rank))
    # fsum is exact whatever the order: equal ranks in other runs are a tie, not a last digit.
    fused = {doc_id: fsum(parts) for doc_id, parts in shares.items()}
    return sorted(fused, key=lambda doc_id: (-fused[doc_id], tie(doc_id)))[:depth]


RRF = Strategy(
    "the first --depth documents of all runs fused by reciprocal rank; with --budget, as many as "
    "it allows",
    _order,
    budget_is_the_limit=True,
    whole_lists=True,
)
