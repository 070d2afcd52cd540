"""What may be handed over as qrels, as a run, as several runs, as queries, as slices."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from judge_tui.model import Query, Run

__all__ = [
    "FilePath",
    "Frame",
    "Matrix",
    "QrelsSource",
    "QueriesSource",
    "RunSource",
    "RunsSource",
    "SlicesSource",
    "ValuesSource",
]

FilePath: TypeAlias = str | os.PathLike[str]


class Frame(Protocol):
    """A data frame of pandas or polars, or what has the same two things."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """A column by its name, with `to_list()`."""


Matrix: TypeAlias = Frame | Iterable[Iterable[Any]]
"""A row for each query, a column for each document."""

QrelsSource: TypeAlias = (
    FilePath
    | Mapping[str, Mapping[str, int]]
    | Mapping[int, Mapping[int, int]]
    | Frame
    | Iterable[Any]
)
"""A file, query_id -> doc_id -> grade, a data frame with the columns `query_id`, `doc_id` and
`relevance` (or one of their other names), or rows of three: tuples, or objects with these
attributes."""

RunSource: TypeAlias = (
    FilePath
    | Run
    | Mapping[str, Mapping[str, float]]
    | Mapping[int, Mapping[int, float]]
    | Frame
    | Iterable[Any]
)
"""A file, a `Run`, query_id -> doc_id -> score, a data frame with `score` or `rank`, or rows of
three."""

RunsSource: TypeAlias = RunSource | Sequence[Any] | Mapping[str, Any]
"""One run, several, or several by tag, each a `RunSource`: type checkers are not told, since to
them a list of a path and a frame is one of objects. A frame with a column `tag` holds as many runs
as it has tags."""

ValuesSource: TypeAlias = (
    FilePath
    | Sequence[FilePath]
    | Sequence[tuple[str | None, FilePath]]
    | Frame
    | Mapping[str, FilePath]
    | Mapping[str, Mapping[str, float]]
)
"""Values of systems by query: a file, several, or each with the tag of its system (None: its own);
a data frame of the same columns; or tag -> query_id -> value."""


class SlicesSource(Protocol):
    """query_id -> name of its slice: a mapping, or a series of pandas."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


QueriesSource: TypeAlias = FilePath | Iterable[Query]
"""A queries file (TSV, a table, JSONL, TREC topics), or the queries themselves."""
