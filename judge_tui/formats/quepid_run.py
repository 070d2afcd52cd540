"""A run as Quepid exports it: the results of a case (detailed CSV) or of a snapshot."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.numerals import rank_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.quepid_tables import has_columns, quepid_rows
from judge_tui.formats.source import Source
from judge_tui.formats.table import header_of
from judge_tui.formats.trec_run import RunRow

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every well-formed row: the position is the rank."""
    for line, query_id, doc_id, (cell,) in quepid_rows(source, report, "doc_position"):
        rank = rank_in(cell, line, report)
        if rank is not None:
            yield RunRow(line, query_id, doc_id, -float(rank), None)


def _likeness(sample: Sample) -> Likeness:
    header = header_of(sample)
    if not has_columns(header, "doc_position"):
        return Likeness.NO
    # The detailed CSV of a case has ratings as well, which are what people made.
    return Likeness.LIKELY if has_columns(header, "rating") else Likeness.NAMED


FORMAT = Format("run", "quepid", "Quepid's CSV Query Text,Doc ID,Doc Position", _likeness, rows)
