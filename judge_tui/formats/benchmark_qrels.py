"""Qrels as a graded benchmark has them: the grades of each query's candidates."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.benchmark.entry import entries
from judge_tui.formats.benchmark.reading import graded_entries
from judge_tui.formats.ids import as_field
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]

LAYOUT = 'JSON of a benchmark [{"query", "documents": [{"id", "text", "score"}]}]'


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every candidate with its grade."""
    graded = graded_entries(list(entries(source, report)), report)
    for entry in graded:
        query_id = as_field(entry.query.query_id)
        for one in entry.candidates:
            yield QrelsRow(one.line, query_id, as_field(one.document.doc_id), one.grade)
