"""Charts of results: data in, plain SVG out, without scripts, fonts, images or references.

Intervals, bars and histograms, in the colour of the text around them; two colours that most can
tell apart, those of Okabe and Ito (2008), go with a shape of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, isfinite, log10
from typing import Literal, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.report.layout import Report
from judge_tui.report.table import width_of
from judge_tui.visible import visible_line

__all__ = [
    "Bars",
    "Histogram",
    "Interval",
    "Intervals",
    "Picture",
    "Series",
    "draw",
    "escaped",
    "inline",
    "render",
]

WIDTH = 720
"""Of a chart, in its own units: what a page of paper shows at its full size."""

MOST_BARS = 200
"""Of more bars the first and the last are drawn: they are in order."""

_LINE = 16
_SIZE = 12
_GAP = 12
_LABELS = 190
_WORDS = 190
_MARGIN = 16
_GREATEST = 1e12
_COLOURS = {"good": "#0072b2", "bad": "#d55e00"}
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_NOTHING = "nothing to show"


@dataclass(frozen=True, slots=True)
class Interval:
    """One row: a value with its interval `low` to `high`, and the wider band `least` to `greatest`
    of what it could be. None (or NaN) is undefined: nothing is drawn. `words` stand beside the row;
    `tone` gives the mark a shape and a colour of its own."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    least: float | None = None
    greatest: float | None = None
    words: str = ""
    tone: Literal["good", "bad"] | None = None


@dataclass(frozen=True, slots=True)
class Intervals:
    """Dots with whiskers, one below the other, on the scale of `unit`; `mark`: where a line crosses
    the rows, such as 0 or the baseline's mean."""

    title: str
    unit: str
    rows: Sequence[Interval]
    mark: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each label, from 0 to its value, to the left where that is negative."""

    title: str
    unit: str
    labels: Sequence[str]
    values: Sequence[float | None]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A named row of values."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many of something (`unit`) fell into each of the `buckets`, a strip of columns for each
    series; `axis`: what the buckets are."""

    title: str
    unit: str
    buckets: Sequence[str]
    series: Sequence[Series]
    axis: str = ""
    note: str = ""


Picture: TypeAlias = Intervals | Bars | Histogram


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """The charts of a report, one below the other, as one SVG file. Raises `UsageError` where it
    has none."""
    if not report.pictures:
        raise UsageError("this view has no chart", "choose another format with -f")
    return draw(*report.pictures)


def draw(*pictures: Picture) -> str:
    """An SVG file of charts, dark on white, which ends with a newline. Foreign text is escaped; the
    same charts give the same bytes."""
    parts, top = [], float(_MARGIN)
    for picture in pictures:
        body, height = _drawn(picture)
        caption = [_text(0, _SIZE, _cut(picture.title, WIDTH), bold=True)]
        caption += (
            [_text(0, _SIZE + _LINE, _cut(picture.note, WIDTH), faint=True)] if picture.note else []
        )
        parts.append(f'<g transform="translate({_MARGIN} {_at(top)})">{"".join(caption)}</g>')
        top += _LINE * (2.5 if picture.note else 1.5)
        parts.append(f'<g transform="translate({_MARGIN} {_at(top)})">{body}</g>\n')
        top += height + _MARGIN
    size = f'width="{WIDTH + 2 * _MARGIN}" height="{_at(top)}"'
    title = escaped("; ".join(picture.title for picture in pictures))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}'
        f' viewBox="0 0 {WIDTH + 2 * _MARGIN} {_at(top)}" color="#1a1a1a"'
        f' font-family="{_FONT}" font-size="{_SIZE}">\n<title>{title}</title>\n'
        f'<rect {size} fill="#ffffff"/>\n{"".join(parts)}</svg>\n'
    )


def inline(picture: Picture) -> str:
    """A chart as an element of an HTML page, which has the title and the note as text."""
    body, height = _drawn(picture)
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {_at(height)}" width="{WIDTH}"'
        f' height="{_at(height)}" font-family="{_FONT}" font-size="{_SIZE}">'
        f"<title>{escaped(picture.title)}</title>{body}</svg>"
    )


def escaped(shown: str) -> str:
    """Foreign text as what it is, in an element or between double quotes, of XML or of HTML."""
    return escape(visible_line(shown))


def _drawn(picture: Picture) -> tuple[str, float]:
    """The elements of a chart, and how high they stand."""
    match picture:
        case Intervals():
            return _intervals(picture)
        case Bars():
            return _bars(picture)
        case Histogram():
            return _histogram(picture)


