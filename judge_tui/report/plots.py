"""Charts of results: data in, plain SVG out, without scripts, fonts, images or references.

Intervals, histograms and lines. Across, everything stands in percent, so that a chart is as wide as
what is around it and its text stays legible. Colours that most can tell apart (Okabe and Ito, 2008)
go with a shape of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import floor, isfinite, log10
from typing import Any, TypeAlias

from judge_tui.report.layout import tone_of
from judge_tui.report.table import width_of
from judge_tui.visible import visible_line

_LINE, _SIZE, _SMALL = 16, 13, 11
_LONGEST = 24  # characters of a name, so that a telephone shows what stands behind it, too
_GREATEST = 1e12
_FAINT: dict[str, Any] = {"font_size": _SMALL, "fill_opacity": 0.75}
_MIDDLE: dict[str, Any] = {"font_size": _SMALL, "text_anchor": "middle"}
_TICK = _FAINT | _MIDDLE
_COLOURS = {"good": "#0072b2", "bad": "#b84d00"}
_UP, _DOWN = "M0 -7L7 5L-7 5Z", "M0 7L7 -5L-7 -5Z"
_LOOKS = (
    ("#0072b2", "M-5 -5L5 -5L5 5L-5 5Z"),
    ("#d55e00", _UP),
    ("#009e73", "M0 -7L7 0L0 7L-7 0Z"),
    ("#cc79a7", _DOWN),
    ("currentColor", "M-6 -2L-2 -2L-2 -6L2 -6L2 -2L6 -2L6 2L2 2L2 6L-2 6L-2 2L-6 2Z"),
    ("#e69f00", "M-7 0L5 -7L5 7Z"),
    ("#56b4e9", "M7 0L-5 -7L-5 7Z"),
)
"""The colour and the mark of each line; then they come again."""

_DASH = 5
"""In pixels: how much of a line each of the others leaves to be seen where they lie on it."""


Span: TypeAlias = tuple[float | None, float | None]
"""From, and to."""


@dataclass(frozen=True, slots=True)
class Interval:
    """One row: a value with its interval, and the wider band of `bounds` between which it could be.
    None (or NaN) is undefined: nothing is drawn. `words` stand beside the name; those that are good
    or bad (`layout.tone_of`) give the mark a shape and a colour of its own."""

    label: str
    value: float | None
    interval: Span | None = None
    bounds: Span | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Intervals:
    """Dots with whiskers, one below the other, on the scale of `unit`; `mark`: where a line crosses
    the rows, such as 0 or the baseline's mean; `signed`: values are differences."""

    title: str
    unit: str
    rows: Sequence[Interval]
    mark: float | None = None
    note: str = ""
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """A named row of values."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many of something (`unit`) fell into each of the `buckets`, a strip of bars for each
    series; `axis`: what the buckets are."""

    title: str
    unit: str
    buckets: Sequence[str]
    series: Sequence[Series]
    axis: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """Values (`unit`) at the shares `at` of something (`axis`), a line for each series."""

    title: str
    unit: str
    at: Sequence[float]
    series: Sequence[Series]
    axis: str = ""


Picture: TypeAlias = Intervals | Histogram | Lines


def inline(picture: Picture) -> str:
    """A chart as an element of an HTML page, which has the title and the note as text, and a style
    for the classes good and bad."""
    marks, height = _drawn(picture)
    return (
        f'<svg role="img" width="100%" height="{height}" font-size="{_SIZE}" fill="currentColor">'
        f"<title>{escaped(picture.title)}</title>{marks}</svg>"
    )


def document(pictures: Iterable[Picture], width: int = 640) -> str:
    """A file of its own: charts below each other, each under its title."""
    parts, top = [], 0
    for picture in pictures:
        marks, height = _drawn(picture)
        title = _text(2, top + 1.5 * _LINE, _cut(picture.title, 80), font_weight=600)
        size = f'x="2%" y="{top + 2 * _LINE}" width="96%" height="{height}"'
        parts += [title, f"<svg {size}>{marks}</svg>"]
        top += height + 3 * _LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{top}"'
        f' font-family="sans-serif" font-size="{_SIZE}" color="#000" fill="currentColor">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def escaped(shown: str) -> str:
    """Foreign text as what it is, in an element or between double quotes, of XML or of HTML."""
    return escape(visible_line(shown))


def _drawn(picture: Picture) -> tuple[str, int]:
    """The elements of a chart, and how high they stand."""
    match picture:
        case Intervals(rows=[]) | Histogram(buckets=[]) | Histogram(series=[]) | Lines(series=[]):
            return _text(0, _LINE, "nothing to show"), 2 * _LINE
        case Intervals():
            return _intervals(picture)
        case Histogram():
            return _histogram(picture)
        case Lines():
            return _lines(picture)


