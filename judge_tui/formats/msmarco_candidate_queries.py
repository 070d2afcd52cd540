"""The queries that a file of MS MARCO's candidates holds."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.msmarco_candidates import (
    Candidate,
    named_texts,
)
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Each query at the first line that has it."""
    for line, its_id, text in named_texts(source, report, "query", _text):
        yield line, Query(its_id, text)


def _text(one: Candidate) -> tuple[str, str]:
    return one.query_id, one.query
