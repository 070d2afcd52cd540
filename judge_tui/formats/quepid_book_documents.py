"""Documents of a book of Quepid's in JSON, as far as its pairs have their fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from judge_tui.formats.ids import decode_id
from judge_tui.formats.json_tree import Node, Tree, id_in, numbered, plain
from judge_tui.formats.problems import Reporter, counted
from judge_tui.formats.quepid_book_json import FIELDS, PAIRS
from judge_tui.formats.rated_lists import listed
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.model import Document

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Each document at the first pair that has fields of it; other fields of it in a later pair are
    counted. Raises `UnreadableError` where no pair has any."""
    pairs = listed(source, report, PAIRS)
    if pairs is None:
        return
    known: dict[str, dict[str, Any]] = {}
    differing: set[str] = set()
    for pair, here in numbered(pairs, "pair", report):
        doc_id = id_in(pair.get("doc_id"), "document", pair.line, here)
        fields = _fields(pair.get(FIELDS), pair.line, here)
        if doc_id is None or not fields:
            continue
        first = known.setdefault(doc_id, fields)
        if first is fields:
            yield pair.line, _document(decode_id(doc_id), fields)
        elif first != fields:
            differing.add(doc_id)
    if differing:
        documents = counted(len(differing), "document")
        report.notes.append(f"{documents} with other fields in a later pair: the first are taken")
    if not known and not report.count:
        raise UnreadableError(
            source.path, None, f"no pair of the book has {FIELDS!r}", "give the collection itself"
        )


def _fields(held: Tree, line: int, report: Reporter) -> dict[str, Any]:
    """The fields of a document that hold anything: an object, or as imports have it the JSON of
    one."""
    try:
        fields = plain(held) if isinstance(held, Node) else json.loads(held or "{}")
    except (TypeError, ValueError, RecursionError):
        fields = held
    if fields is None or fields == []:
        return {}
    if isinstance(fields, dict):
        return {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    report(line, f"{FIELDS!r} is no object", 'write {"title": "…"}, or {} where there are none')
    return {}


def _document(doc_id: str, fields: dict[str, Any]) -> Document:
    """Its title, and what judges see of it in Quepid: each other field under its name."""
    title = fields.get("title")
    others = {name: value for name, value in fields.items() if name != "title"}
    text = "\n\n".join(f"{name}: {_shown(value)}" for name, value in others.items())
    return Document(doc_id, title=_shown(title) if title else "", text=text)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)
