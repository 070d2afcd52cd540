"""Queries as a spreadsheet has them: a header, and a row a query; no documents, nothing right.

A column says what was searched for: `query`, else `query_text` or, beside ids, `text`. Ids are in
`query_id`, `qid` or `id`; without such a column queries are q001 and so on by their places, as
those of answers are. Columns that are not a query's own go to its meta.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge_tui.formats.columns import DOCUMENT, GRADE, RANK, SCORE, folded
from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.ids import is_blank
from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.row_cells import is_whole, row_cells
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import Header, columns_called, header_of, seen_columns
from judge_tui.model import Query
from judge_tui.scoring.class_terms import DEMANDS

__all__ = ["FORMAT"]

_IDS = ("query_id", "qid", "q_id", "_id", "id")
# An id that says whose it is: `text` beside it is the query's, beside another it may be a page's.
_IDS_OF_QUERIES = _IDS[:3]
_TEXTS = ("query", "query_text")
_TEXT = "text"
_OWN = ("description", "narrative", "class")
_RESULTS = ("result", "expected", "pattern")
_NEED = "information_need"
# What no line holds: one below a single name is a single cell, whatever stands in it.
_NO_SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class _Places:
    """Where in a row is what: the text, the id, if rows have one, a query's own fields by name, and
    the others by the names that they have in meta."""

    text: int
    query_id: int | None
    own: dict[str, int]
    meta: dict[str, int]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every row that has a query; columns kept as metadata are told.

    Raises `UnreadableError` where the first line names no query, two columns alike, or what a cell
    cannot say.
    """
    sample = Sample(source)
    if not sample.lines:
        return
    header = _header(sample)
    if header is None:
        line, raw = sample.numbered[0]
        if decoded(raw, line, report) is None:
            return
        raise UnreadableError(
            source.path, line, "the first line names no column", "begin with query_id,query"
        )
    places = _places(header, source.path)
    if kept := [name for name in places.meta if name != "subset"]:
        report.notes.append(f"{columns_called(kept)} kept as metadata of the queries")
    cells_of = row_cells(source.path, source.lines(), header.separator, report)
    next(cells_of)
    number = 0
    for line, cells in cells_of:
        if not any(map(str.strip, cells)):
            continue
        number += 1
        if is_whole(line, cells, len(header.written), report):
            query = _query(cells, places, number, line, report)
            if query is not None:
                yield line, query


def _query(
    cells: Sequence[str], places: _Places, number: int, line: int, report: Reporter
) -> Query | None:
    if is_blank(cells[places.text]):
        report(line, "the row has no query", "give each row a query")
        return None
    query_id = f"q{number:03}" if places.query_id is None else cells[places.query_id].strip()
    if not query_id:
        mend = "give each row an id, or take the column out"
        report(line, "the row has no query id", mend)
        return None
    said = {name: cells[place].strip() for name, place in places.own.items()}
    return Query(
        query_id,
        cells[places.text].strip(),
        description=said.get("description", ""),
        narrative=said.get("narrative", ""),
        query_class=said.get("class", ""),
        meta={name: text for name, at in places.meta.items() if (text := cells[at].strip())},
        own_id=places.query_id is not None,
    )


def _places(header: Header, path: str) -> _Places:
    names = [folded(name) for name in header.written]
    for name in (name for name in names if name and names.count(name) > 1):
        first, second = [at for at, other in enumerate(names) if other == name][:2]
        what = f"columns {first + 1} and {second + 1} are both called {quoted(name)}"
        raise UnreadableError(path, header.line, what, "rename or remove one of them")
    if demanded := next((name for name in names if name in DEMANDS), None):
        what = f"a cell cannot say {quoted(demanded)}"
        raise UnreadableError(path, header.line, what, "JSON Lines can; or take the column out")
    text = _first(names, (*_TEXTS, _TEXT))
    if text is None:
        what = f"there is no column query; {seen_columns(header)}"
        raise UnreadableError(path, header.line, what, "name it query")
    query_id = _first(names, _IDS)
    own = {name: names.index(name) for name in _OWN if name in names}
    taken = {text, query_id, *own.values()}
    meta = {
        names[at] if names[at] == "subset" else written: at
        for at, written in enumerate(header.written)
        if at not in taken and written
    }
    return _Places(text, query_id, own, meta)


def _first(names: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((names.index(name) for name in wanted if name in names), None)


def _header(sample: Sample) -> Header | None:
    """The first row as a header; one of a single cell too, which no separator tells."""
    found = header_of(sample)
    if found is not None or not sample.numbered:
        return found
    line, raw = sample.numbered[0]
    return Header(line, _NO_SEPARATOR, (raw.decode("utf-8", "replace").strip().strip('"'),))


def _likeness(sample: Sample) -> Likeness:
    header = _header(sample)
    if header is None:
        return Likeness.NO
    names = [folded(name) for name in header.written]
    asks = _first(names, _TEXTS) is not None or (
        _TEXT in names and _first(names, _IDS_OF_QUERIES) is not None
    )
    says = _NEED in names or any(name.startswith(_RESULTS) for name in names)
    if not asks or says or header.has(DOCUMENT, SCORE, RANK, GRADE):
        return Likeness.NO
    return Likeness.NAMED


FORMAT = Format("queries", "csv", "a table query_id,query,…", _likeness, rows)
