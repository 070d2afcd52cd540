"""Tables with a header, as spreadsheets and data frames write them: CSV with commas or semicolons
after RFC 4180, and tabs, between which nothing is quoted. Cells of CSV that no spreadsheet runs.

Columns are found by their names, in any order (`columns`). Blank lines and rows of empty cells are
skipped; a row with more or fewer cells than the header is reported.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from io import StringIO
from itertools import chain
from typing import TypeAlias, TypeVar

from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.formats.columns import DOCUMENT, QUERY, ColumnNames, folded, indices_of, renamed
from judge_tui.formats.ids import id_in, trimmed
from judge_tui.formats.problems import RecordError, Reporter, decoded, quoted
from judge_tui.formats.source import Source, UnreadableError

Row = TypeVar("Row")
Value: TypeAlias = str | int | float | bool | None

# The limit is the process's. A quote that is still open so much later was never meant to be one.
_LONGEST = 1 << 24
csv.field_size_limit(_LONGEST)

# Between the cells of a table that has one column: no text holds it.
_NOTHING = "\x1f"
# What a spreadsheet may take for a formula, alone or after a tab or line end that it drops; and the
# mark itself, so that it can be taken off again.
_FORMULA = ("=", "+", "-", "@")
_RISKY = (*_FORMULA, "\t", "\r", "\n", "'")
# A semicolon or a tab as well: some spreadsheets cut there, and a formula could stand behind it.
_TO_QUOTE = re.compile(r'^ |[",;\t\r\n]')
_TOOLS_QUOTE = re.compile(r'[",;\r\n]')


_AS_WRITTEN: Mapping[str, str] = {}


class TextTable:
    """An opened table, whose header has been read and whose rows have not: the cells of the header
    as they are `written`, and the `names` that they stand for, as they are compared. `columns`: our
    name -> what the table calls it."""

    def __init__(
        self,
        report: Reporter,
        line: int,
        written: tuple[str, ...],
        rows: Iterator[tuple[int, list[str]]],
        columns: Mapping[str, str] = _AS_WRITTEN,
    ) -> None:
        self.report = report
        self.written = written
        self.names = tuple(renamed([*map(folded, written)], columns))
        self.width = len(written)
        self._line = line
        self._rows = rows

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that hold anything, and as many cells as the header."""
        return (row for row in self._rows if self.is_whole(*row) and any(row[1]))

    def is_whole(self, line: int, cells: Sequence[str]) -> bool:
        """Whether the row has as many cells as the header; if not, and it holds anything, that is
        reported."""
        if len(cells) == self.width:
            return True
        if any(map(str.strip, cells)):
            what = f"{counted(len(cells), 'cell')}, but the header has {self.width}"
            mend = "put a cell that holds the separator between quotes; complete a short row"
            self.report(line, what, mend)
        return False

    def rows_of_any_length(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that hold anything."""
        return (row for row in self._rows if any(map(str.strip, row[1])))

    def made(
        self,
        rows: Callable[[int, list[str]], Iterable[Row]],
        those: Iterable[tuple[int, list[str]]] | None = None,
    ) -> Iterator[Row]:
        """Yield what `rows` makes of line and cells of each row, or of `those` alone; a
        `RecordError` is reported."""
        for line, cells in self.rows() if those is None else those:
            try:
                yield from rows(line, cells)
            except RecordError as error:
                self.report.refuse(error, line)

    def made_of_pairs(
        self, row: Callable[[int, str, str, list[str]], Row | None], *, guarded: bool = True
    ) -> Iterator[Row]:
        """Yield what `row` makes of line, query, document and cells of each row, unless that is
        None. `guarded`: ids without the ' that keeps a spreadsheet from running them."""
        query, doc = self.index_of(QUERY), self.index_of(DOCUMENT)
        width = self.width
        written = query_id = ""
        # The rows are many: nearly all ids are what they are, and one loop is quicker than two.
        for line, cells in self._rows:
            if len(cells) != width and not self.is_whole(line, cells):
                continue
            doc_id = cells[doc]
            try:
                if cells[query] != written or not written:
                    if not any(cells):
                        continue
                    query_id = id_of(unguarded(cells[query]) if guarded else cells[query], "query")
                    written = cells[query]
                plain = doc_id.isascii() and doc_id.isprintable() and " " not in doc_id
                if not plain or doc_id[:1] in ("", "'"):
                    doc_id = id_of(unguarded(doc_id) if guarded else doc_id, "document")
                made = row(line, query_id, doc_id, cells)
            except RecordError as error:
                self.report.refuse(error, line)
                continue
            if made is not None:
                yield made

    def records(self, *columns: ColumnNames) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the cells of each row by the names of their columns: `columns` under our names,
        others as they are written. Blank cells and white space around texts are left out. Raises
        `UnreadableError` where two columns have one name."""
        keys = [*self.written]
        for column in filter(self.has, columns):
            keys[self.index_of(column)] = str(column)
        for name in keys:
            if name and keys.count(name) > 1:
                raise self.refusal(f"two columns are called {quoted(name)}", "rename one of them")
        for line, cells in self.rows():
            filled = {key: text for key, text in zip(keys, map(_text, cells), strict=True) if text}
            if "" in filled:
                what = f"no column is named above {quoted(filled[''])}"
                self.report(line, what, "name it in the header, or take the column out")
            else:
                yield line, filled

    def has(self, *columns: ColumnNames) -> bool:
        """Whether the table has one of these columns."""
        return any(indices_of(column, self.names) for column in columns)

    def index_of(self, *columns: ColumnNames) -> int:
        """Return the index of the first of these columns that the table has.

        Raises `UnreadableError` where it has none of them, naming those it has, and where two of
        its columns could be the one.
        """
        for column in columns:
            found = indices_of(column, self.names)
            if len(found) == 1:
                return found[0]
            if found:
                first, second = (quoted(self.written[at]) for at in found[:2])
                raise self.refusal(
                    f"{first} and {second} could both be the {column}", "rename one of them"
                )
        raise self.lacks(" or ".join(map(str, columns)))

    def lacks(self, wanted: str) -> UnreadableError:
        """Return the error of a table without a column that it needs."""
        seen = ", ".join(map(quoted, self.written[:12]))
        return self.refusal(
            f"there is no column {wanted}; it has {seen}", f"name a column {wanted} in the header"
        )

    def refusal(self, what: str, mend: str, line: int | None = None) -> UnreadableError:
        """Return the error of a table that cannot be read for its header, or from that line on."""
        return UnreadableError(self.report.path, line or self._line, what, mend)


def open_table(source: Source, report: Reporter) -> TextTable | None:
    """Return the table of a source; None where it holds no line, or a first one that had to be
    reported. Raises `UnreadableError` where it lacks a column that was declared."""
    shape = source.shape
    if shape is None:
        return None
    first = shape.first.decode("utf-8", "replace")
    separator = shape.separator or max("\t;,", key=first.count)
    rows = cells_of(source, separator if separator in first else _NOTHING, report)
    line, cells = next(rows, (0, []))
    if line != shape.line:
        return None
    written = tuple(cell.strip() for cell in cells)
    table = TextTable(report, line, written, rows, source.layout.columns)
    for theirs in source.layout.columns.values():
        if theirs not in map(folded, written):
            raise table.lacks(theirs)
    return table


def of_table(
    read: Callable[[TextTable], Iterator[Row]],
) -> Callable[[Source, Reporter], Iterator[Row]]:
    """Turn a reader of tables into a reader of sources, which has no rows where `open_table` finds
    no table."""

    @wraps(read)
    def rows(source: Source, report: Reporter) -> Iterator[Row]:
        table = open_table(source, report)
        return iter(()) if table is None else read(table)

    return rows


def cells_of(source: Source, separator: str, report: Reporter) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line, or of each row of CSV, that is not blank, and the line on which
    it begins. Raises `UnreadableError` for a quote that is never closed, as the lines
    after it cannot be read."""
    if separator == "\t":
        for line, raw in source.lines():
            text = decoded(raw, line, report) if raw.strip() else None
            if text:
                yield line, text.removesuffix("\r").split("\t")
        return
    rows = csv.reader(
        chain.from_iterable(_texts(source, report)),
        delimiter=separator,
        strict=True,
        skipinitialspace=True,
    )
    line = 0
    while True:
        try:
            for cells in rows:
                begin, line = line + 1, rows.line_num
                if cells:
                    yield begin, cells
        except csv.Error as error:
            begin, line = line + 1, rows.line_num
            what = str(error)
            if "end of data" in what or "field limit" in what:
                raise UnreadableError(
                    source.path,
                    begin,
                    "a quote that opens in this row is never closed, or 16 MB later",
                    'close it; a quote within a cell is written ""',
                ) from error
            why = "a carriage return stands within a cell" if "new-line" in what else what
            report(begin, f"not CSV: {why}", 'write a quote within a cell as "", in quotes')
        else:
            return


def id_of(text: str, noun: str) -> str:
    """`id_in` of the id of a query or a document. Raises `RecordError` for what is none."""
    try:
        return id_in(text)
    except UsageError as error:
        if not trimmed(text):
            raise RecordError(f"the {noun} has no id", f"give each {noun} an id") from error
        raise RecordError(f"{noun} {error.what}", error.mend) from error


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    """Write a header and rows (RFC 4180, but with newlines as line ends); what is undefined is
    empty.

    Text that begins with = + - @ a tab, a line end or ' gets a ' in front, so that a spreadsheet
    runs nothing; without that ' it is what it was. Numbers are never touched.
    """
    yield ",".join(map(_cell, columns)) + "\n"
    for row in rows:
        yield ",".join(map(_cell, row)) + "\n"


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return csv_cell(value) if isinstance(value, str) else repr(value)


def csv_cell(text: str) -> str:
    """Write a text as a cell that no spreadsheet runs: with a ' in front where it needs one, and
    quotes."""
    cell = guarded(text)
    return _quoted(cell) if _TO_QUOTE.search(cell) else cell


def cell_of_tools(text: str) -> str:
    """Write a text as a cell for other tools: with a blank before = + - or @, as Quepid has it;
    other white space around it is left out."""
    text = trimmed(text)
    cell = f" {text}" if text.startswith(_FORMULA) else text
    return _quoted(cell) if _TOOLS_QUOTE.search(cell) else cell


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def guarded(text: str) -> str:
    """Return a text with a ' before what a spreadsheet would run."""
    return f"'{text}" if text.startswith(_RISKY) else text


def unguarded(cell: str) -> str:
    """Return the text of a cell: without the ' that stands before what a spreadsheet would run."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_RISKY) else cell


def _texts(source: Source, report: Reporter) -> Iterator[Iterable[str]]:
    """Yield the lines of each block; one that is not UTF-8 is reported, and blank."""
    number = 0
    for lines in source.blocks():
        try:
            yield StringIO(b"\n".join(lines).decode() + "\n", newline="\n")
        except UnicodeDecodeError:
            yield [
                f"{decoded(raw, at, report) or ''}\n" for at, raw in enumerate(lines, number + 1)
            ]
        number += len(lines)


def _text(cell: str) -> str:
    return cell.strip().replace("\r\n", "\n")
