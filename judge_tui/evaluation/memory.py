"""Qrels and runs in memory: query_id -> doc_id -> number, data frames, rows of three.

A data frame is known by its columns, so that neither pandas nor polars is imported for it, and is
read as the table of a CSV file is. Errors name the row, counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, TypeAlias, TypeVar

from judge_tui.errors import InputError, UsageError, in_message
from judge_tui.formats import csv_files
from judge_tui.formats.columns import DOCUMENT, GRADE, QUERY, SCORE, TAG, folded, indices_of
from judge_tui.formats.ids import id_in
from judge_tui.formats.numbers import grade_of, score_of
from judge_tui.formats.problems import RecordError, Reporter
from judge_tui.formats.tables import TextTable, guarded
from judge_tui.model import Run

Number = TypeVar("Number", int, float)
Row = TypeVar("Row")
Pairs: TypeAlias = dict[str, dict[str, Number]]

_NOTHING = {"None", "nan", "NaT", "<NA>"}
_PAIR = (str(QUERY), str(DOCUMENT))
_FORMS = "give a file, query_id -> doc_id -> number, a data frame, or rows of three"
_ROWS = "give rows of (query_id, doc_id, number), or objects with these attributes"


def grades_in(source: Any, whose: str) -> Pairs[int]:
    """Return query_id -> doc_id -> grade; an empty cell of a frame (None, NaN) is one that nobody
    judged. `whose`: what the source is called. Raises `UsageError` with the row or the pair."""
    if isinstance(source, Mapping):
        return _of_mapping(source, whose, grade_of)
    rows = read_frame(csv_files.grades, source, whose, (*_PAIR, str(GRADE)))
    if not rows:
        raise UsageError(f"there is no grade in {whose}", "give at least one")
    return _pairs([row[:4] for row in rows], whose)


def scores_in(source: Any, whose: str) -> Pairs[float]:
    """Return query_id -> doc_id -> score; a rank stands for its negative, where there is no score.
    A row of a frame that has a grade alone was judged and not retrieved, as a join leaves it.
    Raises `UsageError` as `grades_in` does."""
    if isinstance(source, Mapping):
        return _of_mapping(source, whose, score_of)
    return _pairs([row[:4] for row in _read_scores(source, whose)], whose)


def runs_by_tag(frame: Any, whose: str) -> list[Run] | None:
    """Return the runs of a data frame with a column `tag`; None for one that names none."""
    if not indices_of(TAG, [folded(str(name)) for name in frame.columns]):
        return None
    by_tag: dict[str | None, list[Any]] = {}
    for row in _read_scores(frame, whose):
        by_tag.setdefault(row.tag, []).append(row)
    if [*by_tag] == [None]:
        return None
    if None in by_tag:
        raise UsageError(
            f"there is no tag in row {index(by_tag[None][0].line)} of {whose}", "give each row one"
        )
    return [Run(str(tag), _pairs([row[:4] for row in rows], whose)) for tag, rows in by_tag.items()]


def _read_scores(source: Any, whose: str) -> list[Any]:
    def rows_of(table: TextTable) -> Iterator[Any]:
        if not table.has(GRADE):
            return csv_files.scores(table)
        return (row for row in csv_files.scores_and_grades(table) if row.score is not None)

    return read_frame(rows_of, source, whose, (*_PAIR, str(SCORE)))


def read_frame(
    read: Callable[[TextTable], Iterable[Row]], source: Any, whose: str, three: Sequence[str]
) -> list[Row]:
    """Return what a reader of tables makes of a data frame, or of rows of these `three` columns.
    Raises `UsageError` for what is neither, and where the reader refuses it."""
    if is_frame(source):
        names = [str(name) for name in source.columns]
        columns = [source[name].to_list() for name in source.columns]
    else:
        names = [*three]
        rows = [_row(*row, names, whose) for row in enumerate(listed(source, whose), 1)]
        columns = [*zip(*rows, strict=True)]
    if not columns or not columns[0]:
        raise UsageError(f"there is no row in {whose}", "give at least one")
    known = [folded(name) for name in names]
    of_ids = [column for column in (QUERY, DOCUMENT) if str(column) in three]
    ids = {at for column in of_ids for at in indices_of(column, known)[:1]}
    cells = [
        _ids(column, whose) if at in ids else ["" if is_null(one) else str(one) for one in column]
        for at, column in enumerate(columns)
    ]
    rows_of_text = enumerate(map(list, zip(*cells, strict=True)), 1)
    try:
        return list(read(TextTable(Reporter(whose), 0, tuple(names), rows_of_text)))
    except InputError as error:
        place = f"row {error.line} of {whose}" if error.line else whose
        raise UsageError(f"{place}: {error.what}", error.mend) from None


def _ids(values: Sequence[Any], whose: str) -> list[str]:
    """Return a column of ids as a CSV file has it."""
    # What is not text is looked at by itself, for its row; text the reader of the table looks at.
    return [
        guarded(value if isinstance(value, str) else id_of(value, f"row {row} of {whose}"))
        for row, value in enumerate(values, 1)
    ]


def _row(number: int, row: Any, names: Sequence[str], whose: str) -> Sequence[Any]:
    if _has_ids(row) and hasattr(row, names[2]):
        return [getattr(row, name) for name in names]
    if not isinstance(row, tuple | list) or len(row) != 3:
        raise UsageError(f"row {number} of {whose} is {in_message(row)}", _ROWS)
    return row


def _pairs(rows: Sequence[tuple[Any, str, str, Number]], whose: str) -> Pairs[Number]:
    """Return query_id -> doc_id -> number of rows (row, query_id, doc_id, number)."""
    found: Pairs[Number] = {}
    first: dict[tuple[str, str], Any] = {}
    for row, query_id, doc_id, number in rows:
        if (before := first.setdefault((query_id, doc_id), row)) != row:
            raise UsageError(
                f"row {row} of {whose}: document {doc_id!r} is already in query {query_id!r}, row"
                f" {before}",
                "remove one of the two rows",
            )
        found.setdefault(query_id, {})[doc_id] = number
    return found


def _of_mapping(
    source: Mapping[Any, Any], whose: str, read: Callable[[object], Number]
) -> Pairs[Number]:
    found: Pairs[Number] = {}
    for query, numbers in source.items():
        query_id = id_of(query, f"a query id of {whose}")
        where = f"query {query_id!r} of {whose}"
        if not isinstance(numbers, Mapping):
            raise UsageError(f"{where} is {in_message(numbers)}", "give doc_id -> number")
        if query_id in found:
            raise UsageError(f"query {query_id!r} is twice in {whose}", "give it once")
        by_doc = found[query_id] = {}
        for document, value in numbers.items():
            doc_id = id_of(document, where)
            if doc_id in by_doc:
                raise UsageError(f"document {doc_id!r} is twice in {where}", "give it once")
            try:
                # A number of numpy is one of Python's in disguise.
                by_doc[doc_id] = read(value.item() if hasattr(value, "item") else value)
            except RecordError as error:
                what = f"document {doc_id!r} of {where}: {error.what}"
                raise UsageError(what, error.mend) from None
    return found


def id_of(value: Any, where: str) -> str:
    """Return an id as files have it (`id_in`). A whole number becomes its digits; 1.0 stands for
    the id 1 only by accident, and is refused. `where` begins a message."""
    try:
        return id_in(_id_text(value))
    except UsageError as error:
        raise UsageError(f"{where}: {error.what}", error.mend) from None


def _id_text(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    if is_null(value):
        raise UsageError("there is no id", "give every query and document an id")
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UsageError(
            f"id {in_message(value)} is not text",
            "ids are text or whole numbers: read the column as text (dtype=str), or convert it",
        )
    return str(index(value))


def is_frame(source: object) -> bool:
    """Return whether this is a data frame: something with columns by their names."""
    return all(hasattr(type(source), name) for name in ("columns", "__getitem__", "__len__"))


def holds_rows(items: Sequence[Any]) -> bool:
    """Return whether these are rows of (query_id, doc_id, number), by the first of them."""
    first = items[0]
    if is_frame(first):
        return False
    named = isinstance(first, tuple | list) and bool(first) and isinstance(first[0], str | int)
    return named or _has_ids(first)


def is_null(value: Any) -> bool:
    """Return whether this is None, NaN, NaT or the NA of pandas: nothing, in a table."""
    return not isinstance(value, str) and str(value) in _NOTHING


def listed(values: Any, whose: str) -> list[Any]:
    """Return the items of an iterable. Raises `UsageError` for what is none."""
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
        raise UsageError(f"{whose}: {type(values).__name__} cannot be read", _FORMS)
    return list(values)


def _has_ids(row: Any) -> bool:
    return hasattr(row, "query_id") and hasattr(row, "doc_id")
