"""Quepid's files. As CSV: the ratings of a case (basic and detailed), the results of snapshots, a
book of judgments, information needs. As JSON: the ratings of a case, the case itself, a snapshot, a
book.

All name a query by its text. Quepid's CSV has a blank before a text that begins with = + - or @, so
that a spreadsheet runs nothing; it goes with all other white space around an id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby
from operator import attrgetter
from typing import Any, NamedTuple, SupportsIndex

from judge_tui.formats.csv_files import Ranks, Result
from judge_tui.formats.ids import id_in, trimmed
from judge_tui.formats.json_document import Node, document_in
from judge_tui.formats.judgments import Decision, JudgmentRow, Verdict, grade_in, namesake
from judge_tui.formats.problems import LoneQuery, RecordError, Reporter, quoted
from judge_tui.formats.query_names import QueryText, by_place, folded_text
from judge_tui.formats.sniff import shape_of
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import Table, id_of, open_table
from judge_tui.formats.trec import QrelsRow, RunRow
from judge_tui.model import Document, Query

__all__ = [
    "ANONYMOUS",
    "BOOK_FORMS",
    "Book",
    "CaseRow",
    "book_json_documents",
    "book_json_queries",
    "book_json_rows",
    "book_rows",
    "case_queries",
    "case_results",
    "case_rows",
    "detailed_csv",
    "guarded",
    "is_address",
    "is_anonymous",
    "query_rows",
    "rating_rows",
    "ratings_csv",
    "result_rows",
    "snapshot_csv",
    "snapshot_rows",
]

ANONYMOUS = "Anonymous"
"""Who judged without a name; Quepid's CSV calls the column so."""

_QUERY = ("query_text", "query")
_DOCUMENT = ("docid", "doc_id")
_POSITION = "doc_position"
# Its own columns end with these; behind them stand fields of documents, under any names.
_LAST_OF = {"snapshot_name": _POSITION, "team_name": "rating"}
_BOOK, _FIELDS = "query_doc_pairs", "document_fields"
_ANONYMOUS = re.compile(rf"{ANONYMOUS}(?: [0-9]+)?")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")


# ---- CSV ----


class _Row(NamedTuple):
    line: int
    query: str
    doc_id: str
    cells: Mapping[str, str]


def _table_rows(table: Table, report: Reporter, *needs: str) -> Iterator[_Row]:
    """The rows with a document, their cells by the names of Quepid's own columns; what has none is
    one of `report.lone_queries`. Raises `UnreadableError` where a column is missing."""
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
            report(line, "the row has no query", "give each row a query")
            continue
        if not any(written[names.index(document_in_) :]):
            tag = cells.get("snapshot_name") or None
            report.lone_queries.append(LoneQuery(line, query, id_in(tag) if tag else None))
            continue
        if len(written) != width:
            what = f"{len(written)} cells, but the header has {width}"
            report(line, what, "put a cell that holds a comma between quotes")
            continue
        try:
            doc_id = id_of(cells[document_in_], "document")
        except RecordError as error:
            report.refuse(error, line)
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


_MARK = "\ue000"


def _cell(text: str) -> str:
    return text.replace(_MARK, '"').replace('""', '"').strip()


def rating_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every row of a case that has a rating: of its basic and its detailed CSV."""
    table = _table(source, report)
    for row in _table_rows(table, report, "rating") if table else ():
        if row.cells["rating"]:
            try:
                verdict = grade_in(row.cells["rating"], report)
                yield QrelsRow.of(row.line, row.query, row.doc_id, verdict)
            except RecordError as error:
                report.refuse(error, row.line)


def result_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every row that has a position, which is the rank; one with a rating alone was not returned.
    The tag is the snapshot's name. A query without documents was asked, and nothing was found."""
    for row in _results(source, report):
        if row.score is not None:
            yield RunRow(row.line, row.query_id, row.doc_id, row.score, row.tag)


def case_results(source: Source, report: Reporter) -> Iterator[Result]:
    """Run and ratings of the detailed CSV of a case; a row without a position was rated and not
    returned."""
    return _results(source, report, "rating")


def _results(source: Source, report: Reporter, *needs: str) -> Iterator[Result]:
    table = _table(source, report)
    ranks: dict[str, Ranks] = {}
    times: dict[str, str] = {}
    for row in _table_rows(table, report, _POSITION, *needs) if table else ():
        line, query, doc_id, cells = row
        name, position, rating = (
            cells.get(one, "") for one in ("snapshot_name", _POSITION, "rating")
        )
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
        yield Result(line, query, doc_id, score, verdict, id_in(name) if name else None)


