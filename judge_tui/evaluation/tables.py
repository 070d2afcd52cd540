"""Qrels and runs in memory: mappings query_id -> doc_id -> number, and tables.

A table is a data frame, columns by name, a structured array of numpy, or rows: of three values,
with attributes, or mappings. It is known by what it can do, so that neither pandas, polars nor
numpy is imported for it, and its columns by the names that columns of CSV files have. What is in
memory is held to the rules of files, and its errors name the row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from judge_tui.errors import UsageError, in_message
from judge_tui.evaluation.values import (
    Number,
    Read,
    as_grades,
    as_ids,
    as_ranks,
    as_scores,
    is_null,
    listed,
)
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
from judge_tui.model import Run

__all__ = [
    "grades_in",
    "holds_rows",
    "is_table",
    "runs_by_tag",
    "scores_in",
]

_ATTRIBUTES = tuple(name for c in (QUERY, DOCUMENT, SCORE, RANK, GRADE, TAG) for name in c.names)
_ROWS = (
    "give rows of (query_id, doc_id, number), or objects with these attributes or keys; of matrices"
    " judge_tui.from_matrices makes both"
)


def grades_in(source: Any, whose: str) -> dict[str, dict[str, int]]:
    """Return query_id -> doc_id -> grade. An empty cell (None, NaN) means that nobody judged the
    pair.

    Raises `UsageError` for what is neither a mapping nor a table, with the row or the pair.
    """
    if isinstance(source, Mapping) and not is_table(source):
        return _of_mapping(source, whose, "grade", as_grades)
    table = _Table(source, whose, GRADE)
    is_beir = len(table.names) == 3 and {*table.names} == BEIR
    grades = table.column(SCORE if is_beir else GRADE)
    places = [place for place, grade in enumerate(grades) if not is_null(grade)]
    return table.pairs(places, "grade", grades, as_grades)


def scores_in(source: Any, whose: str) -> dict[str, dict[str, float]]:
    """Return query_id -> doc_id -> score. A rank stands for its negative, where there is no score;
    a row without either, but with a grade, was judged and not retrieved, as a join leaves it.

    Raises `UsageError` as `grades_in` does.
    """
    if isinstance(source, Mapping) and not is_table(source):
        return _of_mapping(source, whose, "score", as_scores)
    table = _Table(source, whose, SCORE)
    return _scores(table, range(table.size))


def runs_by_tag(source: Any, whose: str) -> list[Run] | None:
    """Return the runs of a table that names them in a column `tag`; None for any other source."""
    if not (is_table(source) or isinstance(source, list)):
        return None
    table = _Table(source, whose, SCORE)
    if not indices_of(TAG, table.names):
        return None
    tags = table.column(TAG)
    if all(map(is_null, tags)):
        return None
    by_tag: dict[str, list[int]] = {}
    for place, tag in enumerate(tags):
        if is_null(tag):
            raise UsageError(
                f"the tag in row {place + 1} of {whose} is {in_message(tag)}", "give each row one"
            )
        by_tag.setdefault(str(tag), []).append(place)
    return [Run(tag, _scores(table, places)) for tag, places in by_tag.items()]


def is_table(source: object) -> bool:
    """Return whether this is a table as a whole. Rows are not: they show it one by one
    (`holds_rows`)."""
    if isinstance(source, Mapping):
        # The queries of a run may be called anything, and hold mappings.
        names = (*QUERY.names, *DOCUMENT.names)
        return any(
            isinstance(name, str) and folded(name) in names and _is_column(values)
            for name, values in source.items()
        )
    kind = type(source)
    is_frame = all(hasattr(kind, name) for name in ("columns", "__getitem__", "__len__"))
    return is_frame or bool(getattr(getattr(source, "dtype", None), "names", None))


def holds_rows(items: Sequence[object]) -> bool:
    """Return whether these are rows of a table, by the first of them."""
    if not items or is_table(items[0]):
        return False
    first: Any = items[0]
    return bool(_names_in(first)) or (
        isinstance(first, tuple | list)
        and len(first) > 1
        and isinstance(first[0], str | bytes | int)
        and not any(isinstance(part, Mapping | tuple | list) or _names_in(part) for part in first)
    )


class _Table:
    """The columns of a table as lists, by their folded names; `whose` it is called in messages.

    `third` is what the third of three values means where rows have no names. Raises `UsageError`
    for what is no table.
    """

    def __init__(self, source: Any, whose: str, third: Column) -> None:
        self.whose = whose
        columns = self._columns(source, third)
        self._written = list(columns)
        self.names = [folded(str(name)) for name in columns]
        self._values = list(columns.values())
        sizes = {len(values): name for name, values in columns.items()}
        if len(sizes) > 1:
            (one, first), (other, second) = list(sizes.items())[:2]
            raise UsageError(
                f"columns {first!r} and {second!r} of {whose} have {one} and {other} values",
                "give each row a value in every column",
            )
        self.size = next(iter(sizes), 0)
        if not self.size:
            raise UsageError(f"there is no row in {whose}", "give at least one")

    def _columns(self, source: Any, third: Column) -> Mapping[Any, list[Any]]:
        if isinstance(source, Mapping):
            for name, values in source.items():
                if not _is_column(values):
                    raise UsageError(
                        f"column {name!r} of {self.whose} is {in_message(values)}",
                        "give a list or an array",
                    )
            return {name: listed(values) for name, values in source.items()}
        if is_table(source):
            if hasattr(source, "columns"):
                return {name: list(source[name].to_list()) for name in source.columns}
            return {name: listed(source[name]) for name in source.dtype.names}
        if not isinstance(source, Iterable) or isinstance(source, str | bytes):
            raise UsageError(
                f"{self.whose}: {type(source).__name__} is none of the forms that are understood",
                "give a file, query_id -> doc_id -> number, a data frame, columns by name, or rows",
            )
        rows = listed(source)
        names = _names_in(rows[0]) if rows else []
        if names:
            if all(isinstance(row, Mapping) for row in rows):
                names = list(dict.fromkeys(name for row in rows for name in row))
            return {
                name: [self._cell(at, row, name) for at, row in enumerate(rows)] for name in names
            }
        for at, row in enumerate(rows, start=1):
            if not isinstance(row, tuple | list) or len(row) != 3:
                raise UsageError(f"row {at} of {self.whose} is {in_message(row)}", _ROWS)
        three = (str(QUERY), str(DOCUMENT), str(third))
        return {name: [row[at] for row in rows] for at, name in enumerate(three)}

    def _cell(self, at: int, row: Any, name: str) -> Any:
        try:
            return row[name] if isinstance(row, Mapping) else getattr(row, name)
        except (KeyError, AttributeError):
            raise UsageError(
                f"row {at + 1} of {self.whose} has no {name}: {in_message(row)}", _ROWS
            ) from None

    def column(self, *wanted: Column) -> list[Any]:
        """Return the first of these columns that the table has. Raises `UsageError` where it has
        none of them, and where two could be the one."""
        for column in wanted:
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
        names = " or ".join(map(str, wanted))
        raise UsageError(f"no column of {self.whose} is {names}; there is {has}", "rename one")

    def pairs(
        self, places: Sequence[int], noun: str, values: Sequence[Any], read: Read[Number]
    ) -> dict[str, dict[str, Number]]:
        """Return query_id -> doc_id -> what stands at these places, each pair once."""
        if not places:
            raise UsageError(f"there is no {noun} in {self.whose}", "give at least one")

        def ids(column: Column, of: str) -> list[str]:
            def refuse(at: int, value: str, mend: str) -> NoReturn:
                row = places[at] + 1
                raise UsageError(f"row {row} of {self.whose}: the {of} id is {value}", mend)

            values = self.column(column)
            return as_ids([values[place] for place in places], refuse)

        query_ids, doc_ids = ids(QUERY, "query"), ids(DOCUMENT, "document")

        def refuse(at: int, value: str, mend: str) -> NoReturn:
            raise UsageError(
                f"row {places[at] + 1} of {self.whose}: the {noun} of {doc_ids[at]!r} for query"
                f" {query_ids[at]!r} is {value}",
                mend,
            )

        numbers = read([values[place] for place in places], refuse)
        found: dict[str, dict[str, Number]] = {}
        for query_id, doc_id, number in zip(query_ids, doc_ids, numbers, strict=True):
            found.setdefault(query_id, {})[doc_id] = number
        if sum(map(len, found.values())) < len(numbers):
            first: dict[tuple[str, str], int] = {}
            for place, pair in zip(places, zip(query_ids, doc_ids, strict=True), strict=True):
                if (before := first.setdefault(pair, place)) != place:
                    raise UsageError(
                        f"row {place + 1} of {self.whose}: document {pair[1]!r} is already in query"
                        f" {pair[0]!r}, row {before + 1}",
                        "remove one of the two rows",
                    )
        return found


def _scores(table: _Table, places: Sequence[int]) -> dict[str, dict[str, float]]:
    values = table.column(SCORE, RANK)
    if indices_of(GRADE, table.names):
        grades = table.column(GRADE)
        places = [at for at in places if not is_null(values[at]) or is_null(grades[at])]
    if indices_of(SCORE, table.names):
        return table.pairs(places, "score", values, as_scores)
    found: dict[str, dict[str, float]] = {}
    for query_id, ranks in table.pairs(places, "rank", values, as_ranks).items():
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
    def refuse_query(_at: int, value: str, mend: str) -> NoReturn:
        raise UsageError(f"a query id of {whose} is {value}", mend)

    found: dict[str, dict[str, Number]] = {}
    query_ids = as_ids(list(source), refuse_query)
    for query_id, given in zip(query_ids, source.values(), strict=True):
        if not isinstance(given, Mapping):
            raise UsageError(
                f"query {query_id!r} of {whose}: a mapping is wanted, here {type(given).__name__}",
                f"give doc_id -> {noun}",
            )
        if query_id in found:
            raise UsageError(f"query {query_id!r} is twice in {whose}", "give it once")
        found[query_id] = _of_query(f"query {query_id!r} of {whose}", given, noun, read)
    return found


def _of_query(
    where: str, given: Mapping[Any, Any], noun: str, read: Read[Number]
) -> dict[str, Number]:
    def refuse_document(_at: int, value: str, mend: str) -> NoReturn:
        raise UsageError(f"a document id in {where} is {value}", mend)

    doc_ids = as_ids(list(given), refuse_document)

    def refuse(at: int, value: str, mend: str) -> NoReturn:
        raise UsageError(f"the {noun} of {doc_ids[at]!r} for {where} is {value}", mend)

    by_doc = dict(zip(doc_ids, read(list(given.values()), refuse), strict=True))
    if len(by_doc) < len(doc_ids):
        doubled = next(one for at, one in enumerate(doc_ids) if one in doc_ids[:at])
        raise UsageError(f"document {doubled!r} is twice in {where}", "give it once")
    return by_doc


def _is_column(values: Any) -> bool:
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__len__"):
        return False
    # The results of a query called `query` are pairs.
    return not isinstance(next(iter(values), ""), tuple | list | Mapping)


def _names_in(row: Any) -> list[str]:
    """Return the names of the columns of a row that has names, and both ids by them; else none."""
    if isinstance(row, Mapping):
        names = [name for name, value in row.items() if not isinstance(value, Mapping | list)]
    elif is_table(row) or isinstance(row, str | bytes | int | float):
        return []
    else:
        names = [name for name in _ATTRIBUTES if hasattr(row, name)]
    known = [folded(str(name)) for name in names]
    return names if all(indices_of(one, known) for one in (QUERY, DOCUMENT)) else []
