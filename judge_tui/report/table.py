"""Aligned plain text for a terminal, and tables that are no wider than it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from judge_tui.report.layout import Cell, Report, Show, Table, Toned
from judge_tui.visible import visible_line

UNDEFINED = "-"

_BETWEEN = "  "
_SGR = {"good": "32", "bad": "31"}


def render_table(report: Report, *, colour: bool = False) -> str:
    """Tables one below the other. Width is counted in terminal cells."""
    return "\n".join(_table(table, colour=colour) for table in report.for_readers())


def _table(table: Table, *, colour: bool) -> str:
    texts = texts_of(table)
    widths = _widths(texts)
    lines = [visible_line(table.title)] if table.title else []
    for place, row in enumerate(texts):
        cells: Sequence[Cell] = table.rows[place - 1] if place else [None] * len(row)
        padded = [
            _pad(text, width, cell if colour else None, right=column.right)
            for text, width, column, cell in zip(row, widths, table.columns, cells, strict=True)
        ]
        lines.append(_BETWEEN.join(padded).rstrip())
    return "\n".join(lines) + "\n"


def texts_of(table: Table) -> list[list[str]]:
    """The titles of the columns, then the cells of each row, safe for a terminal."""
    return [
        [visible_line(column.title or "") for column in table.columns],
        *(
            [shown(column.show, cell) for column, cell in zip(table.columns, row, strict=True)]
            for row in table.rows
        ),
    ]


def _widths(texts: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width_of, column)) for column in zip(*texts, strict=True)]


def shown(show: Show, cell: Cell) -> str:
    """The cell's text, safe for a terminal."""
    return UNDEFINED if cell is None else visible_line(show(cell))


def width_of(text: str) -> int:
    """In cells of a terminal; the text is `visible`."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - most text is ASCII, and start-up counts

    return cell_len(text)


def _pad(text: str, width: int, cell: Cell, *, right: bool) -> str:
    space = " " * (width - width_of(text))
    if isinstance(cell, Toned):
        text = f"\x1b[{_SGR[cell.tone]}m{text}\x1b[0m"
    return space + text if right else text + space


def fit_to_width(report: Report, width: int) -> Report:
    """The report for readers with its tables no wider than so many cells of a terminal, so that no
    line is broken amid a number."""
    return Report([part for table in report.for_readers() for part in _parts(table, width)])


def _parts(table: Table, width: int) -> Iterator[Table]:
    """The table as it is where it fits. Else its columns in as many tables as they need, each
    beginning with the names of its rows (`Table.key_columns`).

    Names get a third of a line; what is longer, and any other text that is longer than the rest of
    a line, is shortened in the middle, with a mark. Numbers never are: one column may be wider; and
    what is one column of text is left to the terminal, which breaks its lines.
    """
    widths = _widths(texts_of(table))
    if _line(widths) <= width or len(widths) == 1:
        yield table
        return
    names = _names(table)
    longest = max(1, width // 3 // names)
    for place, column in enumerate(table.columns[:names]):
        widths[place] = widths[place] if column.right else min(widths[place], longest)
    room = max(1, width - _line(widths[:names]) - len(_BETWEEN))
    columns = [
        column
        if column.right
        else column._replace(show=_shortened(column.show, longest if place < names else room))
        for place, column in enumerate(table.columns)
    ]
    title, rest = table.title, list(range(names, len(columns)))
    while rest:
        fitting = (count for count in range(len(rest), 1, -1) if _fits(widths, rest[:count], room))
        count = next(fitting, 1)
        places = [*range(names), *rest[:count]]
        rows = [[row[place] for place in places] for row in table.rows]
        yield Table(title, [columns[place] for place in places], rows)
        title, rest = "", rest[count:]


def _names(table: Table) -> int:
    """How many columns name the rows; of text alone, the first does."""
    if table.key_columns is not None:
        return table.key_columns
    count = sum(1 for _ in takewhile(lambda column: not column.right, table.columns))
    return count if 0 < count < len(table.columns) else 1


def _fits(widths: Sequence[int], places: Sequence[int], room: int) -> bool:
    return _line([widths[place] for place in places]) <= room


def _line(widths: Sequence[int]) -> int:
    return sum(widths) + len(_BETWEEN) * max(0, len(widths) - 1)


def _shortened(show: Show, limit: int) -> Show:
    """How a cell of text is shown in no more than so many cells of a terminal."""

    def shortened(cell: Cell) -> str:
        text = show(cell)
        kept, short = len(text), text
        while kept and width_of(visible_line(short)) > limit:
            kept -= 1
            short = f"{text[: (kept + 1) // 2]}…{text[len(text) - kept // 2 :]}"
        return short

    return shortened
