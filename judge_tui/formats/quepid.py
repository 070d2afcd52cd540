"""Quepid's files: the ratings of a case (basic and detailed CSV, JSON), the results of a snapshot
(CSV), and a book of judgments (CSV and JSON).

All name a query by its text. In CSV there is a blank before a text that begins with = + - or @, so
that a spreadsheet runs nothing; it goes with all other white space around an id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, wraps
from itertools import count
from typing import Any, SupportsIndex

from judge_tui.formats.csv_files import Ranks, Result
from judge_tui.formats.ids import id_in
from judge_tui.formats.json_document import Node, each, json_id, json_text, objects_in
from judge_tui.formats.judgments import (
    GradeDecision,
    JudgmentRow,
    QrelsRow,
    RunRow,
    grade_in,
    judge_in,
)
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import QueryText, folded_text, numbered_queries
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import Row, TextTable, cell_of_tools, id_of, of_table
from judge_tui.formats.writers import JudgmentsToWrite, QrelsToWrite, RunToWrite
from judge_tui.model import Document, Query

# Stands for a doubled quote at the beginning of a cell until the cell is read.
_MARK = "\ue000"
_TEXT = ("query_text", "query")
_FIELDS = "document_fields"


# ---- CSV ----


def _of_quepid(
    read: Callable[[TextTable], Iterator[Row]],
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


def _made_of_results(
    table: TextTable,
    row: Callable[[int, QueryText, str, Mapping[str, str]], Row | None],
    *needs: str,
) -> Iterator[Row]:
    """Yield what `row` makes of each row: of its line, query, document and cells by the names of
    their columns. A query without documents has one row without a document. Raises
    `UnreadableError` where a column is missing."""
    # Fields of documents stand behind Quepid's own columns, under any names.
    names = {name: at for at, name in reversed([*enumerate(table.names)])}
    if "snapshot_name" in names:
        names.pop("rating", None)  # a snapshot has none of its own
    query_in = next((name for name in _TEXT if name in names), None)
    doc_in = next((name for name in ("docid", "doc_id") if name in names), None)
    missing = [name for name in needs if name not in names]
    if query_in is None or doc_in is None or missing:
        raise table.lacks((missing or ["query" if query_in is None else "docid"])[0])
    own = _cell if query_in == "query_text" else str.strip

    def rows(line: int, written: list[str]) -> Iterator[Row]:
        cells = {name: own(written[at]) for name, at in names.items() if at < len(written)}
        query = _query_in(cells.get(query_in, ""))
        found_nothing = not any(written[names[doc_in] :])
        if found_nothing or table.is_whole(line, written):
            doc_id = "" if found_nothing else id_of(cells[doc_in], "document")
            made = row(line, query, doc_id, cells)
            if made is not None:
                yield made

    return table.made(rows, table.rows_of_any_length())


def _cell(text: str) -> str:
    return text.replace(_MARK, '"').replace('""', '"').strip()


def _query_in(cell: str) -> QueryText:
    if not cell.strip():
        raise RecordError("the row has no query", "give each row a query")
    return QueryText(cell)


@_of_quepid
def rating_rows(table: TextTable) -> Iterator[QrelsRow]:
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
def case_results(table: TextTable) -> Iterator[Result]:
    """Run and ratings of the detailed CSV of a case; a row without a position was rated and not
    returned."""
    return _results(table, "rating")


def _results(table: TextTable, *needs: str) -> Iterator[Result]:
    ranks, before = Ranks(), dict[str, str]()

    def row(line: int, query: str, doc_id: str, cells: Mapping[str, str]) -> Result:
        name = cells.get("snapshot_name", "")
        position, rating = cells.get("doc_position", ""), cells.get("rating", "")
        tag = id_in(name) if name else ""
        tag_before = before.setdefault("tag", tag)
        if tag != tag_before:
            what = f"snapshot {quoted(tag)}, but {quoted(tag_before)} in the rows before"
            raise table.refusal(what, "export each snapshot to a file of its own", line)
        if not doc_id:
            return Result(line, query, "", None, None, tag or None)
        score = ranks.score(line, query, position) if position or not rating else None
        judgment = grade_in(rating, table.report) if rating else None
        return Result(line, query, doc_id, score, judgment, tag or None)

    return _made_of_results(table, row, "doc_position", *needs)


@of_table
def book_rows(table: TextTable) -> Iterator[JudgmentRow]:
    """Yield every rating of a book, under the name of its column, and the pairs that have none.

    An empty cell is not a judgment: this form does not tell what cannot be judged from what nobody
    looked at."""
    if len(table.written) < 2:
        raise table.lacks("docid")
    judges = table.written[2:]
    for name in judges:
        if name and judges.count(name) > 1:
            raise table.refusal(f"two judges are called {quoted(name)}", "rename one of them")

    def rows(line: int, cells: list[str]) -> Iterator[JudgmentRow]:
        pair = line, _query_in(cells[0]), id_of(cells[1], "document")
        ratings = zip(judges, map(str.strip, cells[2:]), strict=True)
        found = [(judge_in(judge), grade_in(cell, table.report)) for judge, cell in ratings if cell]
        if not found:
            yield JudgmentRow(*pair, "", "open", None)
        for judge, judgment in found:
            yield JudgmentRow(*pair, judge, *judgment)

    return table.made(rows)


@_of_quepid
def query_rows(table: TextTable) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield each query of ratings, results or a book at the first row that has it, those without
    documents, too."""
    query_in = next((table.names.index(name) for name in _TEXT if name in table.names), None)
    if query_in is None:
        raise table.lacks("query")

    def rows(line: int, cells: list[str]) -> Iterator[tuple[int, Query]]:
        yield line, Query("", _query_in(_cell(cells[query_in]) if query_in < len(cells) else ""))

    return numbered_queries(table.made(rows, table.rows_of_any_length()))


