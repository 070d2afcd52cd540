"""Counting what many rows change all at once, where the triggers would count it row by row.

The triggers keep `tallies` at every key, which is what the app needs. For a hundred thousand events
in one transaction they cost more than the events do, and everybody waits for the transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager

__all__ = ["counted_at_once", "counting_sql"]

_FEW = 20_000
"""Rows that the triggers may count: a judge's tallies are not made anew for less."""

_TRIGGERS = {
    "events": ("events_count", "events_count_undone"),
    "assignments": ("assignments_count", "assignments_discount", "assignments_move"),
}


def counting_sql(judge: str = "") -> str:
    """SQL that puts into `tallies` what `assignments` and `events` say, of all judges or of one.

    `judge`: an expression for the key of the one. The migration that makes the table uses it.
    """
    one = f"judge = {judge}" if judge else "1"
    return f"""
        INSERT INTO tallies (judge, query, turn, position, assigned, decided, decided_assigned)
        SELECT judge, query, turn, max(position), sum(assigned), sum(decided), sum(both)
        FROM (
            SELECT judge, pair, turn, position, 1 AS assigned, 0 AS decided, 0 AS both
            FROM assignments WHERE {one}
            UNION ALL
            SELECT judge, pair, turn, 0, 0, 1, EXISTS (
                SELECT 1 FROM assignments AS a
                WHERE a.judge = d.judge AND a.pair = d.pair AND a.turn = d.turn)
            FROM (
                SELECT DISTINCT judge, pair, turn FROM live_events
                WHERE action IN ('grade', 'skip', 'cannot') AND {one}
            ) AS d
        ) JOIN pool ON pool.id = pair GROUP BY judge, query, turn
        """  # noqa: S608


@contextmanager
def counted_at_once(
    connection: sqlite3.Connection, judges: Collection[int], rows: int, table: str = "events"
) -> Iterator[None]:
    """Inside the block, part of a transaction, about so many `rows` of the `judges` (their keys)
    and of nobody else are written to `table` (events, assignments), and taken from assignments;
    when it is left, they are counted.

    Many rows are counted by reading all that these judges have and did; the triggers are away
    meanwhile. They are back, to the letter, when the block is left. Where it fails, they come back
    as the transaction is rolled back, which it must be. Nothing is to be read from the tallies
    inside the block. Raises `RuntimeError` outside of a transaction.
    """
    if rows < _FEW:
        yield
        return
    if not connection.in_transaction:
        raise RuntimeError("what is counted at once is written in one transaction")
    triggers = connection.execute(
        "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?"
        " ORDER BY rowid",
        (table,),
    ).fetchall()
    triggers = [(name, sql) for name, sql in triggers if name in _TRIGGERS[table]]
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER main.{name}")
    yield
    for judge in judges:
        connection.execute("DELETE FROM tallies WHERE judge = ?", (judge,))
        connection.execute(counting_sql(":judge"), {"judge": judge})
    for _, sql in triggers:
        connection.execute(sql)
