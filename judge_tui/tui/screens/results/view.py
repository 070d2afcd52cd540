"""What every view of the results is: a report, and what its rows are about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from textual.content import Content

from judge_tui.report.layout import Cell, Report, Table, Toned, plain
from judge_tui.report.table import UNDEFINED
from judge_tui.tui.screens.results.bars import WIDTH
from judge_tui.tui.screens.results.findings import Findings
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.table import MEASURED_ROWS, Heading
from judge_tui.visible import visible_line

Place: TypeAlias = Callable[[Findings], "View"]
"""Where one is: it makes the view of what is known at the moment. Raises `UsageError` where what it
is about is not there, or not there any more."""

_WIDEST = 30
"""Cells of a column of words, but for the one that fills what room is left."""
STYLES = {"good": "$text-success", "bad": "$text-error"}
_SHORT = {"rank": "", "grade": ""}
"""Titles of half a screen: the ids need the room."""


class DocumentAt(NamedTuple):
    """A document in the ranking of a query, both by their keys; `grade`: the final one."""

    query: int
    document: int
    grade: int | None


class ShownColumn(NamedTuple):
    """A column on screen: its heading, its place in the table, and its cells by row."""

    heading: Heading
    place: int
    cell: Callable[[int], Content]


@dataclass(frozen=True)
class View:
    """The first table of the `report` on screen, all of its rows.

    `name`: what a file with it is called; `path`: it in a few words; `keys`: what each row is
    about; `open`: where a row leads; `detail`: what there is to say of it in at most three lines,
    by default all that stands in it. Their second number is the side, 1 for the right one of two
    rankings, which have `titles`, and whose columns begin at `split`. `turn`: the view beside this
    one, where it lies on no other; `tag`: the run that all of it is about. `fill`: the column, by
    its key, that takes what room is left; `drawn`: behind a column, a title and a drawing; `looks`:
    the cells that look otherwise than in the report; `empty`: what is said where there is no row.
    """

    name: str
    path: Content
    report: Report
    keys: Sequence[Hashable]
    open: Callable[[int, int], Place | DocumentAt | None] = lambda _row, _side: None
    detail: Callable[[int, int], Content] | None = None
    turn: Callable[[int], Place] | None = None
    tag: str = ""
    fill: str = ""
    drawn: Mapping[str, tuple[str, Callable[[int], Content]]] = field(default_factory=dict)
    looks: Mapping[str, Callable[[int, Cell], Content]] = field(default_factory=dict)
    empty: str = "There is nothing to show."
    split: int = 0
    titles: Sequence[str] = ()

    @cached_property
    def table(self) -> Table:
        """The columns for readers, and every row."""
        return self.report.tables[0]._replace(most=None).for_readers()

    @property
    def title(self) -> str:
        """What the table says of itself."""
        return visible_line(name_of(self.table))

    def columns(self, side: int | None = None) -> list[ShownColumn]:
        """The columns with what is drawn; of two rankings, those of one side."""
        places: Sequence[int] = range(len(self.table.columns))
        if side is not None:
            places = [0, *places[self.split :]] if side else places[: self.split]
        shown = []
        for place in places:
            column = self.table.columns[place]
            title = visible_line(column.title or "")
            fills = column.key.removeprefix("other_") == self.fill
            heading = Heading(
                title if side is None else _SHORT.get(title, title),
                right=column.right,
                fill=fills,
                middle=place == 0 or (fills and self.split > 0),
            )
            cell = partial(self.cell, place)
            if not (column.right or fills or place == 0):
                rows = range(min(MEASURED_ROWS, len(self.table.rows)))
                width = max((cell(row).cell_length for row in rows), default=0)
                width = max(len(heading.title), min(_WIDEST, width))
                heading = replace(heading, width=width)
            shown.append(ShownColumn(heading, place, cell))
            if column.key in self.drawn:
                axis, draw = self.drawn[column.key]
                shown.append(ShownColumn(Heading(axis, width=WIDTH), place, draw))
        return shown

    def cell(self, place: int, row: int) -> Content:
        """A cell of the table as it looks."""
        column, cell = self.table.columns[place], self.table.rows[row][place]
        if column.key in self.looks:
            return self.looks[column.key](row, cell)
        if cell is None:
            return Content.styled(UNDEFINED, "dim")
        style = STYLES[cell.tone] if isinstance(cell, Toned) else ""
        # What fills the room that is left is shown whole, as far as there is room.
        return foreign(plain(cell) if column.key == self.fill else column.show(cell), style)

    def said(self, row: int, side: int = 0, width: int = 1000) -> Content:
        """What there is to say of a row, columns that have no room on screen among it; no line is
        broken between the title of a column and its cell."""
        if self.detail is not None:
            return self.detail(row, side)
        name, *cells = (self.cell(place, row) for place in range(len(self.table.columns)))
        parts = [name.stylize("bold")]
        for column, cell in zip(self.table.columns[1:], cells, strict=True):
            if cell.plain not in ("", UNDEFINED):
                if column.key == self.fill:
                    parts.insert(1, cell)
                else:
                    parts.append(foreign(f"{column.title} ", "dim") + cell)
        lines = parts[:1]
        for part in parts[1:]:
            longer = Content("  ").join([lines[-1], part])
            lines[-1:] = [longer] if longer.cell_length <= width else [lines[-1], part]
        return Content("\n").join(lines)

    def in_order(self, title: str, *, descending: bool) -> list[int]:
        """The rows sorted by the column of that title; last those without a value."""
        titles = [column.title for column in self.table.columns]
        rows = range(len(self.table.rows))
        if title not in titles:
            return [*rows]
        cells = [row[titles.index(title)] for row in self.table.rows]
        values = [cell.text if isinstance(cell, Toned) else cell for cell in cells]
        known = [row for row in rows if values[row] not in (None, "")]
        known.sort(key=lambda row: _sortable(values[row]), reverse=descending)
        return known + [row for row in rows if values[row] in (None, "")]


def _sortable(value: Any) -> tuple[bool, Any]:
    """Numbers before words."""
    return isinstance(value, str), value.casefold() if isinstance(value, str) else value


def name_of(table: Table) -> str:
    """What a table is called where there are several."""
    return table.title or next((column.title for column in table.columns if column.title), "")


def other_table(findings: Findings, *, place: Place, at: int) -> View:
    """One more table of the report of a view."""
    view = place(findings)
    table = view.report.tables[at]._replace(about="findings", most=None)
    rest = (one for one in view.report.tables if one is not view.report.tables[at])
    return View(
        name=f"{view.name}-{table.name or at}",
        path=foreign(name_of(table)),
        report=replace(view.report, tables=[table, *rest]),
        keys=range(len(table.for_readers().rows)),
    )
