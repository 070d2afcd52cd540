"""Runs, qrels, both in one (results), judgments, queries and documents as tables with a header; and
as lines with tabs and no header, ids in front, as of MS MARCO."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from judge_tui.counts import counted
from judge_tui.formats.columns import (
    DOCUMENT,
    GRADE,
    JUDGE,
    RANK,
    SCORE,
    TAG,
    TEXT,
    TITLE,
    ColumnNames,
    aliased,
    folded,
)
from judge_tui.formats.judgments import (
    GradeDecision,
    JudgmentRow,
    QrelsRow,
    RunRow,
    grade_in,
    judge_in,
)
from judge_tui.formats.numbers import rank_of, score_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.tables import (
    TextTable,
    cell_of_tools,
    cells_of,
    csv_cell,
    id_of,
    of_table,
    unguarded,
)
from judge_tui.formats.writers import QrelsToWrite, RunToWrite
from judge_tui.model import Document, Query

_QUERY_IDS = ColumnNames(("query_id",), ("qid", "q_id", "_id", "id"))
_QUERY_TEXTS = ColumnNames(("query",), ("query_text", "text"))
_PARTS = ("description", "narrative", "class")
_OF_QUERIES = (
    _QUERY_TEXTS,
    ColumnNames(("narrative",), ("information_need",)),  # as Quepid calls it
    *(ColumnNames((name,)) for name in ("description", "class", "subset", "measures")),
)
_DOCUMENT_IDS = ColumnNames(("doc_id",), (*DOCUMENT.tolerated, "document_id", "_id", "id"))
_OF_DOCUMENTS = (ColumnNames(("url",)), ColumnNames(("kind",)))

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


def scores(table: TextTable) -> Iterator[RunRow]:
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


def scores_and_grades(table: TextTable) -> Iterator[Result]:
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


def _tags(table: TextTable) -> Callable[[list[str]], str | None]:
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


def grades(table: TextTable) -> Iterator[QrelsRow]:
    """Yield every well-formed row. An empty grade means not judged, and makes no row."""
    column = table.index_of(GRADE)

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> QrelsRow | None:
        if cell := cells[column].strip():
            return QrelsRow.of(line, query_id, doc_id, grade_in(cell, table.report))
        return None

    return table.made_of_pairs(row)


def beir_grades(table: TextTable) -> Iterator[QrelsRow]:
    """Yield the grades of BEIR's qrels, which are in its column `score`. Nothing guards ids here: a
    ' is part of one."""
    column = table.index_of(SCORE)

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> QrelsRow:
        return QrelsRow.of(line, query_id, doc_id, grade_in(cells[column].strip(), table.report))

    return table.made_of_pairs(row, guarded=False)


qrels_rows = of_table(grades)
beir_rows = of_table(beir_grades)


@of_table
def judgment_rows(table: TextTable) -> Iterator[JudgmentRow]:
    """Yield every row of a table of grades that names their judges; an empty grade is none."""
    column, judge_column = table.index_of(GRADE), table.index_of(JUDGE)

    def row(line: int, query_id: str, doc_id: str, cells: list[str]) -> JudgmentRow | None:
        judge = judge_in(unguarded(cells[judge_column].strip()))
        if cell := cells[column].strip():
            return JudgmentRow(line, query_id, doc_id, judge, *grade_in(cell, table.report))
        return None

    return table.made_of_pairs(row)


@of_table
def query_rows(table: TextTable) -> Iterator[tuple[int, Query]]:
    """Yield every row that has a query: `query`, else `query_text` or `text`. Without a column of
    ids queries are q001 and so on by their order. Columns that are not a query's own go to its
    meta; `measures` are several in a cell, with commas or blanks between them."""
    for unsaid in ("prefer", "authority"):
        if unsaid in table.names:
            raise table.refusal(
                f"a table cannot hold {quoted(unsaid)}", "write the queries as JSON Lines"
            )
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
def document_rows(table: TextTable) -> Iterator[tuple[int, Document]]:
    """Yield every row. Ids are in `doc_id` or a column that is called as such in other tables, or
    in `id`; columns that are not a document's own go to its meta."""
    table.index_of(_DOCUMENT_IDS)
    for line, record in table.records(_DOCUMENT_IDS, TEXT, TITLE, *_OF_DOCUMENTS):
        doc_id, title, text, url, kind = (
            record.pop(name, "") for name in ("doc_id", "title", "text", "url", "kind")
        )
        yield line, Document(doc_id, title, text, url, kind, record)


