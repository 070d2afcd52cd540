"""Queries for which nothing is right, in words: no system can score there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["nothing_right", "without_right"]

_NAMED = 3


def without_right(graded: Iterable[tuple[str, Iterable[int]]]) -> list[str]:
    """The ids of the queries that have no grade of 1 or more, in their order, of pairs of a
    query_id and all its grades."""
    return [query_id for query_id, grades in graded if all(grade < 1 for grade in grades)]


def nothing_right(query_ids: Sequence[str], queries: int) -> tuple[str, ...]:
    """Of those `query_ids` among so many `queries`, that nothing is right for them, in one line;
    none where there are none."""
    if not query_ids:
        return ()
    count, more = len(query_ids), len(query_ids) - _NAMED
    named = ", ".join(query_ids[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    verb = "it counts" if count == 1 else "they count"
    return (
        f"nothing is right for {count:,} of {queries:,} queries ({named}): no system can score"
        f" there, and {verb} as 0 in the means",
    )
