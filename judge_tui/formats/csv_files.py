"""Runs, qrels, both in one (results), queries and documents as tables with a header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from judge_tui.formats.columns import DOCUMENT, GRADE, JUDGE, RANK, SCORE, TAG, TEXT, TITLE, Column
from judge_tui.formats.judgments import GradeDecision, JudgmentRow, grade_in, judge_in
from judge_tui.formats.numbers import rank_of, score_of
from judge_tui.formats.pair_rows import QrelsRow, RunRow
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.tables import Table, cell_of_tools, csv_cell, of_table, unguarded
from judge_tui.formats.writers import QrelsToWrite, RunToWrite
from judge_tui.model import Document, Query

_QUERY_IDS = Column(("query_id",), ("qid", "q_id", "_id", "id"))
_QUERY_TEXTS = Column(("query",), ("query_text", "text"))
_PARTS = ("description", "narrative", "class")
_OF_QUERIES = (_QUERY_TEXTS, *(Column((name,)) for name in (*_PARTS, "subset", "measures")))
_DOCUMENT_IDS = Column(("doc_id",), (*DOCUMENT.tolerated, "document_id", "_id", "id"))
_OF_DOCUMENTS = (Column(("url",)), Column(("kind",)))

# Between two measures in a cell; one may have a comma of its own, between its parentheses.
_BETWEEN = re.compile(r"[\s;]+|[\s;]*,(?![^()]*\))[\s;]*")


class Result(NamedTuple):
    """One row: `score` is None for what was not returned, `judgment` for what was not judged. One
    without a document says that its query was asked and nothing was found."""

    line: int
    query_id: str
    doc_id: str
    score: float | None
    judgment: GradeDecision | None
    tag: str | None


class Ranks:
    """The ranks of a file, each once in a query; a rank counts as its negative, so that the order
    by scores is that of the ranks."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, int], int] = {}

    def score(self, line: int, query_id: str, cell: str) -> float:
        """Return the score that a rank stands for. Raises `RecordError` where another document of
        the query has it."""
        rank = rank_of(cell)
        before = self._lines.setdefault((query_id, rank), line)
        if before != line:
            raise RecordError(
                f"rank {rank} is already in query {quoted(query_id)}, line {before}",
                "give each document of a query a rank of its own, or a score",
            )
        return float(-rank)


def scores(table: Table) -> Iterator[RunRow]:
    """Yield every well-formed row, by its column `score`, or where it has none by `rank`. Its tag
    is that of the column `tag`, if there is one."""
    column, by_rank, ranks = table.index_of(SCORE, RANK), not table.has(SCORE), Ranks()
    tag_of = _tags(table)
    new = tuple.__new__

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> RunRow:
        score = ranks.score(line, query_id, cells[column]) if by_rank else score_of(cells[column])
        # A run has many rows, and this is `RunRow` in a fifth of the time.
        return new(RunRow, (line, query_id, doc_id, score, tag_of(cells)))

    return table.made_of_pairs(row)


def scores_and_grades(table: Table) -> Iterator[Result]:
    """Yield every well-formed row of a run and its grades in one table. A row without a grade is a
    document that nobody judged; one without a score, or without a rank, was judged and not
    returned, as an outer join of run and qrels leaves it."""
    column, by_rank, ranks = table.index_of(SCORE, RANK), not table.has(SCORE), Ranks()
    grade_column, tag_of = table.index_of(GRADE), _tags(table)

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> Result:
        number, written = cells[column].strip(), cells[grade_column].strip()
        score = None
        if number or not written:
            score = ranks.score(line, query_id, number) if by_rank else score_of(number)
        judgment = grade_in(written, table.report) if written else None
        return Result(line, query_id, doc_id, score, judgment, tag_of(cells))

    return table.made_of_pairs(row)


run_rows = of_table(scores)
results = of_table(scores_and_grades)


def _tags(table: Table) -> Callable[[list[str]], str | None]:
    if not table.has(TAG):
        return lambda _: None
    column = table.index_of(TAG)
    return lambda cells: cells[column].strip() or None


