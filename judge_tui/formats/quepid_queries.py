"""Queries of Quepid's tables: of ratings, results, a book, information needs, or a case in general.

A query is known by its text, whatever id a file may have. Information needs have the columns query
and information_need, the narrative, among any others; a case in general has notes, the description.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.columns import DOCUMENT
from judge_tui.formats.ids import is_blank
from judge_tui.formats.problems import Reporter
from judge_tui.formats.quepid_tables import (
    cells_of,
    refuse_index,
)
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import Header, columns_called, header_of, seen_columns
from judge_tui.model import Query

__all__ = ["rows"]

_QUERY = ("query_text", "query")
_NEED, _NOTES = "information_need", "notes"


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Each query at the first row that has it, those without documents, too. Columns of information
    needs that are none of a query are told. Raises `UnreadableError` where no column is the
    query's."""
    header = header_of(Sample(source))
    if header is None:
        return
    refuse_index(source, header)
    places = (_place(header, name) for name in _QUERY)
    query = next((place for place in places if place is not None), None)
    if query is None:
        what = f"there is no column query; {seen_columns(header)}"
        raise UnreadableError(source.path, header.line, what, "name it query")
    need = notes = None
    if _is_needs(header):
        need, notes = _place(header, _NEED), _place(header, _NOTES)
        known = {query, need, notes}
        others = [name for at, name in enumerate(header.written) if name and at not in known]
        if others:
            what = f"{columns_called(others)} left out; queries are known by their texts"
            report.notes.append(what)
    first: dict[str, tuple[str, str]] = {}
    differing: set[str] = set()
    for line, cells in cells_of(source, header, report):
        if len(cells) <= query or is_blank(cells[query]):
            report(line, "the row has no query", "give each row a query")
            continue
        text = folded_text(cells[query])
        told = _cell(cells, need), _cell(cells, notes)
        if text not in first:
            first[text] = told
            yield line, Query(text, text, narrative=told[0], description=told[1])
        elif first[text] != told:
            differing.add(text)
    if differing:
        queries = "1 query" if len(differing) == 1 else f"{len(differing):,} queries"
        report.notes.append(f"{queries} with another need in a later row: the first is taken")


def _cell(cells: list[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and len(cells) > place else ""


def _place(header: Header, name: str) -> int | None:
    return header.names.index(name) if name in header.names else None


def _is_needs(header: Header) -> bool:
    """Whether the table says of queries alone, not of their documents, what is to be found."""
    query = any(name in header.names for name in _QUERY)
    return query and _NEED in header.names and not header.has(DOCUMENT)
