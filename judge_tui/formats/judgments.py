"""Files with the judgments of several judges, each under the judge's name; and files of grades of
whichever sort."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from judge_tui.formats.beir_folder import qrels_file
from judge_tui.formats.problems import Problems, Reporter
from judge_tui.formats.recognition import kind_of_grades
from judge_tui.formats.rows import PathLike, rows_of
from judge_tui.formats.source import UnreadableError, open_source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["IN_WORDS", "Decision", "Graded", "JudgmentRow", "namesake", "read_grades"]

Decision: TypeAlias = Literal["grade", "skip", "cannot", "open"]
"""`open`: nobody has said anything yet of a pair that is to be judged all the same."""

IN_WORDS: dict[str, str] = {"skip": "skipped", "cannot": "cannot be judged"}
"""How decisions that are no grades are called, on screen and as labels of other tools."""


class JudgmentRow(NamedTuple):
    """What one judge said of one document: `grade` where the `decision` is one, else None;
    `note` is what was written beside it. Or, with the decision `open`, a pair without a judge.

    What the file does not say is empty: who judged (`judge`), for which query (`query_id`, a
    `QueryText` where it has no id), of which document (`doc_id`: there the `passage` is its text).
    `label` is a grade that only a campaign's scale can tell, in words; its `grade` is None. `kind`
    is `model` where the file says that a program judged. `seconds` is how long it took.
    `narrative` and `description` are the query's, where the file has them.
    """

    line: int
    query_id: str
    doc_id: str
    judge: str
    decision: Decision
    grade: int | None
    note: str = ""
    label: str = ""
    query_text: str = ""
    passage: str = ""
    kind: str = ""
    seconds: float | None = None
    narrative: str = ""
    description: str = ""


class Graded(NamedTuple):
    """The rows of a file of grades, by its format: of qrels, or of several judges. `has_texts`
    is the format's."""

    format: str
    has_texts: bool
    rows: list[QrelsRow] | None
    judgments: list[JudgmentRow] | None


def namesake(name: str, number: int) -> str:
    """What a judge is called who is the `number`-th (from 1) of those called `name` in a file."""
    return name if number == 1 else f"{name} {number}"


def read_grades(
    path: PathLike, *, format: str | None = None, problems: Problems | None = None
) -> Graded:
    """All rows of qrels, or of judgments of several judges: what the file is, its content says, or
    `format`. Raises the first `InputError`, unless there are `problems`
    to take them."""
    path = qrels_file(path)
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
        chosen is not None and chosen.has_texts,
        None if several else qrels,
        judgments if several else None,
    )
