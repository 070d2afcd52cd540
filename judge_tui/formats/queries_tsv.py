"""Queries as `id<TAB>text`, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_records
from judge_tui.model import Query

__all__ = ["rows"]

_LAYOUT = "id<TAB>text"


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every well-formed line."""
    for number, (query_id, text) in tab_records(source, report, (2,), _LAYOUT):
        yield number, Query(query_id, text)
