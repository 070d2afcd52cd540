"""What gives way in a line that has too little room: names are shortened, each in its middle, so
that what the line says of them stays in sight, and what is marked so goes as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content, Span
from textual.style import Style

from judge_tui.tui.cells import shortened
from judge_tui.visible import visible_line

_NAME = "name"
_SPARE = "spare"
_LEAST = 16
"""Cells that a name keeps, whatever the line is cut to then."""


def by_name(name: str, style: str = "") -> Content:
    """A tag or another name from outside, as content that `in_room` may shorten."""
    return Content.styled(visible_line(name), style).stylize(Style.from_meta({_NAME: True}))


def if_room(said: str) -> Content:
    """Words of our own that `in_room` may leave out: half a number would be read as another."""
    return Content(said).stylize(Style.from_meta({_SPARE: True}))


def without_results(of_runs: Iterable[tuple[str, str]]) -> Content:
    """Runs by their tags, each with why it has no results, as `View`s say it below their rows."""
    said = (Content.assemble(by_name(tag), f" {visible_line(why)}") for tag, why in of_runs)
    return Content("; ").join(said).stylize("$text-warning")


def in_room(content: Content, width: int) -> Content:
    """Content of one or more lines, in which the names of those that are wider than `width` are
    shortened until they fit, the longest ones first. Where that is not enough, what is there
    `if_room` is left out before, the last of it first. What has too little room even so is as wide
    as it is."""
    if not any(_is(_NAME, span) or _is(_SPARE, span) for span in content.spans):
        return content
    lines = content.split("\n", allow_blank=True)
    return Content("\n").join(_line_in_room(line, width) for line in lines)


def _line_in_room(line: Content, width: int) -> Content:
    if line.cell_length <= width:
        return line
    names = sorted((span.start, span.end) for span in line.spans if _is(_NAME, span))
    cells = [line[start:end].cell_length for start, end in names]
    rest = line.cell_length - sum(cells)
    spare = [(span.start, span.end) for span in line.spans if _is(_SPARE, span)]
    if spare and rest + sum(min(_LEAST, one) for one in cells) > width:
        start, end = max(spare)
        return _line_in_room(Content("").join([line[:start], line[end:]]), width)
    most = max(cells, default=0)
    while most > _LEAST and rest + sum(min(most, one) for one in cells) > width:
        most -= 1
    parts, at = [], 0
    for start, end in names:
        parts += [line[at:start], _shortened(line[start:end], most)]
        at = end
    return Content("").join([*parts, line[at:]])


def _shortened(name: Content, width: int) -> Content:
    text = shortened(name.plain, width)
    return Content(text, [Span(0, len(text), span.style) for span in name.spans])


def _is(mark: str, span: Span) -> bool:
    return isinstance(span.style, Style) and mark in span.style.meta
