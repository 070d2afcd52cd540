"""Tables in memory: data frames, columns by name, structured arrays, rows. They are known by what
they can do, so that neither pandas, polars nor numpy is imported for it, and their columns by the
names that columns of CSV files have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from judge_tui.errors import UsageError
from judge_tui.formats.columns import (
    DOCUMENT,
    GRADE,
    QUEPID_QUERY,
    QUERY,
    RANK,
    SCORE,
    TAG,
    Column,
    are_quepids,
    as_others,
    folded,
    meant,
    places_of,
)
from judge_tui.sources.cells import is_scalar, told

if TYPE_CHECKING:
    from judge_tui.sources.shapes import Columns

__all__ = ["TAGS", "Table", "holds_columns", "holds_rows", "is_table", "listed", "table_of"]

TAGS = Column(TAG.promised, ("run", "run_id", "system"))
"""In memory runs are often kept in one table, under names that mean something else in files. `name`
is none of them: it is the title of a document as often as that of a system."""

_ATTRIBUTES = tuple(name for c in (QUERY, DOCUMENT, SCORE, RANK, GRADE, TAG) for name in c.names)
_WANTED = (
    "give rows of (query_id, doc_id, number), or objects with these attributes or keys; of matrices"
    " judge_tui.from_matrices makes both"
)


class Table(NamedTuple):
    """The names of the columns, and how the one at a place is had as a list; `whose` it is."""

    whose: str
    names: Sequence[str]
    column: Callable[[int], list[Any]]

    def has(self, column: Column) -> bool:
        """Whether one of the columns could be this one."""
        return bool(places_of(column, self._folded))

    def values(self, *columns: Column) -> list[Any]:
        """The values of the first of these columns that the table has.

        Raises `UsageError` where it has none of them, naming those it has, and where two of its
        columns could be the one.
        """
        for column in columns:
            places = places_of(column, self._folded)
            if len(places) > 1:
                first, second = (self.names[place] for place in places[:2])
                raise UsageError(
                    f"columns {first!r} and {second!r} of {self.whose} could both be the {column}",
                    "rename or remove one of them",
                )
            if places:
                return self.column(places[0])
        wanted = " or ".join(map(str, columns))
        has = ", ".join(told(name) for name in self.names[:12]) or "none"
        raise UsageError(f"no column of {self.whose} is {wanted}; there is {has}", "rename one")

    @property
    def is_beir(self) -> bool:
        """Whether these are the columns of BEIR's qrels, whose grades are called `score`."""
        return sorted(self._folded) == ["corpus_id", "query_id", "score"]

    @property
    def is_quepid(self) -> bool:
        """Whether it is one of Quepid's, whose queries are texts and may have no documents."""
        return are_quepids(self._own)

    @property
    def _folded(self) -> list[str]:
        return as_others(self._own) if self.is_quepid else self._own

    @property
    def _own(self) -> list[str]:
        return meant([folded(name) for name in self.names])


def is_table(source: object) -> bool:
    """Whether this is a table as a whole. Rows are not: they show it one by one (`holds_rows`)."""
    return _is_frame(source) or _is_array(source) or holds_columns(source)


def holds_columns(source: object) -> TypeGuard[Columns]:
    """Whether a mapping is one of columns: it names ids, and has a list of them under the name."""
    if not isinstance(source, Mapping):
        return False
    names = (*QUERY.names, *DOCUMENT.names)
    return any(
        isinstance(name, str) and folded(name) in names and _are_ids(values)
        for name, values in source.items()
    )


def holds_rows(items: Sequence[object]) -> bool:
    """Whether these are rows of a table, by the first of them."""
    return bool(items) and (_is_record(items[0]) or _is_row(items[0]))


def table_of(source: Any, whose: str, number: Column) -> Table:
    """The table in a source, and what it is called in messages.

    `number` is what the third of three fields means where rows have no names. Raises `UsageError`
    for what is no table.
    """
    if _is_frame(source):
        return _of_frame(source, whose)
    if _is_array(source):
        array, fields = source, source.dtype.names
        return Table(whose, fields, lambda place: list(array[fields[place]].tolist()))
    if holds_columns(source):
        return _of_columns(source, whose)
    if not isinstance(source, Iterable) or isinstance(source, str | bytes | Mapping):
        raise UsageError(
            f"{whose}: {type(source).__name__} is none of the forms that are understood",
            "give a file, query_id -> doc_id -> number, a data frame, columns by name, or rows",
        )
    return _of_rows(listed(source), whose, number)


def _of_frame(source: Any, whose: str) -> Table:
    labels = list(source.columns)
    # Of pandas, which has ids in the index after set_index() or a groupby.
    index = getattr(source, "index", None)
    levels = [name for name in getattr(index, "names", ()) if name is not None]
    levels = [name for name in levels if name not in labels]

    def column(place: int) -> list[Any]:
        if place < len(labels):
            return list(source[labels[place]].to_list())
        return list(source.index.get_level_values(levels[place - len(labels)]).to_list())

    return Table(whose, [str(label) for label in (*labels, *levels)], column)


