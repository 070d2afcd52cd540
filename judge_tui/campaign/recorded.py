"""What was done through an open campaign, in memory: where the file is written over, it is all
there is. It is kept as a small copy of the campaign, which merging takes for what it is."""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from pathlib import Path
from typing import Any

from judge_tui.campaign.columns import EVENT_FIELDS, QUERY_FIELDS
from judge_tui.campaign.settings import Settings
from judge_tui.campaign.witness import free_name
from judge_tui.errors import CampaignError

__all__ = ["Recorded"]

Row = tuple[Any, ...]


class Recorded:
    """The pairs that judges and leads worked on since the file was opened, each with all that its
    judge ever did to it, and those that were sent to the pool. Rows are as the file has them.

    What is taken in inside a transaction is held once that is committed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # By key: names, role and kind of judges; ids and fields of queries; the query's key, the
        # document's id, priority and stratum of pairs; events, by judge and pair.
        self._judges: dict[object, Row] = {}
        self._queries: dict[object, Row] = {}
        self._pairs: dict[object, Row] = {}
        self._events: dict[object, list[Row]] = {}
        self._taken: list[tuple[dict[object, Any], object, Any]] = []

    def __bool__(self) -> bool:
        """Whether anything is held."""
        return bool(self._pairs)

    def take_events(self, connection: sqlite3.Connection, judge: int, pair: int) -> None:
        """Take in all that the judge (a key) did to the pair (a key), of both turns, undone or not:
        an undo is of use only beside what it undid."""
        rows = connection.execute(_EVENTS_OF, (judge, pair)).fetchall()
        self._taken.append((self._events, (judge, pair), rows))
        self._taken.append((self._judges, judge, _one(connection, _JUDGE, judge)))
        if pair not in self._pairs:
            # Why it is in the pool no judge may see.
            self.take_pair(connection, pair, 0.0, "")

    def take_pair(
        self, connection: sqlite3.Connection, pair: int, priority: float, stratum: str
    ) -> None:
        """Take in a pair (a key), and its place in the pool."""
        doc_id, key, *query = _one(connection, _NAMES_OF, pair)
        self._taken.append((self._queries, key, tuple(query)))
        self._taken.append((self._pairs, pair, (key, doc_id, priority, stratum)))

    def commit(self) -> None:
        """The transaction is on disk."""
        for held, key, row in self._taken:
            held[key] = row
        self._taken.clear()

    def roll_back(self) -> None:
        """Nothing that was taken in since the last `commit` is on disk."""
        self._taken.clear()

    def write(self, place: Path) -> Path | None:
        """Write what is held beside `place`, as a campaign file; None where there is no room."""
        # Seldom needed, and start-up counts.
        from judge_tui.campaign.creation import new_file  # noqa: PLC0415

        draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
        try:
            with new_file(draft, self._settings) as connection:
                self._put_into(connection)
            named = free_name(place.with_name(f"{place.stem}-kept{place.suffix}"))
            return None if named is None else draft.replace(named)
        except (OSError, CampaignError):
            return None
        finally:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)

    def _put_into(self, connection: sqlite3.Connection) -> None:
        put = connection.executemany
        put(_ADD_JUDGE, [(key, *row) for key, row in self._judges.items()])
        put(_ADD_QUERY, [(key, *row) for key, row in self._queries.items()])
        put(_ADD_DOCUMENT, [(doc_id,) for _, doc_id, *_ in self._pairs.values()])
        put(_ADD_PAIR, [(key, *row) for key, row in self._pairs.items()])
        put(_ADD_EVENT, [row for rows in self._events.values() for row in rows])


def _one(connection: sqlite3.Connection, sql: str, key: int) -> Row:
    """The row that must be there."""
    row = connection.execute(sql, (key,)).fetchone()
    if row is None:
        raise sqlite3.DatabaseError("database disk image is malformed: a row is gone")
    return tuple(row)


def _insert(table: str, names: tuple[str, ...]) -> str:
    marks = ", ".join("?" * len(names))
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608


_QUERY = ("query_id", *QUERY_FIELDS)
_EVENT = ("id", "judge", "pair", *EVENT_FIELDS)

_JUDGE = "SELECT name, role, kind FROM judges WHERE id = ?"
_NAMES_OF = (
    f"SELECT d.doc_id, q.id, {', '.join(f'q.{name}' for name in _QUERY)}"  # noqa: S608
    " FROM pool AS p JOIN queries AS q ON q.id = p.query"
    " JOIN documents AS d ON d.id = p.document WHERE p.id = ?"
)
_EVENTS_OF = f"SELECT {', '.join(_EVENT)} FROM events WHERE judge = ? AND pair = ? ORDER BY id"  # noqa: S608
_ADD_JUDGE = _insert("judges", ("id", "name", "role", "kind"))
_ADD_QUERY = _insert("queries", ("id", *_QUERY))
_ADD_DOCUMENT = "INSERT OR IGNORE INTO documents (doc_id) VALUES (?)"
_ADD_PAIR = (
    "INSERT INTO pool (id, query, document, priority, stratum)"
    " SELECT ?1, ?2, id, ?4, ?5 FROM documents WHERE doc_id = ?3"
)
_ADD_EVENT = _insert("events", _EVENT)
