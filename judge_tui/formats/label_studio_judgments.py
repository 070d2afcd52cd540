"""Judgments as Label Studio exports them, in JSON and in JSON-MIN: tasks and what was said of them.

A task's `data` names the pair. In JSON, each of its `annotations` is a judgment of who completed it
and each of its `predictions` one of a model; in JSON-MIN, an item is a task and one annotation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any, NamedTuple

from judge_tui.formats.json_records import RecordError
from judge_tui.formats.json_tree import Bare, Node, Tree, numbered, trees_in
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.label_studio_results import GRADING, Outcome, grading_of, said_by, values_of
from judge_tui.formats.pair_names import PAIR_FIELDS, PairNames, open_pair, pair_names
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError

__all__ = ["rows"]

# What an item of JSON-MIN has behind the values of the controls (`convert_to_json_min`).
_BEHIND = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every judgment, and the pairs of tasks that have none. An annotation that was cancelled is a
    skip, unless its annotator has another one of the task; of several that one annotator made of a
    task the last that says something counts; of a model, the last prediction.
    Drafts are no judgments."""
    counts: Counter[str] = Counter()
    judged: dict[tuple[bool, str, str, str, str], str] = {}
    # In JSON-MIN nobody promises that the items of a task stand together.
    items: dict[tuple[str, PairNames], list[_Found]] = {}
    for task, here in numbered(_tasks(source, report), "task", report):
        is_min = "annotations" not in task and (
            "annotation_id" in task or ("annotator" in task and "data" not in task)
        )
        data = task if is_min else task.get("data")
        if not isinstance(data, Node):
            here(task.line, "the task has no 'data'", "give it an object that names the pair")
            continue
        try:
            # In JSON-MIN, `id` is the task's own.
            names = pair_names(data, *([] if is_min else ["id"]))
        except RecordError as error:
            here(task.line, error.what, error.mend)
            continue
        found = list(_from_item(task, here) if is_min else _from_task(task, here, counts))
        if is_min and found and (number := _name(task.get("id"))):
            items.setdefault((number, names), []).extend(found)
            continue
        yield from _judged(task.line, names, found, judged, counts, report)
    for (_, names), found in items.items():
        yield from _judged(found[0].line, names, found, judged, counts, report)
    report.notes += [f"{what}: {count:,}" for what, count in counts.items() if count]


def _judged(
    line: int,
    names: PairNames,
    found: Sequence[_Found],
    judged: dict[tuple[bool, str, str, str, str], str],
    counts: Counter[str],
    report: Reporter,
) -> Iterator[JudgmentRow]:
    """What was said of the task on this line that counts, or the pair, if nothing does. `judged`:
    where each judge has judged each pair so far."""
    is_open = True
    for one in _last_of_each(found, counts):
        if not one.cancelled and not _has_grade(one.outcome):
            counts["annotations without a grade, left out"] += 1
            continue
        is_open = False
        pair = names.by_text, names.query_id, names.doc_id, names.passage
        before = judged.setdefault((*pair, one.judge), one.where)
        if before is not one.where:
            what = f"{quoted(one.judge) if one.judge else 'the judge'} has judged document"
            what += f" {quoted(names.doc_id or names.passage)} for query"
            what += f" {quoted(names.query_id)} in {before} and in {one.where}"
            report(one.line, what, "remove one of the two")
            continue
        yield _row(names, one)
    if is_open:
        yield open_pair(line, names)


def _tasks(source: Source, report: Reporter) -> Iterator[Node]:
    no_tasks = UnreadableError(
        source.path, 1, "this is no list of tasks", "export as JSON or JSON-MIN"
    )
    if Sample(source).first[:1] not in (b"", b"["):
        raise no_tasks
    for task in trees_in(source, report):
        if not isinstance(task, Node):
            raise no_tasks
        yield task


class _Found(NamedTuple):
    """What one annotation or prediction of a task says, and by which numbers it is found in the
    project (`where`); `when`: of an annotation, when it was changed last."""

    line: int
    judge: str
    kind: str
    cancelled: bool
    outcome: Outcome
    seconds: float | None
    where: str
    when: datetime


def _last_of_each(found: Iterable[_Found], counts: Counter[str]) -> list[_Found]:
    """Of the annotations that somebody made of one task, the last that says something, and all
    that say nothing."""
    kept: dict[object, _Found] = {}
    for number, one in enumerate(found):
        says = one.judge and (one.cancelled or _has_grade(one.outcome))
        key = (one.kind, one.judge) if says else number
        counts["annotations that their annotators made again, the last one taken"] += key in kept
        if key not in kept or one.when >= kept[key].when:
            kept[key] = one
    return list(kept.values())


def _from_task(task: Node, report: Reporter, counts: Counter[str]) -> Iterator[_Found]:
    annotations = _list(task, "annotations" if "annotations" in task else "completions", report)
    counts["drafts left out"] += len(_list(task, "drafts", report, counts))
    done = {_annotator(one) for one in annotations if not _is_cancelled(one)}
    for one in annotations:
        judge, cancelled = _annotator(one), _is_cancelled(one)
        if cancelled and judge in done:
            counts["cancelled annotations of who annotated the task as well, left out"] += 1
            continue
        counts["annotations marked as ground truth, taken as their annotators'"] += (
            one.get("ground_truth") == "true"
        )
        outcome = _said(one, report)
        if outcome is None:
            continue
        where = _where("annotation", one.get("id"), task)
        yield _Found(
            one.line, judge, "human", cancelled, outcome, _seconds(one, report), where, _when(one)
        )
    last = {_model(one): one for one in _list(task, "predictions", report, counts)}
    for model, one in last.items():
        outcome = _said(one, report)
        if outcome is not None:
            counts["predictions, taken as those of judges of kind model"] += 1
            where = _where("prediction", one.get("id"), task)
            yield _Found(one.line, model, "model", False, outcome, None, where, _when(one))


