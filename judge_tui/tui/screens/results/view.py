"""What every view of the results is: a report, what its rows are about, and how it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from textual.content import Content

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.findings import Findings
from judge_tui.report.layout import Cell, Report, Table, Toned, plain
from judge_tui.report.table import UNDEFINED
from judge_tui.tui.screens.results.bars import WIDTH
from judge_tui.tui.screens.results.document_at import DocumentAt
from judge_tui.tui.text import foreign
from judge_tui.tui.widgets.table import MEASURED_ROWS, Heading
from judge_tui.visible import visible_line

MakeView: TypeAlias = Callable[[Findings], "View"]
"""Makes a view of what is known at the moment. Raises `UsageError` where what it is about is not
there, or not there any more."""

_WIDEST = 30
"""Cells of a column of words, but for the one that fills what room is left."""
STYLES = {"good": "$text-success", "bad": "$text-error"}
_SHORT = {"rank": "", "grade": ""}
"""Titles of half a screen: the ids need the room."""


class ShownColumn(NamedTuple):
    """A column on screen: its heading, its key in the table, and its cells by row."""

    heading: Heading
    key: str
    cell: Callable[[int], Content]


@dataclass(frozen=True)
class View:
    """The first table of the `report` on screen, all of its rows. Columns are meant by their keys.

    Of two rankings side by side, the right one is side 1: the second number that `open` and
    `detail` get.
    """

    report: Report
    # What a file with it is called, and the view in a few words.
    name: str
    path: Content
    # What each row is about, where it leads, and what there is to say of it in three lines at most,
    # by default all that stands in it.
    keys: Sequence[Hashable]
    open: Callable[[int, int], MakeView | DocumentAt | None] = lambda _row, _side: None
    detail: Callable[[int, int], Content] | None = None
    # The view before or after this one, where it lies on no other; the run that all of it is about.
    turn: Callable[[int], MakeView] | None = None
    tag: str = ""
    # What has to be worked out before there is more to show, by a thread with a reader of its own.
    work_out: Callable[[Campaign], object] | None = None
    # By default the title of the table; of two rankings, one for each, and the right one's columns.
    titles: Sequence[str] = ()
    right: Collection[str] = ()
    # The columns that take what room is left; behind a column, a title and a drawing; cells that
    # look otherwise than in the report; what is said where there is no row.
    fill: Collection[str] = ()
    drawn: Mapping[str, tuple[str, Callable[[int], Content]]] = field(default_factory=dict)
    looks: Mapping[str, Callable[[int, Cell], Content]] = field(default_factory=dict)
    empty: str = "There is nothing to show."

    @cached_property
    def table(self) -> Table:
        """The columns for readers, and every row."""
        return self.report.tables[0]._replace(most=None).for_readers()

    def title(self, side: int = 0) -> str:
        """What stands above the table, or above one side."""
        return visible_line(self.titles[side] if self.titles else self.table.title)

    def columns(
        self, side: int = 0, sort: str = "", *, downwards: bool = False
    ) -> list[ShownColumn]:
        """The columns with what is drawn, the one that fills the room behind the first; of two
        rankings, those of one side. That of the key `sort` says which way the rows are sorted."""
        shown: list[ShownColumn] = []
        for place, column in enumerate(self.table.columns):
            if place and self.right and (column.key in self.right) != bool(side):
                continue
            title = visible_line(column.title or "")
            title = _SHORT.get(title, title) if self.right else title
            if column.key == sort:
                title = f"{title} {'↓' if downwards else '↑'}".strip()
            fills = column.key in self.fill
            heading = Heading(
                title,
                right=column.right,
                fill=fills,
                keep="ends" if place == 0 or (fills and self.right) else "start",
            )
            cell = partial(self.cell, place)
            if not (column.right or fills or place == 0):
                rows = range(min(MEASURED_ROWS, len(self.table.rows)))
                width = max((cell(row).cell_length for row in rows), default=0)
                heading = replace(heading, width=max(len(title), min(_WIDEST, width)))
            new = [ShownColumn(heading, column.key, cell)]
            if column.key in self.drawn:
                axis, draw = self.drawn[column.key]
                new.append(ShownColumn(Heading(axis, width=WIDTH), column.key, draw))
            at = 1 if fills else len(shown)
            shown[at:at] = new
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
        return foreign(plain(cell) if column.key in self.fill else column.show(cell), style)

    def describe(self, row: int, side: int = 0, width: int = 1000) -> Content:
        """What there is to say of a row, columns that have no room on screen among it."""
        if self.detail is not None:
            return self.detail(row, side)
        name, *cells = (self.cell(place, row) for place in range(len(self.table.columns)))
        parts = [name.stylize("bold")]
        for column, cell in zip(self.table.columns[1:], cells, strict=True):
            if cell.plain in ("", UNDEFINED):
                continue
            if column.key in self.fill:
                parts.insert(1, cell)
            else:
                parts.append(foreign(f"{column.title}: ", "dim") + cell)
        return in_lines(parts, width)

    def in_order(self, key: str, *, downwards: bool) -> list[int]:
        """The rows sorted by a column; last those without a value."""
        keys = [column.key for column in self.table.columns]
        rows = range(len(self.table.rows))
        if key not in keys:
            return [*rows]
        cells = [row[keys.index(key)] for row in self.table.rows]
        values = [cell.text if isinstance(cell, Toned) else cell for cell in cells]
        known = [row for row in rows if values[row] not in (None, "")]
        known.sort(key=lambda row: _sortable(values[row]), reverse=downwards)
        return known + [row for row in rows if values[row] in (None, "")]


@dataclass
class Level:
    """One of the views that lie on each other, and how it is looked at: the row under the cursor by
    what it is about, and the key of the column that it is sorted by. `rows`: those of the view, in
    the order in which they are shown."""

    make_view: MakeView
    here: Hashable = None
    sort: str = ""
    downwards: bool = False
    view: View | None = None
    rows: Sequence[int] = ()

    def make(self, findings: Findings) -> None:
        """Make the view of what is known. Raises as `MakeView` does."""
        view = self.view = self.make_view(findings)
        self.rows = view.in_order(self.sort, downwards=self.downwards)

    @property
    def cursor(self) -> int:
        """Where the row that it is on stands now, else the first."""
        keys = () if self.view is None else self.view.keys
        return next((at for at, row in enumerate(self.rows) if keys[row] == self.here), 0)


def in_lines(parts: Iterable[Content], width: int) -> Content:
    """The parts beside each other, none of them broken, on as many lines as they need."""
    lines: list[Content] = []
    for part in parts:
        longer = Content("  ").join([*lines[-1:], part])
        fits = longer.cell_length <= width
        lines[-1:] = [longer] if fits else [*lines[-1:], part]
    return Content("\n").join(lines)


def _sortable(value: Any) -> tuple[bool, Any]:
    """Numbers before words."""
    return isinstance(value, str), value.casefold() if isinstance(value, str) else value
