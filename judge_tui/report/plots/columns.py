"""Many bars in little room: columns without labels, one panel for each series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge_tui.report.plots.axis import Axis, axis_of
from judge_tui.report.plots.elements import LINE, WIDTH, Drawn, caption, group, line, rect, text
from judge_tui.report.plots.lettering import cut_name, finite
from judge_tui.report.plots.picture import Bars, Series

__all__ = ["MOST_COLUMNS", "draw_columns"]

MOST_COLUMNS = 500
"""More columns than these cannot be told apart, and several labels share one."""

_LEFT = 56
_HEIGHT = 160


def draw_columns(picture: Bars) -> Drawn:
    """Up from 0, or down; where several labels share a column, the value farthest from 0."""
    many = -(-len(picture.labels) // MOST_COLUMNS)
    note = picture.note
    if many > 1:
        note = f"{note} Each column is the farthest from 0 of up to {many}.".strip()
    parts, top = caption(picture.title, note)
    parts.append(text(0, top + LINE, cut_name(picture.unit, WIDTH, 11), size=11))
    top += LINE + 10
    # One scale for all panels, so that they can be compared.
    every = [value for one in picture.series for each in one.values if (value := finite(each))]
    scale = axis_of([0.0, *every], _HEIGHT, 0)
    for series in picture.series:
        if len(picture.series) > 1:
            parts.append(text(_LEFT, top + LINE, cut_name(series.name, WIDTH - _LEFT), bold=True))
            top += LINE + 8
        parts += _panel(picture, series, many, replace(scale, start=top + _HEIGHT, end=top))
        top += _HEIGHT
    told = f"{len(picture.labels):,} columns" if many == 1 else f"{len(picture.labels):,} values"
    parts.append(text(_LEFT, top + LINE + 2, told, size=11, faint=True))
    return Drawn(picture.title, "".join(parts), top + LINE + 10)


def _panel(picture: Bars, series: Series, many: int, axis: Axis) -> list[str]:
    values = [finite(value) for value in series.values]
    parts = [line(_LEFT, axis.at(tick), WIDTH, axis.at(tick), ink=0.15) for tick in axis.ticks]
    parts += [
        text(_LEFT - 6, axis.at(tick) + 4, label, anchor="end", size=11, faint=True)
        for tick, label in zip(axis.ticks, axis.labels, strict=True)
    ]
    zero = axis.at(0.0)
    step = (WIDTH - _LEFT) / -(-len(values) // many)
    for column, start in enumerate(range(0, len(values), many)):
        place = _farthest(values, range(start, min(start + many, len(values))))
        value = None if place is None else values[place]
        if place is None or value is None:
            continue
        end = axis.at(value)
        # What is 0 is there, and is seen to be.
        bar = rect(
            _LEFT + column * step,
            min(zero, end) - (0.5 if value == 0 else 0),
            step * 0.8,
            max(abs(end - zero), 1.0),
            ink=0.75,
        )
        parts.append(group(f"{picture.labels[place]}: {value:.4g}", bar))
    parts.append(line(_LEFT, zero, WIDTH, zero, ink=0.6))
    return parts


def _farthest(values: Sequence[float | None], places: range) -> int | None:
    there = [place for place in places if values[place] is not None]
    return max(there, key=lambda place: abs(values[place] or 0.0), default=None)
