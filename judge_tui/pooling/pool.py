"""A round of the pool: which pairs are judged next.

A pair is chosen by a strategy, or it came by itself, or it was drawn at random. What was drawn has
no part in what is chosen, so that it stands for all that is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heapreplace
from itertools import chain
from typing import NamedTuple, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.model import Pair
from judge_tui.pooling.order import drawn
from judge_tui.pooling.strategies import AUDIT, strategy_named
from judge_tui.pooling.strategy import Aim, Choice, PooledQuery

USUAL_AUDIT = 0.1
"""The share that is drawn where a strategy uses judgments."""

USUAL_DEPTH = 10
"""How deep a round looks where nobody says it."""

USUAL_MEASURE = "nDCG@10"
"""By which runs are told apart where no measure is named."""


def usual_audit(strategy: str) -> float:
    """The share that is drawn beside a strategy where nothing else is asked. Raises `UsageError`
    for an unknown strategy."""
    return USUAL_AUDIT if strategy_named(strategy).uses_judgments else 0.0


class Population(NamedTuple):
    """What pairs are drawn from: the top `depth` of every run, `retrieved` pairs over all queries.
    `wanted`: how many are to be drawn, in all rounds."""

    depth: int
    retrieved: int
    wanted: int


NO_POPULATION = Population(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Round:
    """What a round does, by query_id, ascending.

    `added`: the new pairs, those chosen, best first, then those drawn. `chosen`: pairs that were
    drawn before and are chosen now. `probabilities`: of the pairs that were drawn before and are
    not chosen; None for one outside the `population`. `finished`: the queries that get no more.
    """

    added: Mapping[str, Sequence[Choice]]
    chosen: Mapping[str, Sequence[Choice]]
    probabilities: Mapping[Pair, float | None]
    population: Population
    finished: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Pool:
    """The pairs in the pool: those `chosen`, by a strategy or by themselves, and those `drawn` from
    the `population`, with the probability of each; None for one outside of it."""

    chosen: AbstractSet[Pair] = frozenset()
    drawn: Mapping[Pair, float | None] = field(default_factory=dict)
    population: Population = NO_POPULATION

    def after(self, latest: Round) -> Pool:
        """Return the pool with a round of it."""
        new = {(q, choice.doc_id): choice for q in latest.added for choice in latest.added[q]}
        draws = {pair: draw.probability for pair, draw in new.items() if draw.stratum == AUDIT}
        moved = {(q, choice.doc_id) for q in latest.chosen for choice in latest.chosen[q]}
        stay = {pair: chance for pair, chance in self.drawn.items() if pair not in moved}
        return Pool(
            self.chosen | moved | (new.keys() - draws.keys()),
            {**stay, **latest.probabilities, **draws},
            latest.population,
        )


def build_pool(
    results: Mapping[str, Mapping[str, Sequence[str]]],
    pool: Pool,
    *,
    strategy: str,
    depth: int,
    budget: int | None = None,
    audit: int | float | None = None,
    seed: int = 0,
    judged: Mapping[str, Mapping[str, int]] | None = None,
    aim: Aim | None = None,
    until: int | None = None,
) -> Round:
    """Return the next round.

    `results`: tag -> query_id -> doc_ids, best first, each once. `pool`: that of now, which stays.
    `judged`: query_id -> doc_id -> final grade, for strategies that use it; `aim`: for those that
    have one, which need it. `budget`: how many pairs the pool may hold in all, those of now
    included. It goes to what weighs most, and evenly to the queries where all weigh the same.
    `until`: a query gets no more by choice once the last so many of what was judged of it, in the
    order of the strategy, are not relevant.

    `audit`: how many pairs of the top `depth` of all runs are drawn in all rounds, as many of each
    query. They are part of the budget. A float is a share of what the round may add to reach the
    budget, or without one, of the other pairs. None: 10 % for a strategy that uses judgments, else
    no more. What was drawn once is kept up in every later round: where a pair is chosen now, or is
    no longer among the first of those of now as runs brought others, another one takes its place.
    The budget does not count the latter.

    Raises `UsageError` where there is no run, for an unknown strategy, and for numbers too small.
    """
    chooser = strategy_named(strategy)
    if audit is None:
        audit = usual_audit(strategy)
    _check(results, depth, budget, audit, until)
    ranked = {
        query_id: [lists.get(query_id, ()) for lists in results.values()]
        for query_id in sorted({query_id for lists in results.values() for query_id in lists})
    }
    chosen: dict[str, set[str]] = {query_id: set() for query_id in ranked}
    for query_id, doc_id in pool.chosen:
        chosen.setdefault(query_id, set()).add(doc_id)
    lists = ranked if chooser.whole_lists else _tops(ranked, depth)
    queries = _queries(lists, chosen, judged or {}, seed)
    orders = dict(zip(ranked, chooser.choose(queries, aim), strict=True))
    finished = [
        query_id
        for query, (query_id, order) in zip(queries, orders.items(), strict=True)
        if until is not None and _ends_in_vain(order, query, until)
    ]
    if budget is not None and budget <= len(pool.chosen) + pool.population.wanted:
        return Round({}, {}, {}, pool.population, finished)

    most = depth if chooser.whole_lists and budget is None else None
    waiting = {
        query_id: [choice for choice in order[:most] if choice.doc_id not in chosen[query_id]]
        for query_id, order in orders.items()
    } | {query_id: [] for query_id in finished}
    to_choose, to_draw = _quotas(pool, sum(map(len, waiting.values())), budget, audit)
    have = {query_id: len(doc_ids) for query_id, doc_ids in chosen.items()}
    choices = {
        query_id: [choice._replace(stratum=strategy) for choice in best]
        for query_id, best in _share(waiting, to_choose, have, drawn(seed, "budget")).items()
    }
    for query_id, best in choices.items():
        chosen[query_id].update(choice.doc_id for choice in best)

    to_depth, union = _drawn_from(ranked, chosen, depth if audit else 0, pool.population.depth)
    left = {query_id: doc_ids - chosen[query_id] for query_id, doc_ids in union.items()}
    draws = _draw(left, to_draw, seed)
    retrieved = sum(map(len, union.values()))
    population = Population(to_depth, retrieved, to_draw if to_depth else 0)
    return _round(pool, choices, draws, population, finished)


def _quotas(pool: Pool, waiting: int, budget: int | None, audit: int | float) -> tuple[int, int]:
    """Return how many pairs are chosen now, of so many that wait, and how many are drawn in all
    rounds: what was drawn stays, and what is chosen gets what the draw leaves of the budget."""
    chosen, before = len(pool.chosen), pool.population.wanted
    if budget is None:
        to_draw = round(audit * (chosen + waiting)) if isinstance(audit, float) else audit
        return waiting, max(to_draw, before)
    room = budget - chosen
    if isinstance(audit, float):
        to_draw = before + round(audit * min(room - before, waiting))
    else:
        to_draw = max(audit, before)
    to_draw = min(to_draw, room)
    return room - to_draw, to_draw


Ranked: TypeAlias = Mapping[str, Sequence[Sequence[str]]]
"""query_id -> doc_ids, best first, one list a run."""


def _tops(ranked: Ranked, depth: int) -> dict[str, list[Sequence[str]]]:
    return {q: [doc_ids[:depth] for doc_ids in lists] for q, lists in ranked.items()}


def _queries(
    ranked: Ranked,
    chosen: Mapping[str, AbstractSet[str]],
    judged: Mapping[str, Mapping[str, int]],
    seed: int,
) -> list[PooledQuery]:
    """Return what a strategy sees: of the grades, those of what was chosen."""
    tie = drawn(seed, "tie")
    queries = []
    for query_id, lists in ranked.items():
        grades = judged.get(query_id, {})
        known = {doc_id: grades[doc_id] for doc_id in grades.keys() & chosen[query_id]}
        queries.append(PooledQuery(lists, known, partial(tie, query_id)))
    return queries


def _ends_in_vain(order: Sequence[Choice], query: PooledQuery, until: int) -> bool:
    """Whether the last `until` documents that are judged are not relevant."""
    judged = [query.relevant(each.doc_id) for each in order if each.doc_id in query.grades]
    return len(judged) >= until and not any(judged[-until:])


def _drawn_from(
    ranked: Ranked, chosen: Mapping[str, AbstractSet[str]], depth: int, before: int
) -> tuple[int, dict[str, set[str]]]:
    """Return what is drawn from: a depth, and the top of all runs, query_id -> doc_ids. Where all
    of the top `depth` was chosen (or it is 0), that stays as deep as `before`: what was drawn goes
    on standing for the rest of it."""
    union = _union(ranked, depth)
    if all(doc_ids <= chosen[query_id] for query_id, doc_ids in union.items()):
        return before, _union(ranked, before)
    return depth, union


def _union(ranked: Ranked, depth: int) -> dict[str, set[str]]:
    return {q: {*chain.from_iterable(lists)} for q, lists in _tops(ranked, depth).items()}


def _draw(left: Mapping[str, AbstractSet[str]], number: int, seed: int) -> dict[str, list[Choice]]:
    """Draw `number` of the documents that nobody chose, as many of each query: query_id -> those
    drawn, with the probability that each of them had.

    They are the first of an order that is drawn once and for all. Neither what is chosen nor how
    many are drawn depends on it, so each of N had the same chance to be among the first n: n / N,
    the inclusion probability of Horvitz & Thompson, Journal of the American Statistical Association
    47, 663-685, 1952.
    """
    order, turn = drawn(seed, AUDIT), drawn(seed, "audit round")
    waiting = {
        query_id: [
            Choice(doc_id, stratum=AUDIT)
            for doc_id in sorted(doc_ids, key=partial(order, query_id))
        ]
        for query_id, doc_ids in left.items()
    }
    return {
        query_id: [draw._replace(probability=len(first) / len(left[query_id])) for draw in first]
        for query_id, first in _share(waiting, number, {}, turn).items()
    }


def _round(
    pool: Pool,
    choices: Mapping[str, Sequence[Choice]],
    draws: Mapping[str, Sequence[Choice]],
    population: Population,
    finished: Sequence[str],
) -> Round:
    """Return what changes in the pool: a pair that was drawn before may be chosen or drawn now."""
    best = {(query_id, choice.doc_id) for query_id in choices for choice in choices[query_id]}
    chances = {(q, draw.doc_id): draw.probability for q in draws for draw in draws[q]}
    added, moved = {}, {}
    for q in choices:
        both = (*choices[q], *draws[q])
        added[q] = [choice for choice in both if (q, choice.doc_id) not in pool.drawn]
        moved[q] = [choice for choice in choices[q] if (q, choice.doc_id) in pool.drawn]
    probabilities = {pair: chances.get(pair) for pair in sorted(pool.drawn.keys() - best)}
    return Round(added, moved, probabilities, population, finished)


def _check(
    results: Mapping[str, object],
    depth: int,
    budget: int | None,
    audit: float,
    until: int | None,
) -> None:
    if not results:
        raise UsageError("there is no run to pool from", "load the systems' runs first")
    least_of = (
        ("depth", depth, 1),
        ("budget", budget, 1),
        ("audit", audit, 0),
        ("until", until, 1),
    )
    for name, number, least in least_of:
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
