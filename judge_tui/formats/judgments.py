"""Files with the judgments of several judges, each under the judge's name; and files of grades of
whichever sort."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from judge_tui.formats.problems import Problems, Reporter
from judge_tui.formats.recognition import kind_of_grades
from judge_tui.formats.rows import PathLike, rows_of
from judge_tui.formats.source import UnreadableError, open_source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["NAMED_BY_TEXT", "Decision", "Graded", "JudgmentRow", "read_grades"]

Decision: TypeAlias = Literal["grade", "skip", "cannot"]

NAMED_BY_TEXT = frozenset({"quepid", "rre", "opensearch", "quepid-book", "quepid-book-json"})
"""The formats that have no ids of queries: there, the text stands for the id."""


class JudgmentRow(NamedTuple):
    """What one judge said of one document: `grade` where the `decision` is one, else None;
    `note` is what was written beside it."""

    line: int
    query_id: str
    doc_id: str
    judge: str
    decision: Decision
    grade: int | None
    note: str = ""


class Graded(NamedTuple):
    """The rows of a file of grades, by its format: of qrels, or of several judges."""

    format: str
    rows: list[QrelsRow] | None
    judgments: list[JudgmentRow] | None
    notes: tuple[str, ...]


def read_grades(
    path: PathLike, *, format: str | None = None, problems: Problems | None = None
) -> Graded:
    """All rows of qrels, or of judgments of several judges: what the file is, its content says, or
    `format`. Raises the first `InputError`, unless there are `problems` to take them."""
    report = Reporter(path, problems)
    qrels: list[QrelsRow] = []
    judgments: list[JudgmentRow] = []
    chosen = None
    try:
        with open_source(path) as source:
            chosen = kind_of_grades(source, format)
            rows: Iterator[QrelsRow | JudgmentRow] = rows_of(source, chosen, report)
            for row in rows:
                if isinstance(row, JudgmentRow):
                    judgments.append(row)
                else:
                    qrels.append(row)
    except UnreadableError as error:
        report.pass_on(error)
    several = chosen is not None and chosen.kind == "judgments"
    return Graded(
        chosen.name if chosen else "",
        None if several else qrels,
        judgments if several else None,
        tuple(report.notes),
    )
