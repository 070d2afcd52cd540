"""A connection to a PostgreSQL server by which rows are read and written as in a file, and what it
reports, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import psycopg
from psycopg import sql
from psycopg.adapt import Dumper, Loader

from judge_tui.campaign.store.backend import Row
from judge_tui.errors import CampaignError, LockedError, LostConnectionError
from judge_tui.place import Address

CONNECTS = 10
"""Seconds that a server has to answer who waits for it."""

_SILENCE = 10_000
"""Milliseconds without an answer to what was sent, after which a line counts as lost."""

_AT_ONCE = 500
"""Statements that are sent together."""


def connected(address: Address, seconds: int = CONNECTS) -> psycopg.Connection[Row]:
    """A connection that leaves transactions to its caller, and sees the tables of one campaign."""
    connection = psycopg.connect(
        address.server,
        autocommit=True,
        connect_timeout=seconds,
        tcp_user_timeout=_SILENCE,
        keepalives_idle=_SILENCE // 1000,
        keepalives_interval=1,
        keepalives_count=3,
    )
    connection.adapters.register_loader("numeric", _WholeNumbers)
    connection.adapters.register_dumper(bool, _Flag)
    connection.adapters.register_dumper(bytes, _NoText)
    connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(address.schema)))
    return connection


class _WholeNumbers(Loader):
    """What PostgreSQL sums: numbers that are whole are ints, as in a file."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdecimal() else float(text)


class _Flag(Dumper):
    """A flag is stored as 0 or 1, as in a file."""

    def dump(self, obj: bool) -> bytes:
        return b"1" if obj else b"0"

    quote = dump


class _NoText(Dumper):
    """No column is of bytes, which PostgreSQL would store as their digits."""

    def dump(self, obj: bytes) -> bytes:  # noqa: ARG002
        raise psycopg.DataError("cannot store bytes where a text or number belongs")

    quote = dump


class Statement(NamedTuple):
    """SQL and its parameters."""

    text: str
    parameters: Sequence[object] = ()


class PostgresTables:
    """The tables behind a connection. Statements whose answer nobody waits for are sent with the
    next one that has an answer: over a slow line it is the ways that take time."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection
        self._unsent: list[Statement] = []

    def _cursor(self) -> psycopg.ClientCursor[Row]:
        return psycopg.ClientCursor(self.connection)

    def _send(self, *statements: Statement) -> psycopg.ClientCursor[Row]:
        """Send them together, behind what is unsent; the cursor at the result of the first."""
        every = (*self._unsent, *statements)
        cursor = self._cursor()
        if every:
            texts = (cursor.mogrify(_translated(one.text), one.parameters) for one in every)
            cursor.execute(";".join(texts).encode())
        for _ in self._unsent:
            cursor.nextset()
        self._unsent = []
        return cursor

    def each(self, text: str, parameters: Sequence[object] = ()) -> Iterable[Row]:
        return self._send(Statement(text, parameters))

    def execute(self, text: str, parameters: Sequence[object] = ()) -> int:
        return self._send(Statement(text, parameters)).rowcount

    def execute_many(self, text: str, rows: Iterable[Sequence[object]]) -> int:
        changed, rest = 0, iter(rows)
        while some := [Statement(text, row) for row in islice(rest, _AT_ONCE)]:
            cursor = self._send(*some)
            changed += cursor.rowcount
            while cursor.nextset():
                changed += cursor.rowcount
        return changed

    def execute_later(self, text: str, rows: Iterable[Sequence[object]]) -> None:
        for row in rows:
            self._unsent.append(Statement(text, row))
            if len(self._unsent) >= _AT_ONCE:
                self._send()

    def add_rows(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
        with self._cursor().copy(into) as copy:
            for row in rows:
                copy.write_row(row)


@lru_cache(maxsize=1024)
def _translated(text: str) -> str:
    return text.replace("%", "%%").replace("?", "%s")


_WORDS: dict[type[psycopg.Error], tuple[str, str]] = {
    psycopg.errors.InsufficientPrivilege: (
        "your role on the server may not do this",
        "who judges uses judge-tui judge --judge NAME; all else is the lead's",
    ),
    psycopg.errors.DuplicateSchema: (
        "already exists and is left as it is",
        "name another campaign",
    ),
    psycopg.IntegrityError: (
        "the server refuses a row that contradicts others",
        "another program changed the tables: restore a copy",
    ),
    psycopg.errors.QueryCanceled: ("reading was ended", "read again"),
    psycopg.errors.ReadOnlySqlTransaction: ("the server is read-only", "ask who runs it"),
}


_AT_THE_DOOR = {
    "password": "put your password into ~/.pgpass or PGPASSWORD",
    'database "': "make the database with createdb, or name another one",
    'role "': "who runs the server makes a role with createuser",
}
"""What a server says that lets nobody in."""


def in_words(address: Address, error: Exception) -> CampaignError:
    """What went wrong and how to mend it, from an error of the server or the connection."""
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return LockedError(address, "somebody else writes for long", "try again")
    for kind, (what, mend) in _WORDS.items():
        if isinstance(error, kind):
            return CampaignError(address, what, mend)
    message = " ".join(str(error).split())
    if isinstance(error, psycopg.DataError):
        what = f"the server cannot store this ({message})"
        return CampaignError(address, what, "change that, then do it again")
    if isinstance(error, psycopg.OperationalError):
        mends = (mend for words, mend in _AT_THE_DOOR.items() if words in message)
        mend = next(mends, "see that it runs, then do it again")
        return LostConnectionError(address, f"the server cannot be reached ({message})", mend)
    return CampaignError(address, f"the server refuses ({message})", "ask who runs it")
