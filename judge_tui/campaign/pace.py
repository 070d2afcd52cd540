"""How long a judge's documents took."""

from __future__ import annotations

from judge_tui.campaign.events import DECISIONS
from judge_tui.campaign.file import Campaign

__all__ = ["PACE_WINDOW", "all_seconds", "recent_seconds"]

PACE_WINDOW = 20
# So far back decisions are looked through for twenty first ones.
_REACH = 200


def recent_seconds(campaign: Campaign, judge: int) -> list[float]:
    """Seconds looked at each of the last twenty documents decided, latest first.

    A decision that was undone does not count, nor does one that replaces an earlier one: looking
    again takes less time than a new document does.
    """
    rows = campaign.rows(
        "SELECT e.looked FROM ("  # noqa: S608 - a constant is put in
        "  SELECT id, judge, pair, turn, looked FROM live_events"
        f" WHERE judge = ? AND action IN {DECISIONS} ORDER BY id DESC LIMIT {_REACH}"
        ") AS e WHERE e.looked IS NOT NULL AND NOT EXISTS ("
        "  SELECT 1 FROM live_events AS f WHERE f.judge = e.judge AND f.pair = e.pair"
        f" AND f.turn = e.turn AND f.action IN {DECISIONS} AND f.id < e.id"
        f") ORDER BY e.id DESC LIMIT {PACE_WINDOW}",
        (judge,),
    )
    return [looked for (looked,) in rows]


def all_seconds(campaign: Campaign, judge: int) -> list[float]:
    """Seconds looked at every document decided, in no order, counted as by `recent_seconds`."""
    # With min(), SQLite takes the other columns from the row that holds the minimum.
    rows = campaign.rows(
        "SELECT looked FROM ("  # noqa: S608 - a constant is put in
        "  SELECT min(id), looked FROM live_events"
        f" WHERE judge = ? AND action IN {DECISIONS} GROUP BY pair, turn"
        ") WHERE looked IS NOT NULL",
        (judge,),
    )
    return [looked for (looked,) in rows]
