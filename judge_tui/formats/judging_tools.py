"""Judgments of other judging tools: HiCAL's CSV, the JSON Lines of UMBRELA and of doccano; and how
records of labelling tools name a pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, SupportsIndex

from judge_tui.formats.columns import DOCUMENT, GRADE, QUERY, Column
from judge_tui.formats.json_document import Node, json_id, jsonl_lines, lines_in
from judge_tui.formats.judgments import Decision, JudgmentRow, grade_in, judge_in
from judge_tui.formats.numbers import seconds_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import QueryText
from judge_tui.formats.source import Source
from judge_tui.formats.tables import Table, cell_of_tools, id_of, of_table
from judge_tui.formats.writers import JudgmentsToWrite
from judge_tui.model import Document

# What UMBRELA's prompts ask for, from irrelevant to perfectly relevant.
_UMBRELA_GRADES = range(4)

_USER, _TIME = Column(("user",)), Column(("time_to_judge",))
_QUERY_IDS = ("query_id", "qid", "topic_id", "topic")
_QUERY_TEXTS = ("query_text", "query", "question")
_DOCUMENT_IDS = ("doc_id", "docid", "docno", "document_id", "passage_id")
_DOCUMENT_TEXTS = ("passage", "document", "doc_text", "contents", "body", "text")
PAIR_FIELDS = frozenset({*_QUERY_IDS, *_QUERY_TEXTS, *_DOCUMENT_IDS, *_DOCUMENT_TEXTS})
"""The names of all fields that may name a pair."""

# An answer that is nothing but its grade explains nothing.
_BARE_ANSWER = re.compile(r"[\W_]*(?:final|overall)?[\W_]*(?:score|o)?[\W_]*[0-9]?[\W_]*", re.I)
_ZERO = re.compile(r"(?<![0-9.])0(?:\.0+)?(?!\.?[0-9])")


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
    for noun, name, named in (("query", "query_id", query_id), ("document", "doc_id", doc_id)):
        if not named and not (noun == "document" and passage):
            what = f"the {noun} is named neither by an id nor by a text"
            raise RecordError(what, f"add {name!r} to the data")
    return PairNames(query_id, query_text, doc_id, passage)


def row_of(
    line: SupportsIndex,
    names: PairNames,
    judge: str = "",
    decision: Decision = "open",
    grade: int | None = None,
    **more: Any,
) -> JudgmentRow:
    """Return the row of a judgment, or of a pair that is to be judged."""
    return JudgmentRow(
        line,
        names.query_id,
        names.doc_id,
        judge,
        decision,
        grade,
        query_text=names.query_text,
        passage=names.passage,
        **more,
    )


def only_label(labels: Any, line: SupportsIndex | None = None) -> str:
    """Return the one label that was chosen, empty where none was. Raises `RecordError`."""
    if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels):
        raise RecordError("the labels are not a list of strings", "write a list of one", line)
    if len(labels) > 1:
        what = f"{len(labels)} labels for one pair: {', '.join(map(quoted, labels[:5]))}"
        raise RecordError(what, "leave the one that is the grade", line)
    return labels[0].strip() if labels else ""


def _id(record: Node, names: Iterable[str], noun: str) -> str:
    for name in names:
        value = record.get(name)
        if value is not None and not (isinstance(value, str) and not value.strip()):
            return json_id(value, noun, record)
    return ""


@of_table
def hical_rows(table: Table) -> Iterator[JudgmentRow]:
    """Yield every row of HiCAL's USER,TOPIC,DOCID,(METHOD,)JUDGMENT(,TIME_AWAY,TIME_TO_JUDGE),
    times in seconds, 0 where nobody measured; or of its page's docno,judgment: one user's for one
    topic, which it does not name."""
    whole, timed = table.has(_USER), table.has(_TIME)
    user, topic = (table.index_of(one) if whole else -1 for one in (_USER, QUERY))
    doc, grade = table.index_of(DOCUMENT), table.index_of(GRADE)
    time = table.index_of(_TIME) if timed else -1

    def rows(line: int, cells: list[str]) -> Iterator[JudgmentRow]:
        judge = judge_in(cells[user]) if whole else ""
        query_id = id_of(cells[topic], "query") if whole else ""
        seconds = seconds_of(cells[time]) if timed else None
        judgment = grade_in(cells[grade], table.report)
        doc_id = id_of(cells[doc], "document")
        yield JudgmentRow(line, query_id, doc_id, judge, *judgment, seconds=seconds or None)

    return table.made(rows)


def umbrela_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield every judgment that UMBRELA's model made, under the model's name; its reasons, else an
    answer of more than a grade, are a note.

    Its records (castorini/umbrela, `prepare_judgments`) have no ids, so that the passage names the
    document; ids that somebody added count. An answer that it could not parse comes as 0 with
    `result_status` 0: no judgment was made, and the pair is to be judged. Files of before that
    status was have the answer alone to tell by: a 0 that stands nowhere in it was not parsed. A
    passage that is judged again with the same outcome counts once: two documents may have one text.
    """
    seen: set[tuple[object, ...]] = set()
    rows = lines_in(source, report, partial(_of_umbrela, report=report))
    for row in _not_all_open(rows, report, "no answer could be parsed", "judge them again"):
        outcome = (row.query_id, row.passage, row.judge, row.grade)
        if row.decision == "open" or not row.passage or outcome not in seen:
            seen.add(outcome)
            yield row


