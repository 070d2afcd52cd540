"""From a picture to its SVG."""

from __future__ import annotations

from judge_tui.report.plots.bars import draw_bars
from judge_tui.report.plots.elements import Drawn, coordinate, escaped
from judge_tui.report.plots.histogram import draw_histogram
from judge_tui.report.plots.intervals import draw_intervals
from judge_tui.report.plots.picture import Bars, Histogram, Intervals, Picture

__all__ = ["draw", "drawn", "inline", "standing_alone"]

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_MARGIN = 16
_INK, _PAPER = "#1a1a1a", "#ffffff"


def draw(picture: Picture) -> str:
    """The picture as an SVG file, dark on white, which ends with a newline.

    Plain elements alone: no scripts, styles, fonts, images or references. Foreign text is escaped,
    and what a terminal or XML would not bear is replaced. The same picture gives the same bytes.
    """
    return standing_alone([drawn(picture)])


def drawn(picture: Picture) -> Drawn:
    """The picture's elements, without a frame."""
    match picture:
        case Intervals():
            return draw_intervals(picture)
        case Bars():
            return draw_bars(picture)
        case Histogram():
            return draw_histogram(picture)


def inline(one: Drawn) -> str:
    """As an element of an HTML page, in the colour of the text around it."""
    width, height = coordinate(one.width), coordinate(one.height)
    return (
        f'<svg role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="{_FONT}" font-size="12"><title>{escaped(one.title)}</title>{one.body}</svg>'
    )


def standing_alone(pictures: list[Drawn]) -> str:
    """An SVG file of several, one below the other."""
    width = max((one.width for one in pictures), default=0.0) + 2 * _MARGIN
    parts, top = [], float(_MARGIN)
    for one in pictures:
        parts.append(f'<g transform="translate({_MARGIN} {coordinate(top)})">{one.body}</g>\n')
        top += one.height + _MARGIN
    size = f'width="{coordinate(width)}" height="{coordinate(top)}"'
    title = "; ".join(one.title for one in pictures if one.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}'
        f' viewBox="0 0 {coordinate(width)} {coordinate(top)}" color="{_INK}"'
        f' font-family="{_FONT}" font-size="12">\n<title>{escaped(title)}</title>\n'
        f'<rect {size} fill="{_PAPER}"/>\n{"".join(parts)}</svg>\n'
    )
