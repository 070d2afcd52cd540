"""How queries and documents are called on the page, and how many systems are not."""

from __future__ import annotations

from collections.abc import Mapping

from judge_tui.report.page.findings import Findings, Named
from judge_tui.report.page.sections.phrases import counted, excerpt

__all__ = ["document_called", "not_shown", "query_called"]


def query_called(found: Findings, query_id: str) -> str:
    """Its id, and the beginning of its text."""
    text = excerpt(found.data.queries.texts.get(query_id, ""), 70)
    return f"{query_id} {text}" if text and text != query_id else query_id


def document_called(named: Mapping[int, Named], document: int) -> str:
    """Its title, or its id where it has none."""
    one = named.get(document)
    return excerpt(one.title or one.doc_id, 60) if one else "a document"


def not_shown(found: Findings) -> str:
    """What a note adds where not all systems have a row."""
    more = len(found.ranked) - len(found.shown)
    return f" {counted(more, 'more system')} not shown." if more else ""
