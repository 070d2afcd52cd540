"""Foreign text as Textual content, and the words and colours of what a judge did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from textual.content import Content
from textual.style import Style

from judge_tui.campaign.store.desk import PairState
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.set_aside import SetAside
from judge_tui.errors import JudgeTuiError
from judge_tui.model import Scale
from judge_tui.tui.widgets.split_line import PRESSED
from judge_tui.visible import visible_line

_STYLES = {"good": "$text-success", "fair": "$text-warning", "poor": "$text-error"}

_ACTIONS = {
    "skip": "skipped",
    "cannot": "cannot be judged",
    "flag": "flag",
    "unflag": "flag taken off",
    "comment": "comment",
}


def foreign(text: str, style: str = "") -> Content:
    """Text from outside, on one line, as content that no markup is read from."""
    return Content.styled(visible_line(text), style)


def error_content(start: str, error: JudgeTuiError) -> Content:
    """An error in words, without the path of the campaign: it is on screen, and long."""
    what = f"{error.what}; {error.mend}" if error.mend else error.what
    return Content.assemble((f"{start}  ", "bold $text-error"), foreign(what))


def grade_class(grade: int, scale: Scale) -> str:
    """good, fair or poor: where on the scale a grade stands."""
    place = scale.grades.index(grade) / (len(scale.grades) - 1) if grade in scale else 0.0
    return "poor" if place == 0 else "good" if place > 0.5 else "fair"


def grade_style(grade: int, scale: Scale) -> str:
    """The colour of a grade."""
    return _STYLES[grade_class(grade, scale)]


def grade_content(grade: int, scale: Scale) -> Content:
    """A grade as its digit, coloured, and its label."""
    label = foreign(scale.labels.get(grade, ""))
    return Content.assemble(_digit(grade, scale), " ", label) if label else _digit(grade, scale)


def _digit(grade: int, scale: Scale) -> Content:
    return Content.styled(str(grade), f"bold {grade_style(grade, scale)}")


def event_content(event: Event, scale: Scale) -> Content:
    """What an event did, in a word or two."""
    if event.grade is not None:
        return grade_content(event.grade, scale)
    return Content(_ACTIONS[event.action])


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
    elif state.decision is not None:
        parts.append(Content(_ACTIONS[state.decision]))
    else:
        parts.append(Content.styled("not judged yet", "dim"))
    if state.flagged:
        parts.append(Content.styled("flagged", "bold $text-warning"))
    return Content(" · ").join(parts)


def counted_aside(aside: Sequence[SetAside]) -> str:
    """How many are flagged, skipped, cannot be judged and have a comment: those of which there are
    some."""
    states = [one.pair.state for one in aside]
    counts = {
        "flagged": sum(state.flagged for state in states),
        "skipped": sum(state.decision == "skip" for state in states),
        "cannot be judged": sum(state.decision == "cannot" for state in states),
        "with a comment": sum(bool(state.note) for state in states),
    }
    return "   ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def pressable(content: Content, action: str) -> Content:
    """Content that does something where the mouse is pressed on it, in a `SplitLine`."""
    return content.stylize(Style.from_meta({PRESSED: action}))


def legends(scale: Scale, keys: Mapping[int, str]) -> list[Content]:
    """The scale, from all its labels to its digits alone: what fits is shown. A grade of `keys` is
    given with another key than its digit, which stands before it."""

    def keyed(grade: int, content: Content) -> Content:
        return Content.assemble((keys[grade], "bold"), "→", content) if grade in keys else content

    labelled = {grade: keyed(grade, grade_content(grade, scale)) for grade in scale.grades}
    digits = Content(" ").join(
        pressable(keyed(grade, _digit(grade, scale)), f"grade({grade})") for grade in scale.grades
    )
    least, best = scale.grades[0], scale.grades[-1]
    ends = Content.assemble(labelled[least], " … ", labelled[best], "   grades: ", digits)
    whole = Content("   ").join(
        pressable(content, f"grade({grade})") for grade, content in labelled.items()
    )
    return [whole, ends, digits]


def keys_content(keys: Sequence[tuple[str, str]]) -> Content:
    """Keys and what they do, in one line."""
    return Content("  ").join(Content.assemble((key, "bold"), f" {what}") for key, what in keys)


class Hint(NamedTuple):
    """A key at the foot of a screen, what it does, in fewer words where there is little room, and
    the action that the mouse does there."""

    key: str
    what: str
    action: str
    short: str = ""


def foot(hints: Sequence[Hint], always: Sequence[Hint], room: int) -> Content:
    """Keys in one line of `room` cells. Of the hints the first matter most, and the last ones go
    where there is too little room even for short words; those that are there `always` stand at the
    end, and only the first of them where there is no room for more."""
    choices = (
        _hinted([*hints[:count], *always], short=short)
        for count in range(len(hints), -1, -1)
        for short in (False, True)
    )
    return fitting(chain(choices, [_hinted(always[:1], short=True)]), room)


def _hinted(hints: Sequence[Hint], *, short: bool) -> Content:
    return Content("  ").join(
        pressable(keys_content([(one.key, (short and one.short) or one.what)]), one.action)
        for one in hints
    )


def fitting(choices: Iterable[Content], width: int) -> Content:
    """The first of the choices that is no wider than `width`; the last one if none is."""
    last = Content()
    for one in choices:
        last = one
        if one.cell_length <= width:
            break
    return last
