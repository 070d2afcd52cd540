"""What a judge said of a document, as files have it: a grade, or what stands in place of one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, SupportsIndex, TypeAlias, cast

from judge_tui.errors import UsageError
from judge_tui.formats.numbers import grade_of, score_of
from judge_tui.formats.problems import RecordError, Reporter

Decision: TypeAlias = Literal["grade", "skip", "cannot", "open"]
"""`open`: nobody has said anything yet of a pair that is to be judged all the same."""


class GradeDecision(NamedTuple):
    """What was decided; the `grade`, where the decision is one."""

    decision: Decision
    grade: int | None = None

    @property
    def in_qrels(self) -> int:
        """The grade as qrels have it, which is negative where there is none."""
        return -1 if self.grade is None else self.grade


Labels: TypeAlias = Mapping[str | float, GradeDecision]
"""What numbers and words (`label_key`) mean."""

_DECLARED = re.compile(r"\s*(.+?)\s*=\s*([0-9]|skip|cannot)\s*(?:,|$)")

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


def judge_in(text: str) -> str:
    """Return the name of a judge, less white space around it. Raises `RecordError` where there is
    none."""
    if not text.strip():
        raise RecordError("the row has no judge", "give each row a judge")
    return text.strip()


def namesake(name: str, number: int) -> str:
    """Return the name of the `number`-th judge (from 1) of those called `name` in a file."""
    return name if number == 1 else f"{name} {number}"


def declared_labels(text: str) -> dict[str | float, GradeDecision]:
    """Return what labels mean that are declared in a text.

    It is like `"Relevant=2,Not relevant=0,0.5=1,Broken=cannot,Later=skip"`; a label may hold
    commas. Raises `UsageError` for any other text, and for a label that comes twice.
    """
    declared: dict[str | float, GradeDecision] = {}
    at = 0
    while at < len(text):
        match = _DECLARED.match(text, at)
        if match is None:
            raise UsageError(
                f"{text[at:].strip()!r:.70} is not LABEL=GRADE",
                'write it like "Relevant=2,Not relevant=0,0.5=1,Broken=cannot,Later=skip"',
            )
        label, word = label_key(match[1]), match[2]
        if label in declared:
            raise UsageError(f"label {match[1]!r:.70} comes twice", "say once what it means")
        declared[label] = (
            GradeDecision("grade", int(word))
            if word.isdigit()
            else GradeDecision(cast(Decision, word))
        )
        at = match.end()
    return declared


def label_key(value: object) -> str | float:
    """Return the key that labels are compared by: `1` and `1.00` are one, and so are `Good`
    and `good`."""
    try:
        return score_of(value)
    except RecordError:
        return " ".join(str(value).casefold().split())


def declared_in(labels: Labels | None, value: object) -> GradeDecision | None:
    """Return what labels say of a value; None where it stands for itself.

    Raises `RecordError` for a number that is not named where others than whole ones are: 1.0 beside
    0.7 is no grade 1.
    """
    if labels is None:
        return None
    key = label_key(value)
    judgment = labels.get(key)
    if judgment is None and isinstance(key, float) and any(map(_is_fraction, labels)):
        what = f"--labels names numbers that are not whole, but not grade {value!r:.60}"
        raise RecordError(what, "name all numbers of the file there")
    return judgment


def _is_fraction(key: str | float) -> bool:
    """Whether a label is a number that is not whole."""
    return isinstance(key, float) and not key.is_integer()


def grade_in(value: object, report: Reporter) -> GradeDecision:
    """Return the grade, or the decision, that stands in a file: as `report.labels` have it, else a
    whole number. Raises `RecordError`."""
    # Files are long, and have few different grades.
    if isinstance(value, str) and (known := report.grades.get(value)) is not None:
        return known
    written = value if isinstance(value, str) else label_key(value)
    try:
        found = declared_in(report.labels, value) or GradeDecision("grade", grade_of(value))
    except RecordError as error:
        report.grades[written] = None
        mend = f'{error.mend}; or say with --labels what it means, as "0.7=2,1.0=3"'
        raise RecordError(error.what, mend) from error
    report.grades[written] = found
    return found
