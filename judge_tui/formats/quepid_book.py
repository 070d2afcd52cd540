"""Judgments as Quepid exports a book in CSV: a row for each pair, a column for each judge."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.quepid_tables import is_book, quepid_rows
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import header_of

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every rating, under the name of its column, and the pairs that have none. An empty cell is no
    judgment: this format does not tell what cannot be judged from what nobody looked at."""
    header = header_of(Sample(source))
    if header is None:
        return
    judges = [name.strip() for name in header.written[2:]]
    for name in judges:
        if not name or judges.count(name) > 1:
            what = f"two columns are called {quoted(name)}" if name else "a column has no name"
            raise UnreadableError(
                source.path, header.line, what, "give each judge's column a name of its own"
            )
    silent = dict.fromkeys(judges)
    for line, query_id, doc_id, cells in quepid_rows(source, report):
        if not any(cells):
            yield JudgmentRow(line, query_id, doc_id, "", "open", None)
        for judge, cell in zip(judges, cells, strict=True):
            grade = grade_in(cell, line, report) if cell else None
            if cell:
                silent.pop(judge, None)
            if grade is not None:
                yield JudgmentRow(line, query_id, doc_id, judge, "grade", grade)
    report.notes += [
        f"nothing is rated by {quoted(judge)}, who becomes no judge" for judge in silent
    ]


def _likeness(sample: Sample) -> Likeness:
    return Likeness.NAMED if is_book(header_of(sample)) else Likeness.NO


FORMAT = Format(
    "judgments", "quepid-book", "Quepid's CSV query,docid,<judge>…", _likeness, rows, by_text=True
)