def book_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every rating of a book, under the name of its column, and the pairs that have none. An empty
    cell is no judgment: this form does not tell what cannot be judged from what nobody looked at.
    Of two people of one name the later one gets a number."""
    table = open_table(source, report)
    if table is None:
        return
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
            verdicts = [(judge, grade_in(cell, report)) for judge, cell in given if cell]
            if any(not judge for judge, _ in verdicts):
                raise RecordError("a grade stands in a column without a name", "name the judge")
        except RecordError as error:
            report.refuse(error, line)
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


_NEEDS = ("information_need", "notes")


def _text(cell: str) -> QueryText:
    if not cell.strip():
        raise RecordError("the row has no query", "give each row a query")
    return QueryText(cell)


# ---- JSON ----


def case_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every rating of a case. Exported ratings are `{"query", "ratings": {"d1": 3}}`; the case
    itself has `{"query_text", "ratings": [{"doc_id", "rating"}]}`. A rating of null is no judgment.
    Queries without ratings are `report.lone_queries`."""
    for node, text in _case(source, report):
        ratings = node.get("ratings")
        pairs: Iterable[tuple[Node, Any, Any]] = ()
        rated = False
        if isinstance(ratings, Node):
            pairs = ((ratings, doc, grade) for doc, grade in ratings.items())
        elif isinstance(ratings, list) and all(isinstance(one, Node) for one in ratings):
            pairs = ((one, one.get("doc_id"), one.get("rating")) for one in ratings)
        elif ratings:
            report(node, "'ratings' is no object or list of objects", 'write {"doc_id": 3}')
        for line, doc, grade in pairs:
            if grade is None:
                continue
            rated = True
            try:
                doc_id = _json_id(doc, "document")
                yield QrelsRow.of(line, text, doc_id, _json_grade(grade, report))
            except RecordError as error:
                at = line.line_of(doc) if line is ratings else line
                report(at, f"query {quoted(text)}: {error.what}", error.mend)
        if not rated:
            report.lone_queries.append(LoneQuery(node, text))


def snapshot_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """The results of each query of a snapshot, in their order: `{"name", "docs": {"7": [{"id"}]},
    "queries": [{"query_id": 7, "query_text"}]}`. What is there for its rating alone (`rated_only`)
    was not returned; of a query that was deleted since, the text is not known."""
    root = document_in(source, report)
    texts = {str(node.get("query_id")): text for node, text in _queries(root, source, report)}
    docs = root.get("docs") if isinstance(root, Node) else None
    if not isinstance(docs, Node):
        what = "there is no object 'docs'"
        raise UnreadableError(source.path, 1, what, "is it the snapshot, with its documents?")
    name = root.string("name")
    tag = id_in(name) if name else None
    for number, text in texts.items():
        try:
            found = docs.nodes(number) if number in docs else []
        except RecordError as error:
            report.refuse(error, docs)
            continue
        if not found:
            report.lone_queries.append(LoneQuery(docs, text))
        for rank, one in enumerate(found, 1):
            if one.get("rated_only") is not True:
                try:
                    yield RunRow(one, text, _json_id(one.get("id"), "document"), -float(rank), tag)
                except RecordError as error:
                    report.refuse(error, one)


def case_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Each query where it comes first, those without ratings, too; of a case with what is needed
    (`information_need`, the narrative) and its `notes`, the description."""
    return by_place((node, _query(node, text)) for node, text in _case(source, report))


def _query(node: Node, text: str) -> Query:
    need, notes = (node.string(name) for name in _NEEDS)
    return Query("", text, narrative=need, description=notes)


def _case(source: Source, report: Reporter) -> Iterator[tuple[Node, QueryText]]:
    return _queries(document_in(source, report), source, report)


def _queries(root: Any, source: Source, report: Reporter) -> Iterator[tuple[Node, QueryText]]:
    for node in _nodes(root, source, "queries"):
        text = QueryText(node.string(*_QUERY))
        if text:
            yield node, text
        else:
            report(node, "the query has no text", "write it in 'query'")


def _listed(source: Source, report: Reporter, name: str) -> list[Node]:
    return _nodes(document_in(source, report), source, name)


def _nodes(root: Any, source: Source, name: str) -> list[Node]:
    if root is None:
        return []
    found = root.get(name) if isinstance(root, Node) else None
    if not isinstance(found, list) or not all(isinstance(one, Node) for one in found):
        what = f"there is no list {name!r} of objects"
        raise UnreadableError(source.path, 1, what, "is it the file that was meant?")
    return found


def _json_id(value: Any, noun: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise RecordError(f"the {noun} has no id", f"give each {noun} an id, as a string")
    return id_of(value, noun)


def _json_grade(value: Any, report: Reporter) -> Verdict:
    if isinstance(value, bool):
        raise RecordError("the rating is no number", "write a whole number")
    return grade_in(value, report)


def book_json_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every judgment of a book, under the judge's address. What is unrateable cannot be judged;
    what was put off (`judge_later`) is skipped; an explanation is a note. A pair without any is
    open. Those of a pair that have no address are of Anonymous, Anonymous 2 and so on."""
    for pair in _listed(source, report, _BOOK):
        try:
            query = QueryText(pair.string("query_text"))
            if not query:
                raise RecordError("the pair has no query", "write it in 'query_text'")
            doc_id = _json_id(pair.get("doc_id"), "document")
            judged = pair.nodes("judgements") if pair.get("judgements") is not None else []
        except RecordError as error:
            report.refuse(error, pair)
            continue
        about = (pair.string("information_need"), pair.string("notes"))
        if not judged:
            yield _about(JudgmentRow(pair, query, doc_id, "", "open", None), *about)
        nameless = count(1)
        for one in judged:
            judge = one.string("user_email").strip() or namesake(ANONYMOUS, next(nameless))
            try:
                row = JudgmentRow(one, query, doc_id, judge, *_judged(one, report))
            except RecordError as error:
                report.refuse(error, one)
                continue
            yield _about(row._replace(note=one.string("explanation")), *about)


