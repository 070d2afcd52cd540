"""Qrels as BEIR has them: a table with a header, whose column `score` holds the grades."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.columns import SCORE
from judge_tui.formats.csv_qrels import graded_rows
from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.table import header_of
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed row. Nothing guards ids here: a ' is part of one."""
    return graded_rows(source, report, SCORE, gaps=False, guarded=False)


def _likeness(sample: Sample) -> Likeness:
    header = header_of(sample)
    if header is None or not header.is_beir:
        return Likeness.NO
    # With commas it may as well be a run of another tool, under the same names.
    return Likeness.NAMED if header.separator == "\t" else Likeness.LIKELY


FORMAT = Format("qrels", "beir", "TSV query-id<TAB>corpus-id<TAB>score", _likeness, rows)
