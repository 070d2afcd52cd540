"""Records that wait on disk until the campaign is held: files may be larger than memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, Any

from judge_tui.errors import UsageError

__all__ = ["Spill", "spilling"]


class Spill:
    """Records of one type, to be read in the order in which they were added."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def add(self, record: object) -> None:
        """Put it behind the others."""
        pickle.dump(record, self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[Any]:
        self._file.seek(0)
        while self._file.peek(1):  # type: ignore[attr-defined]
            yield pickle.load(self._file)  # noqa: S301 - nobody else writes to this file


@contextmanager
def spilling() -> Iterator[Spill]:
    """A place for records, gone when the block is left. Raises `UsageError` where there is no room
    for them."""
    try:
        with TemporaryFile() as file:
            yield Spill(file)
    except OSError as error:
        raise UsageError(
            f"what was read cannot be kept in the temporary folder: {error.strerror or error}",
            "free some room there, or set TMPDIR to a folder that has it",
        ) from error
