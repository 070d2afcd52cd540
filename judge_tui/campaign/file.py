"""Opening the file, and the one way to write to it.

Opening one needs no more than the standard library's sqlite3: the app must paint its first document
at once.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import uniform
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from judge_tui.campaign.file_identity import FileIdentity, keep_copy
from judge_tui.campaign.settings import Settings, settings_of
from judge_tui.campaign.typed import typed
from judge_tui.campaign.version import SCHEMA_VERSION, refuse_no_campaign, upgrade
from judge_tui.campaign.words import READ_ONLY, RESTORE, in_words
from judge_tui.errors import CampaignError, JudgeTuiError

__all__ = ["Campaign", "Settings", "now", "open_campaign", "read_only_connection"]

BUSY_MILLISECONDS = 10_000
_ASK_AGAIN = (0.001, 0.003)

_GONE = "the file was deleted, moved or replaced while it was open"
_OVERWRITTEN = "another program wrote over the file while it was open"


class _RehearsedError(Exception):
    """Ends a transaction of which nothing is to stay."""


def now() -> str:
    """The time in UTC, as the file keeps it: ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Campaign:
    """An open campaign file. Use it as a context manager: a clean exit leaves one file, no WAL.

    `settings` are its name, scale, guidelines and the like. What it holds is had by functions that
    take it as their first argument, in a module for each noun of `judge_tui.campaign`, such as
    `grades.grades_by_judge` and `queries.all_queries`; `judge_tui.score` and `judge_tui.compare`
    take it in place of qrels. These functions read through
    `rows()`, inside `reading()` where several reads must be of one moment, and write only inside
    `writing()`.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, *, read_only: bool = False
    ) -> None:
        self.path = path
        self.place = path.absolute()
        """Where the file is, whatever becomes of the folder that the program works in."""
        self.connection = connection
        self.settings: Settings = settings_of(path, connection)
        self.read_only = read_only
        self.loss: CampaignError | None = None
        """What became of the file, where it is no longer the one that was opened."""
        self.is_unkept = False
        """Whether the file is lost and no copy of it could be kept: each further attempt to use it
        tries again."""
        # Now that it was read from, the WAL is there.
        self._identity = FileIdentity(self.place)
        self._last_event = _last_event(connection)
        self._held_for: str | None = None
        self._unfolded = False
        self._waits = BUSY_MILLISECONDS
        self._version = 0

    def __enter__(self) -> Campaign:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Fold the WAL back, so that the file alone is the campaign, and close.

        Another process that still reads or writes keeps its WAL; the last one out folds it. Raises
        `CampaignError` where the file is no longer the one that was opened.
        """
        try:
            self.fold()
        finally:
            self.connection.close()

    @property
    def lost(self) -> bool:
        """Whether the file is known to be no longer the one that was opened."""
        return self.loss is not None

    def tend(self) -> None:
        """To be called now and then while the file is open: folds what was written since.

        What is folded is in the file itself: a copy of it is whole. Raises `CampaignError` as soon
        as the file is no longer the one that was opened.
        """
        if self._held_for is not None:
            return
        self.refuse_another_file()
        self._refuse_other_content()
        if self._unfolded:
            self._unfolded = not self.fold()

    def fold(self) -> bool:
        """Fold the WAL back now, without waiting for others; False where they are in the way.

        Raises `CampaignError` where the file is no longer the one that was opened.
        """
        self.refuse_another_file()
        # To fold nothing would look to others as if something had been written.
        if self.read_only or self._identity.wal_is_empty():
            return True
        try:
            self.connection.execute("PRAGMA busy_timeout = 0")
            row = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:
            # A full disk, for one: what was committed stays in the WAL.
            return False
        finally:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute(f"PRAGMA busy_timeout = {self._waits:d}")
        return not row[0]

    def wait_at_most(self, milliseconds: int) -> None:
        """How long a write waits for others before `LockedError`; 10 s unless set here."""
        self._waits = milliseconds
        self.connection.execute(f"PRAGMA busy_timeout = {milliseconds:d}")

    def version(self) -> int:
        """A number that changes when another program has written to the file."""
        if not self.lost:
            with self.in_words():
                self._version = self.connection.execute("PRAGMA data_version").fetchone()[0]
        return self._version

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query. Raises `CampaignError` in words where the file cannot be read."""
        with self.in_words():
            return self.connection.execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def in_words(self) -> Iterator[None]:
        """Turns what SQLite reports inside the block into a `CampaignError`."""
        try:
            yield
        except sqlite3.Error as error:
            raise self.loss or in_words(self.path, error) from error

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside the block is of one moment, whatever others write meanwhile."""
        if self._held_for is not None:
            yield
            return
        with self.in_words():
            self.connection.execute("BEGIN")
        self._held_for = "reading"
        try:
            yield
        finally:
            self._held_for = None
            self._roll_back()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on disk when the block is left, or none of it.

        Nested, the inner block is part of the outer transaction. Raises `CampaignError` in words
        where the file is locked, read-only, full, deleted or replaced by another file, and
        `RuntimeError` inside `reading` or while files are staged: that transaction is given up.
        """
        if self._held_for == "writing":
            yield self.connection
            return
        self.refuse_another_file()
        if self.read_only:
            raise CampaignError(self.path, *READ_ONLY)
        self.refuse_nesting("writing")
        with self.in_words():
            self._begin()
            self._held_for = "writing"
            try:
                self._refuse_other_content()
                yield self.connection
                last = _last_event(self.connection)
                self.connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._held_for = None
        self._unfolded = True
        # SQLite commits without complaint to a file that was deleted meanwhile.
        self.refuse_another_file()
        self._last_event = last

    @contextlib.contextmanager
    def rehearsing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, as `writing`, of which nothing stays: to know what would be there.

        Raises `RuntimeError` inside another transaction, which would stay.
        """
        self.refuse_nesting("a rehearsal")
        with contextlib.suppress(_RehearsedError), self.writing() as connection:
            yield connection
            raise _RehearsedError

    @contextlib.contextmanager
    def staging(self, table: str, columns: str) -> Iterator[sqlite3.Connection]:
        """A temporary table of this connection, gone when the block is left.

        A transaction that is open then is rolled back. What was raised inside stays what is raised.
        """
        self.refuse_nesting("loading files")
        with self.in_words():
            self.connection.execute(f"DROP TABLE IF EXISTS temp.{table}")
            self.connection.execute(f"CREATE TEMP TABLE {table} ({columns})")
            try:
                yield self.connection
            finally:
                # After a full disk SQLite may have rolled back by itself, and the table with it.
                # A cursor that an error left open keeps the table, until it is staged again.
                with contextlib.suppress(sqlite3.Error):
                    if self.connection.in_transaction:
                        self.connection.execute("ROLLBACK")
                    self.connection.execute(f"DROP TABLE IF EXISTS temp.{table}")

    def _begin(self) -> None:
        """Take the lock for writing, waiting for others as long as `wait_at_most` says.

        A deferred transaction that reads and then writes would fail as "database is locked"
        whatever the timeout. SQLite's own wait asks ever more rarely, so that in a crowd who has
        waited longest comes last; here everybody asks equally often.
        """
        end = monotonic() + self._waits / 1000
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    self.connection.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > end:
                        raise
                sleep(uniform(*_ASK_AGAIN))
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {self._waits:d}")

    def refuse_nesting(self, what: str) -> None:
        """Raise `RuntimeError` where a transaction is open that `what` cannot be part of."""
        if self.loss is None and self.connection.in_transaction:
            raise RuntimeError(f"{what} cannot begin inside {self._held_for or 'a transaction'}")

    def is_same_file(self) -> bool:
        """Whether what stands at `place` is the file that was opened."""
        return self.read_only or self._identity.is_same()

    def refuse_another_file(self) -> None:
        """Raise `CampaignError` where the file is no longer the one that was opened; all that it
        held is kept first, in a new file beside it."""
        if (self.loss is None and not self.is_same_file()) or self.is_unkept:
            kept = keep_copy(self.connection, self.place)
            self.is_unkept = kept is None
            if kept is None:
                mend = "what was judged could not be kept beside it: make room and try again"
            else:
                # Whoever opens what stands there now must not share a WAL with us.
                self.connection.close()
                self._identity.clear_away()
                mend = f"all up to now is in {kept.name} beside it: leave, and open or merge that"
            self.loss = CampaignError(self.path, _GONE, mend)
        if self.loss is not None:
            raise self.loss

    def _refuse_other_content(self) -> None:
        if self.read_only:
            return
        if self._identity.was_written_over(self.settings.campaign_id, self._last_event):
            self._identity.discard_wal()
            self.connection.close()
            self.loss = CampaignError(self.path, _OVERWRITTEN, "leave, and restore a copy of it")
            raise self.loss

    def _roll_back(self) -> None:
        if self.loss is None and self.connection.in_transaction:
            self.connection.execute("ROLLBACK")


