"""The few elements of SVG that pictures consist of: escaped, rounded, cut to their room."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from html import escape
from math import isfinite

from judge_tui.visible import visible_line

__all__ = [
    "FONT_SIZE",
    "LINE",
    "PADDING",
    "WIDTH",
    "Drawn",
    "caption",
    "circle",
    "coordinate",
    "cut",
    "digits",
    "escaped",
    "finite",
    "folded",
    "group",
    "line",
    "path",
    "rect",
    "text",
    "width_of",
]

WIDTH = 720
"""Of a picture, in its own units: what a page of paper shows at its full size."""

FONT_SIZE = 12
LINE = 16
"""Height of a line of text."""

PADDING = 12

# Shares of the font size: how wide the letters of the wider ones of common sans-serif fonts are.
_THIN, _LETTER, _CAPITAL, _WIDE = 0.42, 0.63, 0.74, 1.05
_WIDTHS = {
    **dict.fromkeys(" !'(),./:;I[]fijlrt|`", _THIN),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ_", _CAPITAL),
    **dict.fromkeys("MW@%mw", 1.0),
}

_NOT_XML = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd"})


@dataclass(frozen=True, slots=True)
class Drawn:
    """Elements that stand within 0 to `width` and 0 to `height`; `title` says what they show."""

    title: str
    body: str
    height: float
    width: float = WIDTH


def finite(value: float | None) -> float | None:
    """The value, None where it is none that can be drawn."""
    return float(value) if value is not None and isfinite(value) else None


def digits(values: list[float | None], *, signed: bool = False) -> list[str]:
    """Each value in words of its column: three decimals, none where all are whole numbers."""
    there = [value for value in values if value is not None]
    form = ".0f" if all(value.is_integer() and abs(value) < 1e9 for value in there) else ".3f"
    if any(abs(value) >= 1e9 for value in there):
        form = ".3g"
    sign = "+" if signed else ""
    return ["" if value is None else _signless_zero(f"{value:{sign}{form}}") for value in values]


def _signless_zero(shown: str) -> str:
    return shown.lstrip("+-") if not shown.strip("+-0.") else shown


def escaped(shown: str) -> str:
    """Foreign text as what it is, in an element or between double quotes, of XML or of HTML."""
    return escape(visible_line(shown).translate(_NOT_XML))


def width_of(shown: str, size: float = FONT_SIZE) -> float:
    """About how wide a text is drawn."""
    return sum(_WIDTHS.get(char) or _other(char) for char in shown) * size


def _other(char: str) -> float:
    wide = not char.isascii() and unicodedata.east_asian_width(char) in "WF"
    return _WIDE if wide else _LETTER


def cut(shown: str, room: float, size: float = FONT_SIZE) -> str:
    """As much of a text as `room` has, with an ellipsis where that is not all."""
    shown = visible_line(shown)
    if width_of(shown, size) <= room + 0.01:
        return shown
    most = int(room / (_THIN * size)) + 1
    shown = shown[:most]
    while shown and width_of(shown, size) + _WIDE * size > room:
        shown = shown[:-1]
    return f"{shown}…"


def coordinate(value: float) -> str:
    """Two decimals at most, so that the bytes do not depend on the last bit."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def group(title: str, *parts: str) -> str:
    """What belongs together; the `title` is told where the mouse rests, and to who cannot see."""
    return f"<g><title>{escaped(title)}</title>{''.join(parts)}</g>"


def text(
    x: float,
    y: float,
    shown: str,
    *,
    anchor: str = "start",
    size: float = FONT_SIZE,
    bold: bool = False,
    faint: bool = False,
) -> str:
    """One line of text; `y` is its baseline."""
    extra = "" if anchor == "start" else f' text-anchor="{anchor}"'
    extra += "" if size == FONT_SIZE else f' font-size="{coordinate(size)}"'
    extra += ' font-weight="600"' if bold else ""
    extra += ' fill-opacity="0.75"' if faint else ""
    return (
        f'<text x="{coordinate(x)}" y="{coordinate(y)}" fill="currentColor"{extra}>'
        f"{escaped(shown)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, *, width: float = 1, ink: float = 1) -> str:
    """A line; `ink` is its opacity."""
    opacity = "" if ink == 1 else f' stroke-opacity="{coordinate(ink)}"'
    ends = (
        f'x1="{coordinate(x1)}" y1="{coordinate(y1)}" x2="{coordinate(x2)}" y2="{coordinate(y2)}"'
    )
    return f'<line {ends} stroke="currentColor" stroke-width="{coordinate(width)}"{opacity}/>'


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str = "currentColor",
    ink: float = 1,
    outline: bool = False,
) -> str:
    """A rectangle, filled; `outline` draws its edge as well."""
    extra = "" if ink == 1 else f' fill-opacity="{coordinate(ink)}"'
    extra += ' stroke="currentColor" stroke-width="0.75"' if outline else ""
    return (
        f'<rect x="{coordinate(x)}" y="{coordinate(y)}" width="{coordinate(width)}"'
        f' height="{coordinate(height)}" fill="{fill}"{extra}/>'
    )


def circle(x: float, y: float, radius: float, *, fill: str = "currentColor") -> str:
    """A dot."""
    return (
        f'<circle cx="{coordinate(x)}" cy="{coordinate(y)}" r="{coordinate(radius)}"'
        f' fill="{fill}"/>'
    )


def path(d: str, *, fill: str = "none", ink: float = 1, stroke: bool = False) -> str:
    """Anything else."""
    extra = "" if ink == 1 else f' fill-opacity="{coordinate(ink)}"'
    extra += ' stroke="currentColor" stroke-width="0.75"' if stroke else ""
    return f'<path d="{d}" fill="{fill}"{extra}/>'


def caption(title: str, note: str, room: float = WIDTH) -> tuple[list[str], float]:
    """The title and the note above a picture, and where what is below them begins."""
    parts, y = [], float(PADDING + FONT_SIZE)
    if title:
        parts.append(group(title, text(0, y, cut(title, room / 1.1, 14), size=14, bold=True)))
        y += LINE + 2
    for part in folded(note, room):
        parts.append(text(0, y, part, faint=True))
        y += LINE
    return parts, y - FONT_SIZE + 4


def folded(note: str, room: float) -> list[str]:
    """The words of a note, in lines that fit."""
    lines: list[str] = []
    for word in note.split():
        if lines and width_of(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [cut(one, room) for one in lines]
