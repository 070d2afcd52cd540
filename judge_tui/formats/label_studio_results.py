"""What an annotation of Label Studio says: one control gives the grade, texts are notes.

Controls that can give a grade are Choices, Taxonomy (a label), Rating and Number (the number as it
is). Where a project has several, the one counts that is called as grades are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from judge_tui.formats.json_records import RecordError
from judge_tui.formats.json_tree import Bare, Node, Tree
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, quoted

__all__ = ["GRADING", "Outcome", "grading_of", "outcome_of", "said_by", "values_of"]

GRADING = ("relevance", "grade", "judgment", "judgement", "rating", "label", "choice")
"""Names of controls that give the grade before any other, in this order."""

_TYPES = ("choices", "taxonomy", "rating", "number")
_TEXT = "textarea"
_KEYS = {**{kind: kind for kind in _TYPES}, _TEXT: "text"}


class Outcome(NamedTuple):
    """A label or a grade, or neither where nothing was chosen; and what was written."""

    label: str
    grade: int | None
    note: str


def values_of(results: Iterable[Node]) -> dict[str, list[tuple[str, Tree]]]:
    """By the name of the control (`from_name`) the type and value of each result, of the types that
    are a grade or a text; what is about a part of the document is none of them."""
    found: dict[str, list[tuple[str, Tree]]] = {}
    for one in results:
        kind, value, name = one.get("type"), one.get("value"), one.get("from_name")
        if not isinstance(value, Node) or kind not in _KEYS or "start" in value:
            continue
        found.setdefault(str(name or ""), []).append((kind, value.get(_KEYS[kind])))
    return found


def said_by(
    values: Mapping[str, list[tuple[str, Tree]]], line: int, report: Reporter
) -> Outcome | None:
    """What the controls say; None where that had to be reported."""
    notes = [_note(value) for those in values.values() for kind, value in those if kind == _TEXT]
    note = "\n".join(filter(None, notes))
    grading = grading_of(values)
    if not grading:
        return Outcome("", None, note)
    if len(grading) > 1:
        report(
            line,
            f"{len(grading)} controls could give the grade: {', '.join(map(quoted, grading))}",
            f"call the one that does {GRADING[0]!r} ('from_name')",
        )
        return None
    try:
        return outcome_of(*values[grading[0]][-1], note, line, report)
    except RecordError as error:
        report(line, error.what, error.mend)
        return None


def grading_of(values: Mapping[str, list[tuple[str, Tree]]]) -> list[str]:
    """The control that gives the grade; all that could, where no name tells which."""
    able = [name for name, those in values.items() if those and those[-1][0] in _TYPES]
    by_rule = [name for wanted in GRADING for name in able if name.lower() == wanted]
    return by_rule[:1] or able


def outcome_of(kind: str, value: Tree, note: str, line: int, report: Reporter) -> Outcome | None:
    """What one control says; None for a number that is no grade, which was reported. Raises
    `RecordError` for a value that is not what such a control gives."""
    if kind in ("rating", "number"):
        if not isinstance(value, Bare) or value[0] in "tfn":
            raise RecordError(f"the {kind} is no number", "write a whole number")
        grade = grade_in(value, line, report)
        return None if grade is None else Outcome("", grade, note)
    chosen: Any = value
    if kind == "taxonomy" and isinstance(value, list):
        chosen = [path[-1] if isinstance(path, list) and path else path for path in value]
    if not isinstance(chosen, list) or not all(map(_is_text, chosen)):
        raise RecordError(f"the {kind} are no list of labels", "write a list of strings")
    if len(chosen) > 1:
        raise RecordError(
            f"{len(chosen)} labels for one pair: {', '.join(map(quoted, chosen[:5]))}",
            "leave the one that is the grade",
        )
    return Outcome(chosen[0].strip() if chosen else "", None, note)


def _note(value: Tree) -> str:
    texts = value if isinstance(value, list) else [value]
    return "\n".join(text for text in texts if _is_text(text) and text.strip())


def _is_text(value: Tree) -> bool:
    return isinstance(value, str) and not isinstance(value, Bare)
