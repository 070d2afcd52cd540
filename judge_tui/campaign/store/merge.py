"""Bringing home what judges did on copies of the campaign: the judgments, and nothing else.

Events are joined by their ids, so that merging again changes nothing and the order of the files is
all the same; what holds follows by `fold`. With them come the judges, and the pairs that the events
name, with query and document, where this file lacks them. Runs, settings, gold grades, assignments
and whatever else is loaded are the lead's: they are loaded, not merged.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from judge_tui.campaign.store.columns import DOCUMENT_FIELDS, EVENT_FIELDS, QUERY_FIELDS
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import DECISIONS
from judge_tui.campaign.store.events import refresh
from judge_tui.campaign.store.foreign_file import ForeignEvent, ForeignFile, foreign_file
from judge_tui.campaign.store.queries import known_queries
from judge_tui.errors import CampaignError
from judge_tui.model import composed

__all__ = ["Came", "DecidedTwice", "Merged", "merge"]


_AT_ONCE = 5_000
_SETTLED = "adjudicate"

Slot = tuple[str, str, str, int]
"""What one decision is of: judge, query_id, doc_id, turn. What leads settle is of no judge, ""."""


@dataclass(frozen=True, slots=True)
class DecidedTwice:
    """A pair that one judge decided here and there since the files parted, or that leads settled
    (`judge` is ""), and what holds of it now: a grade, skip or cannot, None where both took it
    back."""

    judge: str
    query_id: str
    doc_id: str
    repeat: bool
    holds: int | str | None


@dataclass(frozen=True, slots=True)
class Came:
    """What one file brought: `events` by judge, new `pairs`; `known` counts its events that were
    here already. `itself`: it is this campaign's own file."""

    file: str
    events: dict[str, int] = field(default_factory=dict)
    known: int = 0
    pairs: int = 0
    decided_twice: tuple[DecidedTwice, ...] = ()
    itself: bool = False


@dataclass(frozen=True, slots=True)
class Merged:
    """What came, file by file."""

    files: tuple[Came, ...]


@dataclass(frozen=True, slots=True)
class _Incoming:
    """What was read of one file. `seen`: of the pairs that its new events are of, the ids of all
    that it has."""

    file: str
    events: list[ForeignEvent]
    seen: frozenset[str]
    known: int
    judges: dict[str, tuple[str, str]]
    queries: list[tuple[str, ...]]
    documents: list[tuple[str, ...]]
    strata: dict[tuple[str, str], str]


def _silent(_name: str) -> None:
    """For those who do not want to hear of it."""


def merge(
    campaign: Campaign,
    paths: Sequence[str | os.PathLike[str]],
    *,
    on_file: Callable[[str], None] = _silent,
    on_write: Callable[[str], None] = _silent,
) -> Merged:
    """Take in what these files have: all of them, or none.

    They are read and checked while others go on judging, who wait only for the events to be
    written. Raises `CampaignError` for a file that is no copy of the campaign, that is damaged or
    holds what no judge_tui writes, and where an event is here with another content, and
    `InputError` where a query has another text there.
    """
    campaign.refuse_nesting("merging")
    incoming: list[_Incoming | None] = []
    for path in paths:
        if Path(path).exists() and campaign.place.samefile(path):
            incoming.append(None)
            continue
        on_file(str(path))
        with foreign_file(Path(path), campaign) as theirs:
            incoming.append(_read(campaign, str(path), theirs))
    came = []
    with campaign.writing() as connection:
        for path, one in zip(paths, incoming, strict=True):
            if one is None:
                came.append(Came(str(path), itself=True))
            else:
                on_write(str(path))
                came.append(_join(campaign, connection, one))
    return Merged(tuple(came))


def _read(campaign: Campaign, file: str, theirs: ForeignFile) -> _Incoming:
    new, known = [], 0
    for chunk in _chunks(theirs.events()):
        those = _unknown(campaign.connection, file, chunk)
        new += those
        known += len(chunk) - len(those)
    pairs = {(event.query_id, event.doc_id) for event in new}
    queries = theirs.queries({query_id for query_id, _ in pairs})
    ours = known_queries(campaign, file)
    for query_id, text, *_ in queries:
        ours.find(None, query_id, text)
    here = _known(campaign.connection, "documents", "doc_id", {doc_id for _, doc_id in pairs})
    slots = {slot for event in new if (slot := _slot(event)) is not None}
    return _Incoming(
        file=file,
        events=new,
        seen=frozenset(event.id for event in theirs.events() if _slot(event) in slots),
        known=known,
        judges={event.judge: theirs.judges[event.judge] for event in new},
        queries=queries,
        documents=theirs.documents({doc_id for _, doc_id in pairs} - here.keys()),
        strata={pair: theirs.strata[pair] for pair in pairs},
    )


def _join(campaign: Campaign, connection: sqlite3.Connection, incoming: _Incoming) -> Came:
    """Add it, inside the caller's transaction, which others may have written before."""
    file = incoming.file
    new = [
        event for chunk in _chunks(incoming.events) for event in _unknown(connection, file, chunk)
    ]
    judges = _judges(connection, incoming.judges)
    _insert(connection, "queries", ("query_id", *QUERY_FIELDS), incoming.queries)
    _insert(connection, "documents", ("doc_id", *DOCUMENT_FIELDS), incoming.documents)
    pairs, added = _pairs(connection, incoming.strata)
    names = ("id", "judge", "pair", *EVENT_FIELDS)
    rows = [
        (event.id, judges[event.judge], pairs[event.query_id, event.doc_id], *event[4:])
        for event in new
    ]
    ours = _decided_only_here(connection, new, judges, pairs, incoming.seen)
    _insert(connection, "events", names, rows)
    refresh(campaign, ((judge, pair, turn) for _, judge, pair, turn, *_ in rows))
    return Came(
        file=file,
        events=dict(sorted(Counter(event.judge for event in new).items())),
        known=incoming.known + len(incoming.events) - len(new),
        pairs=added,
        decided_twice=tuple(
            DecidedTwice(
                *(judge, query_id, doc_id, bool(turn)),
                _holding(connection, judges.get(judge), pairs[query_id, doc_id], turn),
            )
            for judge, query_id, doc_id, turn in sorted(ours)
        ),
    )


