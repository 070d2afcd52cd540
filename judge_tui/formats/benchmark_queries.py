"""The queries of a graded benchmark."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.benchmark.entry import entries
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every query, whatever its documents' scores are."""
    return ((entry.line, entry.query) for entry in entries(source, report))
