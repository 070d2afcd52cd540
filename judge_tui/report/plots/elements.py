"""The few elements of SVG that pictures consist of: escaped, and rounded."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from judge_tui.report.plots.lettering import FONT_SIZE, cut_name, folded
from judge_tui.visible import visible_line

__all__ = [
    "LINE",
    "PADDING",
    "WIDTH",
    "Drawn",
    "caption",
    "circle",
    "coordinate",
    "escaped",
    "group",
    "line",
    "path",
    "rect",
    "text",
]

WIDTH = 720
"""Of a picture, in its own units: what a page of paper shows at its full size."""

LINE = 16
"""Height of a line of text."""

PADDING = 12


@dataclass(frozen=True, slots=True)
class Drawn:
    """Elements that stand within 0 to `width` and 0 to `height`; `title` says what they show."""

    title: str
    body: str
    height: float
    width: float = WIDTH


def escaped(shown: str) -> str:
    """Foreign text as what it is, in an element or between double quotes, of XML or of HTML."""
    return escape(visible_line(shown))


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
        parts.append(group(title, text(0, y, cut_name(title, room / 1.1, 14), size=14, bold=True)))
        y += LINE + 2
    for part in folded(note, room):
        parts.append(text(0, y, part, faint=True))
        y += LINE
    return parts, y - FONT_SIZE + 4
