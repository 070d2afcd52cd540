"""What SQLite reports, in the words of the person at the keyboard."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from judge_tui.errors import CampaignError, LockedError
from judge_tui.place import Place

ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises, the second where what it says quotes a text that is damaged."""

GONE = "the file was deleted, moved or replaced while it was open"
RESTORE = "restore a copy"
NO_CAMPAIGN = "name a file that judge-tui init made, or make one with: judge-tui init --db FILE"
READ_ONLY = (
    "the file or its folder is read-only",
    "make both writable (chmod u+w), then try again",
)
_ROOM = "free some room, there and in the folder for temporary files, then try again"

# What SQLite reports (the start of its message) and what it means to the person at the keyboard.
_CANNOT_BE_OPENED = "unable to open database file"
# "database table is locked" is another: this connection's own statements are in each other's way.
_LOCKED = "database is locked"
_NO_TEXT = ("the file is damaged (a text is not UTF-8)", RESTORE)
_WORDS = (
    (_LOCKED, "another program holds the file", "close it there, then try again"),
    ("database or disk is full", "the disk is full", _ROOM),
    ("attempt to write a readonly database", *READ_ONLY),
    ("Cannot operate on a closed database", "the campaign was closed", "open it again"),
    (
        _CANNOT_BE_OPENED,
        "the file cannot be opened",
        "the file and its folder must be readable and writable, and not on a read-only disk",
    ),
    ("disk I/O error", "the disk reports an error", _ROOM),
    (
        "file is not a database",
        "not a judge_tui campaign",
        NO_CAMPAIGN,
    ),
    ("database disk image is malformed", "the file is damaged", RESTORE),
    ("malformed database schema", "the file is damaged", RESTORE),
    ("Could not decode to UTF-8", *_NO_TEXT),
    ("'utf-8' codec can't decode", *_NO_TEXT),
)


def damaged(path: Place, found: str) -> CampaignError:
    """What to say of a file in which a check found this."""
    return CampaignError(path, f"the file is damaged ({found})", RESTORE)


def in_words(path: Path, error: Exception) -> CampaignError:
    """What went wrong and how to mend it, from an error of SQLite or the operating system."""
    message = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    if message.startswith(_CANNOT_BE_OPENED) and _is_no_folder(path.parent):
        what = f"there is no folder {path.parent}"
        return CampaignError(path, what, "make it, or name another file")
    for start, what, mend in _WORDS:
        if message.startswith(start):
            kind = LockedError if start == _LOCKED else CampaignError
            return kind(path, what, mend)
    return CampaignError(path, message, "look at the file and its folder")


def _is_no_folder(path: Path) -> bool:
    try:
        return not path.is_dir()
    except OSError:  # nobody can say: what it is in may not be looked into
        return False
