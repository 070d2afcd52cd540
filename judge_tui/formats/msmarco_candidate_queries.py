"""The queries that a file of MS MARCO's candidates holds."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.msmarco_candidates import (
    LAYOUT,
    NAME,
    Texts,
    candidates,
    looks_like_candidates,
)
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Each query at the first line that has it."""
    texts = Texts("query", report)
    for one in candidates(source, report):
        if texts.is_new(one.line, one.query_id, one.query):
            yield one.line, Query(one.query_id, one.query)


def _likeness(sample: Sample) -> Likeness:
    return Likeness.LIKELY if looks_like_candidates(sample) else Likeness.NO


FORMAT = Format("queries", NAME, LAYOUT, _likeness, rows)
