"""Quepid's JSON: the ratings of a case, the case itself, a snapshot, a book; all name a query by
its text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, SupportsIndex

from judge_tui.formats.ids import id_in
from judge_tui.formats.json_document import (
    Node,
    document_in,
    each,
    json_id,
    json_text,
    objects_in,
)
from judge_tui.formats.judgments import GradeDecision, JudgmentRow, grade_in, namesake
from judge_tui.formats.pair_rows import QrelsRow, RunRow
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import folded_text, numbered_queries
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.writers import JudgmentsToWrite, QrelsToWrite
from judge_tui.model import Document, Query

# Who judged without a name; Quepid's CSV calls the column so.
_ANONYMOUS = "Anonymous"

_FIELDS = "document_fields"
_TEXT = ("query_text", "query")


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
        rated = [pair for pair in pairs if pair[2] is not None]
        for node, doc, grade in rated:
            try:
                doc_id = json_id(doc, "document", node)
                yield QrelsRow.of(node, text, doc_id, grade_in(grade, report))
            except RecordError as error:
                line = node.line_of(doc) if node is ratings else node
                report(line, f"query {quoted(text)}: {error.what}", error.mend)

    return each(_queries(source, document_in(source)), rows, report)


def snapshot_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Yield the results of each query of a snapshot, in their order: `{"name", "docs": {"7":
    [{"id"}]}, "queries": [{"query_id": 7, "query_text"}]}`. What is there for its rating alone
    (`rated_only`) was not returned; of a query that was deleted since, the text is not known."""
    root = document_in(source)
    docs = root.get("docs") if isinstance(root, Node) else None
    if not isinstance(root, Node) or not isinstance(docs, Node):
        what = "there is no object 'docs'"
        raise UnreadableError(source.path, 1, what, "is it the snapshot, with its documents?")
    name = root.string("name")
    tag = id_in(name) if name else None

    def rows(query: Node) -> Iterator[RunRow]:
        text, number = query.query_text(*_TEXT), str(query.get("query_id"))
        found = docs.nodes(number) if number in docs else []
        if not found:
            yield RunRow(docs, text, "", 0.0, tag)
        ranks = count(1)

        def results(one: Node) -> Iterator[RunRow]:
            rank = next(ranks)
            if one.get("rated_only") is not True:
                yield RunRow(one, text, one.id("id", "document"), -float(rank), tag)

        yield from each(found, results, report)

    return each(_queries(source, root), rows, report)


def case_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield each query where it comes first, those without ratings, too; of a case with what is
    needed (`information_need`, the narrative) and its `notes`, the description."""
    return numbered_queries(each(_queries(source, document_in(source)), _query_of, report))


def _queries(source: Source, root: Any) -> list[Node]:
    return objects_in(source, root, "queries")


def _query_of(node: Node) -> Iterator[tuple[Node, Query]]:
    yield node, Query("", node.query_text(*_TEXT), **_needs(node))


def _needs(node: Node) -> dict[str, Any]:
    return {"narrative": node.string("information_need"), "description": node.string("notes")}


def book_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield every judgment of a book, under the judge's address. What is unrateable cannot be
    judged; what was put off (`judge_later`) is skipped; an explanation is a note. A pair without
    any is open. Those of a pair that have no address are of Anonymous, Anonymous 2 and so on."""

    def rows(pair: Node) -> Iterator[JudgmentRow]:
        of_pair = pair.query_text(*_TEXT), pair.id("doc_id", "document")
        judged = pair.nodes("judgements") if pair.get("judgements") is not None else []
        needs, nameless = _needs(pair), count(1)

        def judgments(one: Node) -> Iterator[JudgmentRow]:
            judge = one.string("user_email").strip() or namesake(_ANONYMOUS, next(nameless))
            note = one.string("explanation")
            yield JudgmentRow(one, *of_pair, judge, *_grade_decision(one, report), note, **needs)

        if not judged:
            yield JudgmentRow(pair, *of_pair, "", "open", None, **needs)
        yield from each(judged, judgments, report)

    return each(_pairs(source), rows, report)