def _not_all_open(
    rows: Iterable[tuple[int, JudgmentRow]], report: Reporter, what: str, mend: str
) -> Iterator[JudgmentRow]:
    """Yield the rows. Where all of them are open, that is reported."""
    open_ones = others = 0
    for _, row in rows:
        open_ones, others = open_ones + (row.decision == "open"), others + (row.decision != "open")
        yield row
    if open_ones and not others:
        report(None, what, mend)


def _of_umbrela(record: Node, report: Reporter) -> JudgmentRow:
    names = pair_names(record)
    status = record.get("result_status", 1)
    if status not in (0, 1):
        raise RecordError("'result_status' is neither 0 nor 1", "write 1 where it was parsed")
    value = record.get("judgment")
    if isinstance(value, bool):
        raise RecordError("'judgment' is no number", "write a grade, 0 to 3")
    try:
        grade = grade_in(value, report).grade
    except RecordError:
        grade = None
    if not status or grade not in _UMBRELA_GRADES or (grade == 0 and _is_unparsed(record)):
        return row_of(record, names)
    answer = record.string("prediction")
    note = record.string("reasoning") or ("" if _BARE_ANSWER.fullmatch(answer) else answer)
    return row_of(record, names, record.string("model"), "grade", grade, note=note, kind="model")


def _is_unparsed(record: Node) -> bool:
    """Whether a 0 of a record without a status is none that the model gave."""
    if record.get("result_status") is not None or record.get("prediction") is None:
        return False
    return _ZERO.search(record.string("prediction")) is None


def doccano_rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield every record of a project of text classification that has a label, whose comments are a
    note; others are pairs to be judged.

    doccano keeps what else a record was imported with and gives it back beside `text`, `label` and
    `Comments`: there the pair is named. It does not say who chose a label (each annotator has a
    file of that name), unless the record was imported with a `judge`.
    """
    rows = lines_in(source, report, _of_doccano)
    return _not_all_open(rows, report, "no record has a label", "label them first")


def _of_doccano(record: Node) -> JudgmentRow:
    meta = record.get("meta")  # older doccano has there what was imported
    if isinstance(meta, dict):
        for name, value in meta.items():
            record.setdefault(name, value)
    names = pair_names(record)
    labels = record.get("label", record.get("labels"))
    if not labels:
        return row_of(record, names)
    label = only_label(labels)
    comments = record.get("Comments") or []
    written = comments if isinstance(comments, list) else [comments]
    notes = [record.string("note"), *(one for one in written if isinstance(one, str))]
    return row_of(
        record,
        names,
        record.string("judge", "annotator").strip(),
        "grade",
        note="\n".join(filter(None, notes)),
        label=label,
        kind="model" if record.get("kind") == "model" else "",
        seconds=seconds_of(record.get("seconds")),
    )


# ---- Writers ----


def hical_csv(content: JudgmentsToWrite) -> Iterator[str]:
    """Write the table of all judgments, as HiCAL's `judgments_to_csv` writes it."""
    yield "USER,TOPIC,DOCID,METHOD,JUDGMENT,TIME_AWAY,TIME_TO_JUDGE\n"
    for query, document, judgments in content.tasks:
        for one in judgments:
            names = map(cell_of_tools, (one.judge, query.query_id, document.doc_id))
            yield f"{','.join(names)},,{one.grade},0.0,{float(one.seconds or 0)!r}\n"


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
