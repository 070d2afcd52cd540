"""How long a live system takes for a query."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

__all__ = ["Latency", "latency_of"]


class Latency(NamedTuple):
    """Seconds a query: the median and the 95th percentile, the nearest rank; None where no query
    was answered."""

    median: float | None
    p95: float | None


def latency_of(seconds: Sequence[float]) -> Latency:
    """`seconds`: of the queries that were answered, ascending."""
    if not seconds:
        return Latency(None, None)
    return Latency(median(seconds), seconds[(95 * len(seconds) + 99) // 100 - 1])
