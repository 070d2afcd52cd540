"""Whether a system gives fewer results than it is asked for since its pages have no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from judge_tui.collect.reply import Reply

__all__ = ["Page", "page_of"]

_SMALLEST = 5
"""Results: so few that what is asked of a system may well have no more."""

_FEWEST = 5
"""Queries: so few are of one size by chance."""


class Page(NamedTuple):
    """A system gave never more than `size` results, and just so many for `full` queries of the
    `found` for which it gave any."""

    size: int
    full: int
    found: int


def page_of(replies: Iterable[Reply], depth: int) -> Page | None:
    """What looks like a page of a system that was asked for `depth` results of each query: the most
    results that it ever gave, fewer than these, for at least half of the queries that it found
    anything for. None where they are too few to tell, and where it has no more documents than
    those, all queries together. Results count as they came, repeated ones, too."""
    found = [reply for reply in replies if reply.hits]
    sizes = Counter(len(reply.hits) + reply.repeated for reply in found)
    size = max(sizes, default=0)
    full = sizes[size]
    if not _SMALLEST <= size < depth or full < max(_FEWEST, len(found) / 2):
        return None
    documents = {hit.doc_id for reply in found for hit in reply.hits}
    return Page(size, full, len(found)) if len(documents) > size else None
