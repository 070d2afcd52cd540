"""How records of labelling tools name a pair: by ids, by texts, or by both.

Such tools keep whatever fields a task was imported with, under whatever names: those that are usual
for queries and documents are known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from judge_tui.formats.ids import as_field, is_blank
from judge_tui.formats.json_records import RecordError
from judge_tui.formats.json_tree import Bare
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.problems import quoted

__all__ = [
    "DOCUMENT_IDS",
    "PAIR_FIELDS",
    "QUERY_NAMES",
    "PairNames",
    "open_pair",
    "pair_names",
    "text_at",
]

_QUERY_IDS = ("query_id", "qid", "topic_id", "topic")
_QUERY_TEXTS = ("query_text", "query", "question")
DOCUMENT_IDS = ("doc_id", "docid", "docno", "document_id", "passage_id")
_DOCUMENT_TEXTS = ("passage", "document", "doc_text", "contents", "body", "text")

QUERY_NAMES = (*_QUERY_IDS, *_QUERY_TEXTS)
"""The names of all fields that may name a query."""

PAIR_FIELDS = frozenset({*QUERY_NAMES, *DOCUMENT_IDS, *_DOCUMENT_TEXTS})
"""The names of all fields that may name a pair."""


class PairNames(NamedTuple):
    """Ids as `as_field` has them. `query_id` is the text's where there is no other (`by_text`);
    `doc_id` is empty where there is none, and then `passage` is the document's text."""

    query_id: str
    query_text: str
    doc_id: str
    passage: str
    by_text: bool


def pair_names(record: Mapping[str, Any], *more_document_ids: str) -> PairNames:
    """The pair that a record is about; a field that is missing, null or blank names nothing.

    Of several fields the first of the lists above counts. Raises `RecordError` where no query or no
    document is named, and for an id that can be none.
    """
    query_text = _text(record, _QUERY_TEXTS)
    own_id = _id(record, _QUERY_IDS, "query")
    query_id = own_id or as_field(query_text)
    if not query_id:
        raise _nameless("query", _QUERY_IDS, _QUERY_TEXTS)
    doc_id = _id(record, (*DOCUMENT_IDS, *more_document_ids), "document")
    passage = "" if doc_id else _text(record, _DOCUMENT_TEXTS)
    if not doc_id and not passage:
        raise _nameless("document", DOCUMENT_IDS, _DOCUMENT_TEXTS)
    return PairNames(query_id, query_text, doc_id, passage, by_text=not own_id)


def open_pair(line: int, names: PairNames) -> JudgmentRow:
    """A pair of which the file says nothing else: it is to be judged."""
    return JudgmentRow(
        line,
        names.query_id,
        names.doc_id,
        "",
        "open",
        None,
        query_text=names.query_text,
        by_text=names.by_text,
        passage=names.passage,
    )


def text_at(record: Mapping[str, Any], *names: str) -> str:
    """The text of the first of these fields that has one; empty where none has."""
    return _text(record, names)


def _text(record: Mapping[str, Any], names: Iterable[str]) -> str:
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and not isinstance(value, Bare) and not is_blank(value):
            return value
    return ""


def _id(record: Mapping[str, Any], names: Iterable[str], noun: str) -> str:
    for name in names:
        value = record.get(name)
        if value is None or (isinstance(value, Bare) and value == "null"):
            continue
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or (isinstance(value, Bare) and value in ("true", "false")):
            raise RecordError(f"'{name}' is no id", f"write the {noun}'s id as a string")
        if "\0" in value:
            raise RecordError(f"{noun} id {quoted(value)} holds a NUL character", "remove it")
        if not is_blank(value):
            return as_field(value)
    return ""


def _nameless(noun: str, ids: tuple[str, ...], texts: tuple[str, ...]) -> RecordError:
    return RecordError(
        f"the {noun} is not named: there is neither an id ({', '.join(ids)}) nor a text"
        f" ({', '.join(texts)})",
        f"add '{ids[0]}' to the data",
    )