def _unknown(
    connection: sqlite3.Connection, file: str, events: Sequence[ForeignEvent]
) -> list[ForeignEvent]:
    """Those that are not here. Raises `CampaignError` for one that is here with another content."""
    rows = connection.execute(_HERE, (json.dumps([event.id for event in events]),))
    here = {row[0]: ForeignEvent(row[0], composed(row[1]), *row[2:]) for row in rows}
    for event in events:
        if here.get(event.id, event) != event:
            raise CampaignError(
                file,
                f"event {event.id} is in this campaign with another content",
                "one of the two files was changed by another program: ask for another copy",
            )
    return [event for event in events if event.id not in here]


_HERE = (
    "SELECT e.id, j.name, q.query_id, d.doc_id, e.turn, e.action, e.grade, e.note, e.target,"
    " e.looked, e.painted_at, e.written_at FROM json_each(?) AS k"
    " JOIN events AS e ON e.id = k.value JOIN judges AS j ON j.id = e.judge"
    " JOIN pool AS p ON p.id = e.pair JOIN queries AS q ON q.id = p.query"
    " JOIN documents AS d ON d.id = p.document"
)


def _slot(event: ForeignEvent) -> Slot | None:
    """What it decides, None for what decides nothing."""
    if event.action == _SETTLED:
        return "", event.query_id, event.doc_id, 0
    if event.action in DECISIONS:
        return event.judge, event.query_id, event.doc_id, event.turn
    return None


def _judges(connection: sqlite3.Connection, judges: dict[str, tuple[str, str]]) -> dict[str, int]:
    """Keys by name, those who are new added."""
    rows = connection.execute("SELECT name, id FROM judges ORDER BY id DESC").fetchall()
    keys = {composed(name): key for name, key in rows}
    for name in sorted(judges.keys() - keys.keys()):
        keys[name] = connection.execute(
            "INSERT INTO judges (name, role, kind) VALUES (?, ?, ?) RETURNING id",
            (name, *judges[name]),
        ).fetchone()[0]
    return keys


def _pairs(
    connection: sqlite3.Connection, strata: dict[tuple[str, str], str]
) -> tuple[dict[tuple[str, str], int], int]:
    """Keys of these pairs, those that were not in the pool added, and how many were not."""
    queries = _known(connection, "queries", "query_id", {query_id for query_id, _ in strata})
    documents = _known(connection, "documents", "doc_id", {doc_id for _, doc_id in strata})
    keys, added = {}, 0
    for (query_id, doc_id), stratum in sorted(strata.items()):
        names = queries[query_id], documents[doc_id]
        row = connection.execute(
            "SELECT id FROM pool WHERE query = ? AND document = ?", names
        ).fetchone()
        if row is None:
            added += 1
            row = connection.execute(
                "INSERT INTO pool (query, document, stratum) VALUES (?, ?, ?) RETURNING id",
                (*names, stratum),
            ).fetchone()
        keys[query_id, doc_id] = row[0]
    return keys, added


def _decided_only_here(
    connection: sqlite3.Connection,
    new: Sequence[ForeignEvent],
    judges: dict[str, int],
    pairs: dict[tuple[str, str], int],
    seen: frozenset[str],
) -> set[Slot]:
    """Of what the new events decide, that which was decided here, too, without their knowing."""
    found = set()
    by_pair: dict[tuple[str, str], set[Slot]] = defaultdict(set)
    for event in new:
        slot = _slot(event)
        if slot is not None:
            by_pair[event.query_id, event.doc_id].add(slot)
    names = {key: name for name, key in judges.items()}
    for pair, slots in by_pair.items():
        for event_id, judge, turn, action in connection.execute(
            "SELECT id, judge, turn, action FROM events WHERE pair = ?", (pairs[pair],)
        ):
            who = "" if action == _SETTLED else names[judge]
            slot = who, *pair, turn
            if slot in slots and event_id not in seen and action in (*DECISIONS, _SETTLED):
                found.add(slot)
    return found


def _holding(
    connection: sqlite3.Connection, judge: int | None, pair: int, turn: int
) -> int | str | None:
    if judge is None:
        sql = "SELECT grade FROM adjudications WHERE pair = ?"
        row = connection.execute(sql, (pair,)).fetchone()
    else:
        row = connection.execute(
            "SELECT coalesce(grade, decision) FROM judgments"
            " WHERE judge = ? AND pair = ? AND turn = ?",
            (judge, pair, turn),
        ).fetchone()
    return None if row is None else row[0]


def _known(
    connection: sqlite3.Connection, table: str, column: str, names: Iterable[str]
) -> dict[str, int]:
    """Keys of those that are here."""
    rows = connection.execute(
        f"SELECT {column}, id FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(names)),),
    )
    return dict(rows.fetchall())


def _insert(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    rows: Iterable[tuple[object, ...]],
) -> None:
    """Those that are not there yet."""
    marks = ", ".join("?" * len(columns))
    connection.executemany(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) ON CONFLICT DO NOTHING",
        rows,
    )


def _chunks(events: Iterable[ForeignEvent]) -> Iterator[list[ForeignEvent]]:
    one_by_one = iter(events)
    while chunk := list(islice(one_by_one, _AT_ONCE)):
        yield chunk
