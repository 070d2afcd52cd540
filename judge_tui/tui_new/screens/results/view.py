"""What every view of the results is: a report, and what its rows are about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from textual.content import Content

from judge_tui.report.layout import Cell, Report, Table, Toned, plain
from judge_tui.report.table import UNDEFINED
from judge_tui.tui_new.screens.results.bars import WIDTH
from judge_tui.tui_new.screens.results.findings import Findings
from judge_tui.tui_new.text import foreign
from judge_tui.tui_new.widgets.table import MEASURED_ROWS, Heading
from judge_tui.visible import visible_line

Place: TypeAlias = Callable[[Findings], "View"]
"""Where one is: it makes the view of what is known at the moment. Raises `UsageError` where what it
is about is not there, or not there any more."""

_WIDEST = 30
"""Cells of a column of words, but for the one that fills what room is left."""
_STYLES = {"good": "$text-success", "bad": "$text-error"}


class Drawn(NamedTuple):
    """A column of drawings, behind the column `after` (by its key); `title` is their axis."""

    after: str
    title: str
    draw: Callable[[int], Content]


class ShownColumn(NamedTuple):
    """A column on screen: its heading, its place in the table, and its cells by row."""

    heading: Heading
    place: int
    cell: Callable[[int], Content]


class DocumentAt(NamedTuple):
    """A document in the ranking of a query, both by their keys; `grade`: the final one."""

    query: int
    document: int
    grade: int | None


def nowhere(_row: int, _side: int) -> None:
    """Where a row leads that leads nowhere."""


@dataclass(frozen=True)
class View:
    """The first table of the `report` on screen, all of its rows.

    `name`: what a file with it is called; `path`: it in a few words; `keys`: what each row is
    about. `detail` and `open`: what there is to say of a row, in at most three lines, and where it
    leads; the second number is the side, 1 for the right one of two rankings, whose columns begin
    at `split`. `turn`: the next such view, or the one before. `tag`: the run that all of it is
    about. `fill`: the column, by its key, that takes what room is left; `looks`: of columns whose
    cells look otherwise than the report has them, from a row and its cell; `empty`: what is said
    where there is no row.
    """

    name: str
    path: Content
    report: Report
    keys: Sequence[Hashable]
    detail: Callable[[int, int], Content]
    open: Callable[[int, int], Place | DocumentAt | None] = nowhere
    turn: Callable[[int], Place] | None = None
    tag: str = ""
    fill: str = ""
    drawn: Sequence[Drawn] = ()
    looks: Mapping[str, Callable[[int, Cell], Content]] = field(default_factory=dict)
    empty: str = "There is nothing to show."
    split: int = 0

    @cached_property
    def table(self) -> Table:
        """What is on screen: the columns for readers, and every row."""
        return self.report.tables[0]._replace(most=None).for_readers()

    def columns(self, sides: int = 1, side: int = 0) -> list[ShownColumn]:
        """The columns with what is drawn; of two sides, those of one."""
        places: Sequence[int] = range(len(self.table.columns))
        if sides > 1:
            places = [0, *places[self.split :]] if side else places[: self.split]
        shown = []
        for place in places:
            column = self.table.columns[place]
            cell = partial(self._cell, place)
            fills = column.key.removeprefix("other_") == self.fill
            heading = Heading(
                visible_line(column.title or ""),
                right=column.right,
                fill=fills,
                middle=place == 0 or (fills and self.split > 0),
            )
            if not (column.right or fills or place == 0):
                width = max((cell(row).cell_length for row in range(_measured(self))), default=0)
                width = max(len(heading.title), min(_WIDEST, width))
                heading = replace(heading, width=width)
            shown.append(ShownColumn(heading, place, cell))
            for one in self.drawn:
                if one.after == column.key:
                    drawn = Heading(one.title, width=WIDTH)
                    shown.append(ShownColumn(drawn, place, one.draw))
        return shown

    def _cell(self, place: int, row: int) -> Content:
        """A cell of the table as it looks."""
        column, cell = self.table.columns[place], self.table.rows[row][place]
        if column.key in self.looks:
            return self.looks[column.key](row, cell)
        if cell is None:
            return Content.styled(UNDEFINED, "dim")
        style = _STYLES[cell.tone] if isinstance(cell, Toned) else ""
        # What fills the room that is left is shown whole, as far as there is room.
        return foreign(plain(cell) if column.key == self.fill else column.show(cell), style)

    def text(self, row: int) -> str:
        """All that stands in a row, to be searched."""
        return " ".join(self._cell(place, row).plain for place in range(len(self.table.columns)))

    def in_order(self, place: int, *, descending: bool) -> list[int]:
        """The rows sorted by a column; last those without a value."""
        cells = [row[place] for row in self.table.rows]
        values = [cell.text if isinstance(cell, Toned) else cell for cell in cells]
        known = [row for row, value in enumerate(values) if value is not None]
        known.sort(key=lambda row: _sortable(values[row]), reverse=descending)
        return known + [row for row, value in enumerate(values) if value is None]


def _sortable(value: Any) -> tuple[bool, Any]:
    """Numbers before words."""
    return isinstance(value, str), value.casefold() if isinstance(value, str) else value


def _measured(view: View) -> int:
    return min(MEASURED_ROWS, len(view.table.rows))


def lines(*parts: Content | str) -> Content:
    """What is said of a row, without the lines that say nothing."""
    contents = [Content(one) if isinstance(one, str) else one for one in parts]
    return Content("\n").join(one for one in contents if one.plain)


def because_empty(reasons: Sequence[tuple[str, str]]) -> Content:
    """Why runs have no results, by their tags."""
    said = "; ".join(f"{tag} {why}" for tag, why in reasons if why)
    return Content.styled(visible_line(said), "$text-warning")


def other_table(findings: Findings, *, place: Place, at: int) -> View:
    """One more table of the report of a view."""
    view = place(findings)
    table = view.report.tables[at]._replace(about="findings", most=None)
    shown = table.for_readers()
    rest = [one for one in view.report.tables if one is not view.report.tables[at]]
    return View(
        name=f"{view.name}-{table.name or at}",
        path=foreign(name_of(table)),
        report=replace(view.report, tables=[table, *rest]),
        keys=range(len(shown.rows)),
        detail=lambda _row, _side: Content(""),
    )


def name_of(table: Table) -> str:
    """What a table is called where there are several."""
    return table.title or next((column.title for column in table.columns if column.title), "")