def _intervals(picture: Intervals) -> tuple[str, int]:
    """Each name stands above its whiskers, which have all of the width."""
    spans = [span for row in picture.rows for span in (row.interval, row.bounds) if span]
    values = [*(end for span in spans for end in span), *(row.value for row in picture.rows)]
    scale = _Scale([*values, picture.mark], 3, 97)
    step, bottom = 44, len(picture.rows) * 44
    parts = [_line(scale.at(one), 0, scale.at(one), bottom, ink=0.12) for one in scale.ticks]
    if (mark := _finite(picture.mark)) is not None:
        # Beside the whiskers alone, not through the names above them.
        x, ends = scale.at(mark), ((y - 10, y + 10) for y in range(30, bottom, step))
        parts += [_line(x, top, x, end, width=1.5, ink=0.5) for top, end in ends]
    for place, row in enumerate(picture.rows):
        y = place * step + 30
        value = _number(row.value, signed=picture.signed)
        told = "".join(
            f"; {what} {' to '.join(_number(end, signed=picture.signed) for end in span)}"
            for what, ends in (("interval", row.interval), ("could be", row.bounds))
            for span in _drawable(ends)
        )
        name = f'<tspan font-weight="600">{escaped(_cut(row.label))}</tspan> {value}'
        above = _mark("text", f"{name} {escaped(_cut(row.words))}", x=0, y=y - 16)
        title = f"{row.label}: {' '.join(filter(None, (value, row.words))) or '-'}{told}"
        parts.append(_group(title, above, *_whiskers(row, scale, y), tone=tone_of(row.words)))
    parts.append(_line(0, bottom, 100, bottom, ink=0.4))
    parts += [_text(scale.at(one), bottom + _LINE, f"{one:.6g}", **_TICK) for one in scale.ticks]
    parts.append(_text(50, bottom + 2 * _LINE, _cut(picture.unit, 50), **_MIDDLE))
    return "".join(parts), bottom + 2 * _LINE + 6


def _whiskers(row: Interval, scale: _Scale, y: float) -> Iterator[str]:
    for low, high in _drawable(row.bounds):
        yield _rect(scale.at(low), y - 6, max(scale.at(high) - scale.at(low), 0.2), 12, ink=0.14)
    for low, high in _drawable(row.interval):
        yield _line(scale.at(low), y, scale.at(high), y, width=2)
        for end in (low, high):
            yield _line(scale.at(end), y - 4, scale.at(end), y + 4, width=2)
    if (value := _finite(row.value)) is None:
        return
    tone = tone_of(row.words)
    if tone is None:
        yield _mark("circle", cx=scale.at(value), cy=y, r=4.5)
    else:
        # Up for good and down for bad, so that the shape says what the colour says.
        yield _shape(_UP if tone == "good" else _DOWN, scale.at(value), y)


def _histogram(picture: Histogram) -> tuple[str, int]:
    step, height = 100 / len(picture.buckets), 72
    counts = [[_finite(value) for value in one.values] for one in picture.series]
    greatest = max((value for row in counts for value in row if value is not None), default=0.0)
    parts = []
    for strip, (one, row) in enumerate(zip(picture.series, counts, strict=True)):
        base = (strip + 1) * height - 6
        parts.append(_text(0, base - height + 20, _cut(one.name), font_weight=600))
        for place, (bucket, value) in enumerate(zip(picture.buckets, row, strict=True)):
            if value is None:
                continue
            x = place * step
            tall = max(0.0, value / greatest * (height - 40)) if greatest > 0 else 0.0
            parts.append(
                _group(
                    f"{one.name}, {bucket}: {value:g} {picture.unit}",
                    _rect(x + step * 0.1, base - tall, step * 0.8, tall, ink=0.7),
                    _text(x + step / 2, base - tall - 3, f"{value:g}", **_MIDDLE),
                )
            )
        parts.append(_line(0, base, 100, base, ink=0.4))
    bottom = len(picture.series) * height - 4
    parts += [
        _text((place + 0.5) * step, bottom + _SIZE, _cut(bucket, 10), **_MIDDLE)
        for place, bucket in enumerate(picture.buckets)
    ]
    parts.append(_text(50, bottom + 2 * _LINE, _cut(picture.axis, 50), **_MIDDLE))
    return "".join(parts), bottom + 2 * _LINE + 6


