"""Who judges what: planned from what everybody has and has done, and written as a difference."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import merge
from itertools import chain, groupby
from operator import itemgetter

from judge_tui.campaign.assignment_rows import Difference
from judge_tui.campaign.desk import assigned_judges
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.gold import gold_pairs, load_gold, read_gold, told_by_their_look
from judge_tui.campaign.judges import add_judge, proper_name
from judge_tui.campaign.loaded import OnRows, silent
from judge_tui.campaign.pool import is_part, pool_is_empty
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError
from judge_tui.formats import QrelsRow
from judge_tui.pooling.assignment import (
    Hand,
    Plan,
    QueryPairs,
    check_wish,
    plan_assignments,
    shared_pairs,
)

__all__ = ["Assigned", "JudgeShare", "assign"]

_AT_ONCE = 10_000
"""Rows that are read at a time."""


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
    pairs of earlier calls stay. The plan is made while others judge, and only written alone, in one
    transaction with all that is new: where it would take from somebody what they touched meanwhile,
    or where others have assigned, there is a new one. Nothing that has an event is taken from
    anybody.
    `on_rows` hears how many assignments came and went so far.

    Raises `UsageError` for an empty pool and for what makes no sense, `InputError` for the file;
    then nothing is written.
    """
    names = [proper_name(name) for name in judges]
    check_wish(names, overlap, repeat)
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = read_gold(gold, format=format) if gold is not None else []
    while True:
        with campaign.rehearsing():
            new = _entered(campaign, names, gold, rows)
        with campaign.reading():
            keys = new.keys | {judge.name: judge.key for judge in assigned_judges(campaign)}
            state = _State(campaign)
            queries = _queries(campaign, new)
            hands = {name: _hand(campaign, key) for name, key in keys.items()}
        plan = plan_assignments(
            queries,
            list(new.keys),
            hands,
            overlap=overlap,
            repeat=repeat,
            gold=new.gold,
            seed=campaign.settings.seed,
        )
        difference = Difference(queries, keys, hands, plan)
        with contextlib.suppress(_OutdatedError), difference.staged(campaign), campaign.writing():
            if not state.holds() and (
                not state.is_alike() or _takes_touched(campaign, keys, hands, plan)
            ):
                raise _OutdatedError
            if _entered(campaign, names, gold, rows) != new:
                raise _OutdatedError
            difference.write(on_rows)
            break
    # Who is not named any more and has done nothing has nothing.
    given = {name: pairs for name, pairs in plan.given.items() if pairs or name in new.keys}
    return Assigned(
        pairs=sum(len(query.pairs) for query in queries),
        gold=len(new.gold),
        added=difference.added,
        removed=difference.removed,
        judges=tuple(_shares(queries, _judged(campaign), given, plan.repeats)),
        shared=shared_pairs(given, new.gold),
        warnings=(*plan.warnings, *_left_out(campaign), *told_by_their_look(campaign)),
    )


class _OutdatedError(Exception):
    """The campaign is not as it was when the plan was made: of it, nothing is to be written."""


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


class _State:
    """The pool, the gold pairs and the assignments of one moment, to be known again."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._version = campaign.version()
        self._digest = _digest(campaign)

    def holds(self) -> bool:
        """Whether nobody has written anything to the file since."""
        return self._campaign.version() == self._version

    def is_alike(self) -> bool:
        """Whether the file holds the same rows of these as it did then."""
        return _digest(self._campaign) == self._digest


def _digest(campaign: Campaign) -> bytes:
    """32 bytes that differ where any row of the pool, the gold pairs or the assignments does."""
    digest = blake2b(digest_size=32)
    for rows in (
        "SELECT id, query FROM pool ORDER BY id",
        "SELECT pair, grade FROM gold ORDER BY pair",
        "SELECT judge, pair, turn, position, purpose FROM assignments ORDER BY judge, pair, turn",
    ):
        with campaign.in_words():
            cursor = campaign.connection.execute(rows)
            while some := cursor.fetchmany(_AT_ONCE):
                digest.update(repr(some).encode())
        digest.update(b"|")
    return digest.digest()


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


def _takes_touched(
    campaign: Campaign, keys: Mapping[str, int], hands: Mapping[str, Hand], plan: Plan
) -> bool:
    """Whether the plan takes or moves what somebody has touched by now."""
    for name, key in keys.items():
        if not _touched(campaign, key, 0) <= plan.given[name].keys():
            return True
        before, after = hands[name].repeats, plan.repeats[name]
        if any(
            pair not in after or before.get(pair) != after[pair]
            for pair in _touched(campaign, key, 1)
        ):
            return True
    return False


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


def _left_out(campaign: Campaign) -> list[str]:
    """The people whose judgments make no difference to who judges what."""
    rows = campaign.rows(
        "SELECT j.name, count(t.decision) FROM judges AS j JOIN judgments AS t ON t.judge = j.id"
        " WHERE j.kind = 'human'"
        " AND NOT EXISTS (SELECT 1 FROM assignments AS a WHERE a.judge = j.id)"
        " GROUP BY j.id HAVING count(t.decision) > 0 ORDER BY j.id"
    )
    return [
        f"{name} is not among the judges and has judged {count:,}"
        f" {'pair' if count == 1 else 'pairs'}: others get them as well"
        for name, count in rows
    ]
