"""What one judge said of one document, as files with the judgments of several judges have it."""

from __future__ import annotations

from typing import NamedTuple, SupportsIndex

from judge_tui.formats.labels import Decision

__all__ = ["IN_WORDS", "JudgmentRow", "namesake"]

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

    line: SupportsIndex
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


def namesake(name: str, number: int) -> str:
    """What a judge is called who is the `number`-th (from 1) of those called `name` in a file."""
    return name if number == 1 else f"{name} {number}"
