"""Depth-k pooling: what any run has among its first k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from judge_tui.pooling.strategies.strategy import Choice, Strategy, Tie


def _choose(
    ranked: Sequence[Sequence[str]], _judged: Mapping[str, int], _pooled: AbstractSet[str], tie: Tie
) -> list[Choice]:
    """Best rank in any run first, then the number of runs that hold it within the depth, then
    `tie`. A deeper pool begins with all of a shallower one.

    Sparck Jones & van Rijsbergen (1975), Report on the need for and provision of an "ideal"
    information retrieval test collection; TREC's pools since 1992.
    """
    best: dict[str, int] = {}
    runs: dict[str, int] = {}
    for doc_ids in ranked:
        for rank, doc_id in enumerate(doc_ids, 1):
            best[doc_id] = min(rank, best.get(doc_id, rank))
            runs[doc_id] = runs.get(doc_id, 0) + 1
    order = sorted(best, key=lambda doc_id: (best[doc_id], -runs[doc_id], tie(doc_id)))
    return [Choice(doc_id) for doc_id in order]


DEPTH = Strategy("depth", "the top --depth of every run", "at the top of a system", _choose)
