"""Whether an open campaign is still the file that was opened, and what to keep where it is not.

SQLite commits without complaint to a file that was deleted, moved or replaced, to one whose `-wal`
is gone, and to one that another program wrote over. Every write is therefore preceded and followed
by a look at the place: a judgment is accepted only by the file that the judge named.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import sqlite3
from contextlib import closing
from copy import copy
from dataclasses import astuple, dataclass
from operator import le
from pathlib import Path
from time import monotonic, sleep

from judge_tui.campaign.typed import typed
from judge_tui.errors import CampaignError

__all__ = [
    "GONE",
    "PARTED",
    "Extent",
    "Witness",
    "clear_away",
    "discard_wal",
    "extent",
    "free_name",
    "has_event",
    "keep_copy",
    "never_fold",
    "overwritten",
    "trouble_of",
    "typed_path",
]

GONE = "the file was deleted, moved or replaced while it was open"
PARTED = "the -wal or -shm file beside it was deleted or replaced while it was open"

# Where every connection of SQLite holds a lock on the -shm file for as long as it is open
# (UNIX_SHM_DMS in its os_unix.c).
_IN_USE = 128

Inode = tuple[int, int]

_LOOKS = 10
_PAUSE = 0.01
_LONG = 3.0

# No run is counted: this is read while a judge judges.
_EXTENT = (
    "SELECT page_count, coalesce((SELECT max(id) FROM events), ''),"
    " coalesce((SELECT max(id) FROM documents), 0), coalesce((SELECT max(id) FROM queries), 0),"
    " coalesce((SELECT max(id) FROM pool), 0), coalesce((SELECT max(id) FROM judges), 0)"
    " FROM pragma_page_count"
)


@dataclass(frozen=True, slots=True)
class Extent:
    """How many pages a file has, its newest event, and the greatest keys of its tables."""

    pages: int
    event: str
    document: int
    query: int
    pair: int
    judge: int

    def __le__(self, other: Extent) -> bool:
        return all(map(le, astuple(self), astuple(other)))


class Witness:
    """What the files of a campaign looked like when it was opened, and when they changed last."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._beside = _beside(place)
        self._inode = _inode(place)
        self._inodes_beside = [_inode(path) for path in self._beside]
        self._signature = self._sign()
        self._resting = self._signature, monotonic()
        self.changes = 0

    def another(self) -> Witness:
        """One of the same files, for who opens them once more."""
        return copy(self)

    def trouble(self) -> str | None:
        """What became of the files, in words; None where they are those that were opened."""
        if _inode(self._place) != self._inode:
            return GONE
        for path, inode in zip(self._beside, self._inodes_beside, strict=True):
            if inode is not None and _inode(path) != inode:
                return PARTED
        return None

    @property
    def replaced(self) -> bool:
        """Whether another file, or none, stands where the campaign was."""
        return _inode(self._place) != self._inode

    @property
    def outlived(self) -> bool:
        """Whether the -wal or -shm was taken away, and others have opened the file since."""
        if self.trouble() != PARTED:
            return False
        foreign = [path for path in self._beside if path.exists() and not self.owns(path)]
        return bool(foreign) or self._sign() != self._signature

    @property
    def is_folded(self) -> bool:
        """Whether nothing stands in the WAL."""
        try:
            return self._beside[0].stat().st_size == 0
        except OSError:
            return False

    def noticed(self) -> bool:
        """Whether the file changed on disk since this was asked last; counts that in `changes`.

        When others fold the WAL back, it does; and when another program writes over it.
        """
        signature = self._sign()
        if signature == self._signature:
            return False
        self._signature = signature
        self.changes += 1
        return True

    def settle(self) -> None:
        """The change that we have just made ourselves is not to be noticed."""
        self._signature = self._sign()

    def pages_missing(self, pages: int, page_size: int) -> bool:
        """Whether the file has another length than SQLite thinks, with nothing in the WAL."""
        try:
            size = self._place.stat().st_size
        except OSError:
            return False
        return self.is_folded and size != pages * page_size

    def parted_from(self, known: Extent, connection: sqlite3.Connection) -> bool | None:
        """Whether the file without its WAL holds less than was `known` to be in it, or more than
        the connection sees with the WAL: another program wrote over it, and the WAL hides that.

        None where that cannot be said yet, as others are writing into the file: ask again later.
        Call it inside a transaction: nobody folds what is newer meanwhile.
        """
        if self.is_folded:
            return False
        seen, before = extent(connection), self._sign()
        for _ in range(_LOOKS):
            try:
                with closing(_unlogged(self._place)) as alone:
                    reach = extent(alone)
            except sqlite3.Error:
                # Somebody folds or copies, or was ended while folding: what has rested for long is
                # mended by folding it.
                return None if self._rests_for() < _LONG else False
            is_known = known <= reach <= seen and has_event(connection, reach.event)
            if self._sign() != before:
                return None
            if is_known:
                return False
            # A fold that has begun goes on within this time, and what was read may be half of it.
            sleep(_PAUSE)
        return True

    def holds(self, campaign_id: str, reach: Extent | None = None) -> bool:
        """Whether the file without its WAL is that campaign, just so far; None: however far."""
        try:
            with closing(_unlogged(self._place)) as alone:
                found = alone.execute("SELECT campaign_id FROM campaign").fetchall()
                return found == [(campaign_id,)] and reach in (None, extent(alone))
        except sqlite3.Error:
            return False

    def owns(self, path: Path) -> bool:
        """Whether one of the files beside is still the one that was opened."""
        return _inode(path) == self._inodes_beside[self._beside.index(path)]

    def _rests_for(self) -> float:
        """Seconds for which the file has been as it is now, as far as was asked."""
        signature = self._sign()
        if signature != self._resting[0]:
            self._resting = signature, monotonic()
        return monotonic() - self._resting[1]

    def _sign(self) -> tuple[int, int] | None:
        try:
            status = self._place.stat()
        except OSError:
            return None
        return status.st_size, status.st_mtime_ns


