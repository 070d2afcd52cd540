"""Label Studio's JSON: tasks, and what was said of them.

A task's `data` names the pair. Each of its `annotations` is a judgment of who completed it, and
each of its `predictions` one of a model. The control `relevance` gives the grade, or the only one
there is of Choices (a label), Rating and Number (the number as it is); texts are notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from judge_tui.formats.json_document import Node, document_in
from judge_tui.formats.judging_tools import only_label, pair_names, row_of
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.numbers import seconds_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.writers import JudgmentsToWrite
from judge_tui.model import Document, Query

_CONTROL = "relevance"
_GRADING = ("choices", "rating", "number")


class _Statement(NamedTuple):
    """What one annotation or prediction says; `when` an annotation was changed last."""

    node: Node
    judge: str
    kind: str
    cancelled: bool
    label: str
    note: str
    seconds: float | None
    when: datetime


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield every judgment, and the pairs of tasks that have none. An annotation that was cancelled
    is a skip, unless its annotator has another one of the task; of several that one annotator made
    of a task the last that says something counts; of a model, the last prediction. Drafts are
    none."""
    tasks = document_in(source)
    if tasks is None:
        return
    if not isinstance(tasks, list) or not all(isinstance(one, Node) for one in tasks):
        raise UnreadableError(source.path, 1, "this is not a list of tasks", "export as JSON")
    for number, task in enumerate(tasks, 1):
        try:
            yield from _judged(task)
        except RecordError as error:
            report.refuse(error, task, f"task {number}")


def _judged(task: Node) -> Iterator[JudgmentRow]:
    """Yield the judgments of a task that count, or its pair, if none does."""
    data = task.get("data")
    if not isinstance(data, Node):
        raise RecordError("the task has no 'data'", "give it an object that names the pair")
    names = pair_names(data, "id")
    says = [one for one in _statements(task) if one.cancelled or one.label]
    graded = {one.judge for one in says if not one.cancelled}
    last: dict[object, _Statement] = {}
    for number, one in enumerate(says):
        if one.cancelled and one.judge in graded:
            continue
        key = (one.kind, one.judge) if one.judge else number
        if key not in last or one.when >= last[key].when:
            last[key] = one
    for one in last.values():
        yield row_of(
            one.node,
            names,
            one.judge,
            "skip" if one.cancelled else "grade",
            note=one.note,
            label="" if one.cancelled else one.label,
            kind=one.kind,
            seconds=one.seconds,
        )
    if not last:
        yield row_of(task, names)


def _statements(task: Node) -> Iterator[_Statement]:
    for one in _objects(task, "annotations"):
        yield _statement(one, _name(one.get("completed_by")), "human")
    for one in _objects(task, "predictions"):
        yield _statement(one, _name(one.get("model_version")) or "predictions", "model")


def _statement(one: Node, judge: str, kind: str) -> _Statement:
    grading: dict[str, tuple[str, Any]] = {}
    notes: list[str] = []
    for result in _objects(one, "result"):
        sort, value = result.get("type"), result.get("value")
        if not isinstance(value, Node) or "start" in value:
            continue  # it is about a part of the document
        if sort == "textarea":
            notes += _texts(value.get("text"))
        elif sort in _GRADING:
            grading[str(result.get("from_name") or "")] = (sort, value.get(sort))
    chosen = [name for name in grading if name.lower() == _CONTROL] or [*grading]
    if len(chosen) > 1:
        what = f"several controls could give the grade: {', '.join(map(quoted, chosen))}"
        raise RecordError(what, f"name the one that does {_CONTROL!r} ('from_name')", one)
    label = _label(*grading[chosen[0]], one) if chosen else ""
    cancelled = one.get("was_cancelled") is True
    when = _when(one.string("updated_at", "created_at"))
    seconds = seconds_of(one.get("lead_time")) if kind == "human" else None
    return _Statement(one, judge, kind, cancelled, label, "\n".join(notes), seconds, when)


def _when(written: str) -> datetime:
    """Return a time; the earliest there is where none is written."""
    try:
        when = datetime.fromisoformat(written)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _label(kind: str, value: Any, line: Node) -> str:
    """Return the label, or the number as one; empty where nothing was chosen."""
    if kind == "choices":
        return only_label(value, line)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError(f"the {kind} is not a number", "write a whole number", line)
    return f"{value:.15g}"


def _texts(value: Any) -> list[str]:
    texts = value if isinstance(value, list) else [value]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _objects(node: Node, name: str) -> list[Node]:
    """Return the objects of a list, which may be missing; an export names predictions by
    numbers."""
    listed = node.get(name)
    if listed is None or (isinstance(listed, list) and all(isinstance(one, int) for one in listed)):
        return []
    return node.nodes(name)


def _name(who: Any) -> str:
    """Return the address or the number of an annotator; empty where there is neither."""
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id")
    return str(who).strip() if isinstance(who, str | int) and not isinstance(who, bool) else ""


# ---- Writer ----


def tasks_json(content: JudgmentsToWrite) -> Iterator[str]:
    """Tasks as Label Studio imports them: people's judgments as annotations, with their names where
    it has addresses, and models' as predictions."""
    start = "["
    for task in content.tasks:
        yield f"{start}\n{json.dumps(_task(*task))}"
        start = ","
    yield "\n]\n" if start == "," else "[]\n"


def _task(query: Query, document: Document, judgments: Sequence[JudgmentRow]) -> dict[str, Any]:
    return {
        "data": {
            "query_id": query.query_id,
            "query": query.text,
            "narrative": query.narrative,
            "doc_id": document.doc_id,
            "title": document.title,
            "text": document.text,
        },
        "annotations": [
            {
                "completed_by": {"email": one.judge},
                "was_cancelled": one.decision == "skip",
                "ground_truth": False,
                "lead_time": one.seconds,
                "result": _controls(one),
            }
            for one in judgments
            if one.kind != "model"
        ],
        "predictions": [
            {"model_version": one.judge, "result": _controls(one)}
            for one in judgments
            if one.kind == "model"
        ],
    }


def _controls(one: JudgmentRow) -> list[dict[str, Any]]:
    """Return the values of the controls `relevance` (Choices) and `note` (TextArea) of
    `document`."""
    found: list[tuple[str, str, Mapping[str, Any]]] = []
    if one.decision != "skip":
        found.append((_CONTROL, "choices", {"choices": [one.label]}))
    if one.note:
        found.append(("note", "textarea", {"text": [one.note]}))
    return [
        {"from_name": name, "to_name": "document", "type": kind, "value": value}
        for name, kind, value in found
    ]
