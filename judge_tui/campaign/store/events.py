"""What judges do: rows that are only ever added. Nothing is updated, nothing is deleted.

Beside them stands what holds (`judgments`, `adjudications`), worked out by `fold` and written in
the same transaction: who writes events calls `refresh`. Of a judge who was removed nothing holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from judge_tui.campaign.store.backend import Tables, insertion
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import (
    Event,
    Slot,
    State,
    fold,
    next_event_id,
    not_undone,
    now,
)
from judge_tui.campaign.store.leases import refuse_taken
from judge_tui.errors import CampaignError

EVENT_COLUMNS = ", ".join(Event._fields)

_AT_ONCE = 10_000


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
    slot = judge, pair, turn
    with campaign.writing(judge):
        last, is_taken, before = _events_of_slot(campaign, slot)
        at = now()
        event = Event(
            next_event_id(last),
            judge,
            pair,
            action,
            grade,
            note,
            turn=turn,
            looked=looked,
            painted_at=painted_at or at,
            written_at=at,
        )
        if is_taken:
            refuse_taken(campaign, fold(before).decision, fold([*before, event]).decision)
        campaign.execute_later(_INSERT_EVENT, [event])
        if action == "adjudicate":
            refresh(campaign, [slot])
        else:
            campaign.execute_later(
                "DELETE FROM judgments WHERE judge = ? AND pair = ? AND turn = ?", [slot]
            )
            campaign.execute_later(_INSERT_JUDGMENT, _judgments([*before, event]))
        return event


def _events_of_slot(campaign: Campaign, slot: Slot) -> tuple[str | None, bool, list[Event]]:
    """The greatest id of all events, None where there is none; whether the pair is of a shared pool
    and taken; and the events of a slot: asked together, as a line may be slow. Raises
    `CampaignError` for a judge who was removed."""
    judge, pair, turn = slot
    rows = campaign.rows(
        "SELECT j.removed, (SELECT max(id) FROM events),"
        f" EXISTS (SELECT 1 FROM taken WHERE pair = ?), {_OF_EVENT} FROM judges AS j"
        " LEFT JOIN events AS e ON e.judge = j.id AND e.pair = ? AND e.turn = ? WHERE j.id = ?",
        (pair, pair, turn, judge),
    )
    removed, last, is_taken = rows[0][:3] if rows else (1, None, 0)
    if removed:
        raise _removed(campaign)
    return last, bool(is_taken), [Event._make(row[3:]) for row in rows if row[3] is not None]


def append_from_file(
    campaign: Campaign,
    judge: int,
    done: Sequence[tuple[int, str, int | None, str, float | None]],
) -> None:
    """Write an event of a file for each pair (a key), action, grade, note and seconds that it took,
    in this order, inside `writing()`."""
    when = now()
    campaign.execute_many(
        _INSERT_EVENT,
        (
            Event(event_id, judge, *one[:4], looked=one[4], written_at=when)
            for event_id, one in zip(_new_ids(campaign), done, strict=False)
        ),
    )
    refresh(campaign, ((judge, pair, 0) for pair, *_ in done))


def take_back_grades(campaign: Campaign, judge: int, pairs: Collection[int]) -> None:
    """Undo all grades that files gave the judge for these pairs (keys), inside `writing()`: what
    the judge decided in the app holds again."""
    among_pairs, keys = campaign.among("pair", pairs)
    rows = campaign.rows(
        f"SELECT {EVENT_COLUMNS} FROM events WHERE judge = ? AND turn = 0 AND {among_pairs}",
        (judge, *keys),
    )
    grades = [
        event
        for event in not_undone(map(Event._make, rows))
        if event.action == "grade" and event.painted_at is None
    ]
    _insert_about(campaign, "undo", [(grade, grade.id) for grade in grades])


def undo(campaign: Campaign, judge: int, *, adjudications: bool = False) -> Event | None:
    """Undo the judge's latest event that holds; returns that event, None where there is none.

    Events of files stay. A lead who judges as well has two histories: with `adjudications` this is
    about what the lead settled, else about all the rest.
    """
    with campaign.writing(judge):
        _refuse_removed(campaign, judge)
        latest, _ = _look_back(campaign, judge, adjudications)
        if latest is not None:
            _take_back(campaign, "undo", [(latest, latest.id)])
        return latest


def redo(campaign: Campaign, judge: int, *, adjudications: bool = False) -> Event | None:
    """Redo what was undone last, if nothing was done since; returns the event that holds again.

    What a file took back stays so. Where it was undone on several machines, all of that is taken
    back. `adjudications` as in `undo`.
    """
    with campaign.writing(judge):
        _refuse_removed(campaign, judge)
        _, undone = _look_back(campaign, judge, adjudications)
        # What was undone elsewhere before the judge went on is not what was undone last.
        since = [(event, undos) for event, undos in undone if undos[0] > undone[0][0].id]
        if not since:
            return None
        event, undos = max(since, key=lambda one: one[1][0])
        _take_back(campaign, "redo", [(event, undo) for undo in undos])
        return event


def _take_back(campaign: Campaign, action: str, targets: Sequence[tuple[Event, str]]) -> None:
    """As `_insert_about`, of one slot. In a shared pool, raises `TakenError` where by that a
    decision would hold again of a pair that is taken."""
    event = targets[0][0]
    slot = event.judge, event.pair, event.turn
    _, is_taken, before = _events_of_slot(campaign, slot)
    _insert_about(campaign, action, targets)
    if is_taken:
        _, _, after = _events_of_slot(campaign, slot)
        refuse_taken(campaign, fold(before).decision, fold(after).decision)


def _look_back(
    campaign: Campaign, judge: int, adjudications: bool
) -> tuple[Event | None, list[tuple[Event, list[str]]]]:
    """The latest event that holds, of what the judge did in the app, and those after it, which are
    undone, latest first, each with the ids of the undos of it that stand, ascending."""
    redone: set[str | None] = set()
    undos: dict[str | None, list[str]] = {}
    undone: list[tuple[Event, list[str]]] = []
    # What takes something back comes after it: from the last event on, only as far as needed.
    for event in _latest_first(campaign, judge):
        if event.action == "redo":
            redone.add(event.target)
        elif event.action == "undo":
            if event.id not in redone:
                undos.setdefault(event.target, []).insert(0, event.id)
        elif _is_part(event, adjudications):
            if event.id not in undos:
                return event, undone
            undone.append((event, undos[event.id]))
    return None, undone


def _latest_first(campaign: Campaign, judge: int) -> Iterator[Event]:
    """All events of a judge, read a few at a time: a server sends all that it is asked for."""
    last = _BEHIND_ALL
    while rows := campaign.rows(_EVENTS_BEFORE, (judge, last)):
        yield from map(Event._make, rows)
        last = rows[-1][0]


def _is_part(event: Event, adjudications: bool) -> bool:
    """Whether the event is of the history of adjudications, or of that of judging in the app."""
    if event.action == "adjudicate":
        return adjudications
    return not adjudications and event.painted_at is not None


def last_slot(campaign: Campaign, judge: int) -> tuple[int, int] | None:
    """The pair that the judge worked on last in the app, as `_is_part` has it, or undid something
    of, and its turn; None at the start."""
    rows = campaign.rows(
        "SELECT e.pair, e.turn FROM events AS e LEFT JOIN events AS t ON t.id = e.target"
        " LEFT JOIN events AS u ON u.id = t.target WHERE e.judge = ?"
        " AND coalesce(u.action, t.action, e.action) <> 'adjudicate'"
        " AND coalesce(u.painted_at, t.painted_at, e.painted_at) IS NOT NULL"
        " ORDER BY e.id DESC LIMIT 1",
        (judge,),
    )
    return rows[0] if rows else None


def refresh(campaign: Campaign, slots: Iterable[Slot]) -> None:
    """Work out anew what holds of these, inside the transaction that wrote of them."""
    pairs: dict[tuple[int, int], set[int]] = {}
    for judge, pair, turn in slots:
        pairs.setdefault((judge, turn), set()).add(pair)
    for (judge, turn), touched in pairs.items():
        every = sorted(touched)
        for at in range(0, len(every), _AT_ONCE):
            _refresh(campaign, judge, turn, every[at : at + _AT_ONCE])


def _refresh(campaign: Campaign, judge: int, turn: int, pairs: Sequence[int]) -> None:
    among_pairs, keys = campaign.among("pair", pairs)
    where = f"judge = ? AND turn = ? AND {among_pairs}"
    slots = (judge, turn, *keys)
    campaign.execute_later(f"DELETE FROM judgments WHERE {where}", [slots])
    rows = campaign.rows(
        f"SELECT {EVENT_COLUMNS} FROM events WHERE {where} AND {_NOT_REMOVED} ORDER BY pair", slots
    )
    campaign.execute_later(_INSERT_JUDGMENT, _judgments(rows))
    settled = {pair for _, _, pair, action, *_ in rows if action == "adjudicate"}
    refresh_adjudications(campaign, settled)


def refresh_adjudications(campaign: Campaign, pairs: Iterable[int]) -> None:
    """Work out anew which of the leads' grades holds of these pairs, inside `writing()`."""
    for pair in pairs:
        campaign.execute("DELETE FROM adjudications WHERE pair = ?", (pair,))
        settled = adjudication_events(campaign, pair)
        campaign.execute_many(_INSERT_ADJUDICATION, _adjudications(settled))