def _judged(one: Node, report: Reporter) -> Verdict:
    if one.get("unrateable") is True:
        return Verdict("cannot")
    if one.get("judge_later") is True:
        return Verdict("skip")
    return _json_grade(one.get("rating"), report)


def _about(row: JudgmentRow, narrative: str, description: str) -> JudgmentRow:
    return row._replace(narrative=narrative, description=description)


def book_json_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Each query at the first pair that has it, with its narrative and description."""
    pairs = ((pair, pair.string("query_text")) for pair in _listed(source, report, _BOOK))
    return by_place((pair.line, _query(pair, text)) for pair, text in pairs if text)


def book_json_documents(
    source: Source, report: Reporter
) -> Iterator[tuple[SupportsIndex, Document]]:
    """Each document at the first pair that has fields of it. Raises `UnreadableError` where no pair
    has any."""
    seen: set[str] = set()
    for pair in _listed(source, report, _BOOK):
        try:
            doc_id, fields = _json_id(pair.get("doc_id"), "document"), _fields(pair.get(_FIELDS))
        except RecordError as error:
            report.refuse(error, pair)
            continue
        if fields and doc_id not in seen:
            seen.add(doc_id)
            yield pair, _document(doc_id, fields)
    if not seen and not report.count:
        what = f"no pair of the book has {_FIELDS!r}"
        raise UnreadableError(source.path, None, what, "give the collection itself")


def _fields(held: Any) -> dict[str, Any]:
    """The fields that hold anything: of an object, or as imports have it of the JSON of one."""
    try:
        fields = json.loads(held or "{}") if isinstance(held, str) else held
    except (ValueError, RecursionError):
        fields = held
    if not fields:
        return {}
    if not isinstance(fields, dict):
        raise RecordError(f"{_FIELDS!r} is no object", 'write {"title": "…"}')
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _document(doc_id: str, fields: Mapping[str, Any]) -> Document:
    """Its title, and what judges see of it in Quepid: each other field under its name."""
    title = fields.get("title")
    others = (f"{name}: {_shown(value)}" for name, value in fields.items() if name != "title")
    return Document(doc_id, title=_shown(title) if title else "", text="\n\n".join(others))


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


# ---- Writers ----

# Where Quepid puts its blank, and what a spreadsheet may take for a formula beside those. White
# space around a cell is no part of it, for Quepid as for our readers.
_RISKY = ("=", "+", "-", "@")
_TO_QUOTE = re.compile(r'[",;\r\n]')


class CaseRow(NamedTuple):
    """One result of a query: its place from 1, its title, its rating (None where it has none); or,
    without a document, a query that nothing was found for."""

    query: str
    doc_id: str = ""
    position: int = 0
    title: str = ""
    rating: int | None = None


def ratings_csv(rows: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """The basic CSV of query text, document and rating."""
    yield "query,docid,rating\n"
    for text, doc_id, grade in rows:
        yield f"{guarded(text)},{guarded(doc_id)},{grade}\n"


def snapshot_csv(name: str, rows: Iterable[CaseRow]) -> Iterator[str]:
    """A snapshot: the results of each query, under the names that Quepid gives the columns."""
    yield "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    for row in rows:
        ids = f"{guarded(folded_text(row.query))},{guarded(row.doc_id)}"
        yield f"{guarded(name)},,,{ids},{row.position}\n"


def detailed_csv(name: str, rows: Iterable[CaseRow]) -> Iterator[str]:
    """A case in detail: the results of each query with their titles and ratings; a query without
    results has a row of four cells, as Quepid has it."""
    yield "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    for row in rows:
        query = guarded(folded_text(row.query))
        if not row.doc_id:
            yield f",{guarded(name)},,{query}\n"
            continue
        rating = "" if row.rating is None else row.rating
        title = guarded(folded_text(row.title))
        yield f",{guarded(name)},,{query},{guarded(row.doc_id)},{row.position},{title},{rating}\n"


def guarded(text: str) -> str:
    """A cell of CSV that no spreadsheet runs: before = + - or @ there is a blank, as Quepid has it;
    other white space around it is left out. Before nothing but quotes there is one, too: without it
    Quepid's way of doubling them could not be told from quoting."""
    text = trimmed(text)
    has_quotes_alone = text != "" and not text.strip('"')
    cell = f" {text}" if has_quotes_alone or text.startswith(_RISKY) else text
    return '"' + cell.replace('"', '""') + '"' if _TO_QUOTE.search(cell) else cell


