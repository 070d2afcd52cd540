"""Qrels and runs in memory: query_id -> doc_id -> number, data frames, rows of three.

A data frame is known by its columns, so that neither pandas nor polars is imported for it, and its
columns by the names that those of CSV files have. What is in memory is held to the rules of files,
and errors name the row, counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from typing import Any, TypeAlias, TypeVar

from judge_tui.errors import UsageError, in_message
from judge_tui.formats.columns import (
    BEIR,
    DOCUMENT,
    GRADE,
    QUERY,
    RANK,
    SCORE,
    TAG,
    Column,
    folded,
    indices_of,
)
from judge_tui.formats.ids import id_in
from judge_tui.formats.numbers import grade_of, rank_of, score_of
from judge_tui.formats.problems import RecordError
from judge_tui.formats.query_names import QueryText
from judge_tui.model import Run

__all__ = [
    "grades_in",
    "holds_rows",
    "id_of",
    "is_frame",
    "is_null",
    "listed",
    "named_value",
    "runs_by_tag",
    "scores_in",
]

Number = TypeVar("Number", int, float)
Item = TypeVar("Item", str, int, float)
Read: TypeAlias = Callable[[Any], Number]

_ROWS = (
    "give rows of (query_id, doc_id, number), or objects with these attributes; of matrices"
    " judge_tui.from_matrices makes both"
)


def grades_in(source: Any, whose: str) -> dict[str, dict[str, int]]:
    """Return query_id -> doc_id -> grade; an empty cell of a frame (None, NaN) is one that nobody
    judged. Raises `UsageError` with the row or the pair."""
    if isinstance(source, Mapping):
        return _of_mapping(source, whose, "grade", _grade)
    table = _Table(source, whose, GRADE)
    is_beir = len(table.names) == 3 and {*table.names} == BEIR
    grades = table.column(SCORE if is_beir else GRADE)
    rows = [row for row, grade in enumerate(grades) if not is_null(grade)]
    return table.pairs(rows, "grade", grades, _grade)


def scores_in(source: Any, whose: str) -> dict[str, dict[str, float]]:
    """Return query_id -> doc_id -> score; a rank stands for its negative, where there is no score.
    A row of a frame that has a grade alone was judged and not retrieved, as a join leaves it.
    Raises `UsageError` as `grades_in` does."""
    if isinstance(source, Mapping):
        return _of_mapping(source, whose, "score", _score)
    table = _Table(source, whose, SCORE)
    return _scores(table, range(table.size))


def runs_by_tag(frame: Any, whose: str) -> list[Run] | None:
    """Return the runs of a data frame with a column `tag`; None for one without."""
    table = _Table(frame, whose, SCORE)
    if not indices_of(TAG, table.names):
        return None
    by_tag: dict[str, list[int]] = {}
    tags = table.column(TAG)
    if all(map(is_null, tags)):
        return None
    for row, tag in enumerate(tags):
        if is_null(tag):
            what = f"the tag in row {row + 1} of {whose} is {in_message(tag)}"
            raise UsageError(what, "give each row one")
        by_tag.setdefault(str(tag), []).append(row)
    return [Run(tag, _scores(table, rows)) for tag, rows in by_tag.items()]


def is_frame(source: object) -> bool:
    """Return whether this is a data frame: something with columns by their names."""
    return all(hasattr(type(source), name) for name in ("columns", "__getitem__", "__len__"))


def holds_rows(items: Sequence[Any]) -> bool:
    """Return whether these are rows of (query_id, doc_id, number), by the first of them."""
    if not items or is_frame(items[0]):
        return False
    first = items[0]
    return _has_ids(first) or (
        isinstance(first, tuple | list)
        and len(first) > 1
        and isinstance(first[0], str | bytes | int)
        and not any(isinstance(part, Mapping | tuple | list) or _has_ids(part) for part in first)
    )


def is_null(value: Any) -> bool:
    """Return whether this is None, NaN, NaT or the NA of pandas: nothing, in a table."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124 - which NaN and NaT are not
    except TypeError:
        return type(value).__name__ == "NAType"
    except ValueError:
        return False