def _is_frame(source: Any) -> bool:
    kind = type(source)
    if hasattr(kind, "collect") and hasattr(kind, "lazy") and not hasattr(kind, "__len__"):
        raise UsageError("a lazy frame holds no rows yet", "give its collect()")
    return hasattr(kind, "columns") and hasattr(kind, "__getitem__") and hasattr(kind, "__len__")


def _is_array(source: Any) -> bool:
    return bool(getattr(getattr(source, "dtype", None), "names", None))


def _are_ids(values: Any) -> bool:
    """Whether a column begins with an id: the results of a query called `query` do not."""
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__len__"):
        return False
    return not isinstance(next(iter(values), ""), tuple | list | Mapping)


def _is_record(item: object) -> bool:
    # A frame of pandas has its columns as attributes, too.
    if is_table(item):
        return False
    has: Callable[[str], bool] = partial(hasattr, item)
    if isinstance(item, Mapping):
        # The keys of a run are query_ids, which may be called anything; they hold mappings.
        has = {folded(str(key)) for key, value in item.items() if is_scalar(value)}.__contains__
    return all(any(map(has, names)) for names in ((*QUERY.names, *QUEPID_QUERY), DOCUMENT.names))


def _is_row(item: object) -> bool:
    """Whether this is a row without names: a list of runs is none, nor is one of a matrix."""
    if not isinstance(item, tuple | list) or len(item) < 2 or any(map(_holds_more, item)):
        return False
    # Where a query_id is a float, which is refused by its name, the doc_id may tell.
    return not isinstance(item[0], float) or any(isinstance(part, str | bytes) for part in item)


def _holds_more(part: object) -> bool:
    return _is_record(part) or not is_scalar(part)


def listed(source: Iterable[Any]) -> list[Any]:
    """What is in a source, the numbers of numpy as Python's own."""
    if hasattr(source, "tolist"):
        values = source.tolist()
        return values if isinstance(values, list) else [values]
    return list(source)


def _of_columns(source: Columns, whose: str) -> Table:
    names = list(map(str, source))
    columns = []
    for name, values in zip(names, source.values(), strict=True):
        if not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
            raise UsageError(
                f"column {name!r} of {whose} is {told(values)}", "give a list or an array"
            )
        columns.append(listed(values))
    sizes = {len(column): name for name, column in zip(names, columns, strict=True)}
    if len(sizes) > 1:
        (one, first), (other, second) = list(sizes.items())[:2]
        raise UsageError(
            f"columns {first!r} and {second!r} of {whose} have {one} and {other} values",
            "give each row a value in every column",
        )
    return Table(whose, names, columns.__getitem__)


def _of_rows(rows: list[Any], whose: str, number: Column) -> Table:
    first = rows[0] if rows else None
    if isinstance(first, Mapping) and _is_record(first):
        return _of_mappings(rows, whose)
    if first is not None and _is_record(first):
        names = [name for name in _ATTRIBUTES if hasattr(first, name)]
        return Table(whose, names, lambda place: _attributes(rows, names[place], whose))
    if is_table(first):
        raise UsageError(
            f"{whose}: a list of tables is no table", "give one (pandas.concat makes one of them)"
        )
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, tuple | list) or len(row) != 3:
            raise UsageError(f"row {place} of {whose} is {told(row)}", _WANTED)
    names = [str(QUERY), str(DOCUMENT), str(number)]
    return Table(whose, names, lambda place: list(map(itemgetter(place), rows)))


def _of_mappings(rows: Sequence[Any], whose: str) -> Table:
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise UsageError(f"row {place} of {whose} is {told(row)}", "give all rows as mappings")
    # A row may have a column that the first has not; it must not be passed over in silence.
    names = list(dict.fromkeys(name for row in rows for name in row))

    def column(place: int) -> list[Any]:
        name = names[place]
        try:
            return list(map(itemgetter(name), rows))
        except KeyError:
            at, row = next((p, r) for p, r in enumerate(rows, start=1) if name not in r)
            raise UsageError(
                f"row {at} of {whose} has no {name}: {told(row)}", "give it one, or None"
            ) from None

    return Table(whose, list(map(str, names)), column)


def _attributes(rows: Sequence[Any], name: str, whose: str) -> list[Any]:
    try:
        return list(map(attrgetter(name), rows))
    except AttributeError:
        place, row = next((p, r) for p, r in enumerate(rows, start=1) if not hasattr(r, name))
        raise UsageError(f"row {place} of {whose} has no {name}: {told(row)}", _WANTED) from None
