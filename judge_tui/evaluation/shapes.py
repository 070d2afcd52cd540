"""What may be given as qrels, as a run, as several runs, as queries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from judge_tui.model import Query, Run

__all__ = [
    "FilePath",
    "Frame",
    "Id",
    "Matrix",
    "QrelsSource",
    "QueriesSource",
    "Row",
    "RunSource",
    "RunsSource",
    "SlicesSource",
]

FilePath: TypeAlias = str | os.PathLike[str]

Id: TypeAlias = str | int
"""Text; a whole number stands for its decimal digits."""


class Frame(Protocol):
    """A data frame of pandas or polars, or what has the same two things."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """A column by its name, with `to_list()`."""


class Row(Protocol):
    """A row of a table, such as ir_measures' `Qrel` and `ScoredDoc`; the third value is its
    `relevance` or its `score`."""

    @property
    def query_id(self) -> Any: ...
    @property
    def doc_id(self) -> Any: ...


class Array(Protocol):
    """An array of numpy: a structured one is a table."""

    @property
    def dtype(self) -> Any: ...
    def tolist(self) -> Any: ...


Columns: TypeAlias = Mapping[str, Any]
"""Columns of equal length by their names: lists, arrays, or a mixture."""

Matrix: TypeAlias = Array | Frame | Sequence[Sequence[float]]
"""A row for each query, a column for each document."""

QrelsSource: TypeAlias = (
    FilePath
    | Mapping[str, Mapping[str, int]]
    | Mapping[int, Mapping[int, int]]
    | Frame
    | Columns
    | Array
    | Iterable[Row]
    | Iterable[Mapping[str, Any]]
    | Iterable[tuple[Id, Id, int]]
)
"""A file, query_id -> doc_id -> grade, or a table with the columns `query_id`, `doc_id` and
`relevance` (or one of their other names): a data frame, columns by name, a structured array, rows
with these attributes or keys, or tuples of three in this order.
"""

RunSource: TypeAlias = (
    FilePath
    | Run
    | Mapping[str, Mapping[str, float]]
    | Mapping[int, Mapping[int, float]]
    | Frame
    | Columns
    | Array
    | Iterable[Row]
    | Iterable[Mapping[str, Any]]
    | Iterable[tuple[Id, Id, float]]
)
"""A file, a `Run`, query_id -> doc_id -> score, or a table as in `QrelsSource` with `score`, or
where it has none with `rank`, as the third column.
"""

RunsSource: TypeAlias = RunSource | Sequence[Any] | Mapping[str, Any]
"""One run, several, or several by tag, each a `RunSource`: type checkers are not told, since to
them a list of a path and a frame is one of objects. A table with a column `tag` holds as many runs
as it has tags.
"""


class SlicesSource(Protocol):
    """query_id -> name of its slice: a mapping, or a series of pandas."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


QueriesSource: TypeAlias = FilePath | Iterable[Query]
"""A queries file (TSV, a table, JSONL, TREC topics), or the queries themselves."""
