"""Qrels as a table with a header: a query, a document, and its grade."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.columns import GRADE, Column
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, counted
from judge_tui.formats.source import Source
from judge_tui.formats.table import open_table
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["graded_rows", "rows"]


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed row. An empty grade means not judged, and makes no row."""
    return graded_rows(source, report, GRADE)


def graded_rows(
    source: Source, report: Reporter, column: Column, *, gaps: bool = True, guarded: bool = True
) -> Iterator[QrelsRow]:
    """The rows of a table whose grades are in that column; `gaps`: a row may have none, which
    pandas makes of NaN. How many have none is noted. `guarded` is that of `Table.pairs`."""
    table = open_table(source, report)
    if table is None:
        return
    without = 0
    for line, query_id, doc_id, (cell,) in table.pairs(table.place(column), guarded=guarded):
        if gaps and not cell:
            without += 1
            continue
        grade = grade_in(cell, line, report)
        if grade is not None:
            yield QrelsRow(line, query_id, doc_id, grade)
    if without:
        report.notes.append(f"{counted(without, 'row')} without a grade left out, as not judged")
