"""Ranked lists of several runs, as one array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["NO_DOCUMENT", "Rankings"]

NO_DOCUMENT = -1
"""In the place of a document: the list is shorter."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """The top of every list of every run.

    `tags`: of the runs, in their order. `query_ids`: ascending in byte order. `documents`:
    int64[runs, queries, depth], the document at each rank by a number of 0 or more that the maker
    gives it, the same for the same document everywhere; `NO_DOCUMENT` behind the end of a list.
    `asked`: bool[runs, queries], the queries that a run is known to have been asked, None where
    that is known of no run; `failed`: why a run failed at a query, by the places of both.
    `in_vain`: bool[queries], those that some of the runs were asked and for which no run of all
    that there are has any result, so that nothing could be judged; None where there is none.
    """

    tags: tuple[str, ...]
    query_ids: tuple[str, ...]
    documents: NDArray[np.int64]
    asked: NDArray[np.bool_] | None = None
    failed: Mapping[tuple[int, int], str] = field(default_factory=dict)
    in_vain: NDArray[np.bool_] | None = None

    @property
    def answered(self) -> NDArray[np.bool_]:
        """bool[runs, queries]: whether the run has any result for the query."""
        there: NDArray[np.bool_] = (self.documents[:, :, :1] != NO_DOCUMENT).any(axis=2)
        return there

    @property
    def counted(self) -> NDArray[np.bool_]:
        """bool[runs, queries]: whether the query is the run's own: it has a result there, or is
        known to have been asked, and then counts as nothing found where it has none."""
        return self.answered if self.asked is None else self.answered | self.asked

    def nothing(self, run: int, query: int) -> str:
        """Of a list without results (places), in words: that the system failed, and why; that it
        found nothing; or no more than that, where nobody knows whether it was asked. "" for a list
        with results."""
        if (self.documents[run, query, :1] != NO_DOCUMENT).any():
            return ""
        if why := self.failed.get((run, query)):
            return f"failed: {why}"
        return "found nothing" if self.counted[run, query] else "no result"

    def counting(self, known: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[queries]: which of them any mean is over: those of which something is `known`
        (int64[queries, grades]), and those asked in vain. Nothing was found for the latter, which
        is worth 0 whatever is relevant. The one place that says which queries count."""
        judged: NDArray[np.bool_] = known.sum(axis=1) > 0
        return judged if self.in_vain is None else judged | self.in_vain

    def first(self, depth: int) -> Rankings:
        """The same lists, cut after `depth` results."""
        return replace(self, documents=self.documents[:, :, :depth])
