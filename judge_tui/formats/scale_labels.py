"""Grades that a file of another tool gives in words, as grades of a campaign's scale."""

from __future__ import annotations

import os
import re
from typing import cast

from judge_tui.errors import InputError
from judge_tui.formats.judgments import (
    IN_WORDS,
    Decision,
    GradeDecision,
    JudgmentRow,
    Labels,
    declared_in,
)
from judge_tui.formats.problems import RecordError, quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.model import Scale

_NUMBER = re.compile("[0-9]{1,9}")


class ScaleLabels:
    """What labels mean in a campaign: what is declared, else the scale's own labels, else the
    number that a label is; and how decisions that are no grades are called here."""

    def __init__(self, scale: Scale, declared: Labels | None = None) -> None:
        self._scale = scale
        self._declared = declared
        self._own: dict[str, list[GradeDecision]] = {}
        for grade, label in self._scale.labels.items():
            if label:
                self._own.setdefault(_words(label), []).append(GradeDecision("grade", grade))
        for decision, called in IN_WORDS.items():
            for form in (called, f"({called})"):
                self._own.setdefault(form, [GradeDecision(cast(Decision, decision))])

    def graded(self, path: str | os.PathLike[str], row: JudgmentRow) -> JudgmentRow:
        """The row of a file with its decision and grade, by its label. Raises `InputError` for a
        label of which nobody knows what it means."""
        if row.decision != "grade" or not row.label:
            return row
        try:
            decision, grade = declared_in(self._declared, row.label) or self._of(row.label)
        except RecordError as error:
            raise InputError(path, row.line, error.what, error.mend) from error
        return row._replace(decision=decision, grade=grade)

    def label_of(self, decision: Decision, grade: int | None) -> str:
        """What is read back as this decision: the scale's label, or the grade itself. A scale may
        have labels that look like other grades, or like what is no grade."""
        word = IN_WORDS[decision] if grade is None else str(grade)
        label = "" if grade is None else self._scale.labels[grade]
        forms = (label, word, f"({word})")
        return next(form for form in forms if form and self._means(form) == (decision, grade))

    def _of(self, label: str) -> GradeDecision:
        judgment = self._means(label)
        if judgment is not None:
            return judgment
        raise RecordError(
            f"label {quoted(label)} is not one label of the campaign's scale ({self._scale}),"
            " and no number",
            "say what it means, e.g. --labels 'Relevant=2,Not relevant=0'",
        )

    def _means(self, label: str) -> GradeDecision | None:
        own = self._own.get(_words(label), [])
        if own:
            return own[0] if len(own) == 1 else None
        number = label.strip()
        return GradeDecision("grade", int(number)) if _NUMBER.fullmatch(number) else None


def _words(text: str) -> str:
    return folded_text(text.casefold())
