"""The open campaign: reading of one moment, and the one way to write."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any

from judge_tui.campaign.store.backend import Backend
from judge_tui.campaign.store.errors_in_words import RESTORE, damaged
from judge_tui.campaign.store.settings import Settings, settings_of
from judge_tui.errors import CampaignError
from judge_tui.place import Place

_OF_DAMAGE = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)
"""What a program may end with that trusts rows which contradict each other."""


class Campaign:
    """An open campaign, a file or on a server. Use it as a context manager: a clean exit leaves one
    file, no WAL.

    `settings` are its name, scale, guidelines and the like. What it holds is read and written by
    the functions of the rooms beside, which take it as their first argument; `judge_tui.score` and
    `judge_tui.compare` take it in place of qrels. Reads go through `rows()`, inside `reading()`
    where several must be of one moment; writes stand inside `writing()`.
    """

    def __init__(self, path: Place, backend: Backend) -> None:
        self.path = path
        self.backend = backend
        self._inside = ""
        try:
            self.settings: Settings = settings_of(self)
        except (ValueError, TypeError) as error:
            raise CampaignError(
                path, "the settings of the campaign are damaged", RESTORE
            ) from error

    def __enter__(self) -> Campaign:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            # The program may trust the file: a key that is nowhere may be the file's fault.
            if isinstance(error, _OF_DAMAGE) and (found := next(self.damage(), None)):
                raise damaged(self.path, found) from error
        finally:
            self.close()

    def close(self) -> None:
        """Fold the WAL back, so that the file alone is the campaign, and close.

        Another process that still reads or writes keeps its WAL; the last one out folds it. Raises
        `CampaignError` where the file is no longer the one that was opened.
        """
        self.backend.close()

    def damage(self) -> Iterator[str]:
        """All that contradicts itself in the file, each in a sentence: reads all of it. Nothing of
        a server, which looks after its own."""
        try:
            yield from self.backend.damage()
        except self.backend.errors as error:
            yield str(error)

    @property
    def loss(self) -> CampaignError | None:
        """What became of the file, where it is no longer the one that was opened; None on a
        server."""
        return self.backend.loss

    def tend(self) -> None:
        """To be called now and then while a file is open: folds what was written since.

        What is folded is in the file itself: a copy of it is whole. Raises `CampaignError` as soon
        as the file is no longer the one that was opened; all that it held is kept first, in a new
        file beside it. A server needs nothing.
        """
        if not self._inside:
            self.backend.tend()

    def wait_at_most(self, milliseconds: int) -> None:
        """How long a write waits for others before `LockedError`; 10 s unless set here."""
        self.backend.wait_at_most(milliseconds)

    def version(self, judge: int | None = None) -> int:
        """A number that changes when another program has written; for a `judge` (a key) it need not
        change with what other judges did."""
        with self._in_words():
            return self.backend.version(judge)

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query. Raises `CampaignError` in words where they cannot be read."""
        with self._in_words():
            return [*self.backend.each(sql, parameters)]

    def row(self, sql: str, parameters: Sequence[object] = ()) -> tuple[Any, ...]:
        """The one row that must be there. Raises `CampaignError` where somebody took it away."""
        found = self.rows(sql, parameters)
        if not found:
            what = "a row that was there is gone: another program changed the tables"
            raise CampaignError(self.path, what, RESTORE)
        return found[0]

    def each(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, one by one: put it inside `reading()`. A file's are read as they are
        asked for; a server sends them all before the first."""
        with self._in_words():
            yield from self.backend.each(sql, parameters)

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Change rows, inside `writing()`; how many were changed."""
        return self.backend.execute(sql, parameters)

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> int:
        """The same change for each of the rows, inside `writing()`; how many were changed."""
        return self.backend.execute_many(sql, rows)

    def execute_later(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """The same change for each of the rows, inside `writing()`; only who reads next, or leaves
        `writing()`, waits for it."""
        self.backend.execute_later(sql, rows)

    def among(self, column: str, values: Iterable[int | str]) -> tuple[str, tuple[object, ...]]:
        """A condition that `column` is one of the values, however many, and its parameters."""
        return self.backend.among(column, values)

    def alone(self, work: str) -> contextlib.AbstractContextManager[bool]:
        """Within this no other program has the `work` (a word); False where one has it."""
        return self.backend.alone(work)

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turns what the database reports inside the block into a `CampaignError`."""
        try:
            yield
        except self.backend.errors as error:
            raise self.backend.in_words(error) from error

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside the block is of one moment, whatever others write meanwhile."""
        if self._inside:
            yield
            return
        with self._in_words():
            self.backend.begin_reading()
            self._inside = "reading"
            try:
                yield
            finally:
                self._inside = ""
                self.backend.roll_back()

    @contextlib.contextmanager
    def writing(self, judge: int | None = None) -> Iterator[None]:
        """One transaction: all of it is on disk when the block is left, or none of it. `judge` (a
        key): it is what this one does, and nothing else.

        Nested, the inner block is part of the outer transaction. Raises `CampaignError` in words
        where others write for long, where nothing can be written, and where the file was deleted
        or replaced or the server cannot be reached; `RuntimeError` inside `reading`.
        """
        if self._inside == "writing":
            yield
            return
        if self._inside == "reading":
            raise RuntimeError("writing cannot begin inside reading")
        with self._in_words():
            try:
                self.backend.begin_writing()
                self._inside = "writing"
                yield
                self.backend.commit(judge)
            finally:
                self._inside = ""
                self.backend.roll_back()
