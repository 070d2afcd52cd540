"""The pool: which pairs are judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

from judge_tui.errors import UsageError, unknown
from judge_tui.pooling.order import drawn
from judge_tui.pooling.share import shared_evenly
from judge_tui.pooling.strategies import STRATEGIES

__all__ = ["AUDIT", "PooledPair", "build_pool"]

AUDIT = "audit"
"""The stratum of pairs drawn at random from what the pool leaves out."""


@dataclass(frozen=True, slots=True)
class PooledPair:
    """A pair to be judged. `stratum` says why it is there: the strategy's name, or `audit`."""

    query_id: str
    doc_id: str
    stratum: str


def build_pool(
    results: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    strategy: str = "depth",
    depth: int = 10,
    budget: int | None = None,
    audit: int = 0,
    seed: int = 0,
    present: AbstractSet[tuple[str, str]] = frozenset(),
) -> list[PooledPair]:
    """The pairs that are new, by query_id, best first; `present` ones stay and are not repeated.

    `results`: tag -> query_id -> doc_ids, best first, each once. `strategy`: a key of `STRATEGIES`,
    which puts each query's documents into an order, down to `depth`.

    `budget`: how many pairs the pool may hold in all, those `present` included. It is shared evenly
    over the queries, each query's best first; where more are present than it allows, none is new.

    `audit`: how many pairs more, whatever the budget, are drawn from `seed` out of those that were
    retrieved and are outside the pool: as many from each query, each document of a query with the
    same chance, so that what the pool misses can be estimated.

    Raises `UsageError` where there is no run, for an unknown strategy, and for numbers that make no
    sense.
    """
    _check(results, strategy, depth, budget, audit)
    queries = sorted({query_id for lists in results.values() for query_id in lists})
    chosen = STRATEGIES[strategy]
    limit = None if budget is not None and chosen.budget_is_the_limit else depth
    tie = drawn(seed, "tie")
    ordered = {
        query_id: chosen.order(_lists(results, query_id), limit, partial(tie, query_id))
        for query_id in queries
    }

    fresh = {
        query_id: [doc_id for doc_id in doc_ids if (query_id, doc_id) not in present]
        for query_id, doc_ids in ordered.items()
    }
    if budget is not None:
        have = Counter(query_id for query_id, _ in present)
        fresh = shared_evenly(fresh, budget - len(present), have, drawn(seed, "budget"))
    extra: dict[str, list[str]] = {}
    if audit:
        waiting = {
            query_id: _outside(results, query_id, fresh[query_id], present, seed)
            for query_id in queries
        }
        extra = shared_evenly(waiting, audit, {}, drawn(seed, "audit round"))

    pool: list[PooledPair] = []
    for query_id in ordered:
        pool += [PooledPair(query_id, one, strategy) for one in fresh[query_id]]
        pool += [PooledPair(query_id, one, AUDIT) for one in extra.get(query_id, ())]
    return pool


def _check(
    results: Mapping[str, object], strategy: str, depth: int, budget: int | None, audit: int
) -> None:
    if strategy not in STRATEGIES:
        raise unknown("pooling strategy", strategy, STRATEGIES)
    if not results:
        raise UsageError("there is no run to pool from", "load the systems' runs first")
    if depth < 1:
        raise UsageError(f"a pool of depth {depth} holds nothing", "give a depth of 1 or more")
    if budget is not None and budget < 1:
        raise UsageError(f"a budget of {budget} pairs judges nothing", "give 1 or more")
    if audit < 0:
        raise UsageError(f"cannot draw {audit} audit pairs", "give 0 or more")


def _lists(
    results: Mapping[str, Mapping[str, Sequence[str]]], query_id: str
) -> list[Sequence[str]]:
    return [lists[query_id] for lists in results.values() if query_id in lists]


def _outside(
    results: Mapping[str, Mapping[str, Sequence[str]]],
    query_id: str,
    pooled: Sequence[str],
    present: AbstractSet[tuple[str, str]],
    seed: int,
) -> list[str]:
    """What was retrieved for the query and is not pooled, in the order of the draw."""
    retrieved = {doc_id for ranked in _lists(results, query_id) for doc_id in ranked}
    outside = [
        doc_id for doc_id in retrieved.difference(pooled) if (query_id, doc_id) not in present
    ]
    return sorted(outside, key=partial(drawn(seed, AUDIT), query_id))
