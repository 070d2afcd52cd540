"""What judges do: rows that are only ever added. Nothing is updated, nothing is deleted."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from judge_tui.campaign.event_id import next_event_id
from judge_tui.campaign.file import Campaign, now

__all__ = ["DECISIONS", "Event", "append_event", "redo", "undo"]

DECISIONS = ("grade", "skip", "cannot")
"""The actions that settle a pair for a judge; the latest one that is not undone holds. Put into SQL
as it is, a tuple of words reads as a list of texts."""


@dataclass(frozen=True, slots=True)
class Event:
    """One row: what `judge` (a key) did to `pair` (a key of the pool), or undid of it.

    `turn` is 0 where the judge met the pair for the first time, 1 for its hidden repeat.
    """

    id: str
    judge: int
    pair: int
    action: str
    grade: int | None
    note: str
    target: str | None
    turn: int = 0


def append_event(
    campaign: Campaign,
    *,
    judge: int,
    pair: int,
    action: str,
    grade: int | None = None,
    note: str = "",
    target: str | None = None,
    looked: float | None = None,
    painted_at: str | None = None,
    turn: int = 0,
) -> Event:
    """Write one event and commit it. `looked` is in seconds.

    When this returns, the event is on disk. Raises `CampaignError` where it could not be written;
    then it is not in the file.
    """
    with campaign.writing() as connection:
        return _insert(
            connection,
            Event(_next_id(connection), judge, pair, action, grade, note, target, turn),
            looked,
            painted_at,
        )


def undo(campaign: Campaign, judge: int) -> Event | None:
    """Undo the judge's latest event that holds; returns that event, None where there is none."""
    with campaign.writing() as connection:
        row = connection.execute(
            "SELECT id, judge, pair, action, grade, note, target, turn FROM live_events"
            " WHERE judge = ? ORDER BY id DESC LIMIT 1",
            (judge,),
        ).fetchone()
        if row is None:
            return None
        undone = Event(*row)
        _insert_about(connection, undone, "undo", undone.id)
        return undone


def redo(campaign: Campaign, judge: int) -> Event | None:
    """Redo what was undone last, if nothing was done since; returns the event that holds again."""
    with campaign.writing() as connection:
        last_undo = _last_undo(connection, judge)
        if last_undo is None:
            return None
        undo_id, target = last_undo
        again = Event(
            *connection.execute(
                "SELECT id, judge, pair, action, grade, note, target, turn FROM events"
                " WHERE id = ?",
                (target,),
            ).fetchone()
        )
        _insert_about(connection, again, "redo", undo_id)
        return again


def _last_undo(connection: sqlite3.Connection, judge: int) -> tuple[str, str] | None:
    """The undo that a redo would take back, and what it undid."""
    redone: set[str] = set()
    for event_id, action, target in connection.execute(
        "SELECT id, action, target FROM events WHERE judge = ? ORDER BY id DESC", (judge,)
    ):
        if action == "redo":
            redone.add(target)
        elif action != "undo":
            return None
        elif event_id not in redone:
            return event_id, target
    return None


def _next_id(connection: sqlite3.Connection) -> str:
    return next_event_id(connection.execute("SELECT max(id) FROM events").fetchone()[0])


def _insert_about(connection: sqlite3.Connection, event: Event, action: str, target: str) -> None:
    """An undo or a redo, of the same pair and turn as the event that it is about."""
    _insert(
        connection,
        Event(_next_id(connection), event.judge, event.pair, action, None, "", target, event.turn),
    )


def _insert(
    connection: sqlite3.Connection,
    event: Event,
    looked: float | None = None,
    painted_at: str | None = None,
) -> Event:
    connection.execute(
        "INSERT INTO events (id, judge, pair, action, grade, note, target, looked, painted_at,"
        " written_at, turn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.id,
            event.judge,
            event.pair,
            event.action,
            event.grade,
            event.note,
            event.target,
            looked,
            painted_at,
            now(),
            event.turn,
        ),
    )
    return event
