"""Documents as MS MARCO has them: `docid<TAB>url<TAB>title<TAB>body`, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_records
from judge_tui.model import Document

__all__ = ["id_of", "rows"]

_LAYOUT = "docid<TAB>url<TAB>title<TAB>body"


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every well-formed line."""
    for line, (doc_id, url, title, body) in tab_records(source, report, (4,), _LAYOUT):
        yield line, Document(doc_id, title=title, text=body, url=url)


def id_of(line: bytes) -> bytes | None:
    doc_id, tab, _ = line.partition(b"\t")
    return doc_id.strip(b" ") if tab and b"%" not in doc_id else None
