"""Whether an open campaign is still the file that was opened, and a copy of it where it is not.

SQLite commits without complaint to a file that was deleted or replaced, and to one whose -wal is
gone. So a campaign asks here before each commit and after it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

# Where every connection of SQLite holds a lock on the -shm file for as long as it is open
# (UNIX_SHM_DMS in its os_unix.c).
_IN_USE = 128


_NO_SENSE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)
"""What SQLite says of a file that is no database, damaged, or without the tables asked for."""


class FileIdentity:
    """The file at `place`, which `connection` has open, its -wal and its -shm, as they are now."""

    def __init__(self, place: Path, connection: sqlite3.Connection) -> None:
        self._place = place
        self._campaigns = connection.execute("SELECT campaign_id FROM campaign").fetchall()
        # SQLite keeps them beside the target of a symlink.
        self._wal, shm = (Path(f"{os.path.realpath(place)}{end}") for end in ("-wal", "-shm"))
        self._files = (place, self._wal, shm)
        self._opened = [_inode(path) for path in self._files]
        self._content = self._stamp()

    def is_same(self) -> bool:
        """Whether device and inode are those that were opened."""
        return [_inode(path) for path in self._files] == self._opened

    def wal_is_empty(self) -> bool:
        """Whether all that was committed is in the file itself."""
        try:
            return self._wal.stat().st_size == 0
        except OSError:
            return True

    def clear_away(self) -> None:
        """Remove our -wal and -shm, once closed, unless somebody uses them: beside another file
        they would be taken for its own."""
        try:
            import fcntl  # noqa: PLC0415 - not on every system
        except ImportError:
            return
        beside = list(zip(self._files, self._opened, strict=True))[1:]
        with contextlib.suppress(OSError), self._files[2].open("r+b") as shm:
            fcntl.lockf(shm, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _IN_USE)
            for path, inode in beside:
                if inode is not None and _inode(path) == inode:
                    path.unlink()

    def discard_wal(self) -> None:
        """Empty the WAL of a file that was written over: its pages would ruin what stands there."""
        with contextlib.suppress(OSError):
            os.truncate(self._wal, 0)

    def was_written_over(self, event: str) -> bool:
        """Whether another program put other content into the same file: another campaign, or one
        that lacks `event`, which is known to have been there ("" for none). Read past the cache of
        the open connection, and only where the file changed on disk. What SQLite raises says
        nothing of the content, unless it cannot make sense of it."""
        stamp = self._stamp()
        if stamp == self._content:
            return False
        try:
            uri = f"{self._place.as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as fresh:
                campaigns = fresh.execute("SELECT campaign_id FROM campaign").fetchall()
                has_event = fresh.execute("SELECT 1 FROM events WHERE id = ?", (event,)).fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in _NO_SENSE:
                return True
            raise
        self._content = stamp
        return campaigns != self._campaigns or (event != "" and has_event is None)

    def _stamp(self) -> tuple[int, int] | None:
        try:
            status = self._place.stat()
        except OSError:
            return None
        return status.st_size, status.st_mtime_ns


def last_event(connection: sqlite3.Connection) -> str:
    """The id of the newest event, "" where there is none."""
    return str(connection.execute("SELECT coalesce(max(id), '') FROM events").fetchone()[0])


def keep_copy(connection: sqlite3.Connection, place: Path) -> Path | None:
    """All that an open connection can read, as a new file `NAME-kept.db` beside `place`; None
    where there is no room for it."""
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as target:
            connection.backup(target)
            if target.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                return None
            target.execute("PRAGMA journal_mode = DELETE")
        number = 1
        while True:
            extra = "" if number == 1 else f"-{number}"
            kept = place.with_name(f"{place.stem}-kept{extra}{place.suffix}")
            try:
                kept.touch(exist_ok=False)
            except FileExistsError:
                number += 1
            else:
                return draft.replace(kept)
    except (sqlite3.Error, OSError):
        return None
    finally:
        for path in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm"), Path(f"{draft}-journal")):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
