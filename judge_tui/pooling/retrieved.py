"""The pairs that runs retrieved, as arrays, of which pools and estimates are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.pooling.strategy import PooledQuery

OCTILES = 8

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke & Buettcher, 2009)."""


@dataclass(frozen=True, eq=False)
class RetrievedPairs:
    """Every pair of a query and a document that any run retrieved, ascending by both.

    `query`, `document`: int64[pairs], the place of the query and the number of the document. `at`:
    int64[runs, queries, depth], the pair at each rank, -1 behind the end of a list.
    """

    query: Ints
    document: Ints
    at: Ints

    @classmethod
    def of(cls, documents: Ints) -> RetrievedPairs:
        """Make the pairs of int64[runs, queries, depth], the number of the document at each rank,
        -1 behind the end of a list."""
        there = documents >= 0
        span = int(documents.max(initial=0)) + 1
        of_query = np.broadcast_to(np.arange(documents.shape[1])[:, None], documents.shape)
        keys, places = np.unique(of_query[there] * span + documents[there], return_inverse=True)
        at = np.full(documents.shape, -1, dtype=np.int64)
        at[there] = places
        return cls(keys // span, keys % span, at)

    @classmethod
    def of_queries(cls, queries: Sequence[PooledQuery]) -> tuple[RetrievedPairs, list[list[str]]]:
        """Make the pairs of what a strategy sees, documents numbered by their places. Beside them,
        for each query, the doc_ids of its pairs, in their order."""
        retrieved = [sorted({*chain.from_iterable(query.lists)}) for query in queries]
        runs = max((len(query.lists) for query in queries), default=0)
        longest = max((len(doc_ids) for query in queries for doc_ids in query.lists), default=0)
        at, pairs = np.full((runs, len(queries), longest), -1, dtype=np.int64), 0
        for place, (query, doc_ids) in enumerate(zip(queries, retrieved, strict=True)):
            pair_of = {doc_id: pair for pair, doc_id in enumerate(doc_ids, pairs)}
            for run, ranked in enumerate(query.lists):
                at[run, place, : len(ranked)] = [pair_of[doc_id] for doc_id in ranked]
            pairs += len(doc_ids)
        of_query = np.repeat(np.arange(len(queries)), [len(doc_ids) for doc_ids in retrieved])
        return cls(of_query, np.arange(pairs), at), retrieved

    def __len__(self) -> int:
        return len(self.query)

    @property
    def queries(self) -> int:
        """How many queries there are, those without results among them."""
        return int(self.at.shape[1])

    def places_of(self, query: Ints, document: Ints) -> Ints:
        """Return int64[n]: the places of these pairs, -1 for one that no run retrieved."""
        span = int(max(self.document.max(initial=0), document.max(initial=0))) + 1
        known, asked = self.query * span + self.document, query * span + document
        place = np.searchsorted(known, asked)
        place[place == len(known)] = 0
        found = known[place] == asked if len(known) else np.zeros(len(asked), dtype=bool)
        return np.where(found, place, -1)

    @cached_property
    def best_rank(self) -> Ints:
        """int64[pairs]: the best rank of each pair in any run, from 1."""
        best = np.full(len(self), self.at.shape[2] + 1, dtype=np.int64)
        for rank in range(self.at.shape[2], 0, -1):
            at = self.at[:, :, rank - 1]
            best[at[at >= 0]] = rank
        return best

    @cached_property
    def fused(self) -> Floats:
        """float64[pairs]: reciprocal rank fusion, the sum of 1 / (60 + rank) over the runs."""
        # Rank by rank, so that the same ranks in other runs add up to the same last digit.
        at = self.at.transpose(2, 0, 1)
        there = at >= 0
        shares = np.repeat(1 / (RRF_K + 1 + np.arange(len(at))), there.sum(axis=(1, 2)))
        fused = np.bincount(at[there], shares, len(self))
        # Of nothing, it counts.
        return fused.astype(np.float64, copy=False)

    @cached_property
    def octile(self) -> Ints:
        """int64[pairs]: in which eighth of its query's fused list each pair stands, 0 the first.
        What is fused alike stands in the eighth of its middle."""
        order = np.lexsort((-self.fused, self.query))
        sizes = np.bincount(self.query, minlength=self.queries)
        start = sizes.cumsum() - sizes
        query, fused = self.query[order], self.fused[order]
        place = np.arange(len(self)) - start[query]
        new = np.ones(len(self), dtype=bool)
        new[1:] = (query[1:] != query[:-1]) | (fused[1:] != fused[:-1])
        tie = new.cumsum() - 1
        middle = (np.bincount(tie, place) / np.bincount(tie))[tie] if len(self) else place
        octile = np.empty(len(self), dtype=np.int64)
        octile[order] = (middle + 0.5) * OCTILES // sizes[query]
        return octile

    def discounts(self, run: int, discount: Floats) -> Floats:
        """Return float64[pairs]: the discount (float64[ranks]) at the rank of each pair in a run, 0
        below the last."""
        at = self.at[run, :, : len(discount)]
        there = at >= 0
        found = np.zeros(len(self))
        found[at[there]] = np.broadcast_to(discount[: at.shape[1]], at.shape)[there]
        return found

    def within(self, depth: int) -> Bools:
        """Return bool[pairs]: which stand in the top `depth` of any run."""
        top: Bools = self.best_rank <= depth
        return top
