"""The numbers of a picture as a table, for forms in which nothing can be drawn."""

from __future__ import annotations

from judge_tui.report.layout import Cell, Column, Grid, number, plain
from judge_tui.report.plots import Bars, Histogram, Intervals, Picture
from judge_tui.report.plots.lettering import finite

__all__ = ["grid_of"]


def grid_of(picture: Picture) -> Grid:
    """One row for each row, label or series that is drawn."""
    match picture:
        case Intervals():
            return _intervals(picture)
        case Bars():
            return Grid(
                _titled(picture.title, picture.unit),
                [Column("", right=False), *(Column(one.name, number) for one in picture.series)],
                [
                    (label, *(finite(one.values[place]) for one in picture.series))
                    for place, label in enumerate(picture.labels)
                ],
            )
        case Histogram():
            return Grid(
                _titled(picture.title, f"{picture.unit} by {picture.axis}"),
                [Column("", right=False), *map(Column, picture.buckets)],
                [(one.name, *map(_whole, one.values)) for one in picture.series],
            )


def _intervals(picture: Intervals) -> Grid:
    columns = [Column("", right=False), Column(picture.unit, number)]
    ends = [("low", "low"), ("high", "high"), ("least", "least"), ("greatest", "greatest")]
    there = [
        (name, key)
        for name, key in ends
        if any(finite(getattr(row, key)) is not None for row in picture.rows)
    ]
    columns += [Column(name, number) for name, _ in there]
    columns.append(Column("", plain, right=False))
    rows: list[tuple[Cell, ...]] = [
        (
            row.label,
            finite(row.value),
            *(finite(getattr(row, key)) for _, key in there),
            row.words,
        )
        for row in picture.rows
    ]
    return Grid(picture.title, columns, rows)


def _whole(value: float | None) -> Cell:
    shown = finite(value)
    return int(shown) if shown is not None and shown.is_integer() else shown


def _titled(title: str, unit: str) -> str:
    return f"{title} ({unit})" if unit.strip() else title
