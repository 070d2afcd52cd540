"""Documents as one JSON object per line; keys that are not a document's own go to its meta."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judge_tui.formats.format import LONG_LINE, Format, Likeness, Sample
from judge_tui.formats.json_records import has_key, is_json_lines, pop_id, pop_text, records
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Document

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every well-formed line. Only the id is needed."""
    return records(source, report, _document)


def _document(record: dict[str, Any]) -> Document:
    return Document(
        doc_id=pop_id(record, ("doc_id", "_id", "id")),
        title=pop_text(record, "title"),
        text=pop_text(record, "text"),
        url=pop_text(record, "url"),
        kind=pop_text(record, "kind"),
        meta=record,
    )


def _likeness(sample: Sample) -> Likeness:
    if not is_json_lines(sample):
        return Likeness.NO
    own = has_key(sample, "doc_id", "title", "url", "kind") or sample.typical_size > LONG_LINE
    return Likeness.SURE if own else Likeness.LIKELY


FORMAT = Format("documents", "jsonl", '{"doc_id": …, "text": …}', _likeness, rows)
