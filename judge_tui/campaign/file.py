"""Opening and creating the file, and the one way to write to it.

A campaign is recognised by its application_id and its schema by user_version, so that opening one
needs no more than the standard library's sqlite3: the app must paint its first document at once.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from judge_tui.errors import CampaignError, JudgeTuiError, LockedError
from judge_tui.model import Scale

__all__ = ["SCHEMA_VERSION", "Campaign", "Settings", "create_campaign", "now", "open_campaign"]

SCHEMA_VERSION = 2
APPLICATION_ID = int.from_bytes(b"JTUI")
BUSY_MILLISECONDS = 10_000


def now() -> str:
    """The time in UTC, as the file keeps it: ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class Settings:
    """What `init` fixed for the whole campaign. `guidelines` is Markdown.

    `campaign_id` is the same in every copy of the file, and in no other campaign.
    """

    campaign_id: str
    name: str
    scale: Scale
    guidelines: str
    seed: int
    show_ranks: bool
    created: str


class Campaign:
    """An open campaign file. Use it as a context manager: a clean exit leaves one file, no WAL.

    The nouns of this room are functions that take it as their first argument. They read through
    `rows()`, inside `reading()` where several reads must be of one moment, and write only inside
    `writing()`.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        # A program that changes its folder meanwhile still has the same file.
        self._place = path.absolute()
        self._inode = _inode(self._place)
        self._held_for: str | None = None
        self.settings = self._read_settings()

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
        another file stands in the place of this one, the WAL there may be that file's: it is left
        alone (SQLite itself leaves it alone where the file was moved). Raises `CampaignError` then,
        for what was written last may be in neither.
        """
        try:
            self._refuse_another_file()
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("PRAGMA busy_timeout = 0")
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self.connection.close()

    def wait_at_most(self, milliseconds: int) -> None:
        """How long a write waits for others before `LockedError`; 10 s unless set here."""
        self.connection.execute(f"PRAGMA busy_timeout = {milliseconds:d}")

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
            raise _in_words(self.path, error) from error

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside the block is of one moment, whatever others write meanwhile."""
        if self._held_for is not None:
            yield
            return
        self.rows("BEGIN")
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
        self.refuse_nesting("writing")
        self._refuse_another_file()
        try:
            # A deferred transaction that reads and then writes fails as "database is locked"
            # whatever the timeout: take the lock first.
            self.connection.execute("BEGIN IMMEDIATE")
            self._held_for = "writing"
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._held_for = None
        except sqlite3.Error as error:
            raise _in_words(self.path, error) from error
        # SQLite commits without complaint to a file that was deleted meanwhile.
        self._refuse_another_file()

    def refuse_nesting(self, what: str) -> None:
        """Raise `RuntimeError` where a transaction is open that `what` cannot be part of."""
        if self.connection.in_transaction:
            raise RuntimeError(f"{what} cannot begin inside {self._held_for or 'a transaction'}")

    def _roll_back(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def _refuse_another_file(self) -> None:
        if _inode(self._place) != self._inode:
            raise CampaignError(
                self.path,
                "the file was deleted, moved or replaced while it was open",
                "put it back in its place and start again; if another file shall stay there, move"
                f" {self.path.name}-wal and {self.path.name}-shm away before it is opened",
            )

    def _read_settings(self) -> Settings:
        row = self.rows(
            "SELECT campaign_id, name, scale, guidelines, seed, show_ranks, created FROM campaign"
        )
        if not row:
            raise CampaignError(self.path, "the campaign's settings are missing", _RESTORE)
        key, name, scale, guidelines, seed, show_ranks, created = row[0]
        return Settings(key, name, Scale.parse(scale), guidelines, seed, bool(show_ranks), created)


_RESTORE = "the file is damaged: restore a copy"


def create_campaign(
    path: str | os.PathLike[str],
    *,
    name: str,
    scale: Scale,
    guidelines: str = "",
    seed: int | None = None,
    show_ranks: bool = False,
) -> Campaign:
    """Create the file and open it. `seed` (default: drawn) fixes every order and sample made later.

    Raises `CampaignError` where the path exists or cannot be written. The file appears whole or
    not at all.
    """
    # Importing sqlite_utils costs more than opening a campaign: only those who make one pay.
    from judge_tui.campaign.schema import migrate  # noqa: PLC0415

    path = Path(path)
    seed = secrets.randbelow(2**31) if seed is None else seed
    _refuse_existing(path)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        connection = sqlite3.connect(draft, isolation_level=None)
        try:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("BEGIN IMMEDIATE")
            migrate(connection)
            connection.execute(
                "INSERT INTO campaign (id, campaign_id, name, scale, guidelines, seed, show_ranks,"
                " schema_version, created) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    str(uuid.uuid4()),
                    name,
                    str(scale),
                    guidelines,
                    seed,
                    int(show_ranks),
                    SCHEMA_VERSION,
                    now(),
                ),
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute("COMMIT")
        finally:
            connection.close()
        _put_in_place(draft, path)
    except FileExistsError:
        _refuse_existing(path)
        raise
    except (sqlite3.Error, OSError) as error:
        raise _in_words(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return open_campaign(path)


def _put_in_place(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another file came by that name meanwhile."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links: the name is taken first, exclusively.
        path.touch(exist_ok=False)
        draft.replace(path)


def open_campaign(path: str | os.PathLike[str]) -> Campaign:
    """Open an existing campaign, migrating an older schema.

    Raises `CampaignError` where there is no file, the file is no campaign, or a newer judge_tui
    made it.
    """
    path = Path(path)
    if not path.exists():
        raise CampaignError(
            path, "no such file", f"make one with: judge-tui init --db {path}, or name yours"
        )
    if not path.is_file():
        raise CampaignError(path, "not a file", "name a campaign file with --db")
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        _refuse_no_campaign(path, connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
            _upgrade(connection)
        return Campaign(path, connection)
    except (sqlite3.Error, JudgeTuiError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise _in_words(path, error) from error
        raise


def _refuse_existing(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise CampaignError(
            path,
            "already exists and is left as it is",
            "name another file with --db, or move this one away",
        )


def _refuse_no_campaign(path: Path, connection: sqlite3.Connection) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise CampaignError(
            path,
            "not a judge_tui campaign",
            "name a file that judge-tui init made, or make one with: judge-tui init",
        )
    written = connection.execute("SELECT max(schema_version) FROM campaign").fetchone()[0]
    version = max(version, written or 0)
    if version > SCHEMA_VERSION:
        raise CampaignError(
            path,
            f"its schema is version {version}, this judge-tui knows up to {SCHEMA_VERSION}",
            "upgrade judge-tui to the version that wrote the file",
        )


def _upgrade(connection: sqlite3.Connection) -> None:
    from judge_tui.campaign.schema import migrate  # noqa: PLC0415

    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection)
        connection.execute("UPDATE campaign SET schema_version = ?", (SCHEMA_VERSION,))
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


_ROOM = "free some room, there and in the folder for temporary files, then try again"

# What SQLite reports (the start of its message) and what it means to the person at the keyboard.
_WORDS = (
    ("database is locked", "another program holds the file", "close it there, then try again"),
    ("database table is locked", "another program holds the file", "close it, then try again"),
    ("database or disk is full", "the disk is full", _ROOM),
    (
        "attempt to write a readonly database",
        "the file or its folder is read-only",
        "make both writable (chmod u+w), then try again",
    ),
    (
        "unable to open database file",
        "the file cannot be opened",
        "the file and its folder must be readable and writable, and not on a read-only disk",
    ),
    ("disk I/O error", "the disk reports an error", _ROOM),
    (
        "file is not a database",
        "not a judge_tui campaign",
        "name a file that judge-tui init made, or make one with: judge-tui init",
    ),
    ("database disk image is malformed", "the file is damaged", "restore a copy"),
)


def _in_words(path: Path, error: Exception) -> CampaignError:
    """What went wrong and how to mend it, from an error of SQLite or the operating system."""
    message = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    for start, what, mend in _WORDS:
        if message.startswith(start):
            kind = LockedError if "locked" in start else CampaignError
            return kind(path, what, mend)
    return CampaignError(path, message, "look at the file and its folder")
