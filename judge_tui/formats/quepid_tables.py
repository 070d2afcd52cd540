"""The tables of Quepid, which name a query by its text: ratings of a case, results of a snapshot.

Its CSV has a blank before a text that begins with = + - or @, so that a spreadsheet runs nothing;
it goes with all other white space around an id. A query without documents has a row of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from judge_tui.formats.columns import QUEPID_DOCUMENT, QUEPID_QUERY, RANK, SCORE
from judge_tui.formats.ids import as_field, is_blank, text_field
from judge_tui.formats.problems import LoneQuery, Reporter, note_lone_queries
from judge_tui.formats.row_cells import is_whole
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import Header, header_of, rows_below, seen_columns

__all__ = [
    "QuepidRow",
    "cells_of",
    "has_columns",
    "is_book",
    "is_book_behind_index",
    "is_snapshot",
    "lacks_positions",
    "other_columns",
    "quepid_rows",
    "refuse_index",
]

_POSITION = "doc_position"
_OPENING = re.compile(rb' *("+)')
_BODY = re.compile(rb'[^"]*+(?:""[^"]*+)*+')


class QuepidRow(NamedTuple):
    """What a row says of a document for a query, in the cells that were asked for."""

    line: int
    query_id: str
    doc_id: str
    cells: list[str]


def has_columns(header: Header | None, *names: str) -> bool:
    """Whether the table has a query and a document as Quepid calls them, and these columns."""
    return (
        header is not None
        and all(_place(header, both) is not None for both in (QUEPID_QUERY, QUEPID_DOCUMENT))
        and set(names) <= set(header.names)
    )


def lacks_positions(header: Header | None) -> bool:
    """Whether the table is the detailed CSV of a case as older Quepids wrote it: ratings, and
    results by the order of their rows alone."""
    return (
        has_columns(header, "team_name", "case_name", "query_text", "rating")
        and header is not None
        and _POSITION not in header.names
    )


def is_snapshot(header: Header | None) -> bool:
    """Whether the table is results of snapshots, be it that their ranks are called otherwise."""
    return has_columns(header, "snapshot_name", "query_text")


def is_book(header: Header | None) -> bool:
    """Whether the table is a book: a query, a document, and a column for each judge."""
    return header is not None and len(header.names) > 2 and header.names[:2] == ["query", "docid"]


def is_book_behind_index(header: Header | None) -> bool:
    """Whether it is a book, and no run, behind a column without a name: pandas's index."""
    if header is None or header.names[0] or header.has(SCORE, RANK):
        return False
    return is_book(header._replace(written=header.written[1:]))


def refuse_index(source: Source, header: Header) -> None:
    """Raise `UnreadableError` for such a book."""
    if is_book_behind_index(header):
        raise UnreadableError(
            source.path,
            header.line,
            "the first column, before query, has no name",
            "take it out, as pandas does with to_csv(index=False)",
        )


def other_columns(header: Header, *names: str) -> list[str]:
    """The columns beside the query, the document and these, as they are written; none where they
    are fields of the documents, as in a detailed or snapshot CSV."""
    if "query_text" in header.names:
        return []
    known = {_place(header, both) for both in (QUEPID_QUERY, QUEPID_DOCUMENT)}
    known |= {header.names.index(name) for name in names}
    return [name for place, name in enumerate(header.written) if place not in known and name]


