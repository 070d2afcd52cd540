"""Grades that a file of another tool gives in words, as grades of the campaign's scale."""

from __future__ import annotations

import os
import re
from typing import TypeAlias, cast

from judge_tui.campaign.file import Campaign
from judge_tui.errors import InputError
from judge_tui.formats import JudgmentRow
from judge_tui.formats.judgments import IN_WORDS, Decision, label_key
from judge_tui.formats.judgments import Labels as Declared
from judge_tui.formats.problems import quoted

__all__ = ["Labels", "Said"]

Said: TypeAlias = tuple[Decision, int | None]
"""A decision, and the grade where it is one."""

_NUMBER = re.compile("[0-9]{1,9}")


class Labels:
    """What labels mean in a campaign: what is declared, else the scale's own labels, else the
    number that a label is; and how decisions that are no grades are called here."""

    def __init__(
        self,
        campaign: Campaign,
        path: str | os.PathLike[str],
        declared: Declared | None = None,
    ) -> None:
        self._path = path
        self._scale = campaign.settings.scale
        self._declared = declared or {}
        self._own: dict[str, list[Said]] = {}
        for grade, label in self._scale.labels.items():
            if label:
                self._own.setdefault(_words(label), []).append(("grade", grade))
        for decision, called in IN_WORDS.items():
            for form in (called, f"({called})"):
                self._own.setdefault(form, [(cast(Decision, decision), None)])

    def graded(self, row: JudgmentRow) -> JudgmentRow:
        """The row with its decision and grade, by its label. Raises `InputError` for a label of
        which nobody knows what it means."""
        if row.decision != "grade" or not row.label:
            return row
        declared = self._declared.get(label_key(row.label))
        decision, grade = declared[::-1] if declared is not None else self._of(row)
        return row._replace(decision=decision, grade=grade)

    def label_of(self, decision: Decision, grade: int | None) -> str:
        """What is read back as this decision: the scale's label, or the grade itself. A scale may
        have labels that look like other grades, or like what is no grade."""
        said = IN_WORDS[decision] if grade is None else str(grade)
        label = "" if grade is None else self._scale.labels[grade]
        forms = (label, said, f"({said})")
        return next(form for form in forms if form and self._means(form) == (decision, grade))

    def _of(self, row: JudgmentRow) -> Said:
        said = self._means(row.label)
        if said is not None:
            return said
        raise InputError(
            self._path,
            row.line,
            f"label {quoted(row.label)} is not one label of the campaign's scale ({self._scale}),"
            " and no number",
            "say what it means, e.g. --labels 'Relevant=2,Not relevant=0'",
        )

    def _means(self, label: str) -> Said | None:
        own = self._own.get(_words(label), [])
        if own:
            return own[0] if len(own) == 1 else None
        number = label.strip()
        return ("grade", int(number)) if _NUMBER.fullmatch(number) else None


def _words(text: str) -> str:
    return " ".join(text.casefold().split())
