"""Queries that a run was asked and found nothing for, in words."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["asked_nobody_knows_what", "failed_among"]

_SYSTEMS_NAMED = 3


def failed_among(nothing: int, failed: int) -> str:
    """What is added to a count of queries without results: at how many of them the system failed,
    "" for none."""
    if not failed:
        return ""
    if failed < nothing:
        return f", {failed:,} of them failed"
    return ", which failed" if failed == 1 else ", all of which failed"


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
