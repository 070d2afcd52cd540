"""Grades that a file of another tool gives in words, as grades of the campaign's scale."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TypeAlias

from judge_tui.campaign.file import Campaign
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import JudgmentRow
from judge_tui.formats.judgments import IN_WORDS
from judge_tui.formats.labels import Decision
from judge_tui.formats.problems import quoted

__all__ = ["Labels", "Said", "declared_labels"]

Said: TypeAlias = tuple[Decision, int | None]
"""A decision, and the grade where it is one."""

_DECLARED = re.compile(r"\s*(.+?)\s*=\s*([0-9]|skip|cannot)\s*(?:,|$)")
_NUMBER = re.compile("[0-9]{1,9}")


def declared_labels(text: str) -> dict[str, Said]:
    """What labels mean, by their words: `"Relevant=2,Not relevant=0,Broken=cannot,Later=skip"`.

    A label may hold commas. Raises `UsageError` for what is not of this form, and for a label that
    comes twice.
    """
    declared: dict[str, Said] = {}
    at = 0
    while at < len(text):
        match = _DECLARED.match(text, at)
        if match is None:
            raise UsageError(
                f"{text[at:].strip()!r:.70} is not LABEL=GRADE",
                'write it like "Relevant=2,Not relevant=0,Broken=cannot,Later=skip"',
            )
        label, said = _words(match[1]), match[2]
        if label in declared:
            raise UsageError(f"label {match[1]!r:.70} comes twice", "say once what it means")
        declared[label] = ("grade", int(said)) if said.isdigit() else (_DECISIONS[said], None)
        at = match.end()
    return declared


_DECISIONS: dict[str, Decision] = {"skip": "skip", "cannot": "cannot"}


class Labels:
    """What labels mean in a campaign: what is declared, else the scale's own labels, else the
    number that a label is; and how decisions that are no grades are called here."""

    def __init__(
        self,
        campaign: Campaign,
        path: str | os.PathLike[str],
        declared: Mapping[str, Said] | None = None,
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
                self._own.setdefault(form, [(_DECISIONS[decision], None)])

    def graded(self, row: JudgmentRow) -> JudgmentRow:
        """The row with its decision and grade, by its label or, where that is declared, by its
        number. Raises `InputError` for a label of which nobody knows what it means."""
        if row.decision != "grade":
            return row
        said = self._declared.get(_words(row.label or str(row.grade)))
        if said is None and row.grade is not None:
            return row
        if said is None:
            said = self._of(row)
        return row._replace(decision=said[0], grade=said[1])

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
