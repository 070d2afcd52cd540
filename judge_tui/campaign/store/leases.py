"""One pool that judges share: each pair is judged by one person.

Who opens a query holds it by a lease, so that two do not read the same documents; what a person has
decided is nobody else's to decide, lease or not. Time is the clock of the database.
"""

from __future__ import annotations

from judge_tui.campaign.store.connection import Campaign
from judge_tui.errors import CampaignError

LEASE = 600
"""Seconds that a query stays with a judge who does nothing more."""

TAKES = ("grade", "cannot")
"""The decisions that take a pair from others. Who skips it leaves it to them."""

_HELD_BY = "SELECT query FROM leases JOIN clock ON until > now WHERE judge = ?"
HELD_BY_OTHERS = f"SELECT query FROM held WHERE query NOT IN ({_HELD_BY})"
"""SQL: the queries at which others are; the judge is asked for."""

_IS_DECIDED = (
    "EXISTS (SELECT 1 FROM judgments AS j WHERE j.judge = ? AND j.pair = p.id"
    " AND j.decision IS NOT NULL)"
)
_IS_TAKEN = "EXISTS (SELECT 1 FROM taken AS t WHERE t.pair = p.id)"
IS_ON_DESK = f"({_IS_DECIDED} OR (p.query IN ({_HELD_BY}) AND NOT {_IS_TAKEN}))"
"""SQL: whether a judge, who is asked for twice, has decided a pair `p` of a shared pool, or is at
it and nobody else has decided it."""

TAKEN_BY_OTHERS = (
    "SELECT t.query, count(DISTINCT t.pair) AS pairs FROM taken AS t LEFT JOIN judgments AS j"
    " ON j.judge = ? AND j.pair = t.pair AND j.decision IS NOT NULL"
    " WHERE j.pair IS NULL GROUP BY t.query"
)
"""SQL: how many pairs of a query others have decided, and the judge, who is asked for, has not."""


class TakenError(CampaignError):
    """Somebody else has decided the pair meanwhile."""


def claim(campaign: Campaign, judge: int, query: int) -> bool:
    """Hold the query from now on, and no other; False where somebody else holds it."""
    with campaign.writing(judge):
        held = campaign.execute(
            "INSERT INTO leases (judge, query, until)"
            f" SELECT ?, ?, now + {LEASE} FROM clock"
            f" WHERE ? NOT IN ({HELD_BY_OTHERS})"
            " ON CONFLICT (judge) DO UPDATE SET query = excluded.query, until = excluded.until",
            (judge, query, query, judge),
        )
    return bool(held)


def release(campaign: Campaign, judge: int) -> None:
    """Leave what the judge holds to others, who are told."""
    with campaign.writing():
        campaign.execute("DELETE FROM leases WHERE judge = ?", (judge,))


def is_rest_held(campaign: Campaign, judge: int) -> bool:
    """Whether others are at a pair that nobody has decided."""
    rest = f"FROM pool AS p WHERE p.query IN ({HELD_BY_OTHERS}) AND NOT {_IS_TAKEN}"
    sql = f"SELECT EXISTS (SELECT 1 {rest} AND NOT {_IS_DECIDED})"
    return bool(campaign.row(sql, (judge, judge))[0])


def refuse_taken(campaign: Campaign, before: str | None, after: str | None) -> None:
    """Of a pair that is taken: raise `TakenError` where the judge decides it, and has not taken it.
    `before` and `after`: the judge's decision."""
    if before not in TAKES and after not in (None, before):
        raise TakenError(campaign.path, "somebody else has judged it meanwhile", "go on")
