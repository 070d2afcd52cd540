"""Sharing a number of judgments evenly over the queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heapreplace

__all__ = ["shared_evenly"]


def shared_evenly(
    waiting: Mapping[str, Sequence[str]],
    number: int,
    have: Mapping[str, int],
    turn: Callable[[str], bytes],
) -> dict[str, list[str]]:
    """The first of each query's `waiting` documents, `number` in all, or all there are.

    They are dealt in rounds: the next one goes to the query that has fewest, `have` (query_id ->
    documents it has already) included, so that in the end the queries are as even as they can be.
    `turn` says who comes first among equals.
    """
    queue = [(have.get(query_id, 0), turn(query_id), query_id) for query_id in waiting]
    heapify(queue)
    dealt: dict[str, list[str]] = {query_id: [] for query_id in waiting}
    while queue and number > 0:
        level, place, query_id = queue[0]
        mine = dealt[query_id]
        if len(mine) == len(waiting[query_id]):
            heappop(queue)
            continue
        mine.append(waiting[query_id][len(mine)])
        heapreplace(queue, (level + 1, place, query_id))
        number -= 1
    return dealt