def _intervals(picture: Intervals) -> tuple[str, float]:
    rows = picture.rows
    if not rows:
        return _text(0, _LINE, _NOTHING), 2 * _LINE
    words = ["  ".join(filter(None, (_number(row.value), row.words))) or "-" for row in rows]
    left = _room(_LABELS, (row.label for row in rows)) + _GAP
    right = WIDTH - _room(_WORDS, words) - _GAP
    ends = (end for row in rows for end in (row.value, row.low, row.high, row.least, row.greatest))
    axis = _Axis([*ends, picture.mark], left + 6, right - 6)
    step = 24
    bottom = len(rows) * step
    parts = axis.grid(0, bottom)
    if (mark := _finite(picture.mark)) is not None:
        parts.append(_line(axis.at(mark), 0, axis.at(mark), bottom, width=1.5, ink=0.6))
    for place, (row, said) in enumerate(zip(rows, words, strict=True)):
        y = (place + 0.5) * step
        told = "".join(
            f"; {what} {_number(low)} to {_number(high)}"
            for what, low, high in (
                ("interval", row.low, row.high),
                ("could be", row.least, row.greatest),
            )
            if None not in (_finite(low), _finite(high))
        )
        parts.append(
            _group(
                f"{row.label}: {said}{told}",
                _text(left - _GAP, y + 4, _cut(row.label, left - _GAP), anchor="end"),
                *_whiskers(row, axis, y),
                _text(right + _GAP, y + 4, _cut(said, WIDTH - right - _GAP)),
            )
        )
    return "".join([*parts, *axis.foot(bottom, picture.unit)]), bottom + 2 * _LINE + 6


def _whiskers(row: Interval, axis: _Axis, y: float) -> Iterable[str]:
    least, greatest, low, high = map(_finite, (row.least, row.greatest, row.low, row.high))
    if least is not None and greatest is not None:
        wide = max(axis.at(greatest) - axis.at(least), 1.0)
        yield _rect(axis.at(least), y - 7, wide, 14, ink=0.15)
    if low is not None and high is not None:
        yield _line(axis.at(low), y, axis.at(high), y, width=1.5)
        for end in (low, high):
            yield _line(axis.at(end), y - 4, axis.at(end), y + 4, width=1.5)
    value = _finite(row.value)
    if value is None:
        return
    x = axis.at(value)
    if row.tone is None:
        yield f'<circle cx="{_at(x)}" cy="{_at(y)}" r="4" fill="currentColor"/>'
    else:
        # Up for good and down for bad, so that the shape says what the colour says.
        tip, base = (y - 6, y + 4) if row.tone == "good" else (y + 6, y - 4)
        corners = f"M{_at(x)} {_at(tip)}L{_at(x - 6)} {_at(base)}L{_at(x + 6)} {_at(base)}Z"
        yield f'<path d="{corners}" fill="{_COLOURS[row.tone]}"/>'


def _bars(picture: Bars) -> tuple[str, float]:
    rows = list(zip(picture.labels, map(_finite, picture.values), strict=True))
    if not rows:
        return _text(0, _LINE, _NOTHING), 2 * _LINE
    top, parts = 0.0, []
    if len(rows) > MOST_BARS:
        half = MOST_BARS // 2
        told = f"the first and the last {half} of {len(rows):,}"
        parts.append(_text(0, _LINE, told, faint=True))
        rows, top = rows[:half] + rows[-half:], float(_LINE + 6)
    left = _room(_LABELS, (label for label, _ in rows)) + _GAP
    # Digits stand outside of the bars, so that both ends need room for them.
    room = 60
    negative = any(value is not None and value < 0 for _, value in rows)
    axis = _Axis(
        [0.0, *(value for _, value in rows)], left + (room if negative else 0), WIDTH - room
    )
    step = 15
    bottom = top + len(rows) * step
    parts += axis.grid(top, bottom)
    zero = axis.at(0.0)
    for place, (label, value) in enumerate(rows):
        y = top + place * step
        bar = []
        if value is not None:
            end = axis.at(value)
            bar = [_rect(min(zero, end), y + 2, max(abs(end - zero), 0.75), step - 4, ink=0.75)]
            at, anchor = (end - 4, "end") if value < 0 else (end + 4, "start")
            bar.append(_text(at, y + 12, _number(value), anchor=anchor, size=11))
        name = _text(left - _GAP, y + 12, _cut(label, left - _GAP), anchor="end")
        parts.append(_group(f"{label}: {_number(value) or '-'}", name, *bar))
    parts.append(_line(zero, top, zero, bottom, ink=0.6))
    return "".join([*parts, *axis.foot(bottom, picture.unit)]), bottom + 2 * _LINE + 6


def _histogram(picture: Histogram) -> tuple[str, float]:
    if not picture.series or not picture.buckets:
        return _text(0, _LINE, _NOTHING), 2 * _LINE
    left = _room(_LABELS, (one.name for one in picture.series)) + _GAP
    step, height = (WIDTH - left) / len(picture.buckets), 56
    every = [value for one in picture.series for value in map(_finite, one.values)]
    greatest = max((value for value in every if value is not None), default=0.0)
    parts = [_text(left, _SIZE, _cut(picture.unit, WIDTH - left), size=11, faint=True)]
    for place, one in enumerate(picture.series):
        base = (place + 1) * height + _LINE - 4
        parts.append(_text(left - _GAP, base - 2, _cut(one.name, left - _GAP), anchor="end"))
        for column, (bucket, value) in enumerate(
            zip(picture.buckets, map(_finite, one.values), strict=True)
        ):
            if value is None:
                continue
            x = left + column * step
            tall = max(0.0, value / greatest * (height - 20)) if greatest > 0 else 0.0
            number = f"{value:g}"
            parts.append(
                _group(
                    f"{one.name}, {bucket}: {number} {picture.unit}",
                    _rect(x + step * 0.1, base - tall, step * 0.8, tall, ink=0.7),
                    _text(x + step / 2, base - tall - 3, number, anchor="middle", size=11),
                )
            )
        parts.append(_line(left, base, WIDTH, base, ink=0.4))
    bottom = len(picture.series) * height + 2 * _LINE
    parts += [
        _text(left + (at + 0.5) * step, bottom, _cut(one, step), anchor="middle", size=11)
        for at, one in enumerate(picture.buckets)
    ]
    middle = (left + WIDTH) / 2
    axis = _cut(picture.axis, WIDTH - left)
    parts.append(_text(middle, bottom + _LINE, axis, anchor="middle", size=11))
    return "".join(parts), bottom + _LINE + 6


