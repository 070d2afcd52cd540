"""Runs that take turns: each time, the one that is worth most gives its next document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge_tui.pooling.strategy import PooledQuery

_EMPTY = float("-inf")


def drawn_lists(query: PooledQuery) -> list[Sequence[str]]:
    """Return the lists of the runs in an order that is drawn, whatever order the runs are in."""
    return sorted(query.lists, key=lambda doc_ids: query.tie("\n".join(doc_ids)))


def take_turns(lists: Sequence[Sequence[str]], worth: list[float]) -> Iterator[tuple[int, str]]:
    """Yield the place of a list and its next document, until all of every list were taken once.

    The turn is that of the list with the greatest `worth`, the first of several; the caller changes
    `worth` in between.
    """
    waiting = [iter(doc_ids) for doc_ids in lists]
    taken: set[str] = set()
    while worth and (most := max(worth)) > _EMPTY:
        place = worth.index(most)
        for doc_id in waiting[place]:
            if doc_id not in taken:
                taken.add(doc_id)
                yield place, doc_id
                break
        else:
            worth[place] = _EMPTY