def _lines(picture: Lines) -> tuple[str, int]:
    """The names stand above, each with its line and mark; behind that the scale of the values
    upright. Marks are hollow, and each line has a longer gap than the one before, so that all of
    those that lie on each other are seen."""
    top, height = (len(picture.series) + 1) * _LINE, 220
    bottom = top + height
    across = _Scale([0, *picture.at], 8, 97)
    upright = _Scale([value for one in picture.series for value in one.values], bottom, top + _LINE)
    parts = [_text(0, top + 4, _cut(picture.unit, 50), **_FAINT)]
    for tick in upright.ticks:
        y = upright.at(tick)
        parts += [_line(8, y, 97, y, ink=0.12), _text(0, y + 4, f"{tick:.6g}", **_FAINT)]
    parts.append(_line(8, bottom, 97, bottom, ink=0.4))
    for tick in across.ticks:
        parts.append(_text(across.at(tick), bottom + _LINE, f"{100 * tick:.6g} %", **_TICK))
    for number, series in enumerate(picture.series):
        colour, corners = _LOOKS[number % len(_LOOKS)]
        gap = _DASH * number
        dashes = f"{_DASH * len(picture.series) - gap} {gap}"
        y = (number + 0.5) * _LINE
        parts.append(_text(4, y + 4, _cut(series.name)))
        points = [(at, _finite(value)) for at, value in zip(picture.at, series.values, strict=True)]
        title = "; ".join(f"{100 * at:.6g} %: {_number(value)}" for at, value in points)
        places = [(across.at(at), upright.at(value)) for at, value in points if value is not None]
        segments = [((0.4, y), (3.6, y)), *pairwise(places)]
        drawn = [_line(*start, *end, width=2, dashes=dashes) for start, end in segments]
        drawn += [_shape(corners, *place, hollow=True) for place in [(2, y), *places]]
        marks = _group(f"{series.name}: {title}", *drawn)
        parts.append(f'<g color="{colour}" fill="{colour}">{marks}</g>')
    parts.append(_text(50, bottom + 2 * _LINE, _cut(picture.axis, 50), **_MIDDLE))
    return "".join(parts), bottom + 2 * _LINE + 6


class _Scale:
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


def _finite(value: float | None) -> float | None:
    """The value, None where it is none that can be drawn."""
    known = value is not None and isfinite(value) and abs(value) < _GREATEST
    return float(value) if known and value is not None else None


def _drawable(span: Span | None) -> Iterator[tuple[float, float]]:
    """The span, if there is one."""
    low, high = map(_finite, span or (None, None))
    if low is not None and high is not None:
        yield low, high


def _number(value: float | None, *, signed: bool = False) -> str:
    known = _finite(value)
    return "" if known is None else f"{round(known, 3) + 0.0:{'+' if signed else ''}.3f}"


def _cut(shown: str, most: int = _LONGEST) -> str:
    """So much of a text as `most` characters take; all of it is told where the mouse rests."""
    shown = visible_line(shown)
    if width_of(shown) <= most:
        return shown
    kept = shown[: most - 1]
    while width_of(kept) > most - 1:
        kept = kept[:-1]
    return f"{kept}…"


_ACROSS = frozenset(("x", "x1", "x2", "cx", "width"))


def _mark(name: str, inside: str = "", **attributes: float | str) -> str:
    """An element. Numbers have two decimals at most, so that the bytes do not depend on the last
    bit; those that go across are in percent."""
    parts = [name]
    for key, value in attributes.items():
        shown = value if isinstance(value, str) else f"{round(value, 2) + 0.0:g}"
        parts.append(f'{key.replace("_", "-")}="{shown}{"%" if key in _ACROSS else ""}"')
    return f"<{' '.join(parts)}>{inside}</{name}>"


def _group(title: str, *parts: str, tone: str | None = None) -> str:
    """What belongs together; the `title` is told where the mouse rests, and to who cannot see."""
    toned = "" if tone is None else f' class="{tone}" color="{_COLOURS[tone]}"'
    return f"<g{toned}><title>{escaped(title)}</title>{''.join(parts)}</g>"


def _text(x: float, y: float, shown: str, **attributes: float | str) -> str:
    return _mark("text", escaped(shown), x=x, y=y, **attributes)


def _shape(corners: str, x: float, y: float, *, hollow: bool = False) -> str:
    look = ' fill="none" stroke="currentColor" stroke-width="1.5"' if hollow else ""
    return _mark("svg", f'<path d="{corners}"{look}/>', x=x, y=y, overflow="visible")


def _line(
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    *,
    width: float = 1,
    ink: float = 1,
    dashes: str = "",
) -> str:
    drawn: dict[str, Any] = {"stroke": "currentColor", "stroke_width": width}
    if dashes:
        drawn["stroke_dasharray"] = dashes
    return _mark("line", x1=x1, y1=y1, x2=x2, y2=y2, **drawn, stroke_opacity=ink)


def _rect(x: float, y: float, width: float, height: float, *, ink: float) -> str:
    return _mark("rect", x=x, y=y, width=width, height=height, fill_opacity=ink)
