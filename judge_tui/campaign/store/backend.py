"""What a campaign asks of the database that it is in: an SQLite file or a PostgreSQL server.

The SQL elsewhere in this room is one text for both; where they differ, it is here by a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from judge_tui.errors import CampaignError

Row = tuple[Any, ...]

WAITS = 10_000
"""Milliseconds that a write waits for others."""


class Tables(Protocol):
    """What reads and writes rows; transactions are its owner's."""

    def each(self, sql: str, parameters: Sequence[object] = ()) -> Iterable[Row]:
        """The rows of a query, one by one, be it while other tables are written. A file's are read
        as they are asked for; a server sends them all before the first."""

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Change rows; how many were changed."""

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> int:
        """The same change for each of the rows; how many were changed."""

    def execute_later(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """The same change for each of the rows, at the latest before what is read or committed
        next: over a slow line nobody waits for an answer to it."""

    def add_rows(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Add rows to a table that has none, as fast as may be."""


class Backend(Tables, Protocol):
    """The database behind an open campaign, by a connection of this object alone.

    It raises `errors` by itself, for which `in_words` has words, and `CampaignError`; `refusals`
    are those of a row that the tables do not take. `loss`: what became of the file, where it is no
    longer the one that was opened. What is of files alone does nothing on a server.
    """

    errors: tuple[type[Exception], ...]
    refusals: tuple[type[Exception], ...]
    loss: CampaignError | None

    def among(self, column: str, values: Iterable[int | str]) -> tuple[str, tuple[object, ...]]:
        """A condition that `column` is one of the values, however many, and its parameters."""

    def joined_columns(self, rows: str, columns: Iterable[str]) -> str:
        """A query for one text a column of the `rows` of a table, its numbers with commas between,
        all columns in the same order: a million rows are read in a third of the time that they
        take as tuples."""

    def readable(self, column: str) -> str:
        """SQL of a column of `campaign` or of `documents AS d`: as much of it as whoever asks may
        read."""

    def begin_reading(self) -> None:
        """Let all that is read be of one moment, until `roll_back`."""

    def begin_writing(self) -> None:
        """Wait for others who write, and keep them out until `commit` or `roll_back`."""

    def commit(self, judge: int | None = None) -> None:
        """When this returns, all that was written is on disk; `judge` (a key): of whom all is."""

    def roll_back(self) -> None:
        """End what was begun, without what was written."""

    def alone(self, work: str) -> AbstractContextManager[bool]:
        """Within this nobody else has the `work` (a word); False where somebody has it."""

    def wait_at_most(self, milliseconds: int) -> None:
        """How long `begin_writing` waits."""

    def version(self, judge: int | None = None) -> int:
        """A number that changes when another program has written; for a `judge` it need not change
        with what other judges did."""

    def tend(self) -> None:
        """What has to be done now and then. Raises `loss`."""

    def size(self) -> int:
        """How many bytes `damage` has to look at."""

    def damage(self) -> Iterator[str]:
        """All that contradicts itself, each in a sentence."""

    def stop_when(self, stopped: Callable[[], bool]) -> None:
        """As soon as `stopped` is true, what is being read ends with an error."""

    def in_words(self, error: Exception) -> CampaignError:
        """What one of `errors` means."""

    def close(self) -> None:
        """Leave it, and of a file nothing beside it. Raises `loss`."""


def insertion(table: str, *columns: str) -> str:
    """SQL that adds a row to the table: a parameter for each of the columns, in this order."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
