"""Ranks in place of scores: a run that has no scores is ordered by its ranks."""

from __future__ import annotations

from judge_tui.formats.numerals import rank_in
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.seen import FirstLines

__all__ = ["Ranks"]


class Ranks:
    """The ranks of a file, each once in a query; a rank counts as its negative, so that the order
    by scores is that of the ranks."""

    def __init__(self, report: Reporter) -> None:
        self._report = report
        self._lines = FirstLines()

    def score(self, line: int, query_id: str, cell: str) -> float | None:
        """The score that a rank stands for; None where it is none, or another document of the query
        has it, which has been reported."""
        rank = rank_in(cell, line, self._report)
        before = None if rank is None else self._lines.of((query_id, rank), line)
        if before is not None:
            self._report(
                line,
                f"rank {rank} is already in query {quoted(query_id)}, line {before}",
                "give each document of a query a rank of its own, or a score",
            )
        return None if rank is None or before is not None else float(-rank)
