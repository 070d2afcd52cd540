"""Foreign text as Textual content, and the words and colours of a pair's state."""

from __future__ import annotations

from textual.content import Content

from judge_tui.campaign.desk import PairState
from judge_tui.model import Scale
from judge_tui.visible import visible_line

__all__ = ["foreign", "grade_class", "grade_content", "state_glyph", "state_text"]

_STYLES = {"good": "$text-success", "fair": "$text-warning", "poor": "$text-error"}


def foreign(text: str, style: str = "") -> Content:
    """Text from outside, on one line, as content that no markup is read from."""
    return Content.styled(visible_line(text), style)


def grade_class(grade: int, scale: Scale) -> str:
    """good, fair or poor: where on the scale a grade stands."""
    place = scale.grades.index(grade) / (len(scale.grades) - 1) if grade in scale else 0.0
    return "poor" if place == 0 else "good" if place > 0.5 else "fair"


def grade_content(grade: int, scale: Scale) -> Content:
    """A grade as its digit, coloured, and its label."""
    digit = Content.styled(str(grade), f"bold {_STYLES[grade_class(grade, scale)]}")
    label = foreign(scale.labels.get(grade, ""))
    return Content.assemble(digit, " ", label) if label else digit


def state_glyph(state: PairState) -> str:
    """One character: the grade's digit, `s` skipped, `x` cannot be judged, `·` nothing yet."""
    if state.decision == "grade":
        return str(state.grade)
    return {"skip": "s", "cannot": "x"}.get(state.decision or "", "·")


def state_text(state: PairState, scale: Scale) -> Content:
    """A pair's state in words."""
    parts: list[Content] = []
    if state.decision == "grade" and state.grade is not None:
        parts.append(grade_content(state.grade, scale))
    elif state.decision == "skip":
        parts.append(Content("skipped"))
    elif state.decision == "cannot":
        parts.append(Content("cannot be judged"))
    else:
        parts.append(Content.styled("not judged yet", "dim"))
    if state.flagged:
        parts.append(Content.styled("flagged", "bold $text-warning"))
    return Content(" · ").join(parts)
