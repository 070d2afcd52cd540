"""Counts in buckets: a strip of columns for each series, all on one scale."""

from __future__ import annotations

from judge_tui.report.plots.elements import LINE, WIDTH, Drawn, caption, group, line, rect, text
from judge_tui.report.plots.lettering import cut_name, digits, finite, width_of
from judge_tui.report.plots.picture import Histogram, Series

__all__ = ["draw_histogram"]

_LABELS = 190
_GAP = 12
_FEW = 8
"""So many strips are drawn high."""


def draw_histogram(picture: Histogram) -> Drawn:
    """The buckets from left to right, their names at the foot, each count above its column."""
    parts, top = caption(picture.title, picture.note)
    if not picture.series or not picture.buckets:
        parts.append(text(0, top + LINE, "nothing to show"))
        return Drawn(picture.title, "".join(parts), top + 2 * LINE)
    height = 64 if len(picture.series) <= _FEW else 40
    left = min(_LABELS, max(width_of(cut_name(one.name, _LABELS)) for one in picture.series)) + _GAP
    step = (WIDTH - left) / len(picture.buckets)
    greatest = max(
        (value for one in picture.series for each in one.values if (value := finite(each))),
        default=1.0,
    )
    parts.append(
        text(left, top + LINE - 4, cut_name(picture.unit, WIDTH - left, 11), size=11, faint=True)
    )
    top += LINE
    for place, one in enumerate(picture.series):
        y = top + place * height
        parts.append(
            text(left - _GAP, y + height - 6, cut_name(one.name, left - _GAP), anchor="end")
        )
        parts += _strip(picture, one, left, step, y, height, greatest)
    bottom = top + len(picture.series) * height
    parts += [
        text(
            left + (place + 0.5) * step,
            bottom + LINE,
            cut_name(bucket, step, 11),
            anchor="middle",
            size=11,
        )
        for place, bucket in enumerate(picture.buckets)
    ]
    middle = (left + WIDTH) / 2
    axis = cut_name(picture.axis, WIDTH - left, 11)
    parts.append(text(middle, bottom + 2 * LINE, axis, anchor="middle", size=11))
    return Drawn(picture.title, "".join(parts), bottom + 2 * LINE + 6)


def _strip(
    picture: Histogram,
    series: Series,
    left: float,
    step: float,
    y: float,
    height: float,
    greatest: float,
) -> list[str]:
    floor, room = y + height - 4, height - 20
    values = [finite(value) for value in series.values]
    parts = []
    for place, (bucket, value, number) in enumerate(
        zip(picture.buckets, values, digits(values), strict=True)
    ):
        if value is None:
            continue
        x = left + place * step
        tall = max(0.0, value / greatest * room)
        column = [rect(x + step * 0.1, floor - tall, step * 0.8, tall, ink=0.7)] if tall else []
        if width_of(number, 11) <= step:
            column.append(text(x + step / 2, floor - tall - 3, number, anchor="middle", size=11))
        parts.append(group(f"{series.name}, {bucket}: {number} {picture.unit}", *column))
    return [*parts, line(left, floor, WIDTH, floor, ink=0.4)]
