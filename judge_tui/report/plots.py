"""Charts of results: data in, plain SVG out, without scripts, fonts, images or references.

Intervals, bars and histograms. Across, everything stands in percent, so that a chart is as wide as
what is around it and its text stays legible. Two colours that most can tell apart (Okabe and Ito,
2008) go with a shape of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, isfinite, log10
from typing import TypeAlias

from judge_tui.errors import UsageError
from judge_tui.report.layout import Report, tone_of
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

MOST_BARS = 200
"""Of more bars the first and the last are drawn: they are in order."""

_WIDTH, _MARGIN = 720, 16  # of an SVG file
_LINE, _SIZE, _SMALL = 16, 13, 11
_LONGEST = 24  # characters of a name, so that a telephone shows what stands behind it, too
_NUMBERED = 12  # more bars have neither a name nor a number
_GREATEST = 1e12
_COLOURS = {"good": "#0072b2", "bad": "#b84d00"}
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


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
class Bars:
    """A bar for each label, from 0 to its value, downwards where that is negative; `signed`: up is
    good, and down is bad."""

    title: str
    unit: str
    labels: Sequence[str]
    values: Sequence[float | None]
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


Picture: TypeAlias = Intervals | Bars | Histogram


def render(report: Report) -> str:
    """The charts of a report, one below the other, as one SVG file. Raises `UsageError` where it
    has none."""
    if not report.pictures:
        raise UsageError("this view has no chart", "choose another format with -f")
    return draw(*report.pictures)


def draw(*pictures: Picture) -> str:
    """An SVG file of charts, dark on white, which ends with a newline. Foreign text is escaped; the
    same charts give the same bytes."""
    parts, top = [], _MARGIN
    for picture in pictures:
        marks, height = _drawn(picture)
        above = [_text(0, _SIZE, _cut(picture.title, 90), bold=True)]
        above += [_text(0, 2 * _LINE, _cut(picture.note, 100), faint=True)] if picture.note else []
        lines = len(above) + 0.5
        for inside, tall in (("".join(above), int(lines * _LINE)), (marks, height)):
            parts.append(
                f'<svg x="{_MARGIN}" y="{top}" width="{_WIDTH}" height="{tall}">{inside}</svg>\n'
            )
            top += tall
        top += _MARGIN
    size = f'width="{_WIDTH + 2 * _MARGIN}" height="{top}"'
    title = escaped("; ".join(picture.title for picture in pictures))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}'
        f' viewBox="0 0 {_WIDTH + 2 * _MARGIN} {top}" color="#1a1a1a"'
        f' font-family="{_FONT}" font-size="{_SIZE}">\n<title>{title}</title>\n'
        f'<rect {size} fill="#ffffff"/>\n{"".join(parts)}</svg>\n'
    )


def inline(picture: Picture) -> str:
    """A chart as an element of an HTML page, which has the title and the note as text, and a style
    for the classes good and bad."""
    marks, height = _drawn(picture)
    return (
        f'<svg role="img" width="100%" height="{height}" font-size="{_SIZE}">'
        f"<title>{escaped(picture.title)}</title>{marks}</svg>"
    )


def escaped(shown: str) -> str:
    """Foreign text as what it is, in an element or between double quotes, of XML or of HTML."""
    return escape(visible_line(shown))


def _drawn(picture: Picture) -> tuple[str, int]:
    """The elements of a chart, and how high they stand."""
    match picture:
        case Intervals(rows=[]) | Bars(labels=[]) | Histogram(buckets=[]) | Histogram(series=[]):
            return _text(0, _LINE, "nothing to show"), 2 * _LINE
        case Intervals():
            return _intervals(picture)
        case Bars():
            return _bars(picture)
        case Histogram():
            return _histogram(picture)


def _intervals(picture: Intervals) -> tuple[str, int]:
    """Each name stands above its whiskers, which have all of the width."""
    rows, step = picture.rows, 44
    spans = [span for row in rows for span in (row.interval, row.bounds) if span]
    ends = [end for span in spans for end in span]
    scale = _Scale([*ends, *(row.value for row in rows), picture.mark], 3, 97)
    bottom = len(rows) * step
    parts = [_line(scale.at(one), 0, scale.at(one), bottom, ink=0.12) for one in scale.ticks]
    if (mark := _finite(picture.mark)) is not None:
        parts.append(_line(scale.at(mark), 0, scale.at(mark), bottom, width=1.5, ink=0.5))
    for place, row in enumerate(rows):
        y = place * step + 30
        value = _number(row.value, signed=picture.signed)
        told = "".join(
            f"; {what} {_number(low, signed=picture.signed)} to"
            f" {_number(high, signed=picture.signed)}"
            for what, span in (("interval", row.interval), ("could be", row.bounds))
            for low, high in _drawable(span)
        )
        words = escaped(_cut(row.words, _LONGEST))
        name = _text(0, y - 16, _cut(row.label, _LONGEST), bold=True, more=f" {value} {words}")
        title = f"{row.label}: {' '.join(filter(None, (value, row.words))) or '-'}{told}"
        parts.append(_group(title, name, *_whiskers(row, scale, y), tone=tone_of(row.words)))
    parts.append(_line(0, bottom, 100, bottom, ink=0.4))
    parts += [
        _text(scale.at(one), bottom + _LINE, f"{one:.6g}", anchor="middle", size=_SMALL, faint=True)
        for one in scale.ticks
    ]
    parts.append(
        _text(50, bottom + 2 * _LINE, _cut(picture.unit, 50), anchor="middle", size=_SMALL)
    )
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
    x = f"{_at(scale.at(value))}%"
    tone = tone_of(row.words)
    if tone is None:
        yield f'<circle cx="{x}" cy="{_at(y)}" r="4.5" fill="currentColor"/>'
    else:
        # Up for good and down for bad, so that the shape says what the colour says.
        corners = "M0 -7L7 5L-7 5Z" if tone == "good" else "M0 7L7 -5L-7 -5Z"
        yield f'<svg x="{x}" y="{_at(y)}" overflow="visible">'
        yield f'<path d="{corners}" fill="currentColor"/></svg>'


def _bars(picture: Bars) -> tuple[str, int]:
    bars = list(zip(picture.labels, map(_finite, picture.values), strict=True))
    told, top = "", 2 * _LINE + 4
    if len(bars) > MOST_BARS:
        half = MOST_BARS // 2
        told = f", the first and the last {half} of {len(bars):,}"
        bars = bars[:half] + bars[-half:]
    scale = _Scale([0.0, *(value for _, value in bars)], top + 130, top)
    parts = [_text(0, _SIZE, f"{_cut(picture.unit, 60)}{told}", size=_SMALL, faint=True)]
    for one in scale.ticks:
        parts.append(_line(0, scale.at(one), 100, scale.at(one), ink=0.12 if one else 0.6))
        parts.append(_text(0, scale.at(one) - 3, f"{one:.6g}", size=_SMALL, faint=True))
    bottom = top + 134
    step = 92 / len(bars)
    few = len(bars) <= _NUMBERED
    for place, (label, value) in enumerate(bars):
        x, bar = 8 + place * step, []
        if value is not None:
            ends = sorted((scale.at(0.0), scale.at(value)))
            bar = [_rect(x + step * 0.1, ends[0], step * 0.8, max(ends[1] - ends[0], 1), ink=0.75)]
            y = ends[0] - 3 if value >= 0 else ends[1] + _SMALL
            middle = x + step / 2
            bar += [_text(middle, y, _number(value), anchor="middle", size=_SMALL)] if few else []
        bar += [_clipped(x, bottom, step, label)] if few else []
        tone = ("good" if value > 0 else "bad") if picture.signed and value else None
        parts.append(_group(f"{label}: {_number(value) or '-'}", *bar, tone=tone))
    return "".join(parts), bottom + (_LINE + 6 if few else 6)


def _histogram(picture: Histogram) -> tuple[str, int]:
    step, height = 100 / len(picture.buckets), 72
    counts = [value for one in picture.series for value in map(_finite, one.values)]
    greatest = max((value for value in counts if value is not None), default=0.0)
    parts = []
    for strip, one in enumerate(picture.series):
        base = (strip + 1) * height - 6
        name = _cut(one.name, _LONGEST)
        parts.append(_text(0, base - height + 20, name, bold=True))
        for place, (bucket, value) in enumerate(
            zip(picture.buckets, map(_finite, one.values), strict=True)
        ):
            if value is None:
                continue
            x, number = place * step, f"{value:g}"
            tall = max(0.0, value / greatest * (height - 40)) if greatest > 0 else 0.0
            parts.append(
                _group(
                    f"{one.name}, {bucket}: {number} {picture.unit}",
                    _rect(x + step * 0.1, base - tall, step * 0.8, tall, ink=0.7),
                    _text(x + step / 2, base - tall - 3, number, anchor="middle", size=_SMALL),
                )
            )
        parts.append(_line(0, base, 100, base, ink=0.4))
    bottom = len(picture.series) * height - 4
    parts += [_clipped(at * step, bottom, step, one) for at, one in enumerate(picture.buckets)]
    axis = _cut(picture.axis, 50)
    parts.append(_text(50, bottom + 2 * _LINE, axis, anchor="middle", size=_SMALL))
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


def _cut(shown: str, most: int) -> str:
    """So much of a text as `most` characters take; all of it is told where the mouse rests."""
    shown = visible_line(shown)
    if width_of(shown) <= most:
        return shown
    kept = shown[: most - 1]
    while width_of(kept) > most - 1:
        kept = kept[:-1]
    return f"{kept}…"


def _at(value: float) -> str:
    """A coordinate: two decimals at most, so that the bytes do not depend on the last bit."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _group(title: str, *parts: str, tone: str | None = None) -> str:
    """What belongs together; the `title` is told where the mouse rests, and to who cannot see."""
    toned = "" if tone is None else f' class="{tone}" color="{_COLOURS[tone]}"'
    return f"<g{toned}><title>{escaped(title)}</title>{''.join(parts)}</g>"


