"""The qrels that a table of results holds: the rows that have a grade."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.problems import Reporter
from judge_tui.formats.results import results
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed row that has a grade."""
    for row in results(source, report):
        if row.grade is not None:
            yield QrelsRow(row.line, row.query_id, row.doc_id, row.grade)
