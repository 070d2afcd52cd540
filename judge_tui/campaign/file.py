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

from judge_tui.campaign.guard import Guard, roll_back
from judge_tui.campaign.recorded import Recorded
from judge_tui.campaign.settings import Settings, settings_of
from judge_tui.campaign.typed import typed
from judge_tui.campaign.version import SCHEMA_VERSION, refuse_no_campaign, upgrade
from judge_tui.campaign.witness import extent
from judge_tui.campaign.words import RESTORE, in_words
from judge_tui.errors import CampaignError, JudgeTuiError

__all__ = ["Campaign", "Settings", "now", "open_campaign"]

BUSY_MILLISECONDS = 10_000
_ASK_AGAIN = (0.001, 0.003)


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

    What is known of the file is with its `Guard`. Here stand `_held_for`, the block that holds a
    transaction open (`reading` or `writing`; None between them), and `_unfolded`, which `writing`
    sets and `tend` clears once all is folded.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, *, beside: Campaign | None = None
    ) -> None:
        """`beside`: who has the file open already, where this is one more connection, read-only, to
        the same. Raises `CampaignError` where it is no longer the same then."""
        self.path = path
        self.settings: Settings
        self.recorded: Recorded
        """What is done through this connection, to be kept where the file is written over."""
        self._guard: Guard
        self._held_for: str | None = None
        self._unfolded = False
        self._waits = BUSY_MILLISECONDS
        self._version = 0
        if beside is not None:
            self.settings, self.recorded = beside.settings, beside.recorded
            self._guard = beside._guard.beside(connection)
            return
        self.settings = settings_of(path, connection)
        self.recorded = Recorded(self.settings)
        self._guard = Guard(path, connection, self.settings, self.recorded)

    @property
    def connection(self) -> sqlite3.Connection:
        """SQLite's own: to be read from only inside `of_this_file`, `reading` or `writing`."""
        return self._guard.connection

    @property
    def place(self) -> Path:
        """Where the file is, whatever becomes of the folder that the program works in."""
        return self._guard.place

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

        Another process that still reads or writes keeps its WAL; the last one out folds it. Where
        the file was taken away meanwhile, nothing is folded into what stands in its place. Raises
        `CampaignError` then, with where the judgments are, or that they could not be kept.
        """
        self._guard.leave()
        try:
            self.fold()
        finally:
            self._guard.let_go()

    @property
    def lost(self) -> bool:
        """Whether the file is known to be no longer the one that was opened."""
        return self.loss is not None

    @property
    def loss(self) -> CampaignError | None:
        """What became of the file, where it is `lost`; in the same words whoever asks."""
        return self._guard.loss

    @property
    def is_unkept(self) -> bool:
        """Whether the file is `lost`, and what was in it could not be kept: closing gives it up,
        after one more attempt."""
        return self._guard.is_unkept

    def tend(self) -> None:
        """To be called now and then while the file is open: folds what was written since.

        What is folded is in the file itself: a copy of it is whole, and a file put in its place
        meets no WAL of ours. Raises `CampaignError` as soon as the file is no longer the one that
        was opened.
        """
        if self._held_for is not None:
            return
        self._check()
        if self._unfolded:
            self._unfolded = not self.fold()

    def fold(self) -> bool:
        """Fold the WAL back now, without waiting for others; False where they are in the way.

        Raises `CampaignError` where the file is no longer the one that was opened.
        """
        self._check()
        if not self._guard.is_looked_at:
            return False
        with self.in_words():
            reach = extent(self.connection)
        try:
            # To fold nothing would look to others as if something had been written.
            busy = not self._guard.is_folded and self._checkpoint()
        except sqlite3.Error:
            # A full disk, for one: what was committed stays in the WAL.
            return False
        self._guard.folded(None if busy else reach)
        return not busy

    def _checkpoint(self) -> bool:
        """Fold the WAL without waiting; whether others were in the way."""
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            return bool(self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {self._waits:d}")

    def wait_at_most(self, milliseconds: int) -> None:
        """How long a write waits for others before `LockedError`; 10 s unless set here."""
        self._waits = milliseconds
        self.connection.execute(f"PRAGMA busy_timeout = {milliseconds:d}")

    def version(self) -> int:
        """A number that changes when another program has written to the file, in whatever way."""
        self._guard.look()
        if not self.lost:
            with self.in_words():
                self._version = self._guard.version()
        return self._version

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query. Raises `CampaignError` in words where the file cannot be read, or
        is no longer the one that was opened."""
        with self.of_this_file():
            return self.connection.execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def of_this_file(self) -> Iterator[None]:
        """What is read from the connection inside the block is used only once it is left in good
        order: where another program wrote over the file up to then, it is left with an error.

        To look before reading would not do: the file may be written over between the two.
        """
        guard = self._guard
        guard.refuse_loss()
        guard.look()
        with self.in_words():
            yield
        guard.look()
        if self._held_for == "writing":
            # Nobody else commits; whoever writes looks before it begins.
            return
        if self.connection.in_transaction:
            # Of the moment at which that began: only who minds no lock can have changed it since.
            if guard.has_changed:
                guard.refuse_other_content()
            return
        with self.in_words():
            changed = guard.has_changed or guard.others_committed
        if changed:
            # That looks.
            with self.reading():
                pass

    @contextlib.contextmanager
    def in_words(self) -> Iterator[None]:
        """Turns what SQLite reports inside the block into a `CampaignError`."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._guard.told(error) from error

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside the block is of one moment, whatever others write meanwhile, and
        of the file that was opened; raises `CampaignError` where that is no more."""
        if self._held_for is not None:
            yield
            return
        guard = self._guard
        guard.refuse_loss()
        guard.look()
        with self.in_words():
            self.connection.execute("BEGIN")
        self._held_for = "reading"
        try:
            # Reads: the moment begins here.
            guard.refuse_other_content()
            yield
            guard.look()
            if guard.has_changed:
                guard.refuse_other_content()
        finally:
            self._held_for = None
            roll_back(self.connection)

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
        self.refuse_nesting("writing")
        self._guard.look()
        try:
            self._begin()
            self._held_for = "writing"
            try:
                self._guard.refuse_other_content()
                yield self.connection
                reach = extent(self.connection)
                self.connection.execute("COMMIT")
            except BaseException:
                self.recorded.roll_back()
                roll_back(self.connection)
                raise
            finally:
                self._held_for = None
        except sqlite3.Error as error:
            raise self._guard.told(error) from error
        self._guard.committed(reach)
        self.recorded.commit()
        self._unfolded = True
        # SQLite commits without complaint to a file that was deleted meanwhile.
        self.refuse_another_file()

    @contextlib.contextmanager
    def rehearsing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, as `writing`, of which nothing stays: to know what would be there.

        Raises `RuntimeError` inside another transaction, which would stay.
        """
        self.refuse_nesting("a rehearsal")
        with contextlib.suppress(_RehearsedError), self.writing() as connection:
            yield connection
            raise _RehearsedError

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
        if self.connection.in_transaction:
            raise RuntimeError(f"{what} cannot begin inside {self._held_for or 'a transaction'}")

    def refuse_another_file(self) -> None:
        """Raise `CampaignError` where the file is no longer the one that was opened; all that it
        held is kept first, in a new file beside it."""
        self._guard.refuse_another_file()

    def _check(self) -> None:
        """Raise `CampaignError` where the file, or what is in it, is no longer what was opened."""
        guard = self._guard
        guard.refuse_another_file()
        guard.look()
        with self.in_words():
            changed = not guard.is_looked_at or guard.others_committed
        if changed:
            # That looks.
            with self.reading():
                pass


def open_campaign(path: str | os.PathLike[str]) -> Campaign:
    """Open an existing campaign, migrating an older schema; to be used as a context manager.

    What is opened may be given to `judge_tui.score` and `judge_tui.compare` in place of qrels;
    `grades.grades_by_judge` has what its judges decided, for `judge_tui.agree`. Raises
    `CampaignError` where there is no file, the file is no campaign, or a newer judge_tui made it.
    """
    path = Path(path)
    if not path.exists():
        raise CampaignError(
            path, "no such file", f"make one with: {typed(path, 'init')}, or name yours with --db"
        )
    if not path.is_file():
        raise CampaignError(path, "not a file", "name a campaign file with --db")
    connection: sqlite3.Connection | None = None
    try:
        # Absolute: SQLite takes ":memory:" and "file:…" for something else than a name.
        connection = sqlite3.connect(path.absolute(), isolation_level=None)
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        refuse_no_campaign(path, connection)
        connection.execute("PRAGMA journal_mode = WAL")
        # Nothing is folded but by `fold`, which looks at the file first.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
            upgrade(connection)
        _refuse_judges_missing(path, connection)
        return Campaign(path, connection)
    except (sqlite3.Error, JudgeTuiError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise in_words(path, error) from error
        raise


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
