"""The open campaign: reading of one moment, and the one way to write."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import uniform
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from judge_tui.campaign.store.errors_in_words import READ_ONLY, RESTORE, in_words
from judge_tui.campaign.store.file_identity import FileIdentity, keep_copy
from judge_tui.campaign.store.settings import Settings, settings_of
from judge_tui.errors import CampaignError

__all__ = ["Campaign"]


BUSY_MILLISECONDS = 10_000
_ASK_AGAIN = (0.001, 0.003)

_GONE = "the file was deleted, moved or replaced while it was open"
_OVERWRITTEN = "another program wrote over the file while it was open"


class Campaign:
    """An open campaign file. Use it as a context manager: a clean exit leaves one file, no WAL.

    `settings` are its name, scale, guidelines and the like. What it holds is read and written by
    the functions of the rooms beside, which take it as their first argument; `judge_tui.score` and
    `judge_tui.compare` take it in place of qrels. Reads go through `rows()`, inside `reading()`
    where several must be of one moment; writes stand inside `writing()`.
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

    def row(self, sql: str, parameters: Sequence[object] = ()) -> tuple[Any, ...]:
        """The one row that must be there. Raises `CampaignError` where somebody took it away."""
        found = self.rows(sql, parameters)
        if not found:
            what = "a row that was there is gone: another program changed the tables"
            raise CampaignError(self.path, what, RESTORE)
        return found[0]

    def each(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, read as they are asked for: put it inside `reading()`."""
        with self.in_words():
            yield from self.connection.execute(sql, parameters)

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Change rows, inside `writing()`; how many were changed."""
        return self.connection.execute(sql, parameters).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> int:
        """The same change for each of the rows, inside `writing()`; how many were changed."""
        return self.connection.executemany(sql, rows).rowcount

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


def _last_event(connection: sqlite3.Connection) -> str:
    """The id of the newest event, "" where there is none."""
    return str(connection.execute("SELECT coalesce(max(id), '') FROM events").fetchone()[0])
