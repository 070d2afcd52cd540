"""Files for judging tools: pairs to be judged, with what was said of them so far."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.quepid_files import guarded
from judge_tui.formats.row_files import jsonl_lines
from judge_tui.formats.umbrela_judgments import UMBRELA_GRADES

__all__ = [
    "JUDGMENT_FILES",
    "POOL_FILES",
    "Pair",
    "Task",
    "doccano_jsonl",
    "hical_csv",
    "hical_session_csv",
    "label_studio_json",
    "umbrela_jsonl",
    "umbrela_requests",
]


class Pair(NamedTuple):
    """A query and a document with all that a judge is to see, by ids as `table_field` has
    them."""

    query_id: str
    query: str
    narrative: str
    doc_id: str
    title: str
    text: str


Task: TypeAlias = tuple[Pair, Sequence[JudgmentRow]]
"""A pair and what its judges said, grades with their `label`."""


def hical_csv(tasks: Iterable[Task]) -> Iterator[str]:
    """The table of all judgments, as HiCAL's `judgments_to_csv` writes it."""
    yield "USER,TOPIC,DOCID,METHOD,JUDGMENT,TIME_AWAY,TIME_TO_JUDGE\n"
    for pair, judgments in tasks:
        for one in judgments:
            names = ",".join(map(guarded, (one.judge, pair.query_id, pair.doc_id)))
            yield f"{names},,{one.grade},0.0,{float(one.seconds or 0)!r}\n"


def hical_session_csv(tasks: Iterable[Task]) -> Iterator[str]:
    """What the page of HiCAL takes for the topic and the user who are logged in."""
    yield "docno,judgment\n"
    for pair, judgments in tasks:
        for one in judgments:
            yield f"{guarded(pair.doc_id)},{one.grade}\n"


def umbrela_jsonl(tasks: Iterable[Task]) -> Iterator[str]:
    """A record for each judgment, and in it the ids, which UMBRELA's own records lack."""
    return jsonl_lines(
        {
            "model": one.judge,
            "query": pair.query,
            "passage": _passage(pair),
            "reasoning": one.note or None,
            "judgment": one.grade,
            "result_status": 1,
            "qid": pair.query_id,
            "docid": pair.doc_id,
        }
        for pair, judgments in tasks
        for one in judgments
    )


def umbrela_requests(tasks: Iterable[Task]) -> Iterator[str]:
    """What `umbrela judge --input-file` takes: a record for each query, with its candidates."""
    for _, those in groupby((pair for pair, _ in tasks), key=lambda pair: pair.query_id):
        pairs = list(those)
        candidates = [{"docid": one.doc_id, "doc": {"segment": _passage(one)}} for one in pairs]
        query = {"qid": pairs[0].query_id, "text": pairs[0].query}
        yield from jsonl_lines([{"query": query, "candidates": candidates}])


def label_studio_json(tasks: Iterable[Task]) -> Iterator[str]:
    """Tasks as Label Studio imports them: people's judgments as annotations, with their names where
    it has addresses, and models' as predictions."""
    start = "["
    for pair, judgments in tasks:
        task: dict[str, Any] = {"data": pair._asdict()}
        task["annotations"] = [
            {
                "completed_by": {"email": one.judge},
                "was_cancelled": one.decision == "skip",
                "ground_truth": False,
                "lead_time": one.seconds,
                "result": _results(one),
            }
            for one in judgments
            if one.kind != "model"
        ]
        task["predictions"] = [
            {"model_version": one.judge, "result": _results(one)}
            for one in judgments
            if one.kind == "model"
        ]
        yield f"{start}\n{json.dumps(task)}"
        start = ","
    yield "\n]\n" if start == "," else "[]\n"