def quepid_rows(
    source: Source, report: Reporter, *names: str, tags: str | None = None
) -> Iterator[QuepidRow]:
    """The rows that have a document, with the cells of these columns, or where none is named of
    all behind the first two. Queries that have none are `report.lone_queries`, with the tag in the
    column `tags`; how many is noted.

    A row of other length than the header is reported. Raises `UnreadableError` where a column is
    missing.
    """
    header = header_of(Sample(source))
    if header is None:
        return
    if _POSITION in names and lacks_positions(header):
        raise UnreadableError(
            source.path,
            header.line,
            "this detailed CSV of Quepid's has no column Doc Position, as older ones wrote it, so"
            " that it tells no ranks",
            "put the column behind Doc ID, with 1, 2, 3 and so on for each query if the rows are in"
            " the order of the results; or export a snapshot",
        )
    if _POSITION in names and is_snapshot(header) and _POSITION not in header.names:
        raise UnreadableError(
            source.path,
            header.line,
            f"this snapshot of Quepid's has no column Doc Position; {seen_columns(header)}",
            "call the column of ranks Doc Position, and put it behind Doc ID",
        )
    if not has_columns(header, *names):
        wanted = ", ".join(("query", "docid", *names))
        raise UnreadableError(
            source.path,
            header.line,
            f"the columns {wanted} are not all there; {seen_columns(header)}",
            f"name them {wanted}",
        )
    query, document = (_place(header, both) or 0 for both in (QUEPID_QUERY, QUEPID_DOCUMENT))
    tag = None if tags is None else header.names.index(tags)
    places = [header.names.index(name) for name in names] or range(2, len(header.names))
    for line, cells in cells_of(source, header, report):
        width = len(header.written)
        if len(cells) <= document or all(map(is_blank, cells[document:])):
            if len(cells) <= query or is_blank(cells[query]):
                report(line, "the row has no query", "give each row a query")
                continue
            its_tag = None if tag is None else as_field(cells[tag]) or None
            report.lone_queries.append(LoneQuery(line, text_field(cells[query]), its_tag))
            continue
        if not is_whole(line, cells, width, report):
            continue
        ids = cells[query], cells[document]
        if any(map(is_blank, ids)):
            noun = "query" if is_blank(ids[0]) else "document"
            report(line, f"the row has no {noun}", f"give each row a {noun}")
            continue
        found = [cells[place].strip() for place in places]
        yield QuepidRow(line, text_field(ids[0]), as_field(ids[1]), found)
    note_lone_queries(report)


def cells_of(source: Source, header: Header, report: Reporter) -> Iterator[tuple[int, list[str]]]:
    """The rows below the header that hold anything, as cells."""
    lines = source.lines()
    if "query_text" in header.names:
        lines = _with_quotes(lines, header.separator.encode())
    rows = rows_below(header, source.path, lines, report)
    return (row for row in rows if any(row[1]))


def _place(header: Header, names: tuple[str, ...]) -> int | None:
    """Where the first column of one of these names is."""
    return next((place for place, name in enumerate(header.names) if name in names), None)


def _with_quotes(
    lines: Iterator[tuple[int, bytes]], separator: bytes
) -> Iterator[tuple[int, bytes]]:
    """The lines of a detailed or snapshot CSV as CSV has them: Quepid doubles the quotes in every
    cell of these, and puts quotes around those alone that hold a comma or a line end. A spreadsheet
    that has written them again, perhaps with another separator, quotes every cell with a quote."""
    is_open = False
    for number, raw in lines:
        line = raw
        if b'"' in raw:
            line, is_open = _line_with_quotes(raw, separator, is_open=is_open)
        yield number, line


def _line_with_quotes(raw: bytes, separator: bytes, *, is_open: bool) -> tuple[bytes, bool]:
    """A line, and whether a quoted cell is open at its end; `is_open`: whether one is before."""
    cells: list[bytes] = []
    at = 0
    while True:
        opening = _OPENING.match(raw, at)
        # Doubled quotes at the beginning are an even number; one that opens the cell makes it odd.
        if is_open or (opening and len(opening[1]) % 2):
            body = _BODY.match(raw, at if is_open or not opening else opening.start(1) + 1)
            end = body.end() if body else at
            if end == len(raw):
                return separator.join([*cells, raw[at:]]), True
            is_open = False
            stop = raw.find(separator, end)
            cell = raw[at:] if stop < 0 else raw[at:stop]
        else:
            stop = raw.find(separator, at)
            cell = raw[at:] if stop < 0 else raw[at:stop]
            bare = cell.removesuffix(b"\r")
            if b'""' in bare and bare.strip() != b'""':
                cell = b'"' + bare + b'"' + cell[len(bare) :]
        cells.append(cell)
        if stop < 0:
            return separator.join(cells), False
        at = stop + 1
