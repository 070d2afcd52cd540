"""Opening the file, and the one way to write to it.

Opening one needs no more than the standard library's sqlite3: the app must paint its first document
at once.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import uniform
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from judge_tui.campaign.mixed_copy import made_whole
from judge_tui.campaign.settings import Settings, settings_of
from judge_tui.campaign.typed import typed
from judge_tui.campaign.version import SCHEMA_VERSION, refuse_no_campaign, upgrade
from judge_tui.campaign.witness import (
    GONE,
    Extent,
    Witness,
    clear_away,
    discard_wal,
    extent,
    has_event,
    keep_copy,
    never_fold,
    overwritten,
    trouble_of,
)
from judge_tui.campaign.words import RESTORE, in_words
from judge_tui.errors import CampaignError, JudgeTuiError

if TYPE_CHECKING:
    from judge_tui.campaign.judges import Judge

__all__ = ["Campaign", "Settings", "now", "open_campaign"]

BUSY_MILLISECONDS = 10_000
_ASK_AGAIN = (0.001, 0.003)
# No version of a file that SQLite tells.
_NEVER = -1


def now() -> str:
    """The time in UTC, as the file keeps it: ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Keeps(Protocol):
    """Something that can be kept beside a file that was written over."""

    @property
    def judge(self) -> Judge:
        """Whose it is."""

    def is_in(self, copy: sqlite3.Connection) -> bool:
        """Whether a copy of the file holds all of it."""

    def write(self, place: Path, path: Path) -> str | None:
        """Keep it beside `place`, which the shell calls `path`; the command that brings it back,
        None where it is not kept."""