def open_campaign(path: str | os.PathLike[str]) -> Campaign:
    """Open an existing campaign, migrating an older schema; to be used as a context manager.

    What is opened may be given to `judge_tui.score` and `judge_tui.compare` in place of qrels;
    `grades.grades_by_judge` has what its judges decided, for `judge_tui.agree`. A file that is
    read-only, or in a read-only folder, can be read. Raises `CampaignError` where there is no file,
    the file is no campaign, or a newer judge_tui made it.
    """
    path = Path(path)
    if not path.exists():
        raise CampaignError(
            path, "no such file", f"make one with: {typed(path, 'init')}, or name yours with --db"
        )
    if not path.is_file():
        raise CampaignError(path, "not a file", "name a campaign file with --db")
    read_only = not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))
    connection: sqlite3.Connection | None = None
    try:
        if read_only:
            connection = read_only_connection(path)
        else:
            # Absolute: SQLite takes ":memory:" and "file:…" for something else than a name.
            connection = sqlite3.connect(path.absolute(), isolation_level=None)
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
            refuse_no_campaign(path, connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
                upgrade(connection)
        _refuse_judges_missing(path, connection)
        return Campaign(path, connection, read_only=read_only)
    except (sqlite3.Error, JudgeTuiError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise in_words(path, error) from error
        raise


def read_only_connection(path: Path) -> sqlite3.Connection:
    """One more connection to a campaign file that writes nothing to it or beside it.

    Of an older schema, a migrated copy in memory. Raises `CampaignError` and what SQLite raises.
    """
    place = path.absolute()
    wal = Path(f"{os.path.realpath(place)}-wal")
    alone = not wal.exists() or wal.stat().st_size == 0
    # Without a WAL nobody is writing, and in a read-only folder SQLite could not make its index.
    frozen = alone and not os.access(place.parent, os.W_OK)
    uri = f"{place.as_uri()}?mode=ro{'&immutable=1' if frozen else ''}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    refuse_no_campaign(path, connection)
    if connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
        return connection
    copy = sqlite3.connect(":memory:", isolation_level=None)
    with contextlib.closing(connection):
        connection.backup(copy)
    upgrade(copy)
    return copy


def _last_event(connection: sqlite3.Connection) -> str:
    """The id of the newest event, "" where there is none."""
    return str(connection.execute("SELECT coalesce(max(id), '') FROM events").fetchone()[0])


# From one judge to the next by the index: each is found without reading what is between.
_JUDGES_MISSING = """
    WITH RECURSIVE seen (judge) AS (
        SELECT min(judge) FROM events
        UNION ALL
        SELECT (SELECT min(judge) FROM events WHERE judge > seen.judge) FROM seen
        WHERE seen.judge IS NOT NULL
    )
    SELECT 1 FROM seen WHERE judge IS NOT NULL AND judge NOT IN (SELECT id FROM judges)
"""


def _refuse_judges_missing(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` where somebody judged who is not in the file: it was put together from
    pages of several, or changed by another program."""
    if connection.execute(_JUDGES_MISSING).fetchone() is not None:
        what = "a row of 'events' belongs to nothing in 'judges'"
        raise CampaignError(path, what, RESTORE)
