"""Depth-k pooling: what any run has among its first k."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.pooling.strategies.strategy import Strategy, Tie

__all__ = ["DEPTH"]


def _order(lists: Sequence[Sequence[str]], depth: int | None, tie: Tie) -> list[str]:
    """Best rank in any run first, then the number of runs that hold it within the depth, then
    `tie`. A deeper pool begins with all of a shallower one.

    Sparck Jones & van Rijsbergen (1975), Report on the need for and provision of an "ideal"
    information retrieval test collection; TREC's pools since 1992.
    """
    best: dict[str, int] = {}
    runs: dict[str, int] = {}
    for ranked in lists:
        for rank, doc_id in enumerate(ranked[:depth], 1):
            best[doc_id] = min(rank, best.get(doc_id, rank))
            runs[doc_id] = runs.get(doc_id, 0) + 1
    return sorted(best, key=lambda doc_id: (best[doc_id], -runs[doc_id], tie(doc_id)))


DEPTH = Strategy("what any run has among its first --depth documents", _order)