def is_anonymous(judge: str) -> bool:
    """Whether a judge is called as one who has no name here."""
    return _ANONYMOUS.fullmatch(judge) is not None


def is_address(judge: str) -> bool:
    """Whether a judge is called by what may be an address of electronic mail."""
    return _ADDRESS.fullmatch(judge) is not None


class Book(NamedTuple):
    """What judges said, the rows of a pair together, and pairs that are open: `query_id` is the
    query's text. `labels` are those of the scale."""

    name: str
    labels: Mapping[int, str]
    rows: Sequence[JudgmentRow]


class _BookForm(NamedTuple):
    """How it is written, which decisions it holds, whether it has notes, what is left out, and
    whether its judges are told by their addresses."""

    lines: Callable[[Book], Iterable[str]]
    decisions: frozenset[Decision]
    notes: bool
    left_out: str
    addresses: bool = False

    def unknown(self, judges: Iterable[str]) -> list[str]:
        """Those of the judges that Quepid cannot know by the name that is written, by name."""
        if not self.addresses:
            return []
        return sorted(one for one in set(judges) if not is_address(one) and not is_anonymous(one))


def _book_csv(book: Book) -> Iterator[str]:
    """Query text, document, and the rating of each judge, empty where there is none."""
    judges = sorted({row.judge for row in book.rows if row.decision != "open"})
    yield ",".join(["query", "docid", *map(guarded, judges)]) + "\n"
    for text, doc_id, those in _pairs(book):
        grades = {row.judge: row.grade for row in those}
        given = ["" if (grade := grades.get(one)) is None else str(grade) for one in judges]
        yield ",".join([guarded(text), guarded(doc_id), *given]) + "\n"


def _book_json(book: Book) -> Iterator[str]:
    """What cannot be judged is unrateable, what was skipped is to be judged later, a note is an
    explanation, and the judge's name stands where Quepid has an address."""
    written = {
        "name": book.name,
        "show_rank": False,
        "support_implicit_judgements": False,
        "scale": ",".join(map(str, book.labels)),
        "scale_with_labels": {str(grade): label for grade, label in book.labels.items()},
        _BOOK: [
            {
                "query_text": text,
                "doc_id": doc_id,
                "information_need": those[0].narrative or None,
                "notes": those[0].description or None,
                "judgements": [
                    _judgement(row)
                    for row in sorted(those, key=_named_first)
                    if row.decision != "open"
                ],
            }
            for text, doc_id, those in _pairs(book)
        ],
    }
    yield json.dumps(written, indent=1, ensure_ascii=False) + "\n"


def _pairs(book: Book) -> Iterator[tuple[str, str, list[JudgmentRow]]]:
    for (text, doc_id), those in groupby(book.rows, key=attrgetter("query_id", "doc_id")):
        yield text, doc_id, list(those)


def _named_first(row: JudgmentRow) -> tuple[int, str]:
    """By name, and behind them those who have none, as they were numbered."""
    return len(row.judge) * is_anonymous(row.judge), row.judge


def _judgement(row: JudgmentRow) -> dict[str, Any]:
    whose = {} if is_anonymous(row.judge) else {"user_email": row.judge}
    return {
        "rating": None if row.grade is None else float(row.grade),
        "unrateable": row.decision == "cannot",
        "judge_later": row.decision == "skip",
        **whose,
        "explanation": row.note or None,
    }


_ALWAYS = "ids of queries, times, who is a model or a lead"

BOOK_FORMS: dict[str, _BookForm] = {
    "quepid-book": _BookForm(
        _book_csv,
        frozenset({"grade"}),
        notes=False,
        left_out=f"{_ALWAYS}, narratives, descriptions, labels of the scale",
    ),
    "quepid-book-json": _BookForm(
        _book_json,
        frozenset({"grade", "skip", "cannot"}),
        notes=True,
        left_out=_ALWAYS,
        addresses=True,
    ),
}
"""The forms, by the names that their readers have."""
