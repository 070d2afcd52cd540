"""Queries that a run was asked and found nothing for, in words."""

from __future__ import annotations

__all__ = ["asked_in_vain", "failed_among"]


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