# ---- JSON ----


def case_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every rating of a case. Exported ratings are `{"query", "ratings": {"d1": 3}}`; the
    case itself has `{"query_text", "ratings": [{"doc_id", "rating"}]}`. A rating of null is no
    judgment."""

    def rows(query: Node) -> Iterator[QrelsRow]:
        text = query.query_text(*_TEXT)
        ratings = query.get("ratings") or []
        pairs: Iterable[tuple[Node, Any, Any]]
        if isinstance(ratings, Node):
            pairs = ((ratings, doc, grade) for doc, grade in ratings.items())
        else:
            those = query.nodes("ratings") if ratings else []
            pairs = ((one, one.get("doc_id"), one.get("rating")) for one in those)
        for node, doc, grade in pairs:
            if grade is None:
                continue
            try:
                doc_id = json_id(doc, "document", node)
                yield QrelsRow.of(node, text, doc_id, grade_in(grade, report))
            except RecordError as error:
                line = node.line_of(doc) if node is ratings else node
                report.refuse(error, line, f"query {quoted(text)}")

    return each(objects_in(source, "queries"), rows, report)


def case_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield each query where it comes first, those without ratings, too; of a case with what is
    needed (`information_need`, the narrative) and its `notes`, the description."""
    return numbered_queries(each(objects_in(source, "queries"), _query_of, report))


def _query_of(node: Node) -> Iterator[tuple[Node, Query]]:
    yield node, Query("", node.query_text(*_TEXT), **_needs(node))


def _needs(node: Node) -> dict[str, Any]:
    return {"narrative": node.string("information_need"), "description": node.string("notes")}


