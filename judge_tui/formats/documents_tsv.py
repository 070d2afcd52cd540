"""Documents as `id<TAB>text` or `id<TAB>title<TAB>text`, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_records
from judge_tui.model import Document

__all__ = ["rows"]

_LAYOUT = "id<TAB>text or id<TAB>title<TAB>text"


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every well-formed line."""
    for number, (doc_id, *title, text) in tab_records(source, report, (2, 3), _LAYOUT):
        yield number, Document(doc_id, title=title[0] if title else "", text=text)


def id_of(line: bytes) -> bytes | None:
    doc_id, tab, _ = line.partition(b"\t")
    return doc_id.strip(b" ") if tab and b"%" not in doc_id else None
