"""Queries of the files of ratings that other tools keep, whose texts are their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judge_tui.formats.ids import text_of_field
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow
from judge_tui.model import Query

__all__ = ["queries_of"]


def queries_of(
    ratings: Callable[[Source, Reporter], Iterator[QrelsRow]],
) -> Callable[[Source, Reporter], Iterator[tuple[int, Query]]]:
    """A reader of the queries in such files: each where it comes first, those without ratings
    behind them."""

    def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
        found: dict[str, int] = {}
        notes = len(report.notes)
        for row in ratings(source, report):
            found.setdefault(text_of_field(row.query_id), row.line)
        for lone in report.lone_queries:
            found.setdefault(text_of_field(lone.query_id), lone.line)
        # What is to be known of the ratings is nothing to a file of queries.
        del report.notes[notes:], report.lone_queries[:]
        for text, line in found.items():
            yield line, Query(text, text)

    return rows
