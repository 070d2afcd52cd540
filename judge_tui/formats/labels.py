"""What stands in files in place of grades: numbers that are none of the scale, and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias, cast

from judge_tui.errors import UsageError
from judge_tui.formats.numbers import grade_of, score_of
from judge_tui.formats.problems import RecordError, Reporter

__all__ = ["Decision", "Labels", "Said", "declared_labels", "grade_in", "label_key"]

Decision: TypeAlias = Literal["grade", "skip", "cannot", "open"]
"""`open`: nobody has said anything yet of a pair that is to be judged all the same."""

Said: TypeAlias = tuple[int, Decision]
"""A grade, -1 for none, and the decision."""

Labels: TypeAlias = Mapping[str | float, Said]
"""What numbers and words (`label_key`) mean."""

_DECLARED = re.compile(r"\s*(.+?)\s*=\s*([0-9]|skip|cannot)\s*(?:,|$)")


def declared_labels(text: str) -> dict[str | float, Said]:
    """What labels mean: `"Relevant=2,Not relevant=0,0.5=1,Broken=cannot,Later=skip"`.

    A label may hold commas. Raises `UsageError` for what is not of this form, and for a label that
    comes twice.
    """
    declared: dict[str | float, Said] = {}
    at = 0
    while at < len(text):
        match = _DECLARED.match(text, at)
        if match is None:
            raise UsageError(
                f"{text[at:].strip()!r:.70} is not LABEL=GRADE",
                'write it like "Relevant=2,Not relevant=0,0.5=1,Broken=cannot,Later=skip"',
            )
        label, said = label_key(match[1]), match[2]
        if label in declared:
            raise UsageError(f"label {match[1]!r:.70} comes twice", "say once what it means")
        is_grade = said.isdigit()
        declared[label] = (int(said), "grade") if is_grade else (-1, cast(Decision, said))
        at = match.end()
    return declared


def label_key(value: object) -> str | float:
    """A number, or a text as labels are compared: `1` and `1.00` are one, and so are `Good` and
    `good`."""
    try:
        return score_of(value)
    except RecordError:
        return " ".join(str(value).casefold().split())


def grade_in(value: object, report: Reporter) -> Said:
    """The grade, or the decision, that stands in a file: as `report.labels` have it, else a whole
    number. Raises `RecordError`."""
    if report.labels is not None and (said := report.labels.get(label_key(value))) is not None:
        return said
    try:
        return grade_of(value), "grade"
    except RecordError as error:
        mend = f'{error.mend}; or say with --labels what it means, as "0.7=2,1.0=3"'
        raise RecordError(error.what, mend) from error