class Campaign:
    """An open campaign file. Use it as a context manager: a clean exit leaves one file, no WAL.

    The nouns of this room are functions that take it as their first argument. They read through
    `rows()`, inside `reading()` where several reads must be of one moment, and write only inside
    `writing()`.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, *, beside: Campaign | None = None
    ) -> None:
        """`beside`: who has the file open already, where this is one more connection, read-only, to
        the same. Raises `CampaignError` where it is no longer the same then."""
        self.path = path
        self.connection = connection
        self.place: Path = path.absolute() if beside is None else beside.place
        """Where the file is, whatever becomes of the folder that the program works in."""
        self._is_beside = beside is not None
        self.settings: Settings
        self._witness: Witness
        self._reach: Extent
        self._folded: Extent | None
        self._held_for: str | None = None
        self._lost: CampaignError | None = None
        self._unkept = False
        self._released = False
        self._unfolded = False
        self._waits = BUSY_MILLISECONDS
        self.rescues: dict[tuple[type[Keeps], int], Keeps] = {}
        """What each judge (by key) has in memory, to be kept where the file is written over: grades
        in one way, what was settled in another."""
        self._version = 0
        if beside is not None:
            self.settings = beside.settings
            self._reach, self._folded = beside._reach, beside._folded
            self._witness = beside._witness.another()
            # Whatever was opened just now is to be looked at before anything of it is used.
            self._looked_at, self._others, self._changed = False, _NEVER, True
            trouble = self._witness.trouble()
            if trouble is not None:
                raise trouble_of(self.path, self.place, trouble, None, tried=False)
            return
        # Whether the file is known to hold what it should, as it is now; and whether it has changed
        # since that was asked last, which may have been too early to say.
        self._looked_at, self._changed = True, False
        self.settings = settings_of(path, connection)
        self._others = self._data_version()
        # What is known to have been in it.
        self._reach = extent(connection)
        # Now that it was read from, the WAL is there.
        self._witness = Witness(self.place)
        # What is known to be in the file itself, whatever becomes of the WAL.
        self._folded = self._reach if self._witness.is_folded else None

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
        `CampaignError` then, with where the judgments are.
        """
        try:
            self.fold()
        finally:
            self._let_go()

    @property
    def lost(self) -> bool:
        """Whether the file is known to be no longer the one that was opened."""
        return self._lost is not None

    @property
    def loss(self) -> CampaignError | None:
        """What became of the file, where it is `lost`; in the same words whoever asks."""
        return self._lost

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
        if not self._looked_at:
            return False
        with self.in_words():
            reach = extent(self.connection)
        try:
            # To fold nothing would look to others as if something had been written.
            busy = not self._has_empty_wal() and self._checkpoint()
        except sqlite3.Error:
            # A full disk, for one: what was committed stays in the WAL.
            return False
        # It is we who changed it; and perhaps somebody else at the same time.
        self._witness.settle()
        if busy:
            self._looked_at, self._changed = False, True
            return False
        if not self._witness.holds(self.settings.campaign_id, reach):
            self._distrust()
        self._folded = reach
        return True

    def _checkpoint(self) -> bool:
        """Fold the WAL without waiting; whether others were in the way."""
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            return bool(self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {self._waits:d}")

    def _has_empty_wal(self) -> bool:
        """Whether there is a WAL beside the file, and nothing in it."""
        with contextlib.suppress(OSError):
            return Path(f"{self.place}-wal").stat().st_size == 0
        return False

    def wait_at_most(self, milliseconds: int) -> None:
        """How long a write waits for others before `LockedError`; 10 s unless set here."""
        self._waits = milliseconds
        self.connection.execute(f"PRAGMA busy_timeout = {milliseconds:d}")

    def version(self) -> int:
        """A number that changes when another program has written to the file, in whatever way."""
        self._look()
        if self._lost is None:
            with self.in_words():
                self._version = self._data_version() + (self._witness.changes << 32)
        return self._version

    def _data_version(self) -> int:
        """A number that changes when another program has committed to the file."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

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
        self._refuse_once_lost()
        self._look()
        with self.in_words():
            yield
        self._look()
        if self._held_for == "writing":
            # Nobody else commits; whoever writes looks before it begins.
            return
        if self.connection.in_transaction:
            # Of the moment at which that began: only who minds no lock can have changed it since.
            if self._changed:
                self._refuse_other_content()
            return
        with self.in_words():
            changed = self._changed or self._data_version() != self._others
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
            raise self._told(error) from error

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside the block is of one moment, whatever others write meanwhile, and
        of the file that was opened; raises `CampaignError` where that is no more."""
        if self._held_for is not None:
            yield
            return
        self._refuse_once_lost()
        self._look()
        with self.in_words():
            self.connection.execute("BEGIN")
        self._held_for = "reading"
        try:
            # Reads: the moment begins here.
            self._refuse_other_content()
            yield
            self._look()
            if self._changed:
                self._refuse_other_content()
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
        self.refuse_nesting("writing")
        self._look()
        try:
            self._begin()
            self._held_for = "writing"
            try:
                self._refuse_other_content()
                yield self.connection
                reach = extent(self.connection)
                self.connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._held_for = None
        except sqlite3.Error as error:
            raise self._told(error) from error
        self._reach, self._unfolded = reach, True
        # SQLite commits without complaint to a file that was deleted meanwhile.
        self.refuse_another_file()

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

    def _roll_back(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def refuse_another_file(self) -> None:
        """Raise `CampaignError` where the file is no longer the one that was opened.

        All that it held is kept first, in a new file beside it: whoever has it open last is the
        only one who still can, even where nothing was written here.
        """
        if self._lost is not None and not self._unkept:
            raise self._lost
        trouble = self._witness.trouble()
        if trouble is None and not self._unkept:
            return
        # What could not be kept, for want of room, is tried again.
        tried = not self._is_beside
        kept = keep_copy(self.connection, self.place) if tried else None
        self._unkept = tried and kept is None
        self._lost = trouble_of(self.path, self.place, trouble or GONE, kept, tried=tried)
        if not self._unkept:
            # Whoever opens what stands there now must not share a WAL with us.
            self._let_go()
        raise self._lost

    def _refuse_once_lost(self) -> None:
        """Raise `CampaignError` once the file is known to be lost: what stands there now is not
        ours. What could not be kept of it yet can still be read."""
        if self._lost is not None and not self._unkept:
            raise self._lost

    def _check(self) -> None:
        """Raise `CampaignError` where the file, or what is in it, is no longer what was opened."""
        self.refuse_another_file()
        self._look()
        with self.in_words():
            changed = not self._looked_at or self._data_version() != self._others
        if changed:
            # That looks.
            with self.reading():
                pass

    def _look(self) -> None:
        """Trust nothing that was read earlier where the file has changed on disk."""
        if self._lost is None and self._witness.noticed():
            self._distrust()

    def _distrust(self) -> None:
        """What is in the file is to be looked at before anything more is used of it."""
        self._looked_at, self._changed = False, True
        # It fails where there is nothing that could be trusted.
        with contextlib.suppress(sqlite3.Error):
            self.connection.execute("PRAGMA shrink_memory")

    def _refuse_other_content(self) -> None:
        """Raise `CampaignError` where another program wrote over the file that we have open.

        Called inside a transaction, so that what is read is of one moment.
        """
        try:
            others = self._data_version()
            if self._looked_at and others == self._others:
                return
            other = self._is_other_content()
            hidden = not other and self._is_hidden_by_wal()
        except sqlite3.Error as error:
            raise self._told(error) from error
        if other or hidden:
            self._roll_back()
            raise self._overwritten(self._keep_mixed())
        self._looked_at, self._others, self._changed = hidden is not None, others, False

    def _keep_mixed(self) -> Path | None:
        """A copy of what the WAL holds, and below it what stands there now, where that is all."""
        if self._is_beside or self._witness.is_folded:
            return None
        kept, campaign_id = self.rescues.values(), self.settings.campaign_id
        return keep_copy(
            self.connection,
            self.place,
            is_whole=lambda copy: made_whole(copy, campaign_id, self._reach, kept),
        )

    def _overwritten(self, kept: Path | None = None) -> CampaignError:
        """The error to be raised from now on, once nothing can get into what stands there now."""
        if self._is_beside:
            # What is to be kept, and to be thrown away, is up to whom the campaign belongs to.
            self._lost = overwritten(self.path)
            return self._lost
        try:
            others = self._data_version()
        except sqlite3.DatabaseError:
            others = self._others
        if others == self._others:
            # Nobody has committed since: what is in the WAL are pages of what stood there before,
            # which would ruin what stands there now.
            discard_wal(self.place)
        rescues = () if kept is not None else self.rescues.values()
        told = [one.write(self.place, self.path) for one in rescues]
        self._lost = overwritten(self.path, kept, [one for one in told if one])
        return self._lost

    def _told(self, error: sqlite3.Error) -> CampaignError:
        """What SQLite reports, in words, with what is known of the file taken in."""
        if self._lost is not None:
            return self._lost
        self._look()
        passes = isinstance(
            error, sqlite3.OperationalError
        ) and error.sqlite_errorcode & 0xFF not in (
            sqlite3.SQLITE_ERROR,
            sqlite3.SQLITE_SCHEMA,
        )
        if not self._looked_at and not passes:
            # It is damaged, or its tables are gone, since it changed under our hands.
            return self._overwritten()
        return in_words(self.path, error)

    def _is_other_content(self) -> bool:
        execute = self.connection.execute
        pages, size = (
            execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
        if execute("SELECT campaign_id FROM campaign").fetchall() != [(self.settings.campaign_id,)]:
            return True
        # All of it only grows, but for the pages, where somebody compacts the file.
        found = extent(self.connection)
        gone = not replace(self._reach, pages=0) <= found
        if gone or not has_event(self.connection, self._reach.event):
            return True
        if self._witness.pages_missing(pages, size):
            return True
        self._reach = found
        return False

    def _is_hidden_by_wal(self) -> bool | None:
        """Whether other content stands there, though all that was asked for is in the WAL.

        None where that cannot be said yet.
        """
        return self._folded is not None and self._witness.parted_from(self._folded, self.connection)

    def _let_go(self) -> None:
        """Close, and leave nothing of ours beside a file that is not ours."""
        if not self._released:
            self._released = True
            if self._lost is not None and self._witness.outlived:
                self.connection = never_fold(self.connection)
                return
            self.connection.close()
            if self._lost is not None and self._witness.replaced:
                clear_away(self._witness, self.place)


def open_campaign(path: str | os.PathLike[str]) -> Campaign:
    """Open an existing campaign, migrating an older schema.

    Raises `CampaignError` where there is no file, the file is no campaign, or a newer judge_tui
    made it.
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
