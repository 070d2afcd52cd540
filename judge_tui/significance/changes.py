"""What changed for each query: five buckets, every query in exactly one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge_tui.significance.grid import Floats, on_grid

__all__ = ["BUCKETS", "Changes", "sort_changes"]

BUCKETS = ("added", "removed", "improved", "degraded", "unchanged")


@dataclass(frozen=True, slots=True)
class Changes:
    """Query ids by what became of them, each in ascending order.

    `added`: nothing relevant in the baseline's top k, something in the run's; `removed`: the
    reverse; else `improved`, `degraded` or `unchanged` by the measure.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    improved: tuple[str, ...]
    degraded: tuple[str, ...]
    unchanged: tuple[str, ...]

    def to_dict(self) -> dict[str, list[str]]:
        """The buckets by name, in the order of `BUCKETS`."""
        return {bucket: list(getattr(self, bucket)) for bucket in BUCKETS}


def sort_changes(
    query_ids: Sequence[str],
    differences: Sequence[float] | Floats,
    found_before: Sequence[bool],
    found_now: Sequence[bool],
) -> Changes:
    """Put each query into its bucket; the four sequences are aligned, one entry a query."""
    buckets: dict[str, list[str]] = {bucket: [] for bucket in BUCKETS}
    signs = [int(step) for step in on_grid(differences)]
    for query_id, sign, before, now in sorted(
        zip(query_ids, signs, found_before, found_now, strict=True)
    ):
        buckets[_bucket(sign, before=before, now=now)].append(query_id)
    return Changes(**{bucket: tuple(members) for bucket, members in buckets.items()})


def _bucket(sign: int, *, before: bool, now: bool) -> str:
    if before != now:
        return "added" if now else "removed"
    if sign:
        return "improved" if sign > 0 else "degraded"
    return "unchanged"
