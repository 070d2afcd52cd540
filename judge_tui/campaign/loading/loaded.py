"""What a load did, and what all loads share."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from judge_tui.errors import InputError

__all__ = ["LOADED", "Loaded", "OnBytes", "OnRows", "fingerprint", "silent"]


LOADED = "loaded"
"""The stratum of pairs that came with a file of grades."""

OnBytes = Callable[[int], None]
"""Called while a file is read, with the number of bytes since the last call."""

OnRows = Callable[[int], None]
"""Called now and then while a file is read, with the number of rows so far."""


def silent(_rows: int) -> None:
    """For those who do not want to hear of it."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The outcome of one load: rows that came in, that took the place of others, that were there
    already, that were left out; and of grades, those that `stay` as they were decided in the app.
    `lacking`: documents whose text could not be had, each with the reason."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    left_out: int = 0
    stay: int = 0
    lacking: tuple[str, ...] = ()


def fingerprint(path: str | os.PathLike[str]) -> str:
    """The sha256 of the file's bytes, as hexadecimal digits. Raises `InputError`."""
    if os.fspath(path) == "-" or (Path(path).exists() and not Path(path).is_file()):
        raise InputError(
            path, None, "is no plain file, and a run is read more than once", "give one"
        )
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(path, None, what, "look at the name and the permissions") from error
