"""What may be handed over as qrels, as a run, as several runs, as values, queries and slices."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from judge_tui.model import Query, Run

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

QrelsSource: TypeAlias = FilePath | Mapping[Any, Mapping[Any, int]] | Frame | Iterable[Any]
"""A file, query_id -> doc_id -> grade, a data frame, or rows of (query_id, doc_id, grade)."""

RunSource: TypeAlias = FilePath | Run | Mapping[Any, Mapping[Any, float]] | Frame | Iterable[Any]
"""A file, a `Run`, query_id -> doc_id -> score, a data frame, or rows of three."""

RunsSource: TypeAlias = RunSource | Mapping[str, Any]
"""One run, several, or several by tag; a frame with a column `tag` holds as many as it has tags."""

ValuesSource: TypeAlias = FilePath | Frame | Mapping[str, Any] | Iterable[Any]
"""A file, several, or each by the tag of its system; a data frame; or tag -> query_id -> value."""


class SlicesSource(Protocol):
    """query_id -> name of its slice: a mapping, or a series of pandas."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


QueriesSource: TypeAlias = FilePath | Iterable[Query]
"""A queries file (TSV, a table, JSONL, TREC topics), or the queries themselves."""
