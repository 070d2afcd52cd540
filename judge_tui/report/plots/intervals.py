"""Dots with whiskers, and the band of what they could be."""

from __future__ import annotations

from judge_tui.report.plots.axis import Axis, axis_of, foot
from judge_tui.report.plots.colours import BAD, GOOD
from judge_tui.report.plots.elements import (
    LINE,
    WIDTH,
    Drawn,
    caption,
    circle,
    coordinate,
    group,
    line,
    path,
    rect,
    text,
)
from judge_tui.report.plots.lettering import FONT_SIZE, cut, cut_name, digits, finite, width_of
from judge_tui.report.plots.picture import Interval, Intervals

__all__ = ["draw_intervals"]

_ROW = 24
_LABELS, _WORDS = 190, 190
"""Most room for the names at the left and for the words at the right."""

_GAP = 12


def draw_intervals(picture: Intervals) -> Drawn:
    """One row below the other, the axis at the foot."""
    parts, top = caption(picture.title, picture.note)
    rows = picture.rows
    if not rows:
        return Drawn(
            picture.title, "".join([*parts, text(0, top + LINE, "nothing to show")]), top + 2 * LINE
        )
    shown = digits([finite(row.value) for row in rows])
    words = [_words(row, number) for row, number in zip(rows, shown, strict=True)]
    left = min(_LABELS, max(width_of(cut_name(row.label, _LABELS)) for row in rows)) + _GAP
    right = WIDTH - min(_WORDS, max(map(width_of, words))) - _GAP
    ends = [
        finite(end)
        for row in rows
        for end in (row.value, row.low, row.high, row.least, row.greatest)
    ]
    mark = finite(picture.mark)
    axis = axis_of([end for end in (*ends, mark) if end is not None], left + 6, right - 6)
    bottom = top + len(rows) * _ROW
    parts += [line(axis.at(tick), top, axis.at(tick), bottom, ink=0.15) for tick in axis.ticks]
    if mark is not None:
        marked = bottom if picture.marked is None else top + picture.marked * _ROW
        parts.append(
            group(
                f"{picture.unit} {mark:.6g}".strip(),
                line(axis.at(mark), top, axis.at(mark), marked, width=1.5, ink=0.6),
            )
        )
    for place, (row, said) in enumerate(zip(rows, words, strict=True)):
        middle = top + (place + 0.5) * _ROW
        baseline = middle + FONT_SIZE / 3
        parts.append(
            group(
                f"{row.label}: {_told(row, said)}",
                text(left - _GAP, baseline, cut_name(row.label, left - _GAP), anchor="end"),
                _mark(row, axis, middle),
                text(right + _GAP, baseline, cut(said, WIDTH - right - _GAP)),
            )
        )
    parts += foot(axis, bottom, picture.unit)
    return Drawn(picture.title, "".join(parts), bottom + 2 * LINE + 6)


def _words(row: Interval, number: str) -> str:
    return "  ".join(filter(None, (number, row.words))) or "undefined"


def _told(row: Interval, said: str) -> str:
    """The row in words, with the ends that the picture only draws."""
    told = said
    for ends, what in (((row.low, row.high), "interval"), ((row.least, row.greatest), "could be")):
        low, high = map(finite, ends)
        if low is not None and high is not None:
            told += f"; {what} {low:.4g} to {high:.4g}"
    return told


def _mark(row: Interval, axis: Axis, y: float) -> str:
    parts = []
    least, greatest = finite(row.least), finite(row.greatest)
    if least is not None and greatest is not None:
        x = axis.at(least)
        width = max(axis.at(greatest) - x, 1.0)
        parts.append(rect(x, y - 7, width, 14, ink=0.12, outline=True))
    low, high = finite(row.low), finite(row.high)
    if low is not None and high is not None:
        parts.append(line(axis.at(low), y, axis.at(high), y, width=1.5))
        parts += [line(axis.at(end), y - 4, axis.at(end), y + 4, width=1.5) for end in (low, high)]
    value = finite(row.value)
    if value is not None:
        parts.append(_dot(axis.at(value), y, row.tone))
    return "".join(parts)


def _dot(x: float, y: float, tone: str | None) -> str:
    """A disc; up for good and down for bad, so that the shape says what the colour says."""
    if tone is None:
        return circle(x, y, 4)
    tip, base = (y - 6, y + 4) if tone == "good" else (y + 6, y - 4)
    corners = f"M{coordinate(x)} {coordinate(tip)}L{coordinate(x - 6)} {coordinate(base)}"
    return path(
        f"{corners}L{coordinate(x + 6)} {coordinate(base)}Z", fill=GOOD if tone == "good" else BAD
    )
