"""Results: a run and its grades in one table, each row a document that a system returned.

A row without a grade is a document that nobody judged; a row without a score, or without a rank, is
one that was judged and not returned, as an outer join of run and qrels leaves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from judge_tui.formats.columns import GRADE, TAG
from judge_tui.formats.csv_run import Scores
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.systems import Systems
from judge_tui.formats.table import open_table

__all__ = ["Result", "results"]

LAYOUT = "CSV query_id,doc_id,score|rank,relevance"


class Result(NamedTuple):
    """One row: `score` is None for what was not returned, `grade` for what was not judged."""

    line: int
    query_id: str
    doc_id: str
    score: float | None
    grade: int | None
    tag: str | None


def results(source: Source, report: Reporter) -> Iterator[Result]:
    """Every well-formed row. Both of its numbers are looked at, whichever the reader is after."""
    table = open_table(source, report)
    if table is None:
        return
    scores, systems = Scores(table, report), Systems(table, report)
    tags = [table.place(TAG)] if table.header.has(TAG) else []
    for row in table.pairs(scores.place, table.place(GRADE), *systems.places, *tags):
        line, query_id, doc_id, (score_cell, grade_cell, *more) = row
        if systems.places and systems.is_other(
            row, score_cell if scores.by_rank else None, more[0]
        ):
            continue
        score = grade = None
        if score_cell or not grade_cell:
            score = scores.score(line, query_id, score_cell)
            if score is None:
                continue
        if grade_cell:
            grade = grade_in(grade_cell, line, report)
            if grade is None:
                continue
        yield Result(line, query_id, doc_id, score, grade, (more[-1] or None) if tags else None)