# ---- Lines with tabs ----


def tsv_queries(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield every line `id<TAB>text`."""
    for line, (query_id, text) in _records(source, report, (2,), "id<TAB>text"):
        yield line, Query(query_id, text)


def tsv_documents(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Yield every line `id<TAB>text` or `id<TAB>title<TAB>text`."""
    layout = "id<TAB>text or id<TAB>title<TAB>text"
    for line, (doc_id, *title, text) in _records(source, report, (2, 3), layout):
        yield line, Document(doc_id, title=title[0] if title else "", text=text)


def id_of_tsv_line(line: bytes) -> bytes | None:
    """Return the id in front of a line, as far as a look tells."""
    doc_id, tab, _ = line.partition(b"\t")
    return doc_id.strip(b" ") if tab else None


def ranking_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Yield every line `qid<TAB>pid<TAB>rank` of a run as MS MARCO takes them, without scores or a
    tag."""
    ranks = Ranks()
    for line, (query, doc, rank) in _records(source, report, (3,), "qid<TAB>pid<TAB>rank"):
        try:
            query_id, doc_id = id_of(query, "query"), id_of(doc, "document")
            yield RunRow(line, query_id, doc_id, ranks.score(line, query_id, rank.strip()), None)
        except RecordError as error:
            report(line, error.what, error.mend)


def msmarco_documents(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Yield every line `docid<TAB>url<TAB>title<TAB>body`."""
    layout = "docid<TAB>url<TAB>title<TAB>body"
    for line, (doc_id, url, title, body) in _records(source, report, (4,), layout):
        yield line, Document(doc_id, title=title, text=body, url=url)


def _records(
    source: Source, report: Reporter, widths: tuple[int, ...], layout: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each line that has one of these numbers of them; a first line that names
    columns is reported."""
    is_first = True
    for line, fields in cells_of(source, "\t", report):
        if len(fields) not in widths:
            what = f"{counted(len(fields), 'tab-separated field')}; a line has"
            what += f" {' or '.join(map(str, widths))} ({layout})"
            report(line, what, "put one tab between the fields, and none within them")
            continue
        if is_first and all(aliased([folded(one)]) for one in fields[:2]):
            report(line, "this line is a header, not a record", "delete it")
        else:
            yield line, fields
        is_first = False


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


def ranking_tsv(content: RunToWrite) -> Iterator[str]:
    """Write a run of ranks."""
    for query_id, docs in content.ranked().items():
        for position, doc_id in enumerate(docs, 1):
            yield f"{query_id}\t{doc_id}\t{position}\n"


def qrels_tsv(qrels: QrelsToWrite) -> Iterator[str]:
    """TREC's four columns between tabs."""
    for query in qrels.queries:
        for doc_id, grade in query.grades.items():
            yield f"{query.query_id}\t0\t{doc_id}\t{grade}\n"


def queries_tsv(queries: Iterable[Query]) -> Iterator[str]:
    """Write a query a line."""
    return (f"{one.query_id}\t{in_a_field(one.text)}\n" for one in queries)


def collection_tsv(documents: Iterable[Document]) -> Iterator[str]:
    """Write a passage a line."""
    return (f"{one.doc_id}\t{in_a_field(one.text)}\n" for one in documents)


def in_a_field(text: str) -> str:
    """Return the text with blanks for tabs and line ends."""
    return re.sub(r"[\t\r\n]", " ", text)
