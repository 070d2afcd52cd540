"""Qrels as BEIR has them: a table with a header, whose column `score` holds the grades."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.columns import SCORE
from judge_tui.formats.csv_qrels import graded_rows
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed row. Nothing guards ids here: a ' is part of one."""
    return graded_rows(source, report, SCORE, gaps=False, guarded=False)