def result_run(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Yield the rows of results that have a score or a rank."""
    for row in results(source, report):
        if row.score is not None:
            yield RunRow(row.line, row.query_id, row.doc_id, row.score, row.tag)


def result_qrels(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield the rows of results that have a grade."""
    for row in results(source, report):
        if row.judgment is not None:
            yield QrelsRow.of(row.line, row.query_id, row.doc_id, row.judgment)


def grades(table: Table) -> Iterator[QrelsRow]:
    """Yield every well-formed row. An empty grade means not judged, and makes no row."""
    column = table.index_of(GRADE)

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> QrelsRow | None:
        if cell := cells[column].strip():
            return QrelsRow.of(line, query_id, doc_id, grade_in(cell, table.report))
        return None

    return table.made_of_pairs(row)


def beir_grades(table: Table) -> Iterator[QrelsRow]:
    """Yield the grades of BEIR's qrels, which are in its column `score`. Nothing guards ids here: a
    ' is part of one."""
    column = table.index_of(SCORE)

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> QrelsRow:
        return QrelsRow.of(line, query_id, doc_id, grade_in(cells[column].strip(), table.report))

    return table.made_of_pairs(row, guarded=False)


qrels_rows = of_table(grades)
beir_rows = of_table(beir_grades)


@of_table
def judgment_rows(table: Table) -> Iterator[JudgmentRow]:
    """Yield every row of a table of grades that names their judges; an empty grade is none."""
    column, judge_column = table.index_of(GRADE), table.index_of(JUDGE)

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> JudgmentRow | None:
        judge = judge_in(unguarded(cells[judge_column].strip()))
        if cell := cells[column].strip():
            return JudgmentRow(line, query_id, doc_id, judge, *grade_in(cell, table.report))
        return None

    return table.made_of_pairs(row)


@of_table
def query_rows(table: Table) -> Iterator[tuple[int, Query]]:
    """Yield every row that has a query: `query`, else `query_text` or `text`. Without a column of
    ids queries are q001 and so on by their order. Columns that are not a query's own go to its
    meta; `measures` are several in a cell, with commas or blanks between them."""
    for unsaid in ("prefer", "authority"):
        if unsaid in table.names:
            raise table.refusal(f"a cell cannot say {quoted(unsaid)}", "write JSON Lines")
    own_ids = table.has(_QUERY_IDS)
    table.index_of(_QUERY_TEXTS)
    for number, (line, record) in enumerate(table.records(_QUERY_IDS, *_OF_QUERIES), 1):
        query_id = record.pop("query_id", "") if own_ids else f"q{number:03}"
        text, description, narrative, query_class = (
            record.pop(name, "") for name in ("query", *_PARTS)
        )
        meta: dict[str, Any] = {**record}
        if "measures" in record:
            meta["measures"] = _BETWEEN.split(record["measures"])
        if text:
            its = (description, narrative, query_class, meta)
            yield line, Query(query_id, text, *its, own_id=own_ids)
        else:
            table.report(line, "the row has no query", "give each row a query")


@of_table
def document_rows(table: Table) -> Iterator[tuple[int, Document]]:
    """Yield every row. Ids are in `doc_id` or a column that is called as such in other tables, or
    in `id`; columns that are not a document's own go to its meta."""
    table.index_of(_DOCUMENT_IDS)
    for line, record in table.records(_DOCUMENT_IDS, TEXT, TITLE, *_OF_DOCUMENTS):
        doc_id, title, text, url, kind = (
            record.pop(name, "") for name in ("doc_id", "title", "text", "url", "kind")
        )
        yield line, Document(doc_id, title, text, url, kind, record)


# ---- Writers ----


def beir_tsv(qrels: QrelsToWrite) -> Iterator[str]:
    """Qrels as BEIR has them."""
    yield "query-id\tcorpus-id\tscore\n"
    for query in qrels.queries:
        for doc_id, grade in query.grades.items():
            yield f"{query.query_id}\t{doc_id}\t{grade}\n"


def results_csv(content: RunToWrite) -> Iterator[str]:
    """Write a run of ranks with its grades. What was judged and not retrieved has no rank: recall
    would be another without it."""
    yield "query_id,doc_id,rank,relevant\n"
    ranked = content.ranked()
    for query_id in sorted({*ranked, *content.grades}):
        grades = content.grades.get(query_id, {})
        found = ranked.get(query_id, [])
        ranks = {doc_id: at for at, doc_id in enumerate(found, 1)}
        for doc_id in (*found, *sorted(grades.keys() - ranks.keys())):
            ids = f"{_results_id(query_id)},{_results_id(doc_id)}"
            yield f"{ids},{ranks.get(doc_id, '')},{grades.get(doc_id, '')}\n"


def _results_id(text: str) -> str:
    """Write an id with Quepid's blank where it needs one; with a ' that would be taken for the
    guard of all other CSV, it gets one more."""
    return cell_of_tools(text) if unguarded(text) == text else csv_cell(text)
