"""Queries that a run was asked and found nothing for, in words."""

from __future__ import annotations

__all__ = ["failed_among"]


def failed_among(nothing: int, failed: int) -> str:
    """What is added to a count of queries without results: at how many of them the system failed,
    "" for none."""
    if not failed:
        return ""
    if failed < nothing:
        return f", {failed:,} of them failed"
    return ", which failed" if failed == 1 else ", all of which failed"
