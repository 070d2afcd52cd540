"""Runs as a table with a header: a query, a document, and its score or rank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.formats.columns import RANK, SCORE, TAG
from judge_tui.formats.numerals import score_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.ranks import Ranks
from judge_tui.formats.source import Source
from judge_tui.formats.systems import Systems
from judge_tui.formats.table import Table, open_table
from judge_tui.formats.trec_run import RunRow

if TYPE_CHECKING:
    from judge_tui.formats.plain_lists import Lists

__all__ = ["Scores", "lists", "rows"]


class Scores:
    """How the rows of a table give scores: by its column `score`, or where it has none by `rank`.

    A rank counts as its negative, so that the order is that of the ranks. `place` is the column's;
    `by_rank`: it is that of ranks.
    """

    def __init__(self, table: Table, report: Reporter) -> None:
        self.place = table.place(SCORE, RANK)
        self.by_rank = not table.header.has(SCORE)
        self._report = report
        self._ranks = Ranks(report)

    def score(self, line: int, query_id: str, cell: str) -> float | None:
        """The score in a cell; None where it is none, and has been reported."""
        if not cell:
            what, instead = ("rank", "scores") if self.by_rank else ("score", "ranks alone")
            self._report(line, f"the row has no {what}", f"give each row one, or {instead}")
            return None
        return (self._ranks.score if self.by_rank else self._of_score)(line, query_id, cell)

    def _of_score(self, line: int, _query_id: str, cell: str) -> float | None:
        return score_in(cell, line, self._report)


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every well-formed row. Its tag is that of the column `tag`, if there is one."""
    table = open_table(source, report)
    if table is None:
        return
    scores, systems = Scores(table, report), Systems(table, report)
    tags = [table.place(TAG)] if table.header.has(TAG) else []
    for row in table.pairs(scores.place, *systems.places, *tags):
        line, query_id, doc_id, (cell, *more) = row
        if systems.places and systems.is_other(row, cell if scores.by_rank else None, more[0]):
            continue
        score = scores.score(line, query_id, cell)
        if score is not None:
            yield RunRow(line, query_id, doc_id, score, (more[-1] or None) if tags else None)


def lists(source: Source, any_tag: bool) -> Iterator[Lists]:
    from judge_tui.formats.plain_table import lists_of_table  # noqa: PLC0415 - start-up is counted

    return lists_of_table(source, any_tag=any_tag)