def doccano_jsonl(tasks: Iterable[Task]) -> Iterator[str]:
    """A record for each judgment, or for a pair without any, as doccano imports them for text
    classification. What is neither text nor label it keeps, and gives back beside them."""
    for pair, judgments in tasks:
        named = {
            "text": "\n\n".join(filter(None, (pair.query, pair.title, pair.text))),
            "query_id": pair.query_id,
            "query": pair.query,
            "doc_id": pair.doc_id,
        }
        if not judgments:
            yield from jsonl_lines([{**named, "label": []}])
        for one in judgments:
            said = {
                "label": [one.label],
                "judge": one.judge,
                "kind": one.kind,
                "note": one.note,
                # doccano's data frames make NaN of null, which its database refuses.
                "seconds": "" if one.seconds is None else one.seconds,
            }
            yield from jsonl_lines([{**named, **said}])


def _results(one: JudgmentRow) -> list[dict[str, Any]]:
    """What was said, by the controls `relevance` (Choices) and `note` (TextArea) of `document`."""
    found: list[tuple[str, str, Mapping[str, Any]]] = []
    if one.decision != "skip":
        found.append(("relevance", "choices", {"choices": [one.label]}))
    if one.note:
        found.append(("note", "textarea", {"text": [one.note]}))
    return [
        {"from_name": name, "to_name": "document", "type": kind, "value": value}
        for name, kind, value in found
    ]


def _passage(pair: Pair) -> str:
    return "\n".join(filter(None, (pair.title, pair.text)))


class _Form(NamedTuple):
    """How a form is written; which decisions and which kinds of judges it has a place for, whether
    for notes, and up to which grade; what it always leaves out. `of_one_judge`: of one judge and
    one query; `models_skip`: whether a model can have skipped a pair."""

    lines: Callable[[Iterable[Task]], Iterator[str]]
    decisions: frozenset[str]
    kinds: frozenset[str]
    notes: bool
    left_out: str
    greatest: int = 9
    of_one_judge: bool = False
    models_skip: bool = True


class _PoolForm(NamedTuple):
    """How a form is written, and whether it takes no document without a text."""

    lines: Callable[[Iterable[Task]], Iterator[str]]
    wants_text: bool = False


_EVERY = frozenset({"grade", "skip", "cannot"})
_BOTH = frozenset({"human", "model"})

JUDGMENT_FILES: dict[str, _Form] = {
    "hical": _Form(
        lines=hical_csv,
        decisions=frozenset({"grade"}),
        kinds=_BOTH,
        notes=False,
        left_out="texts, when it was judged, how it was found, who is a model; HiCAL knows the"
        " grades 0, 1 and 2",
    ),
    "hical-session": _Form(
        lines=hical_session_csv,
        decisions=frozenset({"grade"}),
        kinds=_BOTH,
        notes=False,
        left_out="the judge, the query, texts, times; HiCAL knows the grades 0, 1 and 2",
        of_one_judge=True,
    ),
    "umbrela": _Form(
        lines=umbrela_jsonl,
        decisions=frozenset({"grade"}),
        kinds=frozenset({"model"}),
        notes=True,
        left_out="narratives, times",
        greatest=UMBRELA_GRADES[-1],
    ),
    "label-studio": _Form(
        lines=label_studio_json,
        decisions=_EVERY,
        kinds=_BOTH,
        notes=True,
        left_out="when it was judged, how long models took",
        # What a model said is a prediction there, which cannot be cancelled.
        models_skip=False,
    ),
    "doccano": _Form(
        lines=doccano_jsonl,
        decisions=_EVERY,
        kinds=_BOTH,
        notes=True,
        left_out="narratives, when it was judged",
    ),
}
"""The forms that judgments are written in, by the names that their readers have; but one session of
HiCAL, of one judge and one query, is read as all of them are."""

POOL_FILES: dict[str, _PoolForm] = {
    "label-studio": _PoolForm(label_studio_json),
    "doccano": _PoolForm(doccano_jsonl),
    "umbrela": _PoolForm(umbrela_requests, wants_text=True),
}
"""The forms that pairs without judgments are written in, to be judged elsewhere."""