def _from_item(item: Node, report: Reporter) -> Iterator[_Found]:
    """The one annotation of an item of JSON-MIN, which has what each control gave under its name,
    between the data with the task's `id` and the annotator: a number is that of a rating."""
    names = list(item)
    end = min(names.index(name) for name in _BEHIND if name in item)
    has_number = "id" in names[:end]
    start = names.index("id") + 1 if has_number else 0
    values: dict[str, list[tuple[str, Tree]]] = {}
    for name in names[start:end]:
        value = item[name]
        # Of a single choice and of a text this form keeps nothing but the words.
        in_words = "textarea" if name.lower() in _TEXTS else "choices"
        # Without the task's number in front it may be any number or list of the data.
        is_control = has_number or name.lower() in (*GRADING, *_TEXTS)
        if isinstance(value, str) and not isinstance(value, Bare):
            if name not in PAIR_FIELDS:
                values[name] = [(in_words, [value])]
        elif isinstance(value, Bare):
            if is_control and _is_number(value):
                values[name] = [("number", value)]
        elif isinstance(value, list | Node):
            # One result of several choices or lines stands alone, others in a list.
            several = value if isinstance(value, list) else [value]
            found: list[tuple[str, Tree]] = []
            for one in several:
                if isinstance(one, Node):
                    found += [(kind, one[key]) for kind, key in _KEYS if key in one]
                elif is_control and isinstance(one, str) and not isinstance(one, Bare):
                    found.append((in_words, [one]))
            if found:
                values[name] = found
    if not has_number and len(several := grading_of(values)) > 1:
        report(
            item.line,
            "this item of JSON-MIN has no task number 'id', behind which the controls stand: the"
            f" grade could be {' or '.join(map(quoted, several))}",
            "export it with the numbers of the tasks, or as JSON",
        )
        return
    outcome = said_by(values, item.line, report)
    if outcome is not None:
        judge = _name(item.get("annotator"))
        where = _where("annotation", item.get("annotation_id"), item)
        yield _Found(
            item.line, judge, "human", False, outcome, _seconds(item, report), where, _when(item)
        )


def _where(noun: str, number: Any, task: Node) -> str:
    """Such as `annotation 7 of task 3 (line 12)`."""
    numbers = f"{noun} {number} " if isinstance(number, str) else f"{noun} without 'id' "
    its_task = task.get("id")
    numbers += f"of task {its_task}" if isinstance(its_task, str) else "of a task without 'id'"
    return f"{numbers} (line {task.line})"


_TEXTS = ("note", "notes", "comment", "comments", "explanation", "reason")
_KEYS = (
    ("choices", "choices"),
    ("taxonomy", "taxonomy"),
    ("rating", "rating"),
    ("number", "number"),
    ("textarea", "text"),
)


def _row(names: PairNames, one: _Found) -> JudgmentRow:
    return JudgmentRow(
        one.line,
        names.query_id,
        names.doc_id,
        one.judge,
        "skip" if one.cancelled else "grade",
        None if one.cancelled else one.outcome.grade,
        one.outcome.note,
        label="" if one.cancelled else one.outcome.label,
        query_text=names.query_text,
        by_text=names.by_text,
        passage=names.passage,
        kind=one.kind,
        seconds=one.seconds,
    )


def _said(one: Node, report: Reporter) -> Outcome | None:
    return said_by(values_of(_list(one, "result", report)), one.line, report)


def _list(
    node: Node, name: str, report: Reporter, counts: Counter[str] | None = None
) -> list[Node]:
    """The objects of a list, which may be missing. An export of Label Studio names predictions and
    drafts by their numbers, a snapshot has them whole if told to: with `counts` numbers are
    counted there, else no list may have any."""
    held = node.get(name)
    if held is None or (isinstance(held, Bare) and held == "null"):
        return []
    if counts is not None and isinstance(held, list):
        found = [one for one in held if not isinstance(one, Bare)]
        counts[f"{name} of which the file has the number alone, left out"] += len(held) - len(found)
        held = found
    if not isinstance(held, list) or not all(isinstance(one, Node) for one in held):
        report(node.line, f"'{name}' is no list of objects", "write one")
        return []
    return held


def _is_cancelled(annotation: Node) -> bool:
    return "true" in (annotation.get("was_cancelled"), annotation.get("skipped"))


def _annotator(annotation: Node) -> str:
    return _name(annotation.get("completed_by"))


def _name(who: Any) -> str:
    """The address or the number of an annotator; empty where there is neither."""
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id")
    if not isinstance(who, str) or (isinstance(who, Bare) and who in ("null", "true", "false")):
        return ""
    return who.strip()


def _is_number(value: Tree) -> bool:
    return isinstance(value, Bare) and value not in ("true", "false", "null")


def _has_grade(outcome: Outcome) -> bool:
    return bool(outcome.label) or outcome.grade is not None


def _when(annotation: Node) -> datetime:
    """When it was changed last, or made; before all others where that is not said."""
    written = annotation.get("updated_at") or annotation.get("created_at")
    try:
        when = datetime.fromisoformat(str(written))
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _model(prediction: Node) -> str:
    return _name(prediction.get("model_version")) or "predictions"


def _seconds(one: Node, report: Reporter) -> float | None:
    written = one.get("lead_time")
    if written is None or (isinstance(written, Bare) and written == "null"):
        return None
    if _is_number(written):
        seconds = float(written)
        if isfinite(seconds) and seconds >= 0:
            return seconds
    report(one.line, "'lead_time' is no number of seconds", "write it like 12.5, or null")
    return None
