"""Tables with a header: CSV as spreadsheets and pandas write it, with commas, semicolons or tabs.

The columns are found by their names (`columns`), in any order; others are ignored, such as the
index that pandas writes without a name. Blank lines and rows of empty cells are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge_tui.formats.columns import (
    DOCUMENT,
    GRADE,
    QUERY,
    RANK,
    SCORE,
    Column,
    folded,
    meant,
    places_of,
)
from judge_tui.formats.ids import as_field, is_blank
from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.row_cells import is_whole, row_cells
from judge_tui.formats.row_guard import unguarded
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError

__all__ = [
    "OWN_JUDGMENTS",
    "Header",
    "Pair",
    "Table",
    "below",
    "columns_called",
    "header_of",
    "open_table",
    "rows_below",
    "seen_columns",
    "whole_rows",
]

OWN_JUDGMENTS = ("query_id", "doc_id", "judge", "decision", "grade")
"""What tells the rows of `export judgments` from qrels: they say who decided what."""

_SEPARATORS = ("\t", ";", ",")


class Header(NamedTuple):
    """The first line of a table: its separator, and its names as they are written, less the quotes
    that may be around any (`in_quotes`)."""

    line: int
    separator: str
    written: tuple[str, ...]
    in_quotes: bool = False

    @property
    def names(self) -> list[str]:
        """The names as they are compared, "" for a field in what Quepid exports."""
        return meant([folded(name) for name in self.written])

    @property
    def has_ids(self) -> bool:
        """Whether these are columns of a run or of qrels, as far as those have the same."""
        return all(map(self.has, (QUERY, DOCUMENT)))

    @property
    def is_beir(self) -> bool:
        """Whether these are the columns of BEIR's qrels, whose grades are called `score`."""
        return sorted(self.names) == ["corpus_id", "query_id", "score"]

    @property
    def is_hical(self) -> bool:
        """Whether these are columns of HiCAL, whose rows are judgments of several users."""
        return {"user", "topic", "docid", "judgment"} <= set(self.names)

    @property
    def is_own_judgments(self) -> bool:
        """Whether these are columns of `export judgments`, whose rows are of several judges."""
        return set(OWN_JUDGMENTS) <= set(self.names)

    def has(self, *columns: Column) -> bool:
        """Whether the table has one of these columns."""
        return any(places_of(column, self.names) for column in columns)


class Pair(NamedTuple):
    """One row: what it says of a document for a query, in the cells that were asked for."""

    line: int
    query_id: str
    doc_id: str
    cells: list[str]


class Table:
    """An opened table, whose header has been read and whose rows have not."""

    def __init__(
        self,
        path: str,
        header: Header,
        rows: Iterator[tuple[int, list[str]]],
        report: Reporter,
    ) -> None:
        self.header = header
        self._path = path
        self._rows = rows
        self._report = report

    def place(self, *columns: Column) -> int:
        """Where the first of these columns is that the table has.

        Raises `UnreadableError` where it has none of them, naming those it has, and where two of
        its columns could be the one.
        """
        for column in columns:
            places = places_of(column, self.header.names)
            if len(places) == 1:
                return places[0]
            if places:
                first, second = (quoted(self.header.written[place]) for place in places[:2])
                raise UnreadableError(
                    self._path,
                    self.header.line,
                    f"columns {places[0] + 1} ({first}) and {places[1] + 1} ({second}) could both"
                    f" be the {column.promised[0]}",
                    "rename or remove one of them",
                )
        wanted = " or ".join(map(str, columns))
        raise UnreadableError(
            self._path,
            self.header.line,
            f"there is no column {wanted}; {seen_columns(self.header)}",
            f"name a column {wanted} in the header",
        )

    def pairs(self, *places: int, guarded: bool = True) -> Iterator[Pair]:
        """The rows: of each its ids, and the cells at these places without blanks around them.

        Ids are given as `as_field` has them; `guarded`: without the ' that keeps a spreadsheet from
        running them. A row without an id, or with more or fewer cells than the header, is reported.
        """
        query, doc = self.place(QUERY), self.place(DOCUMENT)
        width = len(self.header.written)
        for line, cells in self._rows:
            if not any(cells):
                continue
            if not is_whole(line, cells, width, self._report):
                continue
            ids = cells[query], cells[doc]
            if any(map(is_blank, ids)):
                noun = "query" if is_blank(ids[0]) else "document"
                self._report(line, f"the row has no {noun} id", f"give each row a {noun} id")
                continue
            if guarded:
                ids = unguarded(ids[0]), unguarded(ids[1])
            query_id, doc_id = map(as_field, ids)
            yield Pair(line, query_id, doc_id, [cells[place].strip() for place in places])


def open_table(source: Source, report: Reporter) -> Table | None:
    """The table of a source; None where it holds no line, or a first one that had to be reported.

    Raises `UnreadableError` where the first line can be no header.
    """
    sample = Sample(source)
    if not sample.lines:
        return None
    header = header_of(sample)
    if header is None:
        line, raw = sample.numbered[0]
        if decoded(raw, line, report) is None:
            return None
        raise UnreadableError(
            source.path,
            line,
            "the first line names no columns",
            "begin with a header, such as query_id,doc_id,score",
        )
    rows = rows_below(header, source.path, source.lines(), report)
    return Table(source.path, header, rows, report)


def header_of(sample: Sample) -> Header | None:
    """The first row as a header: of several cells, by the separator that shows most known names."""
    found = [header for separator in _SEPARATORS if (header := _header(sample, separator))]
    return max(found, key=_known, default=None)


def below(header: Header, rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """The rows less the header's, which is the first; none where that one had to be reported when
    all of it was read: what its columns are nobody can say."""
    line, _ = next(rows, (0, []))
    if line == header.line:
        yield from rows


def rows_below(
    header: Header, path: str, lines: Iterator[tuple[int, bytes]], report: Reporter
) -> Iterator[tuple[int, list[str]]]:
    """The cells of the rows that stand below the header among these lines.

    Between tabs, quotes that a cell does not need are part of it, unless the header has some as
    well: a file with tabs may as well come from a program that knows of no quotes (`row_cells`).
    """
    as_needed = header.separator == "\t" and not header.in_quotes
    return below(header, row_cells(path, lines, header.separator, report, as_needed=as_needed))


def whole_rows(source: Source, header: Header, report: Reporter) -> Iterator[tuple[int, list[str]]]:
    """The rows below the header that have its number of cells and hold anything; one that has more
    or fewer is reported."""
    for line, cells in rows_below(header, source.path, source.lines(), report):
        if any(cells) and is_whole(line, cells, len(header.written), report):
            yield line, cells


def seen_columns(header: Header) -> str:
    """The names that a header has, for a message."""
    return f"it has {', '.join(map(quoted, header.written[:12]))}"


def columns_called(names: Sequence[str]) -> str:
    """Some columns by their names, for a note: `columns 'a', 'b'`."""
    return f"column{'' if len(names) == 1 else 's'} {', '.join(map(quoted, names))}"


def _header(sample: Sample, separator: str) -> Header | None:
    if not sample.numbered:
        return None
    first, raw = sample.numbered[0]
    rows = row_cells("", iter(sample.numbered), separator, Reporter("", lambda _: None))
    try:
        line, cells = next(rows)
    except (StopIteration, UnreadableError):
        return None
    if line != first or len(cells) < 2:
        return None
    return Header(line, separator, tuple(cell.strip() for cell in cells), b'"' in raw)


def _known(header: Header) -> tuple[int, int]:
    return sum(map(header.has, (QUERY, DOCUMENT, SCORE, RANK, GRADE))), len(header.written)