def extent(connection: sqlite3.Connection) -> Extent:
    """How far a campaign reaches: it grows in all of this, and never shrinks."""
    return Extent(*connection.execute(_EXTENT).fetchone())


def has_event(connection: sqlite3.Connection, event_id: str) -> bool:
    """Whether an event is there; true of "", which stands for none."""
    found = connection.execute("SELECT 1 FROM events WHERE id = ?", (event_id,)).fetchone()
    return found is not None or not event_id


def keep_copy(connection: sqlite3.Connection, place: Path) -> Path | None:
    """All that an open connection can read, as a new file beside `place`; None where it cannot be.

    A file that was deleted or replaced lives on for those who have it open, and so does what was
    committed to it: this is where it goes.
    """
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    try:
        target = sqlite3.connect(draft, isolation_level=None)
        try:
            connection.backup(target)
            if target.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                return None
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            target.close()
        named = free_name(place.with_name(f"{place.stem}-kept{place.suffix}"))
        return None if named is None else draft.replace(named)
    except (sqlite3.Error, OSError):
        return None
    finally:
        for path in (draft, *_beside(draft)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def clear_away(witness: Witness, place: Path) -> None:
    """Remove the -wal and -shm that a file left behind, where nobody else uses them.

    Beside another file they would be taken for that file's own. Call it when the connection is
    closed and all that they hold is kept elsewhere.
    """
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    wal, shm = _beside(place)
    with contextlib.suppress(OSError):
        handle = os.open(shm, os.O_RDWR)
        try:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _IN_USE)
            for path in (wal, shm):
                if witness.owns(path):
                    path.unlink()
        finally:
            os.close(handle)


