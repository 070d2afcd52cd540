"""Results and their grades as Quepid has them: the detailed CSV of a case, run and ratings."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.quepid_tables import quepid_rows
from judge_tui.formats.ranks import Ranks
from judge_tui.formats.results import Result
from judge_tui.formats.source import Source

__all__ = ["quepid_results"]

_COLUMNS = ("doc_position", "rating")


def quepid_results(source: Source, report: Reporter) -> Iterator[Result]:
    """Every well-formed row; one without a position was rated and not returned."""
    ranks = Ranks(report)
    for line, query_id, doc_id, (position, rating) in quepid_rows(source, report, *_COLUMNS):
        score = grade = None
        if position or not rating:
            score = ranks.score(line, query_id, position)
            if score is None:
                continue
        if rating:
            grade = grade_in(rating, line, report)
            if grade is None:
                continue
        yield Result(line, query_id, doc_id, score, grade, None)
