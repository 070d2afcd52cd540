"""Foreign text as Textual content, and the words and colours of what judges do."""

from __future__ import annotations

import re

from textual.content import Content

from judge_tui.campaign.store.desk import PairState
from judge_tui.campaign.store.event import Event
from judge_tui.errors import JudgeTuiError
from judge_tui.model import Document, Query, Scale
from judge_tui.visible import visible, visible_line

ACTIONS = {
    "skip": "skipped",
    "cannot": "cannot be judged",
    "flag": "flagged",
    "unflag": "flag taken off",
    "comment": "comment",
}


def foreign(text: str, style: str = "") -> Content:
    """Text from outside on one line, as content that no markup is read from."""
    return Content.styled(visible_line(text), style)


def foreign_lines(text: str, style: str = "") -> Content:
    """The same, which keeps its line ends."""
    return Content.styled(visible(text), style)


def one_line(text: str) -> Content:
    """The same where lines have no room under each other."""
    return foreign(" / ".join(text.splitlines()))


def need_content(query: Query, scale: Scale) -> Content:
    """Description and narrative; a narrative that says what each grade means, a line a grade."""
    need = "\n".join(filter(None, (query.description.strip(), query.narrative.strip())))
    grades = "".join(map(str, scale.grades))
    broken = re.sub(rf"(?<=\S)[ \t]+(?=[{grades}][:=] )", "\n", need)
    return foreign_lines(broken if broken.count("\n") > need.count("\n") + 1 else need)


def document_title(document: Document) -> Content:
    """What a document is known by: title, id unless the title begins with it, address, kind."""
    title = document.title or document.doc_id
    doc_id = "" if title.startswith(document.doc_id) else document.doc_id
    others = [one for one in (doc_id, document.url, document.kind) if one]
    return Content("  ").join([foreign(title), *(foreign(one, "not bold") for one in others)])


def document_note(*, is_loaded: bool) -> str:
    """What stands in the place of a text that is not there."""
    return "This document is empty." if is_loaded else "The text of this document is not loaded."


def error_content(start: str, error: JudgeTuiError) -> Content:
    """An error in words, without the path of the campaign: it is on screen, and long."""
    what = f"{error.what}; {error.mend}" if error.mend else error.what
    return Content.assemble((f"{start}  ", "bold $text-error"), foreign(what))


def grade_style(grade: int, scale: Scale) -> str:
    """The colour of a grade: by where it stands on the scale."""
    place = scale.grades.index(grade) / (len(scale.grades) - 1) if grade in scale else 0.0
    return "$text-error" if place == 0 else "$text-success" if place > 0.5 else "$text-warning"


def grade_digit(grade: int, scale: Scale) -> Content:
    """A grade as its digit, coloured."""
    return Content.styled(str(grade), f"bold {grade_style(grade, scale)}")


def grade_content(grade: int, scale: Scale) -> Content:
    """A grade as its digit, coloured, and its label."""
    label = scale.labels.get(grade, "")
    digit = grade_digit(grade, scale)
    return Content.assemble(digit, " ", foreign(label)) if label else digit


def event_content(event: Event, scale: Scale) -> Content:
    """What an event did, in a word or two."""
    if event.grade is not None:
        return grade_content(event.grade, scale)
    return Content(ACTIONS[event.action])


def state_mark(state: PairState, scale: Scale) -> Content:
    """One character: the grade's digit, `s` skipped, `x` cannot be judged, `·` nothing yet."""
    if state.decision == "grade" and state.grade is not None:
        return grade_digit(state.grade, scale)
    return Content.styled({"skip": "s", "cannot": "x"}.get(state.decision or "", "·"), "dim")


def state_content(state: PairState, scale: Scale) -> Content:
    """A pair's state in words; empty where nothing was done yet."""
    parts: list[Content] = []
    if state.decision == "grade" and state.grade is not None:
        parts.append(grade_content(state.grade, scale))
    elif state.decision is not None:
        parts.append(Content(ACTIONS[state.decision]))
    if state.flagged:
        parts.append(Content.styled("flagged", "bold $text-warning"))
    return Content(" · ").join(parts)
