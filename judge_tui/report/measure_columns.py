"""Tables with a column for each measure: cut into several where there are too many to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from judge_tui.report.layout import Cell, Column, Grid, count, number
from judge_tui.scoring import Measure, judged_among, shares_of

__all__ = ["MeasuredRow", "measure_grids"]

MeasuredRow: TypeAlias = tuple[Sequence[Cell], Callable[[Measure], Cell]]
"""The cells in front, and what stands under a measure."""

_WIDEST = 110
"""In characters: what fits a wide terminal, and a page across."""


def measure_grids(
    title: str,
    columns: Sequence[Column],
    rows: Sequence[MeasuredRow],
    measures: Sequence[Measure],
    beside: Sequence[Measure],
) -> Iterator[Grid]:
    """The rows with a column for each measure, and for each share judged of `beside`.

    What would be wider than a page is cut into grids one below the other, each with the columns in
    front, and with the shares judged that belong to its measures.
    """
    front = sum(
        2 + max([len(column.name), *(len(str(cells[place])) for cells, _ in rows)])
        for place, column in enumerate(columns)
    )
    shares = beside or judged_among(measures)
    for part in _parts(measures, shares, front):
        yield Grid(
            title,
            [*columns, *(_column(measure) for measure in part)],
            [(*cells, *(value(measure) for measure in part)) for cells, value in rows],
        )


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
    return Column(str(measure), count if measure.definition.whole else number)


def _width(measures: Sequence[Measure]) -> int:
    return sum(2 + max(len(str(measure)), 6) for measure in measures)
