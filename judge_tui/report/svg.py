"""A report as one SVG file: its pictures, else its tables, drawn."""

from __future__ import annotations

from judge_tui.report.layout import Grid, Report
from judge_tui.report.plots.draw import drawn, standing_alone
from judge_tui.report.plots.elements import LINE, PADDING, WIDTH, Drawn, caption, line, text
from judge_tui.report.plots.lettering import FONT_SIZE, folded, width_of
from judge_tui.report.table import shown

__all__ = ["render"]

_GAP = 18


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001 - a form's signature
    """One below the other, the notes at the foot; dark on white, whatever the terminal."""
    parts = [drawn(picture) for picture in report.pictures] or [_grid(one) for one in report.grids]
    width = max((one.width for one in parts), default=0.0)
    if report.notes:
        parts.append(_notes([*report.notes], max(width, WIDTH)))
    return standing_alone(parts)


def _grid(grid: Grid) -> Drawn:
    """A table as wide as its cells: nothing is cut."""
    names = [column.name for column in grid.columns]
    rows = [
        [shown(column, cell) for column, cell in zip(grid.columns, row, strict=True)]
        for row in grid.rows
    ]
    widths = [max(map(width_of, column)) for column in zip(names, *rows, strict=True)]
    whole = sum(widths) + _GAP * max(0, len(widths) - 1)
    parts, top = caption(grid.title, "", max(whole, width_of(grid.title, 14) * 1.2))
    for place, row in enumerate((names, *rows)):
        baseline = top + place * LINE + FONT_SIZE
        x = 0.0
        for column, width, cell in zip(grid.columns, widths, row, strict=True):
            at, anchor = (x + width, "end") if column.right else (x, "start")
            parts.append(text(at, baseline, cell, anchor=anchor, bold=place == 0))
            x += width + _GAP
    parts.append(line(0, top + LINE, whole, top + LINE, ink=0.6))
    return Drawn(grid.title, "".join(parts), top + (len(rows) + 1) * LINE + 4, max(whole, 1.0))


def _notes(notes: list[str], width: float) -> Drawn:
    lines = [part for note in notes for part in folded(note, width)]
    parts = [text(0, FONT_SIZE + place * LINE, one) for place, one in enumerate(lines)]
    return Drawn("", "".join(parts), len(lines) * LINE + PADDING, width)
