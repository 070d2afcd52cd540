"""Documents as one JSON object per line; keys that are not a document's own go to its meta."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from judge_tui.formats.json_records import (
    lift_metadata,
    pop_id,
    pop_text,
    records,
)
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Document

__all__ = ["id_of", "rows"]

_IDS = ("doc_id", "_id", "id")

# The id in front, of characters that stand for themselves: nothing escaped or percent-encoded.
_IN_FRONT = re.compile(
    rb'\s*\{\s*"(doc_id|_id|id)"\s*:\s*(?:"([^"\\%\x00-\x1f]*)"|([1-9][0-9]{0,17}))\s*,'
)

# Behind each key the keys that count in its place: those that come first in `_IDS`, and itself,
# since of a key that comes twice the last one counts.
_INSTEAD = {
    b"doc_id": re.compile(rb'"doc_id"'),
    b"_id": re.compile(rb'"(?:doc)?_id"'),
    b"id": re.compile(rb'"(?:doc_|_)?id"'),
}


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every well-formed line. Only the id is needed."""
    return records(source, report, _document)


def _document(record: dict[str, Any]) -> Document:
    lift_metadata(record, ("url", "kind"))
    return Document(
        doc_id=pop_id(record, _IDS),
        title=pop_text(record, "title"),
        text=pop_text(record, "text"),
        url=pop_text(record, "url"),
        kind=pop_text(record, "kind"),
        meta=record,
    )


def id_of(line: bytes) -> bytes | None:
    found = _IN_FRONT.match(line)
    if found is None or not line.rstrip().endswith(b"}"):
        return None
    # One look for what all the keys end with, and a closer one where it is there.
    if line.find(b'id"', found.end()) >= 0 and _INSTEAD[found[1]].search(line, found.end()):
        return None
    return (found[2] or found[3] or b"").strip(b" ") or None
