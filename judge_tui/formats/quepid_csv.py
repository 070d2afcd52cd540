"""Quepid's CSV: the ratings of a case (basic and detailed), the results of snapshots, a book of
judgments, information needs.

All name a query by its text. There is a blank before a text that begins with = + - or @, so that a
spreadsheet runs nothing; it goes with all other white space around an id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, wraps
from itertools import count
from typing import SupportsIndex

from judge_tui.formats.csv_files import Ranks, Result
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import JudgmentRow, grade_in, namesake
from judge_tui.formats.pair_rows import QrelsRow, RunRow
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import QueryText, folded_text, numbered_queries
from judge_tui.formats.source import Source
from judge_tui.formats.tables import Row, Table, cell_of_tools, id_of, of_table
from judge_tui.formats.writers import JudgmentsToWrite, QrelsToWrite, RunToWrite
from judge_tui.model import Query

_QUERY = ("query_text", "query")
_DOCUMENT = ("docid", "doc_id")
_OF_RESULT = ("snapshot_name", "snapshot_time", "doc_position", "rating")
_NEEDS = ("information_need", "notes")
# Its own columns end with these; behind them stand fields of documents, under any names.
_LAST_OF = {"snapshot_name": "doc_position", "team_name": "rating"}
# Stands for a doubled quote at the beginning of a cell until the cell is read.
_MARK = "\ue000"


def _of_quepid(
    read: Callable[[Table], Iterator[Row]],
) -> Callable[[Source, Reporter], Iterator[Row]]:
    """`of_table` for Quepid, which doubles the quotes in every cell of what it exports by `Query
    Text`, and puts quotes around those alone that hold a comma or a line end: a cell that begins
    with doubled ones looks like an empty one with something behind it."""
    of_plain_table = of_table(read)

    @wraps(read)
    def rows(source: Source, report: Reporter) -> Iterator[Row]:
        if source.shape is not None and "query_text" in source.shape.header:
            between = re.escape(source.shape.separator)
            begins = re.compile(rf'(?:(?<=^)|(?<={between}))(?:"")+(?=[^"{between}\r\n])'.encode())
            source.sift(partial(_marked, begins))
        return of_plain_table(source, report)

    return rows


def _marked(
    begins: re.Pattern[bytes], lines: Iterator[tuple[int, bytes]]
) -> Iterator[tuple[int, bytes]]:
    for line, raw in lines:
        yield line, begins.sub(lambda found: _MARK.encode() * (len(found[0]) // 2), raw)


def _cell(text: str) -> str:
    return text.replace(_MARK, '"').replace('""', '"').strip()


def _made_of_results(
    table: Table, row: Callable[[int, QueryText, str, Mapping[str, str]], Row | None], *needs: str
) -> Iterator[Row]:
    """Yield what `row` makes of each row: of its line, query, document and cells by the names of
    Quepid's own columns. A query without documents has one row without a document. Raises
    `UnreadableError` where a column is missing."""
    names = _own_names(table.names)
    query_in = next((name for name in _QUERY if name in names), None)
    doc_in = next((name for name in _DOCUMENT if name in names), None)
    missing = [name for name in needs if name not in names]
    if query_in is None or doc_in is None or missing:
        raise table.lacks((missing or ["query" if query_in is None else "docid"])[0])
    own = _cell if query_in == _QUERY[0] else str.strip
    first_of_result = names.index(doc_in)

    def rows(line: int, written: list[str]) -> Iterator[Row]:
        cells = dict(zip(names, map(own, written), strict=False))
        query = _query_in(cells.get(query_in, ""))
        found_nothing = not any(written[first_of_result:])
        if found_nothing or table.is_whole(line, written):
            doc_id = "" if found_nothing else id_of(cells[doc_in], "document")
            made = row(line, query, doc_id, cells)
            if made is not None:
                yield made

    return table.made(rows, table.rows_of_any_length())


def _own_names(names: Sequence[str]) -> list[str]:
    last = _LAST_OF.get(names[0])
    if last not in names:
        return [*names]
    end = names.index(last) + 1
    return [*names[:end], *[""] * (len(names) - end)]


@_of_quepid
def rating_rows(table: Table) -> Iterator[QrelsRow]:
    """Yield every row of a case that has a rating: of its basic and its detailed CSV."""

    def row(line: int, query: str, doc_id: str, cells: Mapping[str, str]) -> QrelsRow | None:
        if rating := cells.get("rating"):
            return QrelsRow.of(line, query, doc_id, grade_in(rating, table.report))
        return None

    return _made_of_results(table, row, "rating")


def result_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Yield every row that has a position, which is the rank; one with a rating alone was not
    returned. The tag is the snapshot's name. A query without documents was asked, and nothing was
    found."""
    for row in _of_quepid(_results)(source, report):
        if row.score is not None or not row.doc_id:
            yield RunRow(row.line, row.query_id, row.doc_id, row.score or 0.0, row.tag)


@_of_quepid
def case_results(table: Table) -> Iterator[Result]:
    """Run and ratings of the detailed CSV of a case; a row without a position was rated and not
    returned."""
    return _results(table, "rating")


