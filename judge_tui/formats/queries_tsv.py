"""Queries as `id<TAB>text`, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.documents_table import begins_table
from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_fields, tab_records
from judge_tui.model import Query

__all__ = ["FORMAT"]

_LAYOUT = "id<TAB>text"


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every well-formed line."""
    for number, (query_id, text) in tab_records(source, report, (2,), _LAYOUT):
        yield number, Query(query_id, text)


def _likeness(sample: Sample) -> Likeness:
    if not tab_fields(sample, 2) or begins_table(sample):
        return Likeness.NO
    # JSON may have a tab between its tokens.
    return Likeness.POSSIBLE if sample.first.startswith(b"{") else Likeness.LIKELY


FORMAT = Format("queries", "tsv", _LAYOUT, _likeness, rows)
