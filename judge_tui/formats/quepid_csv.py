"""Quepid's CSV: the ratings of a case (basic and detailed), the results of snapshots, a book of
judgments, information needs.

All name a query by its text. There is a blank before a text that begins with = + - or @, so that a
spreadsheet runs nothing; it goes with all other white space around an id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, SupportsIndex

from judge_tui.formats.csv_files import Ranks, Result
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import JudgmentRow, grade_in, namesake
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import QueryText, by_place, folded_text
from judge_tui.formats.sniff import shape_of
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import Table, cell_of_tools, id_of, of_table, open_table
from judge_tui.formats.trec import QrelsRow, RunRow
from judge_tui.formats.writers import JudgmentsToWrite, QrelsToWrite, RunToWrite
from judge_tui.model import Query

__all__ = [
    "book_csv",
    "book_rows",
    "case_results",
    "detailed_csv",
    "query_rows",
    "rating_rows",
    "ratings_csv",
    "result_rows",
    "snapshot_csv",
]

_QUERY = ("query_text", "query")
_DOCUMENT = ("docid", "doc_id")
_POSITION = "doc_position"
_NEEDS = ("information_need", "notes")
# Its own columns end with these; behind them stand fields of documents, under any names.
_LAST_OF = {"snapshot_name": _POSITION, "team_name": "rating"}
# Stands for a doubled quote at the beginning of a cell until the cell is read.
_MARK = "\ue000"


class _Row(NamedTuple):
    line: int
    query: str
    doc_id: str
    cells: Mapping[str, str]


def _table_rows(table: Table, *needs: str) -> Iterator[_Row]:
    """The rows, their cells by the names of Quepid's own columns; of a query without documents one
    that has none. Raises `UnreadableError` where a column is missing."""
    names = _own_names(table.header.names)
    query_in = next((name for name in _QUERY if name in names), None)
    document_in_ = next((name for name in _DOCUMENT if name in names), None)
    missing = [name for name in needs if name not in names]
    if query_in is None or document_in_ is None or missing:
        raise table.lacks((missing or ["query" if query_in is None else "docid"])[0])
    width = len(table.header.written)
    own = _cell if query_in == _QUERY[0] else str.strip
    for line, written in table.rows_of_any_length():
        cells = dict(zip(names, map(own, written), strict=False))
        query = QueryText(cells.get(query_in, ""))
        if not query:
            table.report(line, "the row has no query", "give each row a query")
            continue
        if not any(written[names.index(document_in_) :]):
            yield _Row(line, query, "", cells)
            continue
        if len(written) != width:
            what = f"{len(written)} cells, but the header has {width}"
            table.report(line, what, "put a cell that holds a comma between quotes")
            continue
        try:
            doc_id = id_of(cells[document_in_], "document")
        except RecordError as error:
            table.report.refuse(error, line)
            continue
        yield _Row(line, query, doc_id, cells)


def _own_names(names: Sequence[str]) -> list[str]:
    last = _LAST_OF.get(names[0])
    if last not in names:
        return [*names]
    end = names.index(last) + 1
    return [*names[:end], *[""] * (len(names) - end)]


def _table(source: Source, report: Reporter) -> Table | None:
    """Quepid doubles the quotes in every cell of what it exports by `Query Text`, and puts quotes
    around those alone that hold a comma or a line end: a cell that begins with doubled ones looks
    like an empty one with something behind it."""
    shape = shape_of(source.head, whole=source.whole)
    if shape is None or "query_text" not in shape.header:
        return open_table(source, report)
    between = re.escape(shape.separator)
    begins = re.compile(rf'(?:(?<=^)|(?<={between}))(?:"")+(?=[^"{between}\r\n])'.encode())

    def undone(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        for line, raw in lines:
            yield line, begins.sub(lambda found: _MARK.encode() * (len(found[0]) // 2), raw)

    source.sift(undone)
    return open_table(source, report)


def _cell(text: str) -> str:
    return text.replace(_MARK, '"').replace('""', '"').strip()


def rating_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every row of a case that has a rating: of its basic and its detailed CSV."""
    table = _table(source, report)
    for row in _table_rows(table, "rating") if table else ():
        if row.doc_id and row.cells["rating"]:
            try:
                verdict = grade_in(row.cells["rating"], report)
                yield QrelsRow.of(row.line, row.query, row.doc_id, verdict)
            except RecordError as error:
                report.refuse(error, row.line)


def result_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every row that has a position, which is the rank; one with a rating alone was not returned.
    The tag is the snapshot's name. A query without documents was asked, and nothing was found."""
    for row in _results(source, report):
        if row.score is not None or not row.doc_id:
            yield RunRow(row.line, row.query_id, row.doc_id, row.score or 0.0, row.tag)


def case_results(source: Source, report: Reporter) -> Iterator[Result]:
    """Run and ratings of the detailed CSV of a case; a row without a position was rated and not
    returned."""
    return _results(source, report, "rating")


