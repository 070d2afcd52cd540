"""Bars of several series, told apart in black and white: solid, hatched, empty, striped."""

from __future__ import annotations

from judge_tui.report.plots.elements import coordinate, path, rect

__all__ = ["KINDS", "swatch"]

KINDS = 4
"""So many series have a look of their own."""

_SPACE = 5


def swatch(kind: int, x: float, y: float, width: float, height: float) -> str:
    """A bar of the series at place `kind`; without width it is a thin line."""
    width = max(width, 0.75)
    if kind == 0:
        return rect(x, y, width, height, ink=0.75)
    edge = rect(x, y, width, height, fill="none", outline=True)
    if kind == 1:
        return edge + _hatch(x, y, width, height)
    if kind == 2:
        return edge
    return edge + _stripes(x, y, width, height)


def _hatch(x: float, y: float, width: float, height: float) -> str:
    """Slanting lines, cut at the edges: a pattern would need a reference."""
    parts = []
    offset = _SPACE
    while offset < width + height:
        x1, y1 = (x + offset, y) if offset <= width else (x + width, y + offset - width)
        x2, y2 = (x, y + offset) if offset <= height else (x + offset - height, y + height)
        parts.append(f"M{coordinate(x1)} {coordinate(y1)}L{coordinate(x2)} {coordinate(y2)}")
        offset += _SPACE
    return path("".join(parts), stroke=True) if parts else ""


def _stripes(x: float, y: float, width: float, height: float) -> str:
    parts = [
        f"M{coordinate(x + at)} {coordinate(y)}v{coordinate(height)}"
        for at in range(_SPACE, int(width) + 1, _SPACE)
    ]
    return path("".join(parts), stroke=True) if parts else ""
