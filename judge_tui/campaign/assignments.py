"""Who judges what: planned from what everybody has and has done, and written as a difference."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from judge_tui.campaign.desk import assigned_judges
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.gold import gold_pairs, load_gold, read_gold
from judge_tui.campaign.judges import add_judge, proper_name
from judge_tui.campaign.loaded import OnRows, silent
from judge_tui.campaign.pool import pool_is_empty
from judge_tui.errors import UsageError
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

_TOLD = 10_000


@dataclass(frozen=True, slots=True)
class JudgeShare:
    """What one judge has: pairs by purpose, `repeat` being hidden repeats, and all of them.

    `judged` of the `pairs` have an event already; `queries` is how many are visited.
    """

    judge: str
    queries: int
    normal: int
    overlap: int
    gold: int
    repeat: int
    pairs: int
    judged: int


@dataclass(frozen=True, slots=True)
class Assigned:
    """Who has what in the end, and what changed to reach it.

    `shared`: how many pairs, gold ones aside, every two judges have in common. `added` and
    `removed` count the rows that came and went, a hidden repeat being one. `warnings`: what could
    not be reached, in a sentence each.
    """

    pairs: int
    gold: int
    added: int
    removed: int
    judges: tuple[JudgeShare, ...]
    shared: dict[tuple[str, str], int]
    warnings: tuple[str, ...]


def assign(
    campaign: Campaign,
    judges: Sequence[str],
    *,
    overlap: float | None = None,
    repeat: float | None = None,
    gold: str | os.PathLike[str] | None = None,
    format: str | None = None,
    on_rows: OnRows = silent,
) -> Assigned:
    """Spread the pool over `judges`, who are made if new; see `plan_assignments` for what is meant.

    `gold`: a qrels file of pairs of known grade, which join the pool and go to every judge; gold
    pairs of earlier calls stay. Nothing that has an event is taken from anybody, not even where the
    event comes while this runs: the plan is made while others judge, and only written alone.
    `on_rows` hears how many assignments came and went so far.

    Raises `UsageError` for an empty pool and for what makes no sense, `InputError` for the file;
    then nothing is written.
    """
    names = [proper_name(name) for name in judges]
    check_wish(names, overlap, repeat)
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = read_gold(gold, format=format) if gold is not None else []
    with campaign.writing():
        if pool_is_empty(campaign):
            raise UsageError(
                "there is nothing to assign: the pool is empty", "first: judge-tui pool"
            )
        if gold is not None:
            load_gold(campaign, gold, rows)
        keys = {name: add_judge(campaign, name).key for name in names}
    while True:
        with campaign.reading():
            keys |= {judge.name: judge.key for judge in assigned_judges(campaign)}
            state = _fingerprint(campaign)
            queries = _queries(campaign)
            hands = {name: _hand(campaign, key) for name, key in keys.items()}
            pairs_of_gold = gold_pairs(campaign)
        plan = plan_assignments(
            queries,
            names,
            hands,
            overlap=overlap,
            repeat=repeat,
            gold=pairs_of_gold,
            seed=campaign.settings.seed,
        )
        with campaign.writing() as connection:
            # Somebody else may have assigned or pooled meanwhile; the plan is then of the past.
            if _fingerprint(campaign) == state:
                added, removed = _write(connection, queries, keys, hands, plan, on_rows)
                left_out = _left_out(campaign)
                break
    # Who is not named any more and has done nothing has nothing.
    given = {name: pairs for name, pairs in plan.given.items() if pairs or name in names}
    return Assigned(
        pairs=sum(len(query.pairs) for query in queries),
        gold=len(pairs_of_gold),
        added=added,
        removed=removed,
        judges=tuple(_shares(queries, hands, given, plan.repeats)),
        shared=shared_pairs(given, pairs_of_gold),
        warnings=(*plan.warnings, *left_out),
    )


def _fingerprint(campaign: Campaign) -> list[tuple[object, ...]]:
    """What differs where the pool, the gold pairs or the assignments do."""
    return campaign.rows(
        "SELECT judge, count(*), sum(pair * (turn + 1)) FROM assignments GROUP BY judge"
        " UNION ALL SELECT 0, (SELECT count(*) FROM pool), (SELECT count(*) FROM gold)"
    )


def _queries(campaign: Campaign) -> list[QueryPairs]:
    """All pooled pairs by query, in the order of the desk."""
    rows = campaign.rows(
        "SELECT q.query_id, q.id, p.id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " ORDER BY q.id, p.id"
    )
    return [
        QueryPairs(query_id, place, [pair for _, _, pair in group])
        for (query_id, place), group in groupby(rows, key=itemgetter(0, 1))
    ]


def _hand(campaign: Campaign, judge: int) -> Hand:
    def pairs(sql: str) -> frozenset[int]:
        return frozenset(pair for (pair,) in campaign.rows(sql, (judge,)))

    # What a lead adjudicates was not given to the lead to judge.
    touched = (
        "SELECT DISTINCT pair FROM events WHERE judge = ? AND turn = {} AND action IN"
        " ('grade', 'skip', 'cannot', 'flag', 'unflag', 'comment')"
    )
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
        touched=pairs(touched.format(0)),
        touched_again=pairs(touched.format(1)),
        decided=pairs("SELECT pair FROM decisions WHERE judge = ?"),
    )


def _write(
    connection: sqlite3.Connection,
    queries: Sequence[QueryPairs],
    keys: Mapping[str, int],
    hands: Mapping[str, Hand],
    plan: Plan,
    on_rows: OnRows,
) -> tuple[int, int]:
    """Make the difference; returns how many rows came and went."""
    place_of = {pair: query.place for query in queries for pair in query.pairs}
    added = removed = 0
    for name, key in keys.items():
        rows, known = _rows(plan.given[name], plan.repeats[name], place_of), hands[name]
        before = _rows(known.given, known.repeats, place_of)
        for pair, turn in sorted(before.keys() - rows.keys()):
            # Judged while the plan was made: it stays.
            removed += connection.execute(
                "DELETE FROM assignments WHERE judge = ?1 AND pair = ?2 AND turn = ?3 AND NOT"
                " EXISTS (SELECT 1 FROM events WHERE judge = ?1 AND pair = ?2 AND turn = ?3)",
                (key, pair, turn),
            ).rowcount
        connection.executemany(
            "UPDATE assignments SET position = ?, purpose = ?"
            " WHERE judge = ? AND pair = ? AND turn = ?",
            (
                (*rows[slot], key, *slot)
                for slot in sorted(before.keys() & rows.keys())
                if rows[slot] != before[slot]
            ),
        )
        for slot in sorted(rows.keys() - before.keys()):
            position, purpose = rows[slot]
            connection.execute(
                "INSERT INTO assignments (judge, pair, turn, position, purpose)"
                " VALUES (?, ?, ?, ?, ?)",
                (key, *slot, position, purpose),
            )
            added += 1
            if added % _TOLD == 0:
                on_rows(added + removed)
    return added, removed


def _rows(
    given: Mapping[int, str], repeats: Mapping[int, int], place_of: Mapping[int, int]
) -> dict[tuple[int, int], tuple[int, str]]:
    """(pair, turn) -> (position, purpose)."""
    rows = {
        (pair, 0): (first_visit_position(place_of[pair]), purpose)
        for pair, purpose in given.items()
    }
    rows.update({(pair, 1): (position, "repeat") for pair, position in repeats.items()})
    return rows


def _shares(
    queries: Sequence[QueryPairs],
    hands: Mapping[str, Hand],
    given: Mapping[str, Mapping[int, str]],
    again: Mapping[str, Mapping[int, int]],
) -> Iterator[JudgeShare]:
    place_of = {pair: query.place for query in queries for pair in query.pairs}
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
            judged=len(hands[name].touched) + len(hands[name].touched_again),
        )


def _left_out(campaign: Campaign) -> list[str]:
    """The people whose judgments make no difference to who judges what."""
    rows = campaign.rows(
        "SELECT j.name, sum(t.decided) FROM judges AS j JOIN tallies AS t ON t.judge = j.id"
        " WHERE j.kind = 'human' AND j.id NOT IN (SELECT judge FROM assignments)"
        " GROUP BY j.id HAVING sum(t.decided) > 0 ORDER BY j.id"
    )
    return [
        f"{name} is not among the judges and has judged {count:,}"
        f" {'pair' if count == 1 else 'pairs'}: others get them as well"
        for name, count in rows
    ]