def never_fold(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Give a connection up without closing it; returns one that is closed, to stand in its place.

    The last one to close a file folds its WAL into it: pages of what was there before, written over
    what others have put there since. Nothing of this process is waiting in there, all of it is kept
    elsewhere or said to be lost.
    """
    import ctypes  # noqa: PLC0415 - hardly ever needed

    # Python closes what nobody refers to any more, at the latest when it ends.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
    closed = sqlite3.connect(":memory:")
    closed.close()
    return closed


def discard_wal(place: Path) -> None:
    """Empty the WAL of a file that was written over: its frames belong to what is no more."""
    with contextlib.suppress(OSError):
        os.truncate(_beside(place)[0], 0)


def trouble_of(
    path: Path,
    place: Path,
    trouble: str,
    kept: Path | None,
    *,
    tried: bool,
    is_ours: bool,
    left: bool = False,
) -> CampaignError:
    """The error that says what became of the file, called `path`, and where the judgments are.
    `place`: where it was, which the folder that the program works in may no longer lead to;
    `tried`: whether a copy was to be kept; `is_ours`: what stands there now is of the same
    campaign, so that a copy can be merged into it; `left`: nobody can try again."""
    if kept is not None and is_ours:
        mend = f"all up to now is in {kept.name}: leave; {_merging(path, kept)} brings it home"
    elif kept is not None and os.path.lexists(place):
        mend = (
            f"all up to now is in {kept.name}: leave, move what is named {path.name} now aside,"
            f" and give {kept.name} that name"
        )
    elif kept is not None:
        mend = f"all up to now is in {kept.name}: leave, and name it {path.name} again"
    elif tried and not place.parent.is_dir():
        mend = "its folder is gone, too: where that was moved to, the file has all that was judged"
    elif tried and left:
        gone = "nothing has it now but the file itself, if that was moved"
        so = gone if trouble == GONE else "what the file itself lacks is lost"
        mend = f"what was judged could not be kept: {so}"
    elif tried:
        mend = f"what was judged {_not_kept(place)} and try again"
    else:
        mend = "leave and start again"
    return CampaignError(path, trouble, mend)


def overwritten(
    path: Path,
    place: Path,
    kept: Path | None = None,
    *,
    unkept: bool = False,
    is_ours: bool = True,
    left: bool = False,
) -> CampaignError:
    """The error that says that the file holds what another program wrote.

    `path` and `place`: as in `trouble_of`; `kept`: where that is which was done here since it was
    opened; `unkept`: there was something, and it could not be kept; `is_ours`: what stands there
    now is of the same campaign; `left`: nobody can try again.
    """
    if kept is not None:
        back = "" if is_ours else "put a copy of the campaign in its place: "
        mend = (
            f"leave; {back}{_merging(path, kept)} brings back all that was done here since it was"
            " opened; earlier work that the file lacks then is only in a copy of yours"
        )
    elif unkept and left:
        mend = (
            "what was done here since it was opened could not be kept, and is lost; earlier work"
            " that the file lacks is only in a copy of yours"
        )
    elif unkept:
        mend = f"what was done here since it was opened {_not_kept(place)} before you leave"
    else:
        status = typed(path, "status")
        mend = f"leave, see with {status} what it holds now, and merge or restore a copy"
    return CampaignError(path, "another program wrote over the file while it was open", mend)


def _not_kept(place: Path) -> str:
    """That nothing could be kept beside a file, and what is to be done about it."""
    if os.access(place.parent, os.W_OK | os.X_OK):
        return "could not be kept elsewhere: make room beside it"
    return "could not be kept beside it: its folder is read-only, make it writable (chmod u+w)"


def _merging(path: Path, kept: Path) -> str:
    return typed(path, "merge", typed_path(path.with_name(kept.name)))


def typed_path(path: Path) -> str:
    """A file as an argument in the shell that this process was started from: no option."""
    named = str(path)
    return shlex.quote(f"./{named}" if named.startswith("-") else named)


def _unlogged(place: Path) -> sqlite3.Connection:
    """The file as it is without its WAL. SQLite opens it itself: by closing a file that it has open
    elsewhere in this process, one would give up its locks."""
    uri = f"{place.as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def free_name(path: Path) -> Path | None:
    """The path, or else with the first number that makes it a new one; the file is made, empty.

    None where there is no such number; raises `OSError` where no file can be made.
    """
    for number in range(1, 1000):
        extra = "" if number == 1 else f"-{number}"
        named = path.with_name(f"{path.stem}{extra}{path.suffix}")
        try:
            named.touch(exist_ok=False)
        except FileExistsError:
            continue
        return named
    return None


def _beside(place: Path) -> tuple[Path, Path]:
    """The -wal and the -shm that SQLite keeps beside a file; beside its target for a symlink."""
    real = os.path.realpath(place)
    return Path(f"{real}-wal"), Path(f"{real}-shm")


def _inode(path: Path) -> Inode | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
