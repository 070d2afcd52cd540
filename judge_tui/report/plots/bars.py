"""Bars that lie, beside their labels; columns where there are too many labels for a page."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report.plots.axis import axis_of, foot
from judge_tui.report.plots.columns import draw_columns
from judge_tui.report.plots.elements import (
    FONT_SIZE,
    LINE,
    WIDTH,
    Drawn,
    caption,
    cut,
    digits,
    finite,
    group,
    line,
    text,
    width_of,
)
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
    sets = [picture.series] if len(picture.series) <= KINDS else [[one] for one in picture.series]
    if len(picture.series) > 1 and len(sets) == 1:
        legend, top = _legend(picture.series, top)
        parts += legend
    for series in sets:
        if len(sets) > 1:
            parts.append(text(0, top + LINE, cut(series[0].name, WIDTH), bold=True))
            top += LINE + 6
        block, top = _block(picture, series, top)
        parts += block
    return Drawn(picture.title, "".join(parts), top)


def _legend(series: Sequence[Series], top: float) -> tuple[list[str], float]:
    parts, x = [], 0.0
    for kind, one in enumerate(series):
        name = cut(one.name, WIDTH / 2)
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


def _block(picture: Bars, series: Sequence[Series], top: float) -> tuple[list[str], float]:
    values = [[finite(value) for value in one.values] for one in series]
    every = [value for row in values for value in row if value is not None]
    signed = any(value < 0 for value in every)
    written = [digits(row, signed=signed) for row in values]
    room = max((width_of(number, 11) for row in written for number in row), default=0.0) + 6
    left = min(_LABELS, max(width_of(cut(label, _LABELS)) for label in picture.labels)) + _GAP
    # Digits stand outside of the bars, so that both ends need room for them.
    axis = axis_of([0.0, *every], left + (room if signed else 0), WIDTH - room)
    height = len(series) * _BAR + 6
    bottom = top + len(picture.labels) * height
    parts = [line(axis.at(tick), top, axis.at(tick), bottom, ink=0.15) for tick in axis.ticks]
    zero = axis.at(0.0)
    for place, label in enumerate(picture.labels):
        y = top + place * height + 3
        bars = []
        for kind, row in enumerate(values):
            value, number = row[place], written[kind][place]
            if value is None:
                continue
            x, end = min(zero, axis.at(value)), max(zero, axis.at(value))
            beside = (x - 4, "end") if value < 0 else (end + 4, "start")
            bar_top = y + kind * _BAR
            bars.append(swatch(kind, x, bar_top + 1, end - x, _BAR - 2))
            bars.append(text(beside[0], bar_top + _BAR - 2, number, anchor=beside[1], size=11))
        told = ", ".join(
            f"{one.name} {row[place] or 'undefined'}".strip()
            for one, row in zip(series, written, strict=True)
        )
        middle = y + len(series) * _BAR / 2 + FONT_SIZE / 3
        parts.append(
            group(
                f"{label}: {told}",
                text(left - _GAP, middle, cut(label, left - _GAP), anchor="end"),
                *bars,
            )
        )
    parts.append(line(zero, top, zero, bottom, ink=0.6))
    parts += foot(axis, bottom, picture.unit)
    return parts, bottom + 2 * LINE + 6