def _grade_decision(judgement: Node, report: Reporter) -> GradeDecision:
    if judgement.get("unrateable") is True:
        return GradeDecision("cannot")
    if judgement.get("judge_later") is True:
        return GradeDecision("skip")
    return grade_in(judgement.get("rating"), report)


def book_queries(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Query]]:
    """Yield each query at the first pair that has it, with its narrative and description."""
    return numbered_queries(each(_pairs(source), _query_of, report))


def book_documents(source: Source, report: Reporter) -> Iterator[tuple[SupportsIndex, Document]]:
    """Yield each document at the first pair that has fields of it. Raises `UnreadableError` where
    no pair has any."""
    seen: set[str] = set()

    def documents(pair: Node) -> Iterator[tuple[SupportsIndex, Document]]:
        doc_id, fields = pair.id("doc_id", "document"), _fields(pair.get(_FIELDS))
        if fields and doc_id not in seen:
            seen.add(doc_id)
            yield pair, _document(doc_id, fields)

    yield from each(_pairs(source), documents, report)
    if not seen and not report.count:
        what = f"no pair of the book has {_FIELDS!r}"
        raise UnreadableError(source.path, None, what, "give the collection itself")


def _pairs(source: Source) -> list[Node]:
    return objects_in(source, document_in(source), "query_doc_pairs")


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields that hold anything: of an object, or as imports have it of the JSON of
    one."""
    try:
        fields = json.loads(value or "{}") if isinstance(value, str) else value
    except (ValueError, RecursionError):
        fields = value
    if not fields:
        return {}
    if not isinstance(fields, dict):
        raise RecordError(f"{_FIELDS!r} is no object", 'write {"title": "…"}')
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _document(doc_id: str, fields: Mapping[str, Any]) -> Document:
    """Return the title, and what judges see of the document in Quepid: each other field under its
    name."""
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

_NAMELESS = re.compile(rf"{_ANONYMOUS}(?: [0-9]+)?")


def case_json(qrels: QrelsToWrite) -> Iterator[str]:
    """Write the ratings of a case."""
    yield json_text(
        {"queries": [{"query": one.text, "ratings": one.grades} for one in qrels.queries]}
    )


def book_json(content: JudgmentsToWrite) -> Iterator[str]:
    """Write a book. What cannot be judged is unrateable, what was skipped is to be judged later, a
    note is an explanation, and the judge's name stands where Quepid has an address."""
    head = json_text(
        {
            "name": content.name,
            "show_rank": False,
            "support_implicit_judgements": False,
            "scale": ",".join(map(str, content.labels)),
            "scale_with_labels": {str(grade): label for grade, label in content.labels.items()},
            "query_doc_pairs": [],
        }
    )
    start, end = head.removesuffix("]\n}\n"), "]\n}\n"
    for query, document, judgments in content.tasks:
        pair = {
            "query_text": folded_text(query.text),
            "doc_id": document.doc_id,
            "information_need": query.narrative or None,
            "notes": query.description or None,
            "judgements": [_judgement(row) for row in sorted(judgments, key=_named_first)],
        }
        # No text has a line end in JSON: each begins a line, which stands two deeper here.
        yield start + f"\n{json_text(pair).rstrip()}".replace("\n", "\n  ")
        start, end = ",", "\n ]\n}\n"
    yield end if start == "," else start + end


def _named_first(row: JudgmentRow) -> tuple[int, str]:
    """By name, and behind them those who have none, as they were numbered."""
    return len(row.judge) if _NAMELESS.fullmatch(row.judge) else 0, row.judge


def _judgement(row: JudgmentRow) -> dict[str, Any]:
    whose = {} if _NAMELESS.fullmatch(row.judge) else {"user_email": row.judge}
    return {
        "rating": None if row.grade is None else float(row.grade),
        "unrateable": row.decision == "cannot",
        "judge_later": row.decision == "skip",
        **whose,
        "explanation": row.note or None,
    }
