"""Records that wait on disk until the campaign is held: files may be larger than memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO, Any

from judge_tui.errors import UsageError

_AT_ONCE = 100


class Spill:
    """Records of one type, to be read in the order in which they were added."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._last: list[object] = []
        self._full = 0

    def add(self, record: object) -> None:
        """Put it behind the others."""
        self._last.append(record)
        if len(self._last) == _AT_ONCE:
            pickle.dump(self._last, self._file, pickle.HIGHEST_PROTOCOL)
            self._full += 1
            self._last = []

    def __iter__(self) -> Iterator[Any]:
        self._file.seek(0)
        for _ in range(self._full):
            yield from pickle.load(self._file)  # noqa: S301 - nobody else writes to this file
        yield from self._last


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
