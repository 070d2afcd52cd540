"""Values that were measured elsewhere, one for each system and query: a table of queries x systems,
a table of rows `query,system,measure,value`, or what `trec_eval -q` prints for one system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.columns import QUERY, Column, folded, indices_of
from judge_tui.formats.ids import id_in
from judge_tui.formats.numbers import number_in
from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.source import PathLike, Source, open_source
from judge_tui.formats.tables import open_table, unguarded
from judge_tui.formats.whole_files import tag_by_name

__all__ = ["VALUE", "QueryValue", "read_query_values", "values_of_table"]

VALUE = "value"
"""What is measured, where a table does not name it."""

_SYSTEM = Column(("system", "tag", "run"), ("run_id", "arm"))
_MEASURE = Column(("measure",), ("metric",))
_VALUE = Column((VALUE,))

# The row of the mean, as trec_eval and `score` write it; and what is no number in trec_eval's.
_ALL = "all"
_NO_NUMBERS = ("runid", "relstring")
_NUMBER = "write it like 0.25"
_FORMS = (
    "give a table of queries x systems, or query,system,measure,value, or what trec_eval -q prints"
)


class QueryValue(NamedTuple):
    """One value: of a system, by a measure, for a query."""

    system: str
    measure: str
    query_id: str
    value: float


Refuse: TypeAlias = Callable[[str, str], NoReturn]
"""Called with what is wrong and how to mend it."""


def read_query_values(path: PathLike, tag: str | None = None) -> list[QueryValue]:
    """Read the values of a file; `tag`: what the one system in it is called.

    A table has a column of queries (`query_id`), and one for each system; or the columns `system`
    and `value`, and perhaps `measure`. An empty cell is no value, and so is the mean under the
    query `all`. What trec_eval prints has the name of its system in the row `runid`, else it is
    called by the file's name. Raises `InputError`.
    """
    with open_source(path) as source:
        first = source.head.split(b"\n", 1)[0].decode("utf-8", "replace").split()
        trec = len(first) == 3 and (first[0] in _NO_NUMBERS or number_in(first[2]) is not None)
        values = list(_of_trec_eval(source, tag) if trec else _of_table(source, tag))
    if not values:
        raise InputError(path, None, "there are no values in it", _FORMS)
    return values


def _of_trec_eval(source: Source, tag: str | None) -> Iterator[QueryValue]:
    report = Reporter(source.path)
    found: list[tuple[str, str, float]] = []
    name = tag_by_name(source.path)
    for line, raw in source.lines():
        cells = (decoded(raw, line, report) or "").split()
        if not cells:
            continue
        if len(cells) != 3:
            report(line, f"{quoted(raw)} is not measure, query, value", _FORMS)
        measure, query_id, written = cells
        if measure == "runid":
            name = written
        if measure in _NO_NUMBERS or query_id == _ALL:
            continue
        value = number_in(written)
        if value is None:
            report(line, f"value {quoted(written)} is no number", _NUMBER)
        else:
            found.append((measure, query_id, value))
    for measure, query_id, value in found:
        yield QueryValue(tag or name, measure, query_id, value)


def _of_table(source: Source, tag: str | None) -> Iterator[QueryValue]:
    report = Reporter(source.path)
    table = open_table(source, report)
    if table is None:
        return

    def at(line: int) -> Refuse:
        def refuse(what: str, mend: str) -> NoReturn:
            raise InputError(source.path, line, what, mend)

        return refuse

    rows = ((at(line), [unguarded(cell.strip()) for cell in cells]) for line, cells in table.rows())
    for one in values_of_table([*map(unguarded, table.written)], rows, at(1)):
        yield one if tag is None else one._replace(system=tag)


def values_of_table(
    names: Sequence[str], rows: Iterable[tuple[Refuse, Sequence[Any]]], refuse: Refuse
) -> Iterator[QueryValue]:
    """Yield the values of a table with columns of these `names`. `rows`: each with what refuses
    it; `refuse`: what refuses the header."""
    query, system, value, measure = (
        _place(column, names, refuse) for column in (QUERY, _SYSTEM, _VALUE, _MEASURE)
    )
    if query is None:
        refuse(f"there is no column {QUERY} among {', '.join(map(quoted, names[:12]))}", _FORMS)
    if (system is None) != (value is None):
        refuse(f"there is no column {_SYSTEM if system is None else VALUE}", _FORMS)
    systems = [] if value is not None else [at for at in range(len(names)) if at != query]
    called = [names[at] for at in systems]
    if twice := next((name for at, name in enumerate(called) if name in ("", *called[:at])), None):
        refuse(f"two columns are called {quoted(twice)}", "give each system one column")
    for refuse_row, cells in rows:
        query_id = _id(cells[query], refuse_row)
        if system is None or value is None:
            cells_of_row = [(names[at], VALUE, cells[at]) for at in systems]
        else:
            by = VALUE if measure is None else str(cells[measure]).strip()
            cells_of_row = [(str(cells[system]).strip(), by, cells[value])]
        for tag, by, cell in cells_of_row if query_id != _ALL else ():
            if cell is None or cell == "" or cell != cell:  # noqa: PLR0124 - which NaN is not
                continue
            number = number_in(cell.item() if hasattr(cell, "item") else cell)
            if number is None:
                refuse_row(f"value {quoted(str(cell))} of {quoted(tag)} is no number", _NUMBER)
            if not (tag and by):
                refuse_row("the row names no system or no measure", "name both in each row")
            yield QueryValue(tag, by, query_id, number)


def _place(column: Column, names: Sequence[str], refuse: Refuse) -> int | None:
    found = indices_of(column, [folded(name) for name in names])
    if len(found) > 1:
        one, other = (quoted(names[at]) for at in found[:2])
        refuse(f"{one} and {other} could both be the {column}", "rename one of them")
    return found[0] if found else None


def _id(cell: object, refuse: Refuse) -> str:
    try:
        return id_in(str(cell))
    except UsageError as error:
        refuse(error.what, error.mend)
