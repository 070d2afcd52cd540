"""What each judge said of one pair, side by side, and how the lead settled it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from judge_tui.campaign.overview.cases import Opinion
from judge_tui.campaign.store.adjudication import Settlement
from judge_tui.model import Scale
from judge_tui.tui.cells import shortened
from judge_tui.tui.pace import seconds_text
from judge_tui.tui.shown import foreign, grade_content, grade_style
from judge_tui.visible import visible_line

_LABEL = 8
_LEAST = 10
_GREATEST = 24
_GAP = 2
_MORE = "and {:,} more: {}"

Named = Sequence[tuple[str, Opinion]]
"""What a judge is called, already visible, and what that judge said."""


def columns_content(opinions: Named, scale: Scale, width: int, more: str) -> Content:
    """Three lines: who, which grade, how long looked at. Who has no room is counted; `more` is the
    key that shows everybody."""
    if not opinions:
        return Content.styled("no judge has said anything of it", "dim")
    room = width - _LABEL
    shown = opinions
    if len(opinions) * (_LEAST + _GAP) > room:
        room -= len(_MORE.format(len(opinions), more))
        shown = opinions[: max(1, room // (_LEAST + _GAP))]
    each = min(_GREATEST, max(_LEAST, room // len(shown) - _GAP))
    left = len(opinions) - len(shown)
    rows = (
        ("judge", [Content.styled(shortened(name, each), "bold") for name, _ in shown]),
        ("grade", [decision_content(one, scale) for _, one in shown]),
        ("looked", [_looked(one) for _, one in shown]),
    )
    lines = []
    for label, cells in rows:
        line = [Content.styled(f"{label:<{_LABEL}}", "dim"), *(_cell(one, each) for one in cells)]
        if left and label == "grade":
            line.append(Content.styled(_MORE.format(left, more), "dim"))
        lines.append(Content.assemble(*line))
    return Content("\n").join(lines)


def notes_content(opinions: Named, settlement: Settlement | None) -> Content:
    """A line for each note, and for the lead's reason; notes of several lines on one."""
    lines = [
        Content.assemble((f"{name}: ", "bold"), foreign(one.note))
        for name, one in opinions
        if one.note
    ]
    if settlement is not None and settlement.reason:
        lines.append(Content.assemble(("reason: ", "bold"), foreign(settlement.reason)))
    return Content("\n").join(lines)


def cut_notes(notes: Content, width: int, lines: int, more: str) -> Content:
    """At most so many lines, so wide; `more` is the key that shows all of them, whole."""
    tail = f" … {more} shows all"
    cut = [
        line
        if line.cell_length <= width
        else Content.assemble(line.truncate(max(1, width - len(tail))), (tail, "dim"))
        for line in notes.split("\n", allow_blank=True)
    ]
    if len(cut) > lines:
        left = len(cut) - lines + 1
        said = f"and {left:,} more notes: {more} shows all"
        cut = [*cut[: lines - 1], Content.styled(said, "dim")]
    return Content("\n").join(cut)


def settled_content(settlement: Settlement | None, scale: Scale) -> Content:
    """Whether it is settled, as what, and by whom."""
    if settlement is None:
        return Content.styled("not settled", "dim")
    return Content.assemble(("settled ", "bold"), settling_content(settlement, scale))


def settling_content(settlement: Settlement, scale: Scale) -> Content:
    """As what it was settled, and by whom: a lead's name is no secret."""
    name = shortened(visible_line(settlement.judge.name), _GREATEST)
    return Content.assemble(grade_content(settlement.grade, scale), (f" by {name}", "dim"))


def decision_content(opinion: Opinion, scale: Scale) -> Content:
    """What was decided, in a word or two, and whether it was flagged."""
    if opinion.decision == "grade" and opinion.grade is not None:
        said = grade_content(opinion.grade, scale) if opinion.grade in scale else None
        decided = said or Content.styled(str(opinion.grade), grade_style(opinion.grade, scale))
    else:
        words = {"skip": "skipped", "cannot": "cannot be judged"}
        decided = Content.styled(words.get(opinion.decision or "", "–"), "dim")
    if opinion.flagged:
        return Content.assemble(("! ", "bold $text-warning"), decided)
    return decided


def _looked(opinion: Opinion) -> Content:
    return Content.styled("–" if opinion.seconds is None else seconds_text(opinion.seconds), "dim")


def _cell(content: Content, width: int) -> Content:
    if content.cell_length > width:
        content = content.truncate(width, ellipsis=True)
    return Content.assemble(content, " " * (width + _GAP - content.cell_length))
