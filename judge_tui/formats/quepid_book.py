"""Judgments as Quepid exports a book in CSV: a row for each pair, a column for each judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from judge_tui.formats.judgments import JudgmentRow, namesake
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.quepid_tables import quepid_rows, refuse_index
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import header_of

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every rating, under the name of its column, and the pairs that have none. An empty cell is no
    judgment: this format does not tell what cannot be judged from what nobody looked at. Quepid
    names two people of one name alike: a later one is told apart by a number. A column without a
    name holds nothing, as spreadsheets write one behind the last, or `UnreadableError` is
    raised."""
    header = header_of(Sample(source))
    if header is None:
        return
    refuse_index(source, header)
    judges = _told_apart(header.written[2:], report)
    silent = {judge: None for judge in judges if judge}
    for line, query_id, doc_id, cells in quepid_rows(source, report):
        if not any(cells):
            yield JudgmentRow(line, query_id, doc_id, "", "open", None)
        for number, (judge, cell) in enumerate(zip(judges, cells, strict=True), 3):
            if not cell:
                continue
            if not judge:
                what = f"column {number} has no name, and holds {quoted(cell)} on line {line:,}"
                mend = "give each judge's column a name"
                raise UnreadableError(source.path, header.line, what, mend)
            silent.pop(judge, None)
            grade = grade_in(cell, line, report)
            if grade is not None:
                yield JudgmentRow(line, query_id, doc_id, judge, "grade", grade)
    report.notes += [
        f"nothing is rated by {quoted(judge)}, who becomes no judge" for judge in silent
    ]


def _told_apart(written: Sequence[str], report: Reporter) -> list[str]:
    """A name for each column that no other has, none for those without; what becomes of equal ones
    is noted."""
    judges: list[str] = []
    alike: dict[str, list[str]] = {}
    for name in written:
        judge = name
        if name and name in alike:
            names = (namesake(name, number) for number in count(2))
            judge = next(one for one in names if one not in written and one not in judges)
        judges.append(judge)
        alike.setdefault(name, []).append(judge)
    report.notes += [
        f"{len(those)} columns are called {quoted(name)}: in their order they are of"
        f" {', '.join(map(quoted, those))}"
        for name, those in alike.items()
        if name and len(those) > 1
    ]
    return judges
