"""Whether a copy of a file that was written over holds all that the campaign had.

What a connection reads then are its own newest pages, from the WAL, and below them those of another
file. Pages of both may agree with each other, and rows be missing all the same.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from judge_tui.campaign.witness import Extent, extent

if TYPE_CHECKING:
    from judge_tui.campaign.file import Keeps

__all__ = ["made_whole"]

# Of a judge, a query and a turn: more is counted than was decided by the events that are there.
_UNCOUNTED = """
    SELECT judge, query, turn, decided FROM tallies WHERE decided > 0
    EXCEPT
    SELECT judge, query, turn, count(*) FROM (
        SELECT DISTINCT judge, pair, turn FROM live_events
        WHERE action IN ('grade', 'skip', 'cannot')
    ) JOIN pool ON pool.id = pair GROUP BY judge, query, turn
"""


def made_whole(
    copy: sqlite3.Connection, campaign_id: str, reach: Extent, kept: Iterable[Keeps]
) -> bool:
    """Whether a copy of that campaign reaches as far as it did and holds all that is `kept` in
    memory, its rows and pages in order; the judges at work are added where they are missing."""
    kept = list(kept)
    if copy.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        return False
    if copy.execute("SELECT campaign_id FROM campaign").fetchall() != [(campaign_id,)]:
        return False
    judges = [(one.judge.key, one.judge.name, one.judge.role, one.judge.kind) for one in kept]
    copy.executemany(
        "INSERT OR IGNORE INTO judges (id, name, role, kind) VALUES (?, ?, ?, ?)", judges
    )
    known = set(copy.execute("SELECT id, name FROM judges"))
    return (
        known.issuperset((key, name) for key, name, _, _ in judges)
        and copy.execute("PRAGMA foreign_key_check").fetchone() is None
        and reach <= extent(copy)
        and copy.execute(_UNCOUNTED).fetchone() is None
        and all(one.is_in(copy) for one in kept)
    )
