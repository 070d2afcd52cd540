"""What befalls a file while it is open: whether it is still the campaign that was opened, and what
is kept where it is not.

Once it is lost it stays so: whatever is asked of it then is refused in the same words.
"""

from __future__ import annotations

import contextlib
import sqlite3
from copy import copy
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path

from judge_tui.campaign.recorded import Recorded
from judge_tui.campaign.settings import Settings
from judge_tui.campaign.witness import (
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
from judge_tui.campaign.words import in_words
from judge_tui.errors import CampaignError

__all__ = ["Guard", "data_version", "roll_back"]

# No version of a file that SQLite tells.
_NEVER = -1


class _Seen(Enum):
    """What is known of the content of a file that is not lost."""

    LOOKED_AT = auto()
    CHANGED = auto()
    TOO_EARLY = auto()


class Guard:
    """Stands before whatever reads or writes a campaign through one connection.

    ============  ===================================  ==========================================
    state         set by                               what is trusted then
    ============  ===================================  ==========================================
    `LOOKED_AT`   opening, `refuse_other_content`      all: it is read, written and folded
    `CHANGED`     `look`, `told`, `folded`, `beside`   nothing until `refuse_other_content` looked
    `TOO_EARLY`   `refuse_other_content`, while        what is read and written; nothing is folded
                  others write into the file           until it was looked at once more
    `_lost`       `refuse_another_file`: taken away;   nothing any more, in the same words whoever
                  `refuse_other_content`, `told`:      asks; `_taken_away` or `_written_over`: not
                  written over                         kept yet, `refuse_another_file` tries again
    `_released`   `let_go`, also once a lost file is   nothing: it is closed, and what stands in
                  kept in a copy                       its place is not touched
    ============  ===================================  ==========================================

    The first three are those of `_seen`. From `_lost` and `_released` nothing leads back.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, settings: Settings, recorded: Recorded
    ) -> None:
        self.path = path
        self.place = path.absolute()
        """Where the file is, whatever becomes of the folder that the program works in."""
        self.connection = connection
        self._settings = settings
        self._recorded = recorded
        self._is_beside = False
        self._lost: CampaignError | None = None
        # Whether what cannot be kept now is given up.
        self._leaving = False
        # What is still to be kept of a lost file, where that could not be done yet.
        self._taken_away: str | None = None
        self._written_over = False
        self._released = False
        self._seen = _Seen.LOOKED_AT
        self._others = data_version(connection)
        # What is known to have been in it.
        self._reach = extent(connection)
        # Now that it was read from, the WAL is there.
        self._witness = Witness(self.place)
        # What is known to be in the file itself, whatever becomes of the WAL.
        self._folded = self._reach if self._witness.is_folded else None

    def beside(self, connection: sqlite3.Connection) -> Guard:
        """One of one more connection, read-only, to the same file. Raises `CampaignError` where it
        is no longer the same."""
        self.refuse_loss()
        one = copy(self)
        one.connection, one._is_beside = connection, True
        one._witness = self._witness.another()
        # Whatever was opened just now is to be looked at before anything of it is used.
        one._seen, one._others = _Seen.CHANGED, _NEVER
        one.refuse_another_file()
        return one

    @property
    def loss(self) -> CampaignError | None:
        """What became of the file, where it is known to be no longer the one that was opened."""
        return self._lost

    @property
    def is_unkept(self) -> bool:
        """Whether a lost file is still to be kept: this process may be the only one to have it."""
        return self._taken_away is not None or self._written_over

    @property
    def is_looked_at(self) -> bool:
        """Whether the file is known to hold what it should."""
        return self._seen is _Seen.LOOKED_AT

    @property
    def has_changed(self) -> bool:
        """Whether the file changed on disk since it was looked at last."""
        return self._seen is _Seen.CHANGED

    @property
    def others_committed(self) -> bool:
        """Whether others have committed to the file since it was looked at last. To be asked
        outside of a transaction; raises what SQLite raises."""
        return data_version(self.connection) != self._others

    @property
    def is_folded(self) -> bool:
        """Whether there is a WAL beside the file, and nothing in it."""
        return self._witness.is_folded

    def version(self) -> int:
        """A number that changes when another program has written to the file, in whatever way.
        Raises what SQLite raises."""
        return data_version(self.connection) + (self._witness.changes << 32)

    def refuse_loss(self) -> None:
        """Raise `CampaignError` once the file is known to be lost, as what stands there now is not
        ours, or was closed."""
        if self._lost is not None:
            raise self._lost
        if self._released:
            raise self._closed()

    def refuse_another_file(self) -> None:
        """Raise `CampaignError` where the file is no longer the one that was opened.

        What could not be kept of a file that is lost is tried again.
        """
        if self._released:
            self.refuse_loss()
        if self._lost is None:
            self._taken_away = self._witness.trouble()
        if self._taken_away is not None:
            self._lose_place(self._taken_away)
        elif self._written_over:
            self._lose_content()
        self.refuse_loss()

    def refuse_other_content(self) -> None:
        """Raise `CampaignError` where another program wrote over the file that we have open.

        Call it inside a transaction, so that what is read is of one moment: it is rolled back where
        the file is lost.
        """
        try:
            others = data_version(self.connection)
            if self.is_looked_at and others == self._others:
                return
            other = self._is_other_content()
            hidden = not other and self._is_hidden_by_wal()
        except sqlite3.Error as error:
            raise self.told(error) from error
        if other or hidden:
            raise self._overwritten()
        self._seen = _Seen.TOO_EARLY if hidden is None else _Seen.LOOKED_AT
        self._others = others

    def look(self) -> None:
        """Trust nothing that was read earlier where the file has changed on disk."""
        if self._lost is None and self._witness.noticed():
            self._distrust()

    def told(self, error: sqlite3.Error) -> CampaignError:
        """What SQLite reports, in words, with what is known of the file taken in."""
        if self._lost is not None:
            return self._lost
        if self._released:
            return self._closed()
        self.look()
        passes = isinstance(
            error, sqlite3.OperationalError
        ) and error.sqlite_errorcode & 0xFF not in (
            sqlite3.SQLITE_ERROR,
            sqlite3.SQLITE_SCHEMA,
        )
        if not self.is_looked_at and not passes:
            # It is damaged, or its tables are gone, since it changed under our hands.
            return self._overwritten()
        return in_words(self.path, error)

    def committed(self, reach: Extent) -> None:
        """What is in the file now, by our own hand."""
        self._reach = reach

    def folded(self, reach: Extent | None) -> None:
        """The WAL was folded back, up to `reach`; None: but for what others were at work on."""
        # It is we who changed it; and perhaps somebody else at the same time.
        self._witness.settle()
        if reach is None:
            self._seen = _Seen.CHANGED
            return
        if not self._witness.holds(self._settings.campaign_id, reach):
            self._distrust()
        self._folded = reach

    def leave(self) -> None:
        """Whatever is tried from now on is tried for the last time."""
        self._leaving = True

    def let_go(self) -> None:
        """Close, and leave nothing of ours beside a file that is not ours."""
        if not self._released:
            self._released = True
            if self._lost is not None and self._witness.outlived:
                self.connection = never_fold(self.connection)
                return
            self.connection.close()
            if self._lost is not None and self._witness.replaced:
                clear_away(self._witness, self.place)

    def _closed(self) -> CampaignError:
        """What others did since is nothing that we could judge."""
        return CampaignError(self.path, "the campaign was closed", "open it again")

    def _distrust(self) -> None:
        """What is in the file is to be looked at before anything more is used of it."""
        self._seen = _Seen.CHANGED
        # It fails where there is nothing that could be trusted.
        with contextlib.suppress(sqlite3.Error):
            self.connection.execute("PRAGMA shrink_memory")

    def _lose_place(self, trouble: str) -> None:
        """Keep all that the file held in a new one beside it: whoever has it open last is the only
        one who still can, even where nothing was written here."""
        tried = not self._is_beside
        kept = keep_copy(self.connection, self.place) if tried else None
        is_ours = self._is_ours
        self._lost = trouble_of(
            self.path,
            self.place,
            trouble,
            kept,
            tried=tried,
            is_ours=is_ours,
            left=self._leaving,
        )
        if kept is not None:
            self._taken_away = None
            # Whoever opens what stands there now must not share a WAL with us.
            self.let_go()

    def _overwritten(self) -> CampaignError:
        """The error to be raised from now on, once nothing can get into what stands there now."""
        if self._is_beside:
            # What is to be kept, and to be thrown away, is up to whom the campaign belongs to.
            self._lost = overwritten(self.path, self.place)
            return self._lost
        try:
            # Inside a transaction, others would seem to have done nothing.
            roll_back(self.connection)
            others = data_version(self.connection)
        except sqlite3.DatabaseError:
            others = self._others
        if others == self._others:
            # Nobody has committed since: what is in the WAL are pages of what stood there before,
            # which would ruin what stands there now.
            discard_wal(self.place)
        return self._lose_content()

    def _lose_content(self) -> CampaignError:
        """Keep what was recorded through this connection, in a new file beside the one that was
        written over: of the rest nothing is left that could be relied on."""
        kept = self._recorded.write(self.place) if self._recorded else None
        self._written_over = kept is None and bool(self._recorded)
        unkept, is_ours = self._written_over, self._is_ours
        self._lost = overwritten(
            self.path, self.place, kept, unkept=unkept, is_ours=is_ours, left=self._leaving
        )
        return self._lost

    @property
    def _is_ours(self) -> bool:
        """Whether what stands there now, whoever put it there, is of the same campaign."""
        return self._witness.holds(self._settings.campaign_id)

    def _is_other_content(self) -> bool:
        execute = self.connection.execute
        pages, size = (
            execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
        found = execute("SELECT campaign_id FROM campaign").fetchall()
        if found != [(self._settings.campaign_id,)]:
            return True
        # All of it only grows, but for the pages, where somebody compacts the file.
        reach = extent(self.connection)
        gone = not replace(self._reach, pages=0) <= reach
        if gone or not has_event(self.connection, self._reach.event):
            return True
        if self._witness.pages_missing(pages, size):
            return True
        self._reach = reach
        return False

    def _is_hidden_by_wal(self) -> bool | None:
        """Whether other content stands there, though all that was asked for is in the WAL.

        None where that cannot be said yet.
        """
        return self._folded is not None and self._witness.parted_from(self._folded, self.connection)


def data_version(connection: sqlite3.Connection) -> int:
    """A number that changes when another program has committed to the file."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def roll_back(connection: sqlite3.Connection) -> None:
    """End a transaction, where one is open, as if it had never been."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")
