"""Tables that are wider than a terminal: cut into several, one below the other, so that no line is
broken amid a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from judge_tui.report.layout import Cell, Column, Report, Table
from judge_tui.report.table import shown, width_of
from judge_tui.visible import visible_line

__all__ = ["fit_to_width"]

_BETWEEN = 2
_MARK = "…"


def fit_to_width(report: Report, width: int) -> Report:
    """The report with its tables no wider than so many cells of a terminal."""
    return Report([part for table in report.for_readers() for part in _fit(table, width)])


def _fit(table: Table, width: int) -> Iterator[Table]:
    """The table as it is where it fits into so many cells of a terminal. Else its columns in as few
    tables as have room for them, each beginning with the names of its rows (`Table.names`). Names
    that take more than a third of a line where it has no room for more, and any other text that it
    has no room for, are shortened in the middle, with a mark. Numbers never are: one column may be
    wider; and what is one column of text is left to the terminal, which breaks its lines."""
    widths = [_width(table, place) for place in range(len(table.columns))]
    if _line(widths) <= width or len(widths) == 1:
        yield table
        return
    count = _names(table)
    texts = [place for place, column in enumerate(table.columns[:count]) if not column.right]
    name = _longest(widths, texts, count, width)
    for place in texts:
        widths[place] = min(widths[place], name)
    front = _line(widths[:count])
    room = max(1, width - front - _BETWEEN)
    limits = [name if place < count else room for place in range(len(widths))]
    columns = [
        column if column.right else column._replace(show=_Shortened(column, limit))
        for column, limit in zip(table.columns, limits, strict=True)
    ]
    title = table.title
    for part in _parts(widths, count, room):
        places = [*range(count), *part]
        rows = [[row[place] for place in places] for row in table.rows]
        yield Table("", [columns[place] for place in places], rows, title)
        title = ""


def _names(table: Table) -> int:
    """How many columns name the rows; of text alone, the first does."""
    if table.names is not None:
        return table.names
    count = sum(1 for _ in takewhile(lambda column: not column.right, table.columns))
    return count if 0 < count < len(table.columns) else 1


def _longest(widths: Sequence[int], texts: Sequence[int], count: int, width: int) -> int:
    """How long names may be (the columns `texts` of the first `count`), so that there are as few
    tables as can be; a third of a line for all names, unless there is one grid alone."""
    best = (len(widths), 0)
    least = max(1, width // 3 // count)
    for limit in range(least, max(least, *widths) + 1):
        cut = [min(its, limit) if place in texts else its for place, its in enumerate(widths)]
        parts = len([*_parts(cut, count, max(1, width - _line(cut[:count]) - _BETWEEN))])
        narrow = sum(cut[place] for place in texts) <= width // 3
        if narrow or parts == 1 or not best[1]:
            best = min(best, (parts, -limit))
    return -best[1]


def _parts(widths: Sequence[int], count: int, room: int) -> Iterator[list[int]]:
    part: list[int] = []
    for place in range(count, len(widths)):
        if part and _line([widths[one] for one in [*part, place]]) > room:
            yield part
            part = []
        part.append(place)
    yield part


def _line(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * max(0, len(widths) - 1)


def _width(table: Table, place: int) -> int:
    column = table.columns[place]
    cells = (shown(column.show, row[place]) for row in table.rows)
    return max(map(width_of, (visible_line(column.title or ""), *cells)))


class _Shortened:
    """How the cells of a text column are shown in no more than so many cells of a terminal."""

    def __init__(self, column: Column, limit: int) -> None:
        self._show = column.show
        self._limit = limit

    def __call__(self, cell: Cell) -> str:
        text = self._show(cell)
        kept = len(text)
        short = text
        while kept and width_of(visible_line(short)) > self._limit:
            kept -= 1
            head = (kept + 1) // 2
            short = f"{text[:head]}{_MARK}{text[len(text) - (kept - head) :]}"
        return short
