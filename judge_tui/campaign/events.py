"""What judges do: rows that are only ever added. Nothing is updated, nothing is deleted."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from judge_tui.campaign.event_id import next_event_id
from judge_tui.campaign.file import Campaign, now

__all__ = [
    "DECISIONS",
    "FROM_FILE",
    "NOT_REDONE",
    "OF_SETTLING",
    "Event",
    "append_event",
    "redo",
    "undo",
]

DECISIONS = ("grade", "skip", "cannot")
"""The actions that settle a pair for a judge; the latest one that is not undone holds. Put into SQL
as it is, a tuple of words reads as a list of texts."""

OF_SETTLING = (
    "('adjudicate' = CASE e.action"
    " WHEN 'undo' THEN (SELECT t.action FROM events AS t WHERE t.id = e.target)"
    " WHEN 'redo' THEN (SELECT t.action FROM events AS u JOIN events AS t ON t.id = u.target"
    "  WHERE u.id = e.target)"
    " ELSE e.action END)"
)
"""SQL, of a row `e` of events: 1 where it belongs to what a lead settled, 0 where to judging.

An undo belongs to the history of what it undid, a redo to that of the undo that it took back."""


FROM_FILE = "painted_at IS NULL"
"""SQL, of a decision or a comment: what was on no screen came from a file."""

_BY_HAND = (
    "(CASE e.action"  # noqa: S608
    f" WHEN 'undo' THEN (SELECT t.action = 'adjudicate' OR NOT t.{FROM_FILE} FROM events AS t"
    "  WHERE t.id = e.target)"
    f" WHEN 'redo' THEN (SELECT t.action = 'adjudicate' OR NOT t.{FROM_FILE} FROM events AS u"
    "  JOIN events AS t ON t.id = u.target WHERE u.id = e.target)"
    f" ELSE e.action = 'adjudicate' OR NOT e.{FROM_FILE} END)"
)
"""SQL, of a row `e` of events: 1 where it belongs to what was done in the app, 0 where to what a
file gave or took back. Nothing is settled by a file."""

NOT_REDONE = "NOT EXISTS (SELECT 1 FROM events AS r WHERE r.target = u.id AND r.action = 'redo')"
"""SQL, of an undo `u`: 1 where it stands."""

_KIND = f"CASE WHEN {{0}}.action IN {DECISIONS} THEN 'decision' ELSE {{0}}.action END"

_REPLACED = (
    "EXISTS (SELECT 1 FROM live_events AS f WHERE f.judge = e.judge AND f.pair = e.pair"  # noqa: S608
    f" AND f.turn = e.turn AND f.id > e.id AND f.{FROM_FILE} AND e.action <> 'adjudicate'"
    f" AND {_KIND.format('f')} = {_KIND.format('e')}"
    " AND NOT EXISTS (SELECT 1 FROM overruled AS o WHERE o.id = f.id AND o.by = e.id"
    "  AND NOT EXISTS (SELECT 1 FROM events AS u WHERE u.target = e.id AND u.action = 'undo'"
    f"   AND u.id < f.id AND {NOT_REDONE})))"
)
"""SQL, of a decision or a comment `e`: 1 where a file gave the judge another one since, which `e`
would not stand over, or which came when `e` was undone."""


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
    """Write one event of somebody at the app and commit it. `looked` is in seconds; `painted_at`
    is when it was on the screen what the event is about, now if that is not told.

    When this returns, the event is on disk. Raises `CampaignError` where it could not be written;
    then it is not in the file.
    """
    with campaign.writing() as connection:
        return _insert(
            connection,
            Event(_next_id(connection), judge, pair, action, grade, note, target, turn),
            looked,
            painted_at or now(),
        )


def undo(campaign: Campaign, judge: int, *, settling: bool = False) -> Event | None:
    """Undo the judge's latest event that holds; returns that event, None where there is none.

    What came from a file, and what a file has replaced, is nothing that the judge did last, and
    stays. A lead who judges as well has two histories, which never touch: with `settling`, what was
    settled (`adjudicate`), else all the rest.
    """
    with campaign.writing() as connection:
        undone = _latest_that_holds(connection, judge, settling)
        if undone is not None:
            _insert_about(connection, undone, "undo", undone.id)
        return undone


def redo(campaign: Campaign, judge: int, *, settling: bool = False) -> Event | None:
    """Redo what was undone last, if nothing was done since; returns the event that holds again.

    What a file took back stays so. Where it was undone on several machines, all of that is taken
    back. `settling` as in `undo`.
    """
    with campaign.writing() as connection:
        undone = _undone_last(connection, judge, settling)
        if undone is None:
            return None
        event_id, undos = undone
        again = Event(
            *connection.execute(
                "SELECT id, judge, pair, action, grade, note, target, turn FROM events"
                " WHERE id = ?",
                (event_id,),
            ).fetchone()
        )
        for undo_id in undos:
            _insert_about(connection, again, "redo", undo_id)
        return again


def _undone_last(
    connection: sqlite3.Connection, judge: int, settling: bool
) -> tuple[str, list[str]] | None:
    """What a redo would bring back, and the undos of it that stand.

    Of what was undone since the judge last did anything, the one whose undo came last; the first of
    its undos counts, where it was undone on several machines. Nothing before an event that holds:
    what is done again is then the latest that holds, and one undo takes it back.
    """
    redone: set[str] = set()
    # By event, its first undo: they come from the last to the first.
    undone: dict[str, str] = {}
    last_done = ""
    for event_id, action, target in connection.execute(
        f"SELECT id, action, target FROM events AS e WHERE judge = ? AND {OF_SETTLING} = ?"  # noqa: S608
        f" AND {_BY_HAND} ORDER BY id DESC",
        (judge, settling),
    ):
        if action == "redo":
            redone.add(target)
        elif action != "undo":
            last_done = event_id
            break
        elif event_id not in redone:
            undone[target] = event_id
    if not undone:
        return None
    latest = _latest_that_holds(connection, judge, settling, since=min(undone))
    for event_id in sorted(undone, key=undone.__getitem__, reverse=True):
        undos = _standing_undos(connection, judge, event_id)
        # What was undone elsewhere before the judge went on is not what was undone last.
        if not undos or undos[0] < last_done or (latest is not None and event_id < latest.id):
            continue
        replaced = f"SELECT 1 FROM events AS e WHERE id = ? AND {_REPLACED}"  # noqa: S608
        if connection.execute(replaced, (event_id,)).fetchone() is None:
            return event_id, undos
    return None


def _latest_that_holds(
    connection: sqlite3.Connection, judge: int, settling: bool, *, since: str = ""
) -> Event | None:
    """`since`: of those after the event of this id."""
    # The + keeps SQLite at the index that is in the order asked for.
    row = connection.execute(
        "SELECT id, judge, pair, action, grade, note, target, turn FROM live_events AS e"  # noqa: S608
        " WHERE judge = ? AND id > ? AND (+action = 'adjudicate') = ?"
        f" AND {_BY_HAND} AND NOT {_REPLACED} ORDER BY id DESC LIMIT 1",
        (judge, since, settling),
    ).fetchone()
    return None if row is None else Event(*row)


def _standing_undos(connection: sqlite3.Connection, judge: int, event_id: str) -> list[str]:
    """The undos of an event that are not redone, in the order of ids."""
    # The + keeps SQLite at the index of targets.
    rows = connection.execute(
        "SELECT id FROM events AS u WHERE +judge = ? AND target = ? AND action = 'undo'"  # noqa: S608
        f" AND {NOT_REDONE}"
        " ORDER BY id",
        (judge, event_id),
    )
    return [undo_id for (undo_id,) in rows]


def _next_id(connection: sqlite3.Connection) -> str:
    last = connection.execute("SELECT max(id) FROM events").fetchone()[0]
    try:
        return next_event_id(last)
    except ValueError:
        what = f"database disk image is malformed: the id of an event, {last!r}"
        raise sqlite3.DatabaseError(what) from None


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