def _results(table: Table, *needs: str) -> Iterator[Result]:
    ranks: dict[str, Ranks] = {}
    times: dict[str, str] = {}

    def row(line: int, query: str, doc_id: str, cells: Mapping[str, str]) -> Result:
        name, time, position, rating = (cells.get(one, "") for one in _OF_RESULT)
        tag = id_in(name) if name else None
        if not doc_id:
            return Result(line, query, "", None, None, tag)
        if name and times.setdefault(name, time) != time:
            what = f"two snapshots are called {quoted(name)}, of {times[name]} and of {time}"
            raise table.refusal(what, "rename one of them in all its rows", line)
        score = None
        if position or not rating:
            score = ranks.setdefault(name, Ranks()).score(line, query, position)
        judgment = grade_in(rating, table.report) if rating else None
        return Result(line, query, doc_id, score, judgment, tag)

    return _made_of_results(table, row, "doc_position", *needs)


@of_table
def book_rows(table: Table) -> Iterator[JudgmentRow]:
    """Yield every rating of a book, under the name of its column, and the pairs that have none. An
    empty cell is no judgment: this form does not tell what cannot be judged from what nobody looked
    at. Of two people of one name the later one gets a number."""
    if len(table.written) < 2:
        raise table.lacks("docid")
    judges: list[str] = []
    for name in table.written[2:]:
        names = (namesake(name, number) for number in count(1))
        judges.append(next(one for one in names if not name or one not in judges))

    def rows(line: int, cells: list[str]) -> Iterator[JudgmentRow]:
        pair = line, _query_in(cells[0]), id_of(cells[1], "document")
        ratings = zip(judges, map(str.strip, cells[2:]), strict=True)
        judgments = [(judge, grade_in(cell, table.report)) for judge, cell in ratings if cell]
        if any(not judge for judge, _ in judgments):
            raise RecordError("a grade stands in a column without a name", "name the judge")
        if not judgments:
            yield JudgmentRow(*pair, "", "open", None)
        for judge, judgment in judgments:
            yield JudgmentRow(*pair, judge, *judgment)

    return table.made(rows)


@_of_quepid
def query_rows(table: Table) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield each query of any of the tables at the first row that has it, those without documents,
    too. `information_need` is the narrative, `notes` beside it are the description."""
    names = table.names
    query_in = next((name for name in _QUERY if name in names), None)
    if query_in is None:
        raise table.lacks("query")
    has_needs = _NEEDS[0] in names

    def rows(line: int, cells: list[str]) -> Iterator[tuple[int, Query]]:
        its = dict(zip(names, cells, strict=False))
        text = _query_in(_cell(its.get(query_in, "")))
        need, notes = (its.get(name, "").strip() if has_needs else "" for name in _NEEDS)
        yield line, Query("", text, narrative=need, description=notes)

    return numbered_queries(table.made(rows, table.rows_of_any_length()))


def _query_in(cell: str) -> QueryText:
    if not cell.strip():
        raise RecordError("the row has no query", "give each row a query")
    return QueryText(cell)


# ---- Writers ----


def ratings_csv(qrels: QrelsToWrite) -> Iterator[str]:
    """Write the basic CSV of query text, document and rating."""
    yield "query,docid,rating\n"
    for query in qrels.queries:
        text = cell_of_tools(query.text)
        for doc_id, grade in query.grades.items():
            yield f"{text},{cell_of_tools(doc_id)},{grade}\n"


def snapshot_csv(content: RunToWrite) -> Iterator[str]:
    """Write a snapshot: the results of each query, under the names that Quepid gives the
    columns."""
    yield "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    name = cell_of_tools(content.run.tag)
    for query_id, docs in content.ranked().items():
        text = cell_of_tools(folded_text(content.texts[query_id]))
        for position, doc_id in enumerate(docs, 1):
            yield f"{name},,,{text},{cell_of_tools(doc_id)},{position}\n"


def detailed_csv(content: RunToWrite) -> Iterator[str]:
    """Write a case in detail: the results of each query with their titles and ratings; a query
    without results has a row of four cells, as Quepid has it."""
    yield "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    name, ranked = cell_of_tools(content.campaign), content.ranked()
    for query_id in sorted((*ranked, *content.nothing_found)):
        row = f",{name},,{cell_of_tools(folded_text(content.texts[query_id]))}"
        if query_id not in ranked:
            yield f"{row}\n"
        grades = content.grades.get(query_id, {})
        for position, doc_id in enumerate(ranked.get(query_id, ()), 1):
            title = cell_of_tools(folded_text(content.titles.get(doc_id, "")))
            yield f"{row},{cell_of_tools(doc_id)},{position},{title},{grades.get(doc_id, '')}\n"


def book_csv(content: JudgmentsToWrite) -> Iterator[str]:
    """Write a book: query text, document, and the rating of each judge, empty where there is
    none."""
    rows = [
        (query, document.doc_id, {one.judge: one.grade for one in judgments})
        for query, document, judgments in content.tasks
    ]
    judges = sorted({judge for _, _, grades in rows for judge in grades})
    yield ",".join(["query", "docid", *map(cell_of_tools, judges)]) + "\n"
    for query, doc_id, grades in rows:
        ratings = ["" if (grade := grades.get(one)) is None else str(grade) for one in judges]
        text = cell_of_tools(folded_text(query.text))
        yield ",".join([text, cell_of_tools(doc_id), *ratings]) + "\n"
