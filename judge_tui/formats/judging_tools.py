"""Judgments as `export judgments` writes them, CSV or JSON Lines with a row for each look of a
judge; and the JSON Lines of UMBRELA and of doccano."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, SupportsIndex, cast

from judge_tui.formats.json_document import Node, each, json_id, jsonl_lines, lines_in
from judge_tui.formats.judgments import Decision, JudgmentRow, grade_in, judge_in
from judge_tui.formats.numbers import seconds_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import QueryText
from judge_tui.formats.source import Source
from judge_tui.formats.tables import TextTable, id_of, of_table, unguarded
from judge_tui.formats.writers import JudgmentsToWrite
from judge_tui.model import Document

# ---- Our own ----

_COLUMNS = ("query_id", "doc_id", "judge", "decision", "grade")
_DECISIONS = ("grade", "skip", "cannot", "adjudicate", "")


def own_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield the first decision of each judge on each pair; a note alone belongs to an open pair.
    Hidden repeats, flags and what a lead settled are nothing that a judge says first of a pair:
    they are left out."""
    if source.head.lstrip().startswith(b"{"):
        nodes = (node for _, node in lines_in(source, report, lambda node: node))
        return each(nodes, lambda node: _own(node, node, report), report)
    return _rows_of_table(source, report)


@of_table
def _rows_of_table(table: TextTable) -> Iterator[JudgmentRow]:
    for name in _COLUMNS:
        if name not in table.names:
            raise table.lacks(name)

    def rows(line: int, cells: list[str]) -> Iterator[JudgmentRow]:
        record = dict(zip(table.names, map(unguarded, cells), strict=True))
        return _own(line, record, table.report)

    return table.made(rows)


def _own(line: SupportsIndex, record: Mapping[str, Any], report: Reporter) -> Iterator[JudgmentRow]:
    """Yield the row of a record, if it says anything that a row can hold."""
    query_id, doc_id, judge = (
        value if isinstance(value := record.get(name), str) else "" for name in _COLUMNS[:3]
    )
    decision, note = record.get("decision") or "", record.get("note") or ""
    if decision not in _DECISIONS:
        what = f"decision {quoted(str(decision))} is unknown"
        raise RecordError(what, "write grade, skip, cannot or adjudicate, or nothing beside a note")
    judge = judge_in(judge)
    grade = None
    if decision == "grade":
        decision, grade = grade_in(record.get("grade"), report)
        if grade is not None and not 0 <= grade <= 9:
            raise RecordError(f"grade {grade} is not from 0 to 9", "write a grade of the scale")
    if not isinstance(note, str):
        raise RecordError("the note is not text", "write it as a string")
    pair = id_of(query_id, "query"), id_of(doc_id, "document")
    seconds = seconds_of(record.get("seconds"))
    if record.get("purpose") == "repeat" or decision == "adjudicate":
        return
    if not decision and not note.strip():
        return
    yield JudgmentRow(
        line,
        *pair,
        judge,
        cast(Decision, decision or "open"),
        grade,
        note,
        kind="model" if record.get("kind") == "model" else "",
        seconds=seconds,
    )


# ---- How records of other tools name a pair, and its label ----

_QUERY_IDS = ("query_id", "qid", "topic_id", "topic")
_QUERY_TEXTS = ("query_text", "query", "question")
_DOCUMENT_IDS = ("doc_id", "docid", "docno", "document_id", "passage_id")
_DOCUMENT_TEXTS = ("passage", "document", "doc_text", "contents", "body", "text")


class PairNames(NamedTuple):
    """`query_id` is a `QueryText` where there is no id; `doc_id` is empty where there is none, and
    then `passage` is the document's text."""

    query_id: str
    query_text: str
    doc_id: str
    passage: str


def pair_names(record: Node, *more_document_ids: str) -> PairNames:
    """Return the pair that a record is about; a field that is missing, null or blank names nothing,
    and of several the first counts. Raises `RecordError` where no query or no document is named."""
    query_text = record.string(*_QUERY_TEXTS)
    query_id = _id(record, _QUERY_IDS, "query") or QueryText(query_text)
    doc_id = _id(record, (*_DOCUMENT_IDS, *more_document_ids), "document")
    passage = "" if doc_id else record.string(*_DOCUMENT_TEXTS)
    for noun, name, named in (
        ("query", "query_id", query_id),
        ("document", "doc_id", doc_id or passage),
    ):
        if not named:
            what = f"the record names no {noun}, neither by an id nor by a text"
            raise RecordError(what, f"add {name!r} to the data")
    return PairNames(query_id, query_text, doc_id, passage)


def _id(record: Node, names: Iterable[str], noun: str) -> str:
    for name in names:
        value = record.get(name)
        if value is not None and not (isinstance(value, str) and not value.strip()):
            return json_id(value, noun, record)
    return ""


def row_of(
    line: SupportsIndex,
    names: PairNames,
    judge: str = "",
    decision: Decision = "open",
    grade: int | None = None,
    **more: Any,
) -> JudgmentRow:
    """Return the row of a judgment, or of a pair that is to be judged."""
    query_id, query_text, doc_id, passage = names
    more = {"query_text": query_text, "passage": passage, **more}
    return JudgmentRow(line, query_id, doc_id, judge, decision, grade, **more)


def only_label(labels: Any, line: SupportsIndex | None = None) -> str:
    """Return the one label that was chosen, empty where none was. Raises `RecordError`."""
    if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels):
        raise RecordError("the labels are not a list of strings", "write a list of one", line)
    if len(labels) > 1:
        what = f"{len(labels)} labels for one pair: {', '.join(map(quoted, labels[:5]))}"
        raise RecordError(what, "leave the one that is the grade", line)
    return labels[0].strip() if labels else ""