def book_json_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield every judgment of a book, under the judge's address. What is unrateable cannot be
    judged; what was put off (`judge_later`) is skipped; an explanation is a note. A pair without
    any is open. Those of a pair that have no address are of Anonymous, Anonymous 2 and so on."""

    def rows(pair: Node) -> Iterator[JudgmentRow]:
        of_pair = pair.query_text(*_TEXT), pair.id("doc_id", "document")
        judged = pair.nodes("judgements") if pair.get("judgements") is not None else []
        needs, nameless = _needs(pair), count(1)

        def judgments(one: Node) -> Iterator[JudgmentRow]:
            judge = one.string("user_email").strip()
            if not judge:
                number = next(nameless)
                judge = "Anonymous" if number == 1 else f"Anonymous {number}"
            note = one.string("explanation")
            yield JudgmentRow(one, *of_pair, judge, *_grade_decision(one, report), note, **needs)

        if not judged:
            yield JudgmentRow(pair, *of_pair, "", "open", None, **needs)
        yield from each(judged, judgments, report)

    return each(objects_in(source, "query_doc_pairs"), rows, report)


def _grade_decision(judgement: Node, report: Reporter) -> GradeDecision:
    if judgement.get("unrateable") is True:
        return GradeDecision("cannot")
    if judgement.get("judge_later") is True:
        return GradeDecision("skip")
    return grade_in(judgement.get("rating"), report)


def book_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield each query at the first pair that has it, with its narrative and description."""
    return numbered_queries(each(objects_in(source, "query_doc_pairs"), _query_of, report))


def book_documents(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Document]]:
    """Yield each document at the first pair that has fields of it: its title, and what judges see
    of it in Quepid, each other field under its name. Raises `UnreadableError` where no pair has
    any."""
    seen: set[str] = set()

    def documents(pair: Node) -> Iterator[tuple[SupportsIndex, Document]]:
        doc_id, fields = pair.id("doc_id", "document"), _fields(pair.get(_FIELDS))
        if fields and doc_id not in seen:
            seen.add(doc_id)
            title = fields.pop("title", "")
            text = "\n\n".join(f"{name}: {_shown(value)}" for name, value in fields.items())
            yield pair, Document(doc_id, title=_shown(title), text=text)

    yield from each(objects_in(source, "query_doc_pairs"), documents, report)
    if not seen and not report.count:
        what = f"no pair of the book has {_FIELDS!r}"
        raise UnreadableError(source.path, None, what, "give the collection itself")


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields that hold anything: of an object, or as imports have it of the JSON of
    one."""
    try:
        fields = json.loads(value or "{}") if isinstance(value, str) else value
    except (ValueError, RecursionError):
        fields = value
    if fields and not isinstance(fields, dict):
        raise RecordError(f"{_FIELDS!r} is not an object", 'write {"title": "…"}')
    return {name: one for name, one in (fields or {}).items() if one not in (None, "", [], {})}


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


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


def case_json(qrels: QrelsToWrite) -> Iterator[str]:
    """Write the ratings of a case."""
    yield json_text(
        {"queries": [{"query": one.text, "ratings": one.grades} for one in qrels.queries]}
    )


def book_json(content: JudgmentsToWrite) -> Iterator[str]:
    """Write a book. What cannot be judged is unrateable, what was skipped is to be judged later, a
    note is an explanation, and the judge's name stands where Quepid has an address."""
    pairs = [
        {
            "query_text": folded_text(query.text),
            "doc_id": document.doc_id,
            "information_need": query.narrative or None,
            "notes": query.description or None,
            "judgements": [
                {
                    "rating": None if one.grade is None else float(one.grade),
                    "unrateable": one.decision == "cannot",
                    "judge_later": one.decision == "skip",
                    "user_email": one.judge,
                    "explanation": one.note or None,
                }
                for one in sorted(judgments, key=lambda one: one.judge)
            ],
        }
        for query, document, judgments in content.tasks
    ]
    yield json_text(
        {
            "name": content.name,
            "show_rank": False,
            "support_implicit_judgements": False,
            "scale": ",".join(map(str, content.labels)),
            "scale_with_labels": {str(grade): label for grade, label in content.labels.items()},
            "query_doc_pairs": pairs,
        }
    )