def _clipped(x: float, y: float, width: float, shown: str) -> str:
    """A name below a bar, of which as much is seen as there is room for."""
    text = _text(50, _SMALL + 2, _cut(shown, _LONGEST), anchor="middle", size=_SMALL)
    return f'<svg x="{_at(x)}%" y="{_at(y)}" width="{_at(width)}%" height="{_LINE}">{text}</svg>'


def _text(
    x: float,
    y: float,
    shown: str,
    *,
    anchor: str = "start",
    size: float = _SIZE,
    bold: bool = False,
    faint: bool = False,
    more: str = "",
) -> str:
    """Text at `x` percent; `more` follows in the usual weight, and is escaped already."""
    kinds = "" if anchor == "start" else f' text-anchor="{anchor}"'
    kinds += "" if size == _SIZE else f' font-size="{size}"'
    kinds += ' fill-opacity="0.75"' if faint else ""
    inside = f'<tspan font-weight="600">{escaped(shown)}</tspan>' if bold else escaped(shown)
    return f'<text x="{_at(x)}%" y="{_at(y)}" fill="currentColor"{kinds}>{inside}{more}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, *, width: float = 1, ink: float = 1) -> str:
    ends = f'x1="{_at(x1)}%" y1="{_at(y1)}" x2="{_at(x2)}%" y2="{_at(y2)}"'
    return (
        f'<line {ends} stroke="currentColor" stroke-width="{_at(width)}"'
        f' stroke-opacity="{_at(ink)}"/>'
    )


def _rect(x: float, y: float, width: float, height: float, *, ink: float) -> str:
    return (
        f'<rect x="{_at(x)}%" y="{_at(y)}" width="{_at(width)}%" height="{_at(height)}"'
        f' fill="currentColor" fill-opacity="{_at(ink)}"/>'
    )
