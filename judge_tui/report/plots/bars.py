"""Bars that lie, beside their labels; columns where there are too many labels for a page."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report.plots.axis import Axis, axis_of, foot
from judge_tui.report.plots.columns import draw_columns
from judge_tui.report.plots.elements import LINE, WIDTH, Drawn, caption, group, line, text
from judge_tui.report.plots.lettering import FONT_SIZE, cut_name, digits, finite, width_of
from judge_tui.report.plots.picture import Bars, Series
from judge_tui.report.plots.swatches import KINDS, swatch

__all__ = ["MOST_LABELS", "draw_bars"]

MOST_LABELS = 40
"""More bars than these do not fit on a page of paper, beside anything else."""

_LABELS = 230
_BAR = 12
_GAP = 12


def draw_bars(picture: Bars) -> Drawn:
    """All series beside each other; one below the other where their looks could not be told."""
    if not picture.labels or not picture.series:
        parts, top = caption(picture.title, picture.note)
        return Drawn(
            picture.title, "".join([*parts, text(0, top + LINE, "nothing to show")]), top + 2 * LINE
        )
    if len(picture.labels) > MOST_LABELS:
        return draw_columns(picture)
    parts, top = caption(picture.title, picture.note)
    places = range(len(picture.series))
    sets = [[*places]] if len(places) <= KINDS else [[place] for place in places]
    if len(picture.series) > 1 and len(sets) == 1:
        legend, top = _legend(picture.series, top)
        parts += legend
    frame = _Frame(picture)
    for chosen in sets:
        if len(sets) > 1:
            name = picture.series[chosen[0]].name
            parts.append(text(0, top + LINE, cut_name(name, WIDTH), bold=True))
            top += LINE + 6
        block, top = _block(picture, chosen, frame, top)
        parts += block
    return Drawn(picture.title, "".join(parts), top)


def _legend(series: Sequence[Series], top: float) -> tuple[list[str], float]:
    parts, x = [], 0.0
    for kind, one in enumerate(series):
        name = cut_name(one.name, WIDTH / 2)
        needed = 24 + width_of(name) + 2 * _GAP
        if x and x + needed > WIDTH:
            x, top = 0.0, top + LINE + 2
        parts.append(
            group(
                one.name, swatch(kind, x, top + 2, 18, 10), text(x + 24, top + FONT_SIZE - 1, name)
            )
        )
        x += needed
    return parts, top + LINE + 8


class _Frame:
    """What all blocks share, so that bars of different blocks can be compared: the room for labels
    and digits, and the axis; `values` and `written` are by series, then by label."""

    def __init__(self, picture: Bars) -> None:
        self.values = [[finite(value) for value in one.values] for one in picture.series]
        every = [value for row in self.values for value in row if value is not None]
        signed = any(value < 0 for value in every)
        self.written = [digits(row, signed=signed) for row in self.values]
        room = 6 + max((width_of(one, 11) for row in self.written for one in row), default=0.0)
        widest = max(width_of(cut_name(label, _LABELS)) for label in picture.labels)
        self.left = min(_LABELS, widest) + _GAP
        # Digits stand outside of the bars, so that both ends need room for them.
        start = self.left + (room if signed else 0)
        self.axis = axis_of([0.0, *every], start, WIDTH - room)


def _block(
    picture: Bars, chosen: Sequence[int], frame: _Frame, top: float
) -> tuple[list[str], float]:
    axis, left = frame.axis, frame.left
    height = len(chosen) * _BAR + 6
    bottom = top + len(picture.labels) * height
    parts = [line(axis.at(tick), top, axis.at(tick), bottom, ink=0.15) for tick in axis.ticks]
    for place, label in enumerate(picture.labels):
        y = top + place * height + 3
        bars = [
            part
            for kind, one in enumerate(chosen)
            for part in _bar(
                frame.values[one][place], frame.written[one][place], kind, frame.axis, y
            )
        ]
        told = ", ".join(
            f"{picture.series[one].name} {frame.written[one][place] or 'undefined'}".strip()
            for one in chosen
        )
        middle = y + len(chosen) * _BAR / 2 + FONT_SIZE / 3
        parts.append(
            group(
                f"{label}: {told}",
                text(left - _GAP, middle, cut_name(label, left - _GAP), anchor="end"),
                *bars,
            )
        )
    zero = axis.at(0.0)
    parts.append(line(zero, top, zero, bottom, ink=0.6))
    parts += foot(axis, bottom, picture.unit)
    return parts, bottom + 2 * LINE + 6


def _bar(value: float | None, number: str, kind: int, axis: Axis, top: float) -> list[str]:
    """The bar of one series among those that stand together below `top`."""
    if value is None:
        return []
    top += kind * _BAR
    zero, end = axis.at(0.0), axis.at(value)
    x = min(zero, end)
    at, anchor = (x - 4, "end") if value < 0 else (max(zero, end) + 4, "start")
    return [
        swatch(kind, x, top + 1, abs(end - zero), _BAR - 2),
        text(at, top + _BAR - 2, number, anchor=anchor, size=11),
    ]
