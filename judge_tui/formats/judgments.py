"""The rows of runs, qrels and judgments, whatever their format; and grades as files have them: a
number, or a label in place of one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from operator import index
from typing import Literal, NamedTuple, SupportsIndex, TypeAlias, cast

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.numbers import grade_of, score_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.model import Scale

Decision: TypeAlias = Literal["grade", "skip", "cannot", "open"]
"""`open`: nobody has said anything yet of a pair that is to be judged all the same."""

IN_WORDS: dict[str, str] = {"skip": "skipped", "cannot": "cannot be judged"}
"""How decisions that are no grades are called, on screen and as labels of other tools."""


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


# ---- Rows ----


class RunRow(NamedTuple):
    """A query, a document and its score. `tag`: the name of its run, if it has one.
    An empty `doc_id` says that the query was asked and nothing was found."""

    line: SupportsIndex
    query_id: str
    doc_id: str
    score: float
    tag: str | None


class QrelsRow(NamedTuple):
    """A query, a document and its grade; a negative one means pooled but not judged. `decision`:
    "skip" or "cannot" where a label in place of the grade says so."""

    line: SupportsIndex
    query_id: str
    doc_id: str
    grade: int
    decision: Decision = "grade"

    @classmethod
    def of(
        cls, line: SupportsIndex, query_id: str, doc_id: str, judgment: GradeDecision
    ) -> QrelsRow:
        """Return the row of a pair with this judgment."""
        return cls(line, query_id, doc_id, judgment.in_qrels, judgment.decision)


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


def report_pair_again(
    line: SupportsIndex, query_id: str, doc_id: str, first: SupportsIndex, report: Reporter
) -> None:
    """Report a document that its query already has, on the line `first`."""
    report(
        line,
        f"document {quoted(doc_id)} is already in query {quoted(query_id)}, line {index(first)}",
        "remove one of the two lines",
    )


def report_other_tag(
    line: SupportsIndex, tag: str, first: str, first_line: SupportsIndex, report: Reporter
) -> None:
    """Report a tag that is not the first one."""
    report(
        line,
        f"tag {quoted(tag)}, but {quoted(first)} on line {index(first_line)}",
        "write each run to a file of its own",
    )


def judge_in(text: str) -> str:
    """Return the name of a judge, less white space around it. Raises `RecordError` where there is
    none."""
    if not text.strip():
        raise RecordError("the row has no judge", "give each row a judge")
    return text.strip()


# ---- Grades, and what stands in place of them ----

_GRADES = 'write a whole number, or say what it means: --labels "0.7=2,1.0=3"'
_DECLARED = re.compile(r"\s*(.+?)\s*=\s*([0-9]|skip|cannot)\s*(?:,|$)")


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
            raise UsageError(f"label {match[1]!r:.70} comes twice", "give each label one meaning")
        is_grade = word.isdigit()
        declared[label] = GradeDecision(
            "grade" if is_grade else cast(Decision, word), int(word) if is_grade else None
        )
        at = match.end()
    return declared


def label_key(value: object) -> str | float:
    """Return the key that labels are compared by: `1` and `1.00` are one, and so are `Good`
    and `good`."""
    try:
        return score_of(value)
    except RecordError:
        return folded_text(str(value).casefold())


def grade_in(value: object, report: Reporter) -> GradeDecision:
    """Return the grade, or the decision, that stands in a file: as `report.labels` have it, else a
    whole number. Raises `RecordError`."""
    # Files are long, and have few different grades.
    known = report.grades.get(value) if isinstance(value, str) else None
    if known is not None:
        return known
    try:
        found = _declared_in(report.labels, value) or GradeDecision("grade", grade_of(value))
    except RecordError as error:
        raise RecordError(error.what, _GRADES) from error
    if isinstance(value, str):
        report.grades[value] = found
    return found


def _declared_in(labels: Labels | None, value: object) -> GradeDecision | None:
    """Return what labels say of a value; None where it stands for itself.

    Raises `RecordError` for a number that is not named where others than whole ones are: 1.0 beside
    0.7 is not a grade 1.
    """
    if labels is None:
        return None
    key = label_key(value)
    judgment = labels.get(key)
    has_fractions = any(isinstance(one, float) and not one.is_integer() for one in labels)
    if judgment is None and isinstance(key, float) and has_fractions:
        what = f"--labels names numbers that are not whole, but not grade {value!r:.60}"
        raise RecordError(what, "name every grade of the file in --labels")
    return judgment


# ---- Labels of a campaign ----

_NUMBER = re.compile("[0-9]{1,9}")


class ScaleLabels:
    """What labels mean in a campaign: what is declared, else the scale's own labels, else the
    number that a label is; and how decisions that are no grades are called here."""

    def __init__(self, scale: Scale, declared: Labels | None = None) -> None:
        self._scale = scale
        self._declared = declared
        self._own: dict[str | float, list[GradeDecision]] = {}
        for grade, label in scale.labels.items():
            if label:
                self._own.setdefault(label_key(label), []).append(GradeDecision("grade", grade))
        for decision, called in IN_WORDS.items():
            for form in (called, f"({called})"):
                self._own.setdefault(form, [GradeDecision(cast(Decision, decision))])

    def graded(self, path: str | os.PathLike[str], row: JudgmentRow) -> JudgmentRow:
        """The row of a file with its decision and grade, by its label. Raises `InputError` for a
        label of which nobody knows what it means."""
        if row.decision != "grade" or not row.label:
            return row
        try:
            judgment = _declared_in(self._declared, row.label) or self._means(row.label)
        except RecordError as error:
            raise InputError(path, row.line, error.what, error.mend) from error
        if judgment is None:
            raise InputError(
                path,
                row.line,
                f"label {quoted(row.label)} is neither a number nor a label of the campaign's scale"
                f" ({self._scale})",
                "say what it means, e.g. --labels 'Relevant=2,Not relevant=0'",
            )
        return row._replace(decision=judgment.decision, grade=judgment.grade)

    def label_of(self, decision: Decision, grade: int | None) -> str:
        """What is read back as this decision: the scale's label, or the grade itself. A scale may
        have labels that look like other grades, or like what is not a grade."""
        word = IN_WORDS[decision] if grade is None else str(grade)
        label = "" if grade is None else self._scale.labels[grade]
        forms = (label, word, f"({word})")
        return next(form for form in forms if form and self._means(form) == (decision, grade))

    def _means(self, label: str) -> GradeDecision | None:
        own = self._own.get(label_key(label), [])
        if own:
            return own[0] if len(own) == 1 else None
        number = label.strip()
        return GradeDecision("grade", int(number)) if _NUMBER.fullmatch(number) else None