def adjudication_events(campaign: Campaign, pair: int) -> list[Event]:
    """What leads settled of a pair and did not take back, oldest first."""
    rows = campaign.rows(
        f"SELECT {EVENT_COLUMNS} FROM events"
        f" WHERE pair = ? AND {_OF_ADJUDICATIONS} AND {_NOT_REMOVED}",
        (pair,),
    )
    events = not_undone(map(Event._make, rows))
    return [event for event in events if event.action == "adjudicate"]


def rebuild(tables: Tables) -> None:
    """Work out anew what holds of everything."""
    tables.execute("DELETE FROM judgments")
    tables.execute("DELETE FROM adjudications")
    rows = tables.each(
        f"SELECT {EVENT_COLUMNS} FROM events WHERE {_NOT_REMOVED} ORDER BY judge, pair, turn"
    )
    tables.execute_many(_INSERT_JUDGMENT, _judgments(rows))
    rows = tables.each(
        f"SELECT {EVENT_COLUMNS} FROM events WHERE {_OF_ADJUDICATIONS} AND {_NOT_REMOVED}"
        " AND pair IN (SELECT pair FROM events WHERE action = 'adjudicate')"
    )
    events = not_undone(map(Event._make, rows))
    tables.execute_many(_INSERT_ADJUDICATION, _adjudications(events))


