"""A round of the pool: which pairs are judged next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from heapq import heapify, heappop, heapreplace

from judge_tui.errors import UsageError, unknown
from judge_tui.model import Pair
from judge_tui.pooling.order import drawn
from judge_tui.pooling.strata import AUDIT
from judge_tui.pooling.strategies import STRATEGIES, Choice, Strategy


def strategy_named(name: str) -> Strategy:
    """One of `STRATEGIES`. Raises `UsageError` where there is none of that name."""
    if name not in STRATEGIES:
        raise unknown("pooling strategy", name, STRATEGIES)
    return STRATEGIES[name]


def build_pool(
    results: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    strategy: str,
    depth: int,
    budget: int | None = None,
    audit: int | float = 0,
    audited: int = 0,
    seed: int = 0,
    present: AbstractSet[Pair] = frozenset(),
    judged: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, list[Choice]]:
    """query_id, ascending, -> the documents that are new for it, best first, then the audit pairs.

    `results`: tag -> query_id -> doc_ids, best first, each once. `present`: what is in the pool: it
    stays and is not repeated. `judged`: query_id -> doc_id -> final grade, for strategies that use
    it.

    `budget`: how many pairs the pool may hold in all, those `present` included. It goes to what
    weighs most, and evenly to the queries where all weigh the same, each query's best first; where
    more are present than it allows, none is new.

    `audit`: how many pairs, whatever the budget, are drawn from `seed` out of those that were
    retrieved and are outside the pool: as many from each query, each document of a query with the
    same chance. A float is a share of the other pairs of the pool. Of the pairs `present`, so many
    were drawn before, and count: `audited`.

    The `probability` of such a pair is n / N of its query: n drawn of the N that wait after the
    strategy has chosen. It is given these runs, what is present and what the strategy has chosen:
    of a pair that an earlier draw passed over, it says nothing of that draw.

    Raises `UsageError` where there is no run, for an unknown strategy, and for numbers that make no
    sense.
    """
    chosen = strategy_named(strategy)
    _check(results, depth, budget, audit)
    ranked = {
        query_id: [lists.get(query_id, ()) for lists in results.values()]
        for query_id in sorted({query_id for lists in results.values() for query_id in lists})
    }
    tie = drawn(seed, "tie")
    most = depth if chosen.whole_lists and budget is None else None
    pooled: dict[str, set[str]] = {query_id: set() for query_id in ranked}
    for query_id, doc_id in present:
        pooled.setdefault(query_id, set()).add(doc_id)
    pool = {}
    for query_id, lists in ranked.items():
        seen = lists if chosen.whole_lists else [doc_ids[:depth] for doc_ids in lists]
        grades = (judged or {}).get(query_id, {})
        mine = pooled[query_id]
        choices = chosen.choose(seen, grades, mine, partial(tie, query_id))[:most]
        pool[query_id] = [
            one._replace(stratum=one.stratum or chosen.name)
            for one in choices
            if one.doc_id not in mine
        ]
    if budget is not None:
        have = {query_id: len(mine) for query_id, mine in pooled.items()}
        pool = _share(pool, budget - len(present), have, drawn(seed, "budget"))
    if audit:
        draw = drawn(seed, AUDIT)
        waiting = {}
        for query_id, lists in ranked.items():
            retrieved = {doc_id for doc_ids in lists for doc_id in doc_ids}
            outside = retrieved.difference(pooled[query_id], (one.doc_id for one in pool[query_id]))
            free = sorted(outside, key=partial(draw, query_id))
            waiting[query_id] = [Choice(doc_id, stratum=AUDIT) for doc_id in free]
        others = len(present) - audited + sum(map(len, pool.values()))
        number = round(audit * others) if isinstance(audit, float) else audit
        turn = drawn(seed, "audit round")
        for query_id, few in _share(waiting, number - audited, {}, turn).items():
            pool[query_id] += [
                one._replace(probability=len(few) / len(waiting[query_id])) for one in few
            ]
    return pool


def _check(results: Mapping[str, object], depth: int, budget: int | None, audit: float) -> None:
    if not results:
        raise UsageError("there is no run to pool from", "load the systems' runs first")
    if depth < 1:
        raise UsageError(f"a pool of depth {depth} holds nothing", "give a depth of 1 or more")
    if budget is not None and budget < 1:
        raise UsageError(f"a budget of {budget} pairs judges nothing", "give 1 or more")
    if audit < 0:
        raise UsageError(f"cannot draw {audit} audit pairs", "give 0 or more")


def _share(
    waiting: Mapping[str, Sequence[Choice]],
    number: int,
    have: Mapping[str, int],
    turn: Callable[[str], bytes],
) -> dict[str, list[Choice]]:
    """The first of each query's choices, `number` in all, or all there are.

    The next one comes from the query where it weighs most; of several, from the one that has
    fewest, `have` (query_id -> documents it has already) included; then by `turn`.
    """
    shared: dict[str, list[Choice]] = {query_id: [] for query_id in waiting}
    queue = [
        (-choices[0].weight, have.get(query_id, 0), turn(query_id), query_id)
        for query_id, choices in waiting.items()
        if choices
    ]
    heapify(queue)
    while queue and number > 0:
        _, level, place, query_id = queue[0]
        mine, choices = shared[query_id], waiting[query_id]
        mine.append(choices[len(mine)])
        number -= 1
        if len(mine) == len(choices):
            heappop(queue)
        else:
            heapreplace(queue, (-choices[len(mine)].weight, level + 1, place, query_id))
    return shared