def _not_all_open(
    rows: Iterable[tuple[int, JudgmentRow]], report: Reporter, what: str, mend: str
) -> Iterator[JudgmentRow]:
    """Yield the rows. Where all of them are open, that is reported with the first line."""
    first, others = None, False
    for line, row in rows:
        first, others = first or line, others or row.decision != "open"
        yield row
    if first and not others:
        report(first, what, mend)


# ---- UMBRELA ----

# What UMBRELA's prompts ask for, from irrelevant to perfectly relevant.
_UMBRELA_GRADES = range(4)


def umbrela_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield every judgment that UMBRELA's model made, under the model's name; its reasons are a
    note.

    Its records (castorini/umbrela, `prepare_judgments`) have no ids, so that the passage names the
    document; ids that somebody added count. An answer that it could not parse comes as 0 with
    `result_status` 0: no judgment was made, and the pair is to be judged. A passage that is judged
    again with the same outcome counts once: two documents may have one text.
    """
    seen: set[tuple[object, ...]] = set()
    rows = lines_in(source, report, partial(_of_umbrela, report=report))
    what = "UMBRELA could parse no answer of this file"
    for row in _not_all_open(rows, report, what, "judge the pairs again"):
        outcome = (row.query_id, row.passage, row.judge, row.grade)
        if row.decision == "open" or not row.passage or outcome not in seen:
            seen.add(outcome)
            yield row


def _of_umbrela(record: Node, report: Reporter) -> JudgmentRow:
    names = pair_names(record)
    status = record.get("result_status", 1)
    if status not in (0, 1):
        raise RecordError("'result_status' is neither 0 nor 1", "write 1 where it was parsed")
    value = record.get("judgment")
    if isinstance(value, bool):
        raise RecordError("'judgment' is not a number", "write a grade, 0 to 3")
    try:
        grade = grade_in(value, report).grade
    except RecordError:
        grade = None
    if not status or grade not in _UMBRELA_GRADES:
        return row_of(record, names)
    if grade == 0 and record.get("prediction") and "result_status" not in record:
        what = "the record does not say whether its answer was parsed as 0, or not parsed"
        raise RecordError(what, "add 'result_status': 1 where it was parsed, else 0")
    note = record.string("reasoning")
    return row_of(record, names, record.string("model"), "grade", grade, note=note, kind="model")


# ---- doccano ----


def doccano_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield every record of a project of text classification that has a label, whose comments are a
    note; others are pairs to be judged.

    doccano keeps what else a record was imported with and gives it back beside `text`, `label` and
    `Comments`: there the pair is named. It does not say who chose a label (each annotator has a
    file of that name), unless the record was imported with a `judge`.
    """
    rows = lines_in(source, report, _of_doccano)
    what = "no record of this file has a label"
    return _not_all_open(rows, report, what, "label them first")


def _of_doccano(record: Node) -> JudgmentRow:
    names = pair_names(record)
    labels = record.get("label")
    if not labels:
        return row_of(record, names)
    comments = record.get("Comments")
    written = comments if isinstance(comments, list) else []
    notes = [record.string("note"), *(one for one in written if isinstance(one, str))]
    return row_of(
        record,
        names,
        record.string("judge").strip(),
        "grade",
        note="\n".join(filter(None, notes)),
        label=only_label(labels),
        kind="model" if record.get("kind") == "model" else "",
        seconds=seconds_of(record.get("seconds")),
    )


# ---- Writers ----


def umbrela_jsonl(content: JudgmentsToWrite) -> Iterator[str]:
    """Write a record for each judgment, and in it the ids, which UMBRELA's own records lack."""
    return jsonl_lines(
        {
            "model": one.judge,
            "query": query.text,
            "passage": _passage(document),
            "reasoning": one.note or None,
            "judgment": one.grade,
            "result_status": 1,
            "qid": query.query_id,
            "docid": document.doc_id,
        }
        for query, document, judgments in content.tasks
        for one in judgments
    )


def umbrela_requests(content: JudgmentsToWrite) -> Iterator[str]:
    """Write the input of `umbrela judge --input-file`: a record for each query, with its
    candidates."""
    return jsonl_lines(
        {
            "query": {"qid": query_id, "text": text},
            "candidates": [
                {"docid": one.document.doc_id, "doc": {"segment": _passage(one.document)}}
                for one in tasks
            ],
        }
        for (query_id, text), tasks in groupby(
            content.tasks, key=lambda task: (task.query.query_id, task.query.text)
        )
    )


def doccano_jsonl(content: JudgmentsToWrite) -> Iterator[str]:
    """Write a record for each judgment, or for a pair without any, as doccano imports them for text
    classification. What is neither text nor label it keeps, and gives back beside them."""
    for query, document, judgments in content.tasks:
        pair: Mapping[str, Any] = {
            "text": "\n\n".join(filter(None, (query.text, document.title, document.text))),
            "query_id": query.query_id,
            "query": query.text,
            "doc_id": document.doc_id,
        }
        of_judges = [
            {
                "label": [one.label],
                "judge": one.judge,
                "kind": one.kind,
                "note": one.note,
                # doccano's data frames make NaN of null, which its database refuses.
                "seconds": "" if one.seconds is None else one.seconds,
            }
            for one in judgments
        ]
        yield from jsonl_lines({**pair, **one} for one in of_judges or [{"label": []}])


def _passage(document: Document) -> str:
    return "\n".join(filter(None, (document.title, document.text)))