def _results(source: Source, report: Reporter, *needs: str) -> Iterator[Result]:
    table = _table(source, report)
    ranks: dict[str, Ranks] = {}
    times: dict[str, str] = {}
    for row in _table_rows(table, _POSITION, *needs) if table else ():
        line, query, doc_id, cells = row
        name, position, rating = (
            cells.get(one, "") for one in ("snapshot_name", _POSITION, "rating")
        )
        tag = id_in(name) if name else None
        if not doc_id:
            yield Result(line, query, "", None, None, tag)
            continue
        time = cells.get("snapshot_time", "")
        if name and times.setdefault(name, time) != time:
            what = f"two snapshots are called {quoted(name)}, of {times[name]} and of {time}"
            raise UnreadableError(source.path, line, what, "rename one of them in all its rows")
        score = verdict = None
        try:
            if position or not rating:
                score = ranks.setdefault(name, Ranks()).score(line, query, position)
            if rating:
                verdict = grade_in(rating, report)
        except RecordError as error:
            report.refuse(error, line)
            continue
        yield Result(line, query, doc_id, score, verdict, tag)


@of_table
def book_rows(table: Table) -> Iterator[JudgmentRow]:
    """Every rating of a book, under the name of its column, and the pairs that have none. An empty
    cell is no judgment: this form does not tell what cannot be judged from what nobody looked at.
    Of two people of one name the later one gets a number."""
    if len(table.header.written) < 2:
        raise table.lacks("docid")
    judges: list[str] = []
    for name in table.header.written[2:]:
        names = (namesake(name, number) for number in count(1))
        judges.append(next(one for one in names if not name or one not in judges))
    for line, cells in table.rows():
        try:
            pair = line, _text(cells[0]), id_of(cells[1], "document")
            given = zip(judges, map(str.strip, cells[2:]), strict=True)
            verdicts = [(judge, grade_in(cell, table.report)) for judge, cell in given if cell]
            if any(not judge for judge, _ in verdicts):
                raise RecordError("a grade stands in a column without a name", "name the judge")
        except RecordError as error:
            table.report.refuse(error, line)
            continue
        if not verdicts:
            yield JudgmentRow(*pair, "", "open", None)
        for judge, verdict in verdicts:
            yield JudgmentRow(*pair, judge, *verdict)


def query_rows(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Each query of any of the tables at the first row that has it, those without documents, too.
    `information_need` is the narrative, `notes` beside it are the description."""
    table = _table(source, report)
    if table is None:
        return iter(())
    names = table.header.names
    query = next((names.index(name) for name in _QUERY if name in names), None)
    if query is None:
        raise table.lacks("query")
    needs = "information_need" in names
    places = [names.index(name) if needs and name in names else -1 for name in _NEEDS]

    def found() -> Iterator[tuple[SupportsIndex, Query]]:
        for line, cells in table.rows_of_any_length():
            text = _cell(cells[query]) if len(cells) > query else ""
            need, notes = (cells[at].strip() if 0 <= at < len(cells) else "" for at in places)
            if text:
                yield line, Query("", text, narrative=need, description=notes)
            else:
                report(line, "the row has no query", "give each row a query")

    return by_place(found())


def _text(cell: str) -> QueryText:
    if not cell.strip():
        raise RecordError("the row has no query", "give each row a query")
    return QueryText(cell)


# ---- Writers ----


def ratings_csv(qrels: QrelsToWrite) -> Iterator[str]:
    """The basic CSV of query text, document and rating."""
    yield "query,docid,rating\n"
    for query in qrels.queries:
        text = cell_of_tools(query.text)
        for doc_id, grade in query.grades.items():
            yield f"{text},{cell_of_tools(doc_id)},{grade}\n"


def snapshot_csv(content: RunToWrite) -> Iterator[str]:
    """A snapshot: the results of each query, under the names that Quepid gives the columns."""
    yield "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    name = cell_of_tools(content.run.tag)
    for query_id, docs in content.ranked().items():
        text = cell_of_tools(folded_text(content.texts[query_id]))
        for place, doc_id in enumerate(docs, 1):
            yield f"{name},,,{text},{cell_of_tools(doc_id)},{place}\n"


def detailed_csv(content: RunToWrite) -> Iterator[str]:
    """A case in detail: the results of each query with their titles and ratings; a query without
    results has a row of four cells, as Quepid has it."""
    yield "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    name, ranked = cell_of_tools(content.campaign), content.ranked()
    for query_id in sorted((*ranked, *content.nothing_found)):
        row = f",{name},,{cell_of_tools(folded_text(content.texts[query_id]))}"
        if query_id not in ranked:
            yield f"{row}\n"
        grades = content.grades.get(query_id, {})
        for place, doc_id in enumerate(ranked.get(query_id, ()), 1):
            title = cell_of_tools(folded_text(content.titles.get(doc_id, "")))
            yield f"{row},{cell_of_tools(doc_id)},{place},{title},{grades.get(doc_id, '')}\n"


def book_csv(content: JudgmentsToWrite) -> Iterator[str]:
    """A book: query text, document, and the rating of each judge, empty where there is none."""
    tasks = list(content.tasks)
    judges = sorted({one.judge for task in tasks for one in task.judgments})
    yield ",".join(["query", "docid", *map(cell_of_tools, judges)]) + "\n"
    for query, document, judgments in tasks:
        grades = {one.judge: one.grade for one in judgments}
        ratings = ["" if (grade := grades.get(one)) is None else str(grade) for one in judges]
        text = cell_of_tools(folded_text(query.text))
        yield ",".join([text, cell_of_tools(document.doc_id), *ratings]) + "\n"
