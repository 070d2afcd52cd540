"""Qrels as Quepid exports the ratings of a case: its basic and its detailed CSV."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, counted
from judge_tui.formats.quepid_tables import other_columns, quepid_rows
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source
from judge_tui.formats.table import columns_called, header_of
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed row that has a rating."""
    without = 0
    for line, query_id, doc_id, (cell,) in quepid_rows(source, report, "rating"):
        if not cell:
            without += 1
            continue
        grade = grade_in(cell, line, report)
        if grade is not None:
            yield QrelsRow(line, query_id, doc_id, grade)
    header = header_of(Sample(source))
    if others := [] if header is None else other_columns(header, "rating"):
        report.notes.append(f"{columns_called(others)} beside the rating left out")
    if without:
        report.notes.append(f"{counted(without, 'row')} without a rating left out, as not judged")
