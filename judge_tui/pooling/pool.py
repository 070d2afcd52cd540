"""A round of the pool: which pairs are judged next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from heapq import heapify, heappop, heapreplace

from judge_tui.errors import UsageError
from judge_tui.model import Pair
from judge_tui.pooling.order import drawn
from judge_tui.pooling.strategies import AUDIT, Choice, PooledQuery, strategy_named


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
    """Return the new documents of each query, best first, then its audit pairs: by query_id,
    ascending.

    `results`: tag -> query_id -> doc_ids, best first, each once. `present`: the pool of now, which
    stays. `judged`: query_id -> doc_id -> final grade, for strategies that use it. `budget`: how
    many pairs the pool may hold in all, those `present` included. It goes to what weighs most, and
    evenly to the queries where all weigh the same.

    `audit`: how many pairs, whatever the budget, are drawn from `seed` out of those that were
    retrieved and are outside the pool, as many from each query; a float is a share of the other
    pairs. `audited` of the pairs `present` were drawn before, and count. The `probability` of such
    a pair is n / N of its query: n drawn of the N that wait after the strategy has chosen. It says
    nothing of an earlier draw that passed the pair over.

    Raises `UsageError` where there is no run, for an unknown strategy, and for numbers too small.
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
        choices = chosen.choose(PooledQuery(seen, mine, grades, partial(tie, query_id)))[:most]
        pool[query_id] = [
            one._replace(stratum=one.stratum or strategy)
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
    for name, number, least in (("depth", depth, 1), ("budget", budget, 1), ("audit", audit, 0)):
        if number is not None and number < least:
            raise UsageError(f"{name} is {number}", f"give {least} or more")


def _share(
    waiting: Mapping[str, Sequence[Choice]],
    number: int,
    have: Mapping[str, int],
    turn: Callable[[str], bytes],
) -> dict[str, list[Choice]]:
    """Take the first of each query's choices, `number` in all, or all there are.

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
