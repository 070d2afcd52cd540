"""A campaign on a PostgreSQL server: a schema with the tables of a campaign file.

One writes at a time, as in a file: an advisory lock is held for as long as a transaction that
writes. Who commits notifies the others. Each session numbers its transactions, and the number is
committed with what was written: where the line breaks amid a commit, the server says what became
of it, so that nothing is written twice and nothing is thought to be there that is not.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from threading import Thread
from time import monotonic, sleep

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.backend import WAITS, Row
from judge_tui.campaign.store.postgres_connection import (
    CONNECTS,
    PostgresTables,
    Statement,
    connected,
    in_words,
)
from judge_tui.campaign.store.schema import SCHEMA_VERSION
from judge_tui.errors import CampaignError, LostConnectionError
from judge_tui.place import Address

_CONNECTS_SOON = 2
"""Seconds that a server has to answer who only looks for news."""

_LOOKS_AGAIN = 0.25
_LOOKS_FOR_NEWS = 5.0
"""Seconds between two tries to reach a server that was lost."""

_LONGEST_PAUSE = 60_000
"""Milliseconds that a transaction may pause while it keeps others from writing."""

_NONE, _UNSENT, _SENT = "", "unsent", "sent"
"""What the server knows of a transaction."""


class PostgresBackend(PostgresTables):
    """The campaign at `address`, by a connection of this object alone, which is made anew where it
    was lost."""

    errors: tuple[type[Exception], ...] = (psycopg.Error,)
    refusals: tuple[type[Exception], ...] = (psycopg.IntegrityError, psycopg.DataError)
    loss: CampaignError | None = None

    def __init__(self, address: Address, *, read_only: bool = False) -> None:
        """`read_only`: nothing may be written by it. Raises `CampaignError` where there is no
        server."""
        self._read_only = read_only
        self._address = address
        self._waits = WAITS
        self._stopped: Callable[[], bool] = lambda: False
        self._version, self._others = 0, Counter[str]()
        self._next_look = 0.0
        self._transaction = _NONE
        self._session, self._number, self._is_unknown = secrets.token_hex(16), 0, False
        self._works: set[int] = set()
        try:
            super().__init__(self._connect())
        except psycopg.Error as error:
            raise self.in_words(error) from error

    # --- the connection

    def _connect(self, seconds: int = CONNECTS) -> psycopg.Connection[Row]:
        connection = connected(self._address, seconds)
        setting = "SET default_transaction_read_only = on" if self._read_only else self._listening()
        connection.execute(setting)
        connection.execute(f"SET lock_timeout = {self._waits:d}")
        for work in self._works:
            if connection.execute(f"SELECT pg_try_advisory_lock({work:d})").fetchone() != (True,):
                connection.close()
                what = "the line to the server broke, and another program has begun the same work"
                raise CampaignError(self._address, what, "wait for its end")
        return connection

    def _listening(self) -> sql.Composed:
        return sql.SQL("LISTEN {}").format(sql.Identifier(_channel(self._address)))

    def _reconnect(self, seconds: int = CONNECTS) -> None:
        self.connection = self._connect(seconds)
        self._version += 1  # whatever was notified meanwhile

    def refuse_no_campaign(self) -> None:
        """Raise `CampaignError` where the server has no campaign of that name, or of another
        version."""
        try:
            found = [*self.each(_SCHEMA, (self._address.schema,))]
        except psycopg.Error as error:
            raise self.in_words(error) from error
        comment, is_open = found[0] if found else ("", False)
        version = re.fullmatch(r"judge_tui schema (\d+)", comment or "")
        if version is None:
            raise CampaignError(
                self._address,
                f"the server has no campaign {self._address.schema!r}",
                f"make one with: {shell_command(self._address, 'init')}",
            )
        if not is_open:
            what = "your role on the server has no part in this campaign"
            raise CampaignError(self._address, what, f"the lead gives it one with: {_GRANT}")
        if int(version[1]) != SCHEMA_VERSION:
            raise CampaignError(
                self._address,
                f"its schema is version {version[1]}, this judge-tui knows version"
                f" {SCHEMA_VERSION}",
                "copy it to a file with the judge-tui that made it (judge-tui campaign copy),"
                " and the file to a new campaign with this one",
            )

    def _cursor(self) -> psycopg.ClientCursor[Row]:
        """Outside a transaction, with a new connection where that of before was lost."""
        if self._stopped():
            raise psycopg.errors.QueryCanceled("no longer wanted")
        if self.connection.closed and self._transaction != _SENT:
            self._reconnect()
        return psycopg.ClientCursor(self.connection)

    def _send(self, *statements: Statement) -> psycopg.ClientCursor[Row]:
        """As long as nothing was written, again where the connection turns out to be lost: a server
        that is there again soon is waited for."""
        end = monotonic() + self._waits / 1000
        while True:
            try:
                cursor = super()._send(*statements)
                break
            except psycopg.errors.QueryCanceled:
                raise
            except psycopg.OperationalError:
                is_lost = self.connection.closed and self._transaction != _SENT
                if not is_lost or monotonic() > end:
                    raise
            sleep(_LOOKS_AGAIN)
        if self._transaction == _UNSENT:
            self._transaction = _SENT
        return cursor

    # --- what the SQL of the two lacks

    def among(self, column: str, values: Iterable[int | str]) -> tuple[str, tuple[object, ...]]:
        return f"{column} = ANY(?)", ([*values],)

    def joined_columns(self, rows: str, columns: Iterable[str]) -> str:
        joined = (f"string_agg(CAST({one} AS TEXT), ',')" for one in columns)
        return f"SELECT {', '.join(joined)} FROM {rows}"

    def readable(self, column: str) -> str:
        return _READABLE.get(column, column) if self._is_judge else column

    @cached_property
    def _is_judge(self) -> bool:
        """Whether `grant` lets the role read, and nothing else does."""
        [(reads_runs,)] = self.each("SELECT has_table_privilege('runs', 'SELECT')")
        return not reads_runs

    # --- transactions

    def begin_reading(self) -> None:
        self._transaction = _UNSENT
        self._unsent = [Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")]

    def begin_writing(self) -> None:
        if self._read_only:
            what = "the campaign is open to read alone"
            raise CampaignError(self._address, what, "open it again")
        self._refuse_unknown()
        self._transaction = _UNSENT
        self._unsent = [
            Statement("BEGIN"),
            Statement(f"SET LOCAL idle_in_transaction_session_timeout = {_LONGEST_PAUSE}"),
            Statement("SELECT pg_advisory_xact_lock(?)", (_number(self._address),)),
        ]

    def commit(self, judge: int | None = None) -> None:
        if self._transaction == _UNSENT:
            if not any(one.text.startswith(_CHANGES) for one in self._unsent):
                self.roll_back()
                return
            self._send()
        self._number += 1
        who = "" if judge is None else f", '{judge:d}'"
        try:
            self._send(
                Statement("SELECT note_commit(?, ?)", (self._session, self._number)),
                Statement(f'NOTIFY "{_channel(self._address)}"{who}'),
                Statement("COMMIT"),
            )
        except psycopg.OperationalError:
            if not self.connection.closed:
                raise
            self._is_unknown, self._transaction = True, _NONE
            if not self._was_committed():
                raise
        self._transaction = _NONE

    def _was_committed(self) -> bool:
        """What became of the last commit, whose end nobody saw. Raises `LostConnectionError` where
        the server does not say so in time: then it is unknown, and asked again."""
        end = monotonic() + self._waits / 1000
        while True:
            try:
                # As long as somebody has the lock, it may be what is asked about that is under way.
                cursor = self._cursor().execute(
                    "BEGIN; SELECT pg_advisory_xact_lock(%s); SELECT last_commit(%s); COMMIT",
                    (_number(self._address), self._session),
                )
                cursor.nextset()
                cursor.nextset()
                self._is_unknown = False
                return cursor.fetchone() == (self._number,)
            except psycopg.OperationalError as error:
                self.roll_back()
                if monotonic() > end:
                    what = "the line to the server broke: what you did last may be saved, or not"
                    mend = "see that it runs; the next key asks it"
                    raise LostConnectionError(self._address, what, mend) from error
            sleep(_LOOKS_AGAIN)

    def _refuse_unknown(self) -> None:
        """Raise `CampaignError` where a commit whose end was unknown turns out to be there: who
        does it again would do it twice."""
        if self._is_unknown and self._was_committed():
            what = "what you did before the line to the server broke is saved after all"
            raise CampaignError(self._address, what, "look at it, then go on")

    def roll_back(self) -> None:
        self._transaction, self._unsent = _NONE, []
        with suppress(psycopg.Error):
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                self.connection.execute("ROLLBACK")

    @contextmanager
    def alone(self, work: str) -> Iterator[bool]:
        number = _number(self._address, work)
        [(is_ours,)] = self.each("SELECT pg_try_advisory_lock(?)", (number,))
        if is_ours:
            self._works.add(number)
        try:
            yield is_ours
        finally:
            if is_ours:
                self._works.remove(number)
                with suppress(psycopg.Error):
                    [*self.each("SELECT pg_advisory_unlock(?)", (number,))]

    def wait_at_most(self, milliseconds: int) -> None:
        self._waits = max(1, milliseconds)
        with suppress(psycopg.Error):  # a new connection gets it, too
            self._cursor().execute(f"SET lock_timeout = {self._waits:d}")

    # --- what is only of files, or only of servers

    def version(self, judge: int | None = None) -> int:
        with suppress(psycopg.Error):
            if self.connection.closed and self._transaction != _SENT:
                self._look_for_server()
            for notice in self.connection.notifies(timeout=0):
                if notice.pid != self.connection.info.backend_pid:
                    self._others[notice.payload] += 1
        who = self._others if judge is None else ("", str(judge))
        return self._version + sum(self._others[one] for one in who)

    def _look_for_server(self) -> None:
        """Now and then: nobody waits for it."""
        if monotonic() >= self._next_look:
            self._next_look = monotonic() + _LOOKS_FOR_NEWS
            self._reconnect(_CONNECTS_SOON)

    def tend(self) -> None:
        """Nothing: the server does it."""

    def size(self) -> int:
        return 0

    def damage(self) -> Iterator[str]:
        return iter(())

    def stop_when(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped
        Thread(target=self._cancel_when_stopped, daemon=True).start()

    def _cancel_when_stopped(self) -> None:
        while not self.connection.closed:
            if self._stopped():
                with suppress(psycopg.Error):
                    self.connection.cancel_safe(timeout=_CONNECTS_SOON)
                return
            sleep(_LOOKS_AGAIN)

    def in_words(self, error: Exception) -> CampaignError:
        return in_words(self._address, error)

    def close(self) -> None:
        self.connection.close()


_CHANGES = ("INSERT", "UPDATE", "DELETE")
"""How a statement begins without which there is nothing to commit."""

_SCHEMA = (
    "SELECT obj_description(oid, 'pg_namespace'), has_schema_privilege(oid, 'USAGE')"
    " FROM pg_namespace WHERE nspname = ?"
)
"""SQL: which version of the tables a schema has, and whether the role has a part in it."""

_GRANT = "judge-tui campaign grant ROLE --judge NAME"

_READABLE = {"d.meta": "shown_meta(d.id)", "baseline": "''"}
"""Column -> what a judge's role, which cannot read it, reads in its place."""


def _channel(address: Address) -> str:
    return f"judge_tui:{address.schema}"[:63]


def _number(address: Address, work: str = "") -> int:
    """What an advisory lock is known by: the same in all that use the campaign."""
    digest = blake2b(f"{address.schema}\0{work}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