_NOT_REMOVED = "judge NOT IN (SELECT id FROM judges WHERE removed = 1)"
_OF_ADJUDICATIONS = "action IN ('adjudicate', 'undo', 'redo')"

_BEHIND_ALL = "g"
"""Greater than every id, which is of hexadecimal digits."""

_EVENTS_BEFORE = (
    f"SELECT {EVENT_COLUMNS} FROM events WHERE judge = ? AND id < ? ORDER BY id DESC LIMIT 64"
)

_OF_EVENT = ", ".join(f"e.{one}" for one in Event._fields)
_INSERT_EVENT = insertion("events", *Event._fields)
_INSERT_JUDGMENT = (
    f"INSERT INTO judgments (judge, pair, turn, query, {', '.join(State._fields)})"
    f" VALUES (?, ?, ?, (SELECT query FROM pool WHERE id = ?){', ?' * len(State._fields)})"
)
_INSERT_ADJUDICATION = insertion(
    "adjudications", "pair", "judge", "grade", "note", "written_at", "event"
)


def _judgments(rows: Iterable[Sequence[object]]) -> Iterator[tuple[object, ...]]:
    """A row of `judgments` for each slot of which something holds; those of a slot together."""
    events = map(Event._make, rows)
    for slot, of_slot in groupby(events, lambda one: (one.judge, one.pair, one.turn)):
        state = fold(of_slot)
        if not state.says_nothing:
            _, pair, _ = slot
            yield *slot, pair, *state


def _adjudications(settled: Iterable[Event]) -> Iterator[tuple[object, ...]]:
    """A row of `adjudications` for each pair: of what was settled, oldest first, the last holds."""
    for one in {event.pair: event for event in settled}.values():
        yield one.pair, one.judge, one.grade, one.note, one.written_at, one.id


def _refuse_removed(campaign: Campaign, judge: int) -> None:
    if campaign.row("SELECT removed FROM judges WHERE id = ?", (judge,))[0]:
        raise _removed(campaign)


def _removed(campaign: Campaign) -> CampaignError:
    what = "the lead has removed you from this campaign"
    return CampaignError(campaign.path, what, "leave, and ask the lead")


def _new_ids(campaign: Campaign) -> Iterator[str]:
    """Ids of events that are to be written now, one after another."""
    # Read here and now: who asks for the ids may be in the midst of writing.
    return _ids_after(campaign.row("SELECT max(id) FROM events")[0])


def _ids_after(last: str | None) -> Iterator[str]:
    while True:
        last = next_event_id(last)
        yield last


def _insert_about(campaign: Campaign, action: str, targets: Sequence[tuple[Event, str]]) -> None:
    """Undo or redo these events; beside each stands the id of itself, or of the undo of it."""
    when = now()
    campaign.execute_many(
        _INSERT_EVENT,
        (
            Event(event_id, of.judge, of.pair, action, target=target, turn=of.turn, written_at=when)
            for event_id, (of, target) in zip(_new_ids(campaign), targets, strict=False)
        ),
    )
    refresh(campaign, ((of.judge, of.pair, of.turn) for of, _ in targets))
