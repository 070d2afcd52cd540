"""Values that were measured elsewhere, one for each system and query: a table of queries x systems,
a table of rows `query,system,measure,value`, or what `trec_eval -q` prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from judge_tui.errors import InputError
from judge_tui.formats.columns import QUERY, ColumnNames
from judge_tui.formats.numbers import number_in
from judge_tui.formats.problems import RecordError, Reporter, decoded, quoted
from judge_tui.formats.source import PathLike, Source, open_source
from judge_tui.formats.tables import TextTable, id_of, of_table, unguarded
from judge_tui.formats.whole_files import tag_by_name

VALUE = "value"
"""What is measured, where a table does not name it."""

_SYSTEM = ColumnNames(("system", "tag", "run"), ("run_id", "arm"))
_MEASURE = ColumnNames(("measure",), ("metric",))
_VALUE = ColumnNames((VALUE,))

# The row of the mean, as trec_eval and `score` write it; and what is not a number in trec_eval's.
_ALL = "all"
_NO_NUMBERS = ("runid", "relstring")
_A_FILE_EACH = "write one file for each run"
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


def read_query_values(path: PathLike, tag: str | None = None) -> list[QueryValue]:
    """Read the values of a file; `tag`: what the one system in it is called.

    A table has a column of queries (`query_id`), and one for each system; or the columns `system`
    and `value`, and perhaps `measure`. An empty cell is no value, and so is the mean under the
    query `all`. What trec_eval prints of a system is called by the line of `runid` behind it; a
    single one without it by the file's name. Raises `InputError`.
    """
    with open_source(path) as source:
        first = source.head.split(b"\n", 1)[0].decode("utf-8", "replace").split()
        trec = len(first) == 3 and (first[0] in _NO_NUMBERS or number_in(first[2]) is not None)
        report = Reporter(path)
        values = list(_of_trec_eval(source, report) if trec else _values_of_table(source, report))
    if not values:
        raise InputError(path, None, "there are no values in it", _FORMS)
    if tag is None:
        return values
    if (systems := len({one.system for one in values})) > 1:
        raise InputError(
            path, None, f"the file holds {systems} systems, and one tag", "leave the tag out"
        )
    return [one._replace(system=tag) for one in values]


def _of_trec_eval(source: Source, report: Reporter) -> Iterator[QueryValue]:
    """Yield what trec_eval prints; the line of `runid` stands behind the values of its run."""
    named: set[str] = set()
    found: dict[tuple[str, str], float] = {}
    for line, raw in source.lines():
        cells = (decoded(raw, line, report) or "").split()
        if not cells:
            continue
        if len(cells) != 3:
            report(line, f"{quoted(raw)} is not measure, query, value", _FORMS)
        measure, query_id, written = cells
        if measure == "runid":
            if written in named:
                report(line, f"the run {quoted(written)} comes twice", _A_FILE_EACH)
            named.add(written)
            yield from (QueryValue(written, *of, value) for of, value in found.items())
            found = {}
        if measure in _NO_NUMBERS or query_id == _ALL:
            continue
        value = number_in(written)
        if value is None:
            report(line, f"value {quoted(written)} is not a number", _NUMBER)
        elif (measure, query_id) in found:
            report(line, f"{measure} of query {quoted(query_id)} comes twice", _A_FILE_EACH)
        else:
            found[measure, query_id] = value
    if found and named:
        report(None, "no line of runid names the last run", _A_FILE_EACH)
    yield from (QueryValue(tag_by_name(source.path), *of, value) for of, value in found.items())


def values_in(table: TextTable) -> Iterator[QueryValue]:
    """Yield the values of a table, as `read_query_values` has them."""
    query = table.index_of(QUERY)
    by_row = table.has(_SYSTEM, _VALUE)
    system, value = (table.index_of(_SYSTEM), table.index_of(_VALUE)) if by_row else (None, None)
    measure = table.index_of(_MEASURE) if by_row and table.has(_MEASURE) else None
    systems = {at: name for at, name in enumerate(map(unguarded, table.written)) if at != query}
    if not by_row and len({*systems.values()}) < len(systems):
        raise table.refusal("two columns have the same name", "name each system once")

    def values(_line: int, cells: list[str]) -> Iterator[QueryValue]:
        query_id = id_of(unguarded(cells[query]), "query")
        if query_id == _ALL:
            return
        if system is None or value is None:
            found = [(name, VALUE, cells[at]) for at, name in systems.items()]
        else:
            by = VALUE if measure is None else cells[measure].strip()
            found = [(unguarded(cells[system].strip()), by, cells[value])]
        for tag, by, cell in found:
            if not cell.strip():
                continue
            number = number_in(cell)
            if number is None:
                raise RecordError(f"value {quoted(cell)} of {quoted(tag)} is not a number", _NUMBER)
            if not (tag and by):
                raise RecordError("the row names no system or no measure", "name both in each row")
            yield QueryValue(tag, by, query_id, number)

    return table.made(values)


_values_of_table = of_table(values_in)
