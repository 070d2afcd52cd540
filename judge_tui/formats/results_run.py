"""The run that a table of results holds: what a system returned, whether judged or not."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.problems import Reporter
from judge_tui.formats.results import results
from judge_tui.formats.source import Source
from judge_tui.formats.trec_run import RunRow

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every well-formed row that has a score or a rank."""
    for row in results(source, report):
        if row.score is not None:
            yield RunRow(row.line, row.query_id, row.doc_id, row.score, row.tag)
