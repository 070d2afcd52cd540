"""Tables with a column for each measure: cut into several where there are too many to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from judge_tui.report import grids
from judge_tui.report.layout import Cell, Column, Table, count, number, reader_table
from judge_tui.scoring import Measure, judged_among, shares_of

__all__ = ["MeasuredRow", "measure_grids", "measure_tables"]


class MeasuredRow(NamedTuple):
    """The `front` cells, and what stands under a measure; `queries`: of how many queries it has a
    value, which is shown where not every query has one."""

    front: Sequence[Cell]
    value: Callable[[Measure], Cell]
    queries: Callable[[Measure], Cell] | None = None


_WIDEST = 110
"""In characters: what fits a wide terminal, and a page across."""


def measure_tables(
    title: str,
    columns: Sequence[Column],
    rows: Sequence[MeasuredRow],
    measures: Sequence[Measure],
    beside: Sequence[Measure],
) -> Iterator[Table]:
    """The rows with a column for each measure, and for each share judged of `beside`.

    What would be wider than a page is cut into tables one below the other, each with the columns in
    front, and with the shares judged that belong to its measures.
    """
    front = sum(
        2 + max([len(column.title or ""), *(len(str(row.front[place])) for row in rows)])
        for place, column in enumerate(columns)
    )
    shares = beside or judged_among(measures)
    for part in _parts(measures, shares, front):
        shown = [*columns]
        cells = [[*row.front] for row in rows]
        for measure in part:
            shown.append(_column(measure))
            counted = measure.definition.of_order and all(row.queries for row in rows)
            shown += [Column("", f"{measure} n")] if counted else []
            for row, line in zip(rows, cells, strict=True):
                line.append(row.value(measure))
                if counted and row.queries is not None:
                    line.append(row.queries(measure))
        yield reader_table(title, shown, cells)


def measure_grids(
    title: str,
    columns: Sequence[grids.Column],
    rows: Sequence[MeasuredRow],
    measures: Sequence[Measure],
    beside: Sequence[Measure],
) -> Iterator[grids.Grid]:
    """The same for reports that have grids yet."""
    front = [Column("", name, show, right) for name, show, right in columns]
    yield from map(grids.as_grid, measure_tables(title, front, rows, measures, beside))


def _parts(
    measures: Sequence[Measure], shares: Sequence[Measure], front: int
) -> Iterator[Sequence[Measure]]:
    whole = [*measures, *shares_of(measures, shares)]
    if front + _width(whole) <= _WIDEST:
        yield whole
        return
    part: list[Measure] = []
    for measure in measures:
        wider = [*part, measure]
        if part and front + _width([*wider, *shares_of(wider, shares)]) > _WIDEST:
            yield [*part, *shares_of(part, shares)]
            wider = [measure]
        part = wider
    yield [*part, *shares_of(part, shares)]


def _column(measure: Measure) -> Column:
    return Column("", str(measure), count if measure.definition.whole else number)


def _width(measures: Sequence[Measure]) -> int:
    order = [measure for measure in measures if measure.definition.of_order]
    return sum(2 + max(len(str(measure)), 6) for measure in measures) + sum(
        2 + len(f"{measure} n") for measure in order
    )
