"""What SQLite has of its own: locks, its log, its checks, and the little SQL that others lack."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import uniform
from time import monotonic, sleep

from judge_tui.campaign.store.backend import WAITS, Row, insertion
from judge_tui.campaign.store.errors_in_words import ERRORS, GONE, in_words
from judge_tui.campaign.store.file_identity import FileIdentity, keep_copy, last_event
from judge_tui.errors import CampaignError


def among(column: str, values: Iterable[int | str]) -> tuple[str, tuple[str]]:
    """A condition that `column` is one of the values, however many, and its parameters; for any
    connection to an SQLite file."""
    return f"{column} IN (SELECT value FROM json_each(?))", (json.dumps([*values]),)


_ASK_AGAIN = (0.001, 0.003)
_CACHE = 16_000
"""Kibibytes; with SQLite's own 2,000 a million rows are written a fifth slower."""

_LOOK_EVERY = 10_000
"""Instructions of SQLite's machine: well below a millisecond."""

_OVERWRITTEN = "another program wrote over the file while it was open"


def connected(name: str | Path, *, uri: bool = False) -> sqlite3.Connection:
    """A connection that leaves transactions to its caller and waits for others."""
    connection = sqlite3.connect(name, uri=uri, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {WAITS}")
    connection.execute(f"PRAGMA cache_size = -{_CACHE}")
    return connection


def damage_in(connection: sqlite3.Connection) -> Iterator[str]:
    """All that contradicts itself in a file, each in a sentence."""
    for (found,) in connection.execute("PRAGMA integrity_check"):
        if found == "ok":
            break
        # SQLite says many things at once, below a title.
        yield from (line for line in found.splitlines() if not line.startswith("*** "))
    else:
        return
    for table, _, other, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of {table!r} belongs to nothing in {other!r}"


class SqliteTables:
    """The tables behind a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def each(self, sql: str, parameters: Sequence[object] = ()) -> sqlite3.Cursor:
        return self.connection.execute(sql, parameters)

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        return self.connection.execute(sql, parameters).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> int:
        return self.connection.executemany(sql, rows).rowcount

    def execute_later(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        self.execute_many(sql, rows)

    def add_rows(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        self.execute_many(insertion(table, *columns), rows)


class SqliteBackend(SqliteTables):
    """The campaign file at `path`, by a `connection` of this object alone.

    `loss`: what became of the file, where it is no longer the one that was opened.
    """

    errors: tuple[type[Exception], ...] = ERRORS
    refusals: tuple[type[Exception], ...] = (sqlite3.IntegrityError,)

    def __init__(
        self, path: Path, connection: sqlite3.Connection, refusal: CampaignError | None = None
    ) -> None:
        """`refusal`: why nothing can be written, None where it can."""
        super().__init__(connection)
        self._waits = WAITS
        self.loss: CampaignError | None = None
        self._path = path
        self.place = path.absolute()
        """Where it is, whatever becomes of the folder that the program works in."""
        self._refusal = refusal
        self._last_event = last_event(connection)
        # Now that it was read from, the WAL is there.
        self._identity = FileIdentity(self.place, connection)
        self._is_kept = True
        self._has_written = False
        self._version = 0

    @property
    def read_only(self) -> bool:
        return self._refusal is not None

    def among(self, column: str, values: Iterable[int | str]) -> tuple[str, tuple[object, ...]]:
        return among(column, values)

    def joined_columns(self, rows: str, columns: Iterable[str]) -> str:
        return f"SELECT {', '.join(f'group_concat({one})' for one in columns)} FROM {rows}"

    def readable(self, column: str) -> str:
        return column

    def begin_reading(self) -> None:
        self.connection.execute("BEGIN")

    def begin_writing(self) -> None:
        self.refuse_another_file()
        if self._refusal is not None:
            raise self._refusal
        self._lock()
        self._refuse_other_content()

    def _lock(self) -> None:
        """A deferred transaction that reads and then writes would fail as "database is locked"
        whatever the timeout. SQLite's own wait asks ever more rarely, so that in a crowd who has
        waited longest comes last; here everybody asks equally often.
        """
        end = monotonic() + self._waits / 1000
        with self._without_waiting():
            while True:
                try:
                    self.connection.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > end:
                        raise
                sleep(uniform(*_ASK_AGAIN))

    @contextlib.contextmanager
    def alone(self, work: str) -> Iterator[bool]:
        # Who asks a model waits for its imports anyway.
        from filelock import FileLock, Timeout  # noqa: PLC0415

        file = self.place.resolve()
        lock = file.with_name(f".{file.name}.{work}.lock")
        try:
            with FileLock(lock, timeout=0):
                try:
                    yield True
                finally:
                    lock.unlink(missing_ok=True)
        except Timeout:
            yield False

    def wait_at_most(self, milliseconds: int) -> None:
        self._waits = milliseconds
        self.connection.execute(f"PRAGMA busy_timeout = {milliseconds:d}")

    @contextlib.contextmanager
    def _without_waiting(self) -> Iterator[None]:
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute(f"PRAGMA busy_timeout = {self._waits:d}")

    def commit(self, judge: int | None = None) -> None:  # noqa: ARG002 - a file tells nobody
        last = last_event(self.connection)
        self.connection.execute("COMMIT")
        self._has_written = True
        # SQLite commits without complaint to a file that was deleted meanwhile.
        self.refuse_another_file()
        self._last_event = last

    def roll_back(self) -> None:
        if self.loss is None and self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def version(self, judge: int | None = None) -> int:  # noqa: ARG002 - it cannot tell
        if self.loss is None:
            (self._version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return self._version

    def tend(self) -> None:
        self.refuse_another_file()
        # Where the disk fails or others lock the file, there is another time.
        with contextlib.suppress(sqlite3.OperationalError):
            self._refuse_other_content()
        if self._has_written:
            self._has_written = not self.checkpoint()

    def checkpoint(self) -> bool:
        """Fold the WAL back, without waiting: what is folded is in the file itself, and a copy of
        that is whole. Another process that still reads or writes keeps its WAL."""
        self.refuse_another_file()
        # To fold nothing would look to others as if something had been written.
        if self.read_only or self._identity.wal_is_empty():
            return True
        try:
            with self._without_waiting():
                (busy, *_) = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:
            # A full disk, for one: what was committed stays in the WAL.
            return False
        return bool(busy == 0)

    def size(self) -> int:
        return self.place.stat().st_size

    def damage(self) -> Iterator[str]:
        return damage_in(self.connection)

    def stop_when(self, stopped: Callable[[], bool]) -> None:
        self.connection.set_progress_handler(stopped, _LOOK_EVERY)

    def in_words(self, error: Exception) -> CampaignError:
        return self.loss or in_words(self._path, error)

    def close(self) -> None:
        try:
            self.checkpoint()
        finally:
            self.connection.close()

    def is_same_file(self) -> bool:
        return self.loss is None and (self.read_only or self._identity.is_same())

    def refuse_another_file(self) -> None:
        if self.is_same_file():
            return
        if self.loss is None or not self._is_kept:
            self.loss = CampaignError(self._path, GONE, self._keep())
        raise self.loss

    def _keep(self) -> str:
        kept = keep_copy(self.connection, self.place)
        self._is_kept = kept is not None
        if kept is None:
            return "what was judged could not be kept beside it: make room and try again"
        # Whoever opens what stands there now must not share a WAL with us.
        self.connection.close()
        self._identity.clear_away()
        return f"all up to now is in {kept.name} beside it: leave, and open or merge that"

    def _refuse_other_content(self) -> None:
        if not self.read_only and self._identity.was_written_over(self._last_event):
            self._identity.discard_wal()
            self.connection.close()
            self.loss = CampaignError(self._path, _OVERWRITTEN, "leave, and restore a copy of it")
            raise self.loss