class _Table:
    """The columns of a frame, or of rows of three of which the last is `third`, as lists by their
    folded names; `whose` it is called in messages. Raises `UsageError` for what is neither."""

    def __init__(self, source: Any, whose: str, third: Column) -> None:
        self.whose = whose
        if is_frame(source):
            columns = {name: list(source[name].to_list()) for name in source.columns}
        else:
            names = (str(QUERY), str(DOCUMENT), str(third))
            rows = [self._row(*row, names) for row in enumerate(listed(source, whose), 1)]
            columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=False))
        self._written = list(columns)
        self.names = [folded(str(name)) for name in columns]
        self._values = list(columns.values())
        self.size = len(self._values[0]) if columns else 0
        if not self.size:
            raise UsageError(f"there is no row in {whose}", "give at least one")

    def _row(self, number: int, row: Any, names: Sequence[str]) -> Sequence[Any]:
        if _has_ids(row) and hasattr(row, names[2]):
            return [getattr(row, name) for name in names]
        if not isinstance(row, tuple | list) or len(row) != 3:
            raise UsageError(f"row {number} of {self.whose} is {in_message(row)}", _ROWS)
        return row

    def column(self, *columns: Column) -> list[Any]:
        """Return the first of these columns that the table has. Raises `UsageError` where it has
        none of them, and where two could be the one."""
        for column in columns:
            places = indices_of(column, self.names)
            if len(places) > 1:
                first, second = (self._written[place] for place in places[:2])
                raise UsageError(
                    f"columns {first!r} and {second!r} of {self.whose} could both be the {column}",
                    "rename or remove one of them",
                )
            if places:
                return self._values[places[0]]
        has = ", ".join(in_message(name) for name in self._written[:12])
        names = " or ".join(map(str, columns))
        raise UsageError(f"no column of {self.whose} is {names}; there is {has}", "rename one")

    def pairs(
        self, rows: Sequence[int], noun: str, values: Sequence[Any], read: Read[Number]
    ) -> dict[str, dict[str, Number]]:
        """Return query_id -> doc_id -> what stands in these rows, each pair once."""
        if not rows:
            raise UsageError(f"there is no {noun} in {self.whose}", "give at least one")
        queries, documents = self.column(QUERY), self.column(DOCUMENT)
        found: dict[str, dict[str, Number]] = {}
        for row in rows:
            query, document, value = queries[row], documents[row], values[row]
            try:
                query_id, doc_id, number = id_of(query), id_of(document), read(value)
            except UsageError:
                where = f"row {row + 1} of {self.whose}"
                query_id = named_value(f"{where}: the query id", id_of, query)
                doc_id = named_value(f"{where}: the document id", id_of, document)
                what = f"{where}: the {noun} of {doc_id!r} for query {query_id!r}"
                number = named_value(what, read, value)
            by_doc = found.setdefault(query_id, {})
            if doc_id in by_doc:
                ids = ((id_of(queries[one]), id_of(documents[one]), one) for one in rows)
                first = next(one for *pair, one in ids if pair == [query_id, doc_id])
                raise UsageError(
                    f"row {row + 1} of {self.whose}: document {doc_id!r} is already in query"
                    f" {query_id!r}, row {first + 1}",
                    "remove one of the two rows",
                )
            by_doc[doc_id] = number
        return found


def _scores(table: _Table, rows: Sequence[int]) -> dict[str, dict[str, float]]:
    values = table.column(SCORE, RANK)
    if indices_of(GRADE, table.names):
        grades = table.column(GRADE)
        rows = [row for row in rows if not is_null(values[row]) or is_null(grades[row])]
    if indices_of(SCORE, table.names):
        return table.pairs(rows, "score", values, _score)
    found: dict[str, dict[str, float]] = {}
    for query_id, ranks in table.pairs(rows, "rank", values, _rank).items():
        holders: dict[int, str] = {}
        for doc_id, rank in ranks.items():
            if (first := holders.setdefault(rank, doc_id)) != doc_id:
                raise UsageError(
                    f"documents {first!r} and {doc_id!r} of query {query_id!r} of {table.whose}"
                    f" have the same rank {rank}",
                    "give each document of a query a rank of its own, or a score",
                )
        found[query_id] = {doc_id: -float(rank) for doc_id, rank in ranks.items()}
    return found


def _of_mapping(
    source: Mapping[Any, Any], whose: str, noun: str, read: Read[Number]
) -> dict[str, dict[str, Number]]:
    found: dict[str, dict[str, Number]] = {}
    for query, numbers in source.items():
        query_id = named_value(f"a query id of {whose}", id_of, query)
        where = f"query {query_id!r} of {whose}"
        if not isinstance(numbers, Mapping):
            what = f"{where}: a mapping is wanted, here {type(numbers).__name__}"
            raise UsageError(what, f"give doc_id -> {noun}")
        if query_id in found:
            raise UsageError(f"query {query_id!r} is twice in {whose}", "give it once")
        by_doc = found[query_id] = {}
        for document, value in numbers.items():
            try:
                doc_id, number = id_of(document), read(value)
            except UsageError:
                doc_id = named_value(f"a document id in {where}", id_of, document)
                number = named_value(f"the {noun} of {doc_id!r} for {where}", read, value)
            if doc_id in by_doc:
                raise UsageError(f"document {doc_id!r} is twice in {where}", "give it once")
            by_doc[doc_id] = number
    return found


def named_value(what: str, read: Callable[[Any], Item], value: Any) -> Item:
    """Read a value, which a message calls `what`."""
    try:
        return read(value)
    except UsageError as error:
        raise UsageError(f"{what} is {in_message(value)}", error.mend) from None


def _as_files_have(read: Callable[[object], Number]) -> Read[Number]:
    """Return a reader of numbers of any kind by the rules of files."""

    def number(value: Any) -> Number:
        plain = value.item() if hasattr(value, "item") else value
        try:
            return read(int(plain) if isinstance(plain, bool) else plain)
        except RecordError as error:
            raise UsageError(error.what, error.mend) from None

    return number


_grade = _as_files_have(grade_of)
_score = _as_files_have(score_of)
_rank = _as_files_have(rank_of)


def id_of(value: Any) -> str:
    """Return an id as files have it (`id_in`), or a text that stands in the place of one. A whole
    number becomes its digits; 1.0 stands for the id 1 only by accident, and is refused."""
    if isinstance(value, QueryText):  # a kind of str
        return value
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return id_in(str(value))
    if is_null(value):
        raise UsageError("", "give each row one, or leave the row out")
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UsageError(
            "", "ids are text or whole numbers: read the column as text (dtype=str), or convert it"
        )
    return str(index(value))


def listed(values: Any, whose: str) -> list[Any]:
    """Return the items of an iterable, the numbers of numpy as Python's own. Raises `UsageError`
    for what is none."""
    items = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(items, Iterable) or isinstance(items, str | bytes | Mapping):
        raise UsageError(
            f"{whose}: {type(values).__name__} is none of the forms that are understood",
            "give a file, query_id -> doc_id -> number, a data frame, or rows of three",
        )
    return list(items)


def _has_ids(row: Any) -> bool:
    return hasattr(row, "query_id") and hasattr(row, "doc_id")