class _Axis:
    """A scale with room for some values, drawn between `start` and `end`, with round ticks."""

    def __init__(self, values: Iterable[float | None], start: float, end: float) -> None:
        known = [value for one in values if (value := _finite(one)) is not None] or [0.0, 1.0]
        low, high = min(known), max(known)
        if high - low <= max(abs(low), abs(high), 1e-9) * 1e-6:
            pad = max(abs(low) / 4, 1e-3)
            low, high = low - pad, high + pad
        self.low, self.high, self.start, self.end = low, high, start, end
        power = 10.0 ** floor(log10((high - low) / 5))
        step = next(one * power for one in (1, 2, 2.5, 5, 10) if one * power * 5.01 >= high - low)
        first, last = -floor(-low / step + 1e-9), floor(high / step + 1e-9)
        self.ticks = [place * step for place in range(first, last + 1)]

    def at(self, value: float) -> float:
        """Where the value stands."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def grid(self, top: float, bottom: float) -> list[str]:
        return [_line(self.at(one), top, self.at(one), bottom, ink=0.15) for one in self.ticks]

    def foot(self, bottom: float, unit: str) -> list[str]:
        numbers = [
            _text(self.at(one), bottom + _LINE, f"{one:.6g}", anchor="middle", size=11, faint=True)
            for one in self.ticks
        ]
        middle, room = (self.start + self.end) / 2, self.end - self.start
        name = _text(middle, bottom + 2 * _LINE, _cut(unit, room), anchor="middle", size=11)
        return [_line(self.start, bottom, self.end, bottom, ink=0.4), *numbers, name]


def _finite(value: float | None) -> float | None:
    """The value, None where it is none that can be drawn."""
    known = value is not None and isfinite(value) and abs(value) < _GREATEST
    return float(value) if known and value is not None else None


def _number(value: float | None) -> str:
    known = _finite(value)
    return "" if known is None else f"{known + 0.0:.3f}"


def _room(most: float, names: Iterable[str]) -> float:
    """How much the longest of them needs, at most `most`."""
    return min(most, max((_width(visible_line(name)) for name in names), default=0.0))


def _width(shown: str) -> float:
    return width_of(shown) * _SIZE * 0.6


def _cut(shown: str, room: float) -> str:
    """As much of a text as has room; all of it is told where the mouse rests."""
    shown = visible_line(shown)
    if _width(shown) <= room + 0.01:
        return shown
    kept = shown[: max(0, int(room / (_SIZE * 0.6)))]
    while kept and _width(f"{kept}…") > room:
        kept = kept[:-1]
    return f"{kept}…"


def _at(value: float) -> str:
    """A coordinate: two decimals at most, so that the bytes do not depend on the last bit."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _group(title: str, *parts: str) -> str:
    """What belongs together; the `title` is told where the mouse rests, and to who cannot see."""
    return f"<g><title>{escaped(title)}</title>{''.join(parts)}</g>"


def _text(
    x: float,
    y: float,
    shown: str,
    *,
    anchor: str = "start",
    size: float = _SIZE,
    bold: bool = False,
    faint: bool = False,
) -> str:
    extra = "" if anchor == "start" else f' text-anchor="{anchor}"'
    extra += "" if size == _SIZE else f' font-size="{_at(size)}"'
    extra += ' font-weight="600"' if bold else ""
    extra += ' fill-opacity="0.75"' if faint else ""
    return f'<text x="{_at(x)}" y="{_at(y)}" fill="currentColor"{extra}>{escaped(shown)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, *, width: float = 1, ink: float = 1) -> str:
    ends = f'x1="{_at(x1)}" y1="{_at(y1)}" x2="{_at(x2)}" y2="{_at(y2)}"'
    return (
        f'<line {ends} stroke="currentColor" stroke-width="{_at(width)}"'
        f' stroke-opacity="{_at(ink)}"/>'
    )


def _rect(x: float, y: float, width: float, height: float, *, ink: float) -> str:
    return (
        f'<rect x="{_at(x)}" y="{_at(y)}" width="{_at(width)}" height="{_at(height)}"'
        f' fill="currentColor" fill-opacity="{_at(ink)}"/>'
    )
