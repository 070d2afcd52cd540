"""Queries that a run was asked and found nothing for, in words."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "asked_in_vain",
    "asked_nobody_knows_what",
    "failed_among",
    "failed_too_often",
    "mostly_in_vain",
    "so_many_in_vain",
]

_SYSTEMS_NAMED = 3

_MOST_FAILED = 0.1
"""Of its queries a system may fail at so great a share, and be decided on all the same."""


def failed_too_often(failed: int, queries: int) -> bool:
    """Whether a system failed at so many queries that nothing is decided on it."""
    return failed > _MOST_FAILED * queries


def mostly_in_vain(nothing: int, queries: int) -> bool:
    """Whether there is nothing for over half of the queries: most likely the system is wrongly set
    up, and nothing rests on it."""
    return nothing * 2 > queries


def so_many_in_vain(nothing: int, queries: int) -> str:
    """For which of the queries nothing was found, where that is so for some: `any query`, `4 of 7
    queries`."""
    return "any query" if nothing == queries else f"{nothing:,} of {queries:,} queries"


def failed_among(nothing: int, failed: int) -> str:
    """What is added to a count of queries without results: at how many of them the system failed,
    "" for none."""
    if not failed:
        return ""
    if failed < nothing:
        return f", {failed:,} of them failed"
    return ", which failed" if failed == 1 else ", all of which failed"


def asked_in_vain(queries: int, failed: int) -> str:
    """Of queries for which no run has any result, where there are some."""
    one = queries == 1
    if not failed:
        among = ""
    elif one:
        among = " (it failed)"
    else:
        among = f" ({'all' if failed == queries else f'{failed:,}'} failed)"
    return (
        f"{queries:,} {'query' if one else 'queries'} for which no system found anything"
        f" {'counts' if one else 'count'} as 0{among}"
    )


def asked_nobody_knows_what(tags: Sequence[str]) -> str:
    """Of runs that lack queries, beside others of which it is known what they were asked; "" where
    there are none."""
    if not tags:
        return ""
    more = len(tags) - _SYSTEMS_NAMED
    others = f" and {more:,} more" if more > 0 else ""
    its = "its" if len(tags) == 1 else "their"
    return (
        f"of {', '.join(map(repr, tags[:_SYSTEMS_NAMED]))}{others} nobody knows what was asked:"
        f" queries without results are left out of {its} numbers, where they count as 0 for other"
        " runs; a run that collect made is to be loaded again with its NAME.latency.csv beside it"
    )
