"""Who judges what: planned from what everybody has and has done, and written as a difference."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import chain, groupby
from operator import itemgetter

from judge_tui.campaign.loading.gold import load_gold, read_gold
from judge_tui.campaign.store.backend import roomy
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.desk import assigned_judges
from judge_tui.campaign.store.judges import add_judge, proper_name
from judge_tui.campaign.store.pool import gold_pairs, is_part, pool_is_empty
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError
from judge_tui.formats.pair_rows import QrelsRow
from judge_tui.pooling.assignment import (
    Hand,
    Plan,
    QueryPairs,
    check_wish,
    plan_assignments,
    shared_pairs,
)
from judge_tui.pooling.repeats import first_visit_position

__all__ = ["Assigned", "JudgeShare", "assign"]


@dataclass(frozen=True, slots=True)
class JudgeShare:
    """What one judge has: pairs by purpose, `repeat` being hidden repeats, and all of them.

    `shared` of the `pairs`, gold ones and repeats aside, somebody else has as well: it is their
    overlap for the one, and may be the normal work of the other. `judged` are decided, be it that
    they were skipped; `queries` is how many are visited.
    """

    judge: str
    queries: int
    normal: int
    overlap: int
    gold: int
    repeat: int
    pairs: int
    shared: int
    judged: int


@dataclass(frozen=True, slots=True)
class Assigned:
    """Who has what in the end, and what changed to reach it.

    `shared`: how many pairs, gold ones aside, every two judges have in common. `added` and
    `removed` count the rows that came and went, a hidden repeat being one.
    """

    pairs: int
    gold: int
    added: int
    removed: int
    judges: tuple[JudgeShare, ...]
    shared: dict[tuple[str, str], int]


def assign(
    campaign: Campaign,
    judges: Sequence[str],
    *,
    overlap: float | None = None,
    repeat: float | None = None,
    gold: str | os.PathLike[str] | None = None,
    rebalance: bool = False,
) -> Assigned:
    """Deal what nobody has to `judges`, who are made if new; see `plan_assignments` for what is
    meant.

    `gold`: a qrels file of pairs of known grade, which join the pool and go to every judge; gold
    pairs of earlier calls stay. The plan is made while others judge, and only written alone, in one
    transaction with all that is new. Nothing that has an event is taken from anybody. Raises
    `UsageError` for an empty pool and for what makes no sense, `InputError` for the file; then
    nothing is written.
    """
    names = [proper_name(name) for name in judges]
    check_wish(names, overlap, repeat)
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = read_gold(gold) if gold is not None else []
    while True:
        with campaign.rehearsing():
            new = _entered(campaign, names, gold, rows)
        with campaign.reading():
            keys = new.keys | {judge.name: judge.key for judge in assigned_judges(campaign)}
            state = _state(campaign)
            queries = _queries(campaign, new)
            hands = {name: _hand(campaign, key) for name, key in keys.items()}
        plan = plan_assignments(
            queries,
            names,
            hands,
            overlap=overlap,
            repeat=repeat,
            gold=new.gold,
            seed=campaign.settings.seed,
            rebalance=rebalance,
        )
        with contextlib.suppress(_OutdatedError), campaign.writing():
            if _state(campaign) != state or _entered(campaign, names, gold, rows) != new:
                raise _OutdatedError
            added, removed = _write(campaign, queries, keys, hands, plan)
            break
    # Who is not named any more and has done nothing has nothing.
    given = {name: pairs for name, pairs in plan.given.items() if pairs or name in new.keys}
    return Assigned(
        pairs=sum(len(query.pairs) for query in queries),
        gold=len(new.gold),
        added=added,
        removed=removed,
        judges=tuple(_shares(queries, _judged(campaign), given, plan.repeats)),
        shared=shared_pairs(given, new.gold),
    )


class _OutdatedError(Exception):
    """Others have pooled or assigned since the plan was made: of it, nothing is to be written."""


@dataclass(frozen=True, slots=True)
class _New:
    """What there is once the named judges and the gold pairs are in the file.

    `keys`: of the judges by name, as named. `last`: the key of the last pair of the pool before;
    `pairs`: those that joined it, as `_PAIRS` has them. `gold`: the keys of all gold pairs.
    """

    keys: dict[str, int]
    last: int
    pairs: tuple[tuple[int, int, str], ...]
    gold: frozenset[int]


def _entered(
    campaign: Campaign,
    names: Sequence[str],
    gold: str | os.PathLike[str] | None,
    rows: Sequence[QrelsRow],
) -> _New:
    """Enter the judges, and the `rows` of the file `gold`, as part of a transaction. Raises the
    errors of `assign`."""
    if is_part(campaign):
        raise UsageError(
            "this file is one judge's part of a campaign", "assign where the campaign is"
        )
    if pool_is_empty(campaign):
        raise UsageError(
            "there is nothing to assign: the pool is empty",
            f"first: {typed(campaign.path, 'pool')}",
        )
    ((last,),) = campaign.rows("SELECT max(id) FROM pool")
    if gold is not None:
        load_gold(campaign, gold, rows)
    keys = {judge.name: judge.key for judge in (add_judge(campaign, one) for one in names)}
    pairs = campaign.rows(_PAIRS.format(">"), (last,))
    return _New(keys, last, tuple(pairs), gold_pairs(campaign))


_PAIRS = (
    "SELECT q.id, p.id, q.query_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
    " WHERE p.id {} ? ORDER BY q.id, p.id"
)


def _state(campaign: Campaign) -> tuple[int, ...]:
    """What tells one pool, and one set of assignments, from another."""
    return tuple(
        campaign.rows(
            "SELECT (SELECT count(*) FROM pool), (SELECT count(*) FROM gold),"
            " (SELECT count(*) FROM assignments), (SELECT total(judge) FROM assignments)"
        )[0]
    )


def _queries(campaign: Campaign, new: _New) -> list[QueryPairs]:
    """All pooled pairs by query, in the order of the desk, with those that are `new`."""
    rows = merge(campaign.rows(_PAIRS.format("<="), (new.last,)), new.pairs)
    return [
        QueryPairs(query_id, place, [pair for _, pair, _ in group])
        for (place, query_id), group in groupby(rows, key=itemgetter(0, 2))
    ]


def _hand(campaign: Campaign, judge: int) -> Hand:
    return Hand(
        given=dict(
            campaign.rows(
                "SELECT pair, purpose FROM assignments WHERE judge = ? AND turn = 0", (judge,)
            )
        ),
        repeats=dict(
            campaign.rows(
                "SELECT pair, position FROM assignments WHERE judge = ? AND turn = 1", (judge,)
            )
        ),
        touched=_touched(campaign, judge, 0),
        touched_again=_touched(campaign, judge, 1),
        decided=_pairs(campaign, "SELECT pair FROM decisions WHERE judge = ?", judge),
    )


def _touched(campaign: Campaign, judge: int, turn: int) -> frozenset[int]:
    # What a lead adjudicates was not given to the lead to judge.
    return _pairs(
        campaign,
        "SELECT DISTINCT pair FROM events WHERE judge = ? AND turn = ? AND action IN"
        " ('grade', 'skip', 'cannot', 'flag', 'unflag', 'comment')",
        judge,
        turn,
    )


def _pairs(campaign: Campaign, sql: str, *parameters: int) -> frozenset[int]:
    return frozenset(pair for (pair,) in campaign.rows(sql, parameters))


def _write(
    campaign: Campaign,
    queries: Sequence[QueryPairs],
    keys: Mapping[str, int],
    hands: Mapping[str, Hand],
    plan: Plan,
) -> tuple[int, int]:
    """Make of what everybody has the plan, inside a transaction; returns how many rows came and
    went. What somebody has touched since the plan was made stays theirs."""
    place_of = {pair: query.place for query in queries for pair in query.pairs}
    added: list[tuple[int, int, int, int, str]] = []
    removed: list[tuple[int, int, int]] = []
    changed: list[tuple[str, int, int]] = []
    for name, key in keys.items():
        before, after = hands[name], plan.given[name]
        for pair, purpose in after.items():
            if pair not in before.given:
                added.append((key, pair, 0, first_visit_position(place_of[pair]), purpose))
            elif before.given[pair] != purpose:
                changed.append((purpose, key, pair))
        again = plan.repeats[name]
        for pair, position in again.items():
            if pair not in before.repeats:
                added.append((key, pair, 1, position, "repeat"))
        removed += ((key, pair, 0) for pair in before.given.keys() - after.keys())
        removed += ((key, pair, 1) for pair in before.repeats.keys() - again.keys())
    with campaign.writing() as connection, roomy(connection):
        gone = connection.executemany(
            "DELETE FROM assignments WHERE judge = ?1 AND pair = ?2 AND turn = ?3 AND NOT EXISTS"
            " (SELECT 1 FROM events AS e WHERE e.judge = ?1 AND e.pair = ?2 AND e.turn >= ?3"
            "  AND e.action <> 'adjudicate')",
            removed,
        ).rowcount
        connection.executemany(
            "UPDATE assignments SET purpose = ? WHERE judge = ? AND pair = ? AND turn = 0", changed
        )
        connection.executemany(
            "INSERT INTO assignments (judge, pair, turn, position, purpose) VALUES (?, ?, ?, ?, ?)",
            added,
        )
    return len(added), max(0, gone)


def _shares(
    queries: Sequence[QueryPairs],
    judged: Mapping[str, int],
    given: Mapping[str, Mapping[int, str]],
    again: Mapping[str, Mapping[int, int]],
) -> Iterator[JudgeShare]:
    place_of = {pair: query.place for query in queries for pair in query.pairs}
    holders = Counter(chain.from_iterable(given.values()))
    for name, pairs in given.items():
        repeats = again[name]
        by = Counter(pairs.values())
        yield JudgeShare(
            judge=name,
            queries=len({place_of[pair] for pair in pairs}),
            normal=by["normal"],
            overlap=by["overlap"],
            gold=by["gold"],
            repeat=len(repeats),
            pairs=len(pairs) + len(repeats),
            shared=sum(holders[pair] > 1 for pair, what in pairs.items() if what != "gold"),
            judged=judged.get(name, 0),
        )


def _judged(campaign: Campaign) -> dict[str, int]:
    """Judge -> how many pairs and hidden repeats have a decision that holds: what was touched in
    another way, as by a flag, stays with its judge as well."""
    return dict(
        campaign.rows(
            "SELECT j.name, count(t.decision) FROM judges AS j"
            " JOIN judgments AS t ON t.judge = j.id"
            " GROUP BY j.id"
        )
    )
