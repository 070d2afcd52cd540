"""The assignments: which judge is to judge which pair, at which place of the desk, and why."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from enum import Enum
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import Slot
from judge_tui.campaign.store.judges import Judge, all_judges, name_here, near_names
from judge_tui.campaign.store.pool import refuse_empty_pool
from judge_tui.errors import UsageError
from judge_tui.pooling.assignment import Hand, QueryPairs

Assignment: TypeAlias = tuple[int, int, int, int, str]
"""A slot, its position on the desk, and its purpose (normal, overlap, gold, repeat)."""


class Dealt(Enum):
    """What judges see of the pool: all of it, what was assigned to them, or what nobody else of
    those who share it has judged or is at."""

    WHOLE = "whole"
    ASSIGNED = "assigned"
    SHARED = "shared"


def how_dealt(campaign: Campaign) -> Dealt:
    """What holds now."""
    [how] = campaign.row(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM assignments) THEN 'assigned'"
        " WHEN EXISTS (SELECT 1 FROM sharing) THEN 'shared' ELSE 'whole' END"
    )
    return Dealt(how)


def assigned_judges(campaign: Campaign) -> list[Judge]:
    """The judges who have something assigned, in the order in which they came."""
    have = {key for (key,) in campaign.rows("SELECT DISTINCT judge FROM assignments")}
    return [judge for judge in all_judges(campaign) if judge.key in have]


def refuse_empty_desk(campaign: Campaign, name: str) -> None:
    """Raise `UsageError` where the judge of that name, new or known, has nothing to judge."""
    refuse_empty_pool(campaign)
    names = [judge.name for judge in assigned_judges(campaign)]
    if not names or name_here(campaign, name) in names:
        return
    near = [one for one in near_names(campaign, name) if one in names]
    if near:
        raise UsageError(f"nothing is assigned to {name!r}", f"did you mean {near[0]!r}?")
    assigning = shell_command(
        campaign.path, "assign", f"--judges {shlex.quote(','.join([*names, name]))}"
    )
    raise UsageError(
        f"nothing is assigned to {name!r}",
        f"the lead gives {name} a part with: {assigning}",
    )


def assignment_state(campaign: Campaign) -> tuple[object, ...]:
    """What tells one pool, and one set of assignments, from another."""
    return (
        campaign.row("SELECT count(*) FROM pool"),
        campaign.row("SELECT count(*) FROM gold"),
        *campaign.rows(
            "SELECT judge, count(*), sum(pair) FROM assignments GROUP BY judge ORDER BY judge"
        ),
    )


def pairs_by_query(campaign: Campaign) -> list[QueryPairs]:
    """All pooled pairs by query, in the order of the desk."""
    rows = campaign.rows(
        "SELECT q.id, q.query_id, p.id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " ORDER BY q.id, p.id"
    )
    return [
        QueryPairs(query_id, query, [pair for _, _, pair in group])
        for (query, query_id), group in groupby(rows, key=itemgetter(0, 1))
    ]


def hand_of(campaign: Campaign, judge: int) -> Hand:
    """What the judge of that key has been given, and what of it the judge has done."""
    first = "SELECT pair, purpose FROM assignments WHERE judge = ? AND turn = 0"
    again = "SELECT pair, position FROM assignments WHERE judge = ? AND turn = 1"
    # What a lead adjudicates was not given to the lead to judge.
    begun = campaign.rows(
        "SELECT DISTINCT pair, turn FROM events WHERE judge = ?"
        " AND action NOT IN ('adjudicate', 'undo', 'redo')",
        (judge,),
    )
    decided = campaign.rows(
        "SELECT pair FROM judgments WHERE judge = ? AND turn = 0 AND decision IS NOT NULL",
        (judge,),
    )
    return Hand(
        purposes=dict(campaign.rows(first, (judge,))),
        repeats=dict(campaign.rows(again, (judge,))),
        begun=frozenset(pair for pair, _ in begun),
        begun_again=frozenset(pair for pair, turn in begun if turn == 1),
        decided=frozenset(pair for (pair,) in decided),
    )


def take_back(campaign: Campaign, slots: Iterable[Slot]) -> int:
    """Take slots from their judges, inside `writing()`; returns how many. A slot stays where the
    judge has done something at its turn or a later one."""
    return campaign.execute_many(
        "DELETE FROM assignments WHERE judge = ? AND pair = ? AND turn = ? AND NOT EXISTS"
        " (SELECT 1 FROM events AS e WHERE e.judge = assignments.judge"
        "  AND e.pair = assignments.pair AND e.turn >= assignments.turn"
        "  AND e.action <> 'adjudicate')",
        slots,
    )


def add_assignments(campaign: Campaign, rows: Iterable[Assignment]) -> None:
    """Give pairs to judges, inside `writing()`. One that the judge has gets the purpose alone."""
    campaign.execute_many(
        "INSERT INTO assignments (judge, pair, turn, position, purpose) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (judge, pair, turn) DO UPDATE SET purpose = excluded.purpose",
        rows,
    )


def decisions_by_judge(campaign: Campaign) -> dict[str, int]:
    """Judge -> how many pairs and hidden repeats have a decision that holds."""
    return dict(
        campaign.rows(
            "SELECT j.name, count(t.decision) FROM judges AS j"
            " JOIN judgments AS t ON t.judge = j.id GROUP BY j.id"
        )
    )
