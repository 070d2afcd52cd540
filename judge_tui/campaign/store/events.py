"""What judges do: rows that are only ever added. Nothing is updated, nothing is deleted.

Beside them stands what holds (`judgments`, `adjudications`), worked out by `fold` and written in
the same transaction: who writes events calls `refresh`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import DECISIONS, Event, fold, next_event_id, now

__all__ = [
    "EVENT_COLUMNS",
    "FROM_FILE",
    "NOT_REDONE",
    "OF_SETTLING",
    "append_event",
    "append_from_file",
    "rebuild",
    "redo",
    "refresh",
    "undo",
]


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
    "(CASE e.action"
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

EVENT_COLUMNS = "id, judge, pair, action, grade, note, target, turn, looked, painted_at, written_at"
"""As the fields of `Event`."""

_OF_EVENT = ", ".join(f"e.{name}" for name in EVENT_COLUMNS.split(", "))

_AT_ONCE = 10_000

Slot = tuple[int, int, int]
"""Judge, pair (keys) and turn."""


def append_event(
    campaign: Campaign,
    *,
    judge: int,
    pair: int,
    action: str,
    grade: int | None = None,
    note: str = "",
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
        at = now()
        event = Event(
            *(_next_id(connection), judge, pair, action, grade, note, None, turn),
            *(looked, painted_at or at, at),
        )
        _insert(connection, [event])
        refresh(connection, [(judge, pair, turn)])
        return event


def append_from_file(
    connection: sqlite3.Connection,
    judge: int,
    done: Sequence[tuple[int, str, int | None, str]],
    seconds: Mapping[int, float] | None = None,
) -> None:
    """Write an event of a file for each pair (a key), action, grade and note, in this order;
    `seconds`: by pair, how long it took to decide."""
    taken = seconds or {}
    when = now()

    def events() -> Iterator[Event]:
        last = connection.execute("SELECT max(id) FROM events").fetchone()[0]
        for pair, action, grade, note in done:
            last = next_event_id(last)
            looked = taken.get(pair) if action in DECISIONS else None
            yield Event(last, judge, pair, action, grade, note, None, 0, looked, None, when)

    _insert(connection, events())
    refresh(connection, ((judge, pair, 0) for pair, *_ in done))


def undo(campaign: Campaign, judge: int, *, settling: bool = False) -> Event | None:
    """Undo the judge's latest event that holds; returns that event, None where there is none.

    What came from a file is nothing that the judge did last, and stays. A lead who judges as well
    has two histories, which never touch: with `settling`, what was settled (`adjudicate`), else all
    the rest.
    """
    with campaign.writing() as connection:
        undone = _latest_not_undone(connection, judge, settling)
        if undone is not None:
            _insert_about(connection, undone, "undo", [undone.id])
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
        row = connection.execute(
            f"SELECT {EVENT_COLUMNS} FROM events WHERE id = ?",
            (event_id,),
        ).fetchone()
        again = Event(*row)
        _insert_about(connection, again, "redo", undos)
        return again


def refresh(connection: sqlite3.Connection, slots: Iterable[Slot]) -> None:
    """Work out anew what holds of these, inside the transaction that wrote of them."""
    pairs: dict[tuple[int, int], set[int]] = {}
    for judge, pair, turn in slots:
        pairs.setdefault((judge, turn), set()).add(pair)
    for (judge, turn), touched in pairs.items():
        every = sorted(touched)
        for at in range(0, len(every), _AT_ONCE):
            _refresh(connection, judge, turn, json.dumps(every[at : at + _AT_ONCE]))


def _refresh(connection: sqlite3.Connection, judge: int, turn: int, pairs: str) -> None:
    """`pairs`: keys, as JSON."""
    # CROSS JOIN: from the pairs to their events, never over all that the judge did.
    rows = connection.execute(
        f"SELECT {_OF_EVENT} FROM json_each(?) AS k CROSS JOIN events AS e"
        " ON e.judge = ? AND e.pair = k.value AND e.turn = ?",
        (pairs, judge, turn),
    ).fetchall()
    connection.execute(
        "DELETE FROM judgments WHERE judge = ? AND turn = ?"
        " AND pair IN (SELECT value FROM json_each(?))",
        (judge, turn, pairs),
    )
    events = [Event(*row) for row in rows]
    _insert_held(connection, (list(one) for _, one in groupby(events, lambda one: one.pair)))
    _settle(connection, {one.pair for one in events if one.action == "adjudicate"})


def rebuild(connection: sqlite3.Connection) -> None:
    """Work out anew what holds of everything."""
    connection.execute("DELETE FROM judgments")
    connection.execute("DELETE FROM adjudications")
    rows = connection.execute(f"SELECT {EVENT_COLUMNS} FROM events ORDER BY judge, pair, turn")
    by_slot = groupby(
        (Event(*row) for row in rows), lambda event: (event.judge, event.pair, event.turn)
    )
    _insert_held(connection, (list(events) for _, events in by_slot))
    settled = connection.execute("SELECT DISTINCT pair FROM events WHERE action = 'adjudicate'")
    _settle(connection, [pair for (pair,) in settled])


def _insert_held(connection: sqlite3.Connection, slots: Iterable[list[Event]]) -> None:
    def rows() -> Iterator[tuple[object, ...]]:
        for events in slots:
            state = fold(events)
            if not state.says_nothing:
                one = events[0]
                yield (
                    *(one.judge, one.pair, one.turn, state.decision, state.grade),
                    *(int(state.flagged), state.note, state.seconds, state.written_at),
                    *(int(state.from_file), state.event, state.first_grade, one.pair),
                )

    connection.executemany(
        "INSERT INTO judgments (judge, pair, turn, decision, grade, flagged, note, seconds,"
        " written_at, from_file, event, first_grade, query)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT query FROM pool WHERE id = ?))",
        rows(),
    )


def _settle(connection: sqlite3.Connection, pairs: Iterable[int]) -> None:
    for pair in pairs:
        connection.execute("DELETE FROM adjudications WHERE pair = ?", (pair,))
        connection.execute(
            "INSERT INTO adjudications (pair, judge, grade, note, written_at, event)"
            " SELECT pair, judge, grade, note, written_at, id FROM live_events"
            " WHERE pair = ? AND action = 'adjudicate' ORDER BY id DESC LIMIT 1",
            (pair,),
        )


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
        f"SELECT id, action, target FROM events AS e WHERE judge = ? AND {OF_SETTLING} = ?"
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
    latest = _latest_not_undone(connection, judge, settling, since=min(undone))
    for event_id in sorted(undone, key=undone.__getitem__, reverse=True):
        undos = _standing_undos(connection, judge, event_id)
        # What was undone elsewhere before the judge went on is not what was undone last.
        if not undos or undos[0] < last_done or (latest is not None and event_id < latest.id):
            continue
        return event_id, undos
    return None


def _latest_not_undone(
    connection: sqlite3.Connection, judge: int, settling: bool, *, since: str = ""
) -> Event | None:
    """Of what was done in the app. `since`: of those after the event of this id."""
    # The + keeps SQLite at the index that is in the order asked for.
    row = connection.execute(
        f"SELECT {EVENT_COLUMNS} FROM live_events AS e"
        " WHERE judge = ? AND id > ? AND (+action = 'adjudicate') = ?"
        f" AND {_BY_HAND} ORDER BY id DESC LIMIT 1",
        (judge, since, settling),
    ).fetchone()
    return None if row is None else Event(*row)


def _standing_undos(connection: sqlite3.Connection, judge: int, event_id: str) -> list[str]:
    """The undos of an event that are not redone, in the order of ids."""
    # The + keeps SQLite at the index of targets.
    rows = connection.execute(
        "SELECT id FROM events AS u WHERE +judge = ? AND target = ? AND action = 'undo'"
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


def _insert_about(
    connection: sqlite3.Connection, event: Event, action: str, targets: Sequence[str]
) -> None:
    """An undo, or redos, of the same pair and turn as the event that they are about."""
    for target in targets:
        one = Event(
            *(_next_id(connection), event.judge, event.pair, action, None, "", target, event.turn),
            *(None, None, now()),
        )
        _insert(connection, [one])
    refresh(connection, [(event.judge, event.pair, event.turn)])


def _insert(connection: sqlite3.Connection, events: Iterable[Event]) -> None:
    connection.executemany(
        f"INSERT INTO events ({EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                *(one.id, one.judge, one.pair, one.action, one.grade, one.note, one.target),
                *(one.turn, one.looked, one.painted_at, one.written_at),
            )
            for one in events
        ),
    )
