"""Queries of Quepid's tables: of ratings, results, a book, information needs, or a case in general.

None of them has ids: the text is the id. One of information needs has the columns query and
information_need, the narrative; the general one of a case has notes, too, the description.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.ids import is_blank
from judge_tui.formats.problems import Reporter
from judge_tui.formats.quepid_tables import cells_of, has_columns, is_book
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import Header, header_of, seen_columns
from judge_tui.model import Query

__all__ = ["FORMAT"]

_QUERY = ("query_text", "query")
_NEED, _NOTES = "information_need", "notes"
_GENERAL = {"case_id", "query_text", "score", "count", _NEED, _NOTES}


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Each query at the first row that has it, those without documents, too. Raises
    `UnreadableError` where no column is the query's."""
    header = header_of(Sample(source))
    if header is None:
        return
    query = next((header.names.index(name) for name in _QUERY if name in header.names), None)
    if query is None:
        what = f"there is no column query; {seen_columns(header)}"
        raise UnreadableError(source.path, header.line, what, "name it query")
    general = _is_general(header)
    need = header.names.index(_NEED) if general or _is_needs(header) else None
    notes = header.names.index(_NOTES) if general else None
    seen: set[str] = set()
    for line, cells in cells_of(source, header, report):
        if len(cells) <= query or is_blank(cells[query]):
            report(line, "the row has no query", "give each row a query")
            continue
        text = " ".join(cells[query].split())
        if text not in seen:
            seen.add(text)
            narrative, description = (_cell(cells, place) for place in (need, notes))
            yield line, Query(text, text, narrative=narrative, description=description)


def _cell(cells: list[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and len(cells) > place else ""


def _is_general(header: Header) -> bool:
    return set(header.names) >= _GENERAL


def _is_needs(header: Header) -> bool:
    return "query" in header.names[:1] and header.names[1:2] == [_NEED]


def _likeness(sample: Sample) -> Likeness:
    header = header_of(sample)
    if header is None:
        return Likeness.NO
    found = any(has_columns(header, name) for name in ("rating", "doc_position"))
    found = found or is_book(header) or _is_needs(header) or _is_general(header)
    return Likeness.NAMED if found else Likeness.NO


FORMAT = Format(
    "queries",
    "quepid",
    "Quepid's CSV of ratings, results, a book, query,information_need or a case in general",
    _likeness,
    rows,
    by_text=True,
)
