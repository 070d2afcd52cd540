"""What every view of the results is: a report, and what its rows are about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from textual.content import Content

from judge_tui.report.layout import Cell, Report, Table, plain
from judge_tui.report.table import UNDEFINED
from judge_tui.tui_new.screens.results.findings import Findings
from judge_tui.tui_new.text import foreign
from judge_tui.visible import visible_line

Place: TypeAlias = Callable[[Findings], "View"]
"""Where one is: it makes the view of what is known at the moment. Raises `UsageError` where what it
is about is not there, or not there any more."""

_STYLES = {"good": "$text-success", "bad": "$text-error"}


class Drawn(NamedTuple):
    """A column of drawings, behind the column `after` (by its key); `title` is their axis."""

    after: str
    title: str
    draw: Callable[[int], Content]


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

    @property
    def table(self) -> Table:
        """What is on screen: the columns for readers, and every row."""
        return self.report.tables[0]._replace(most=None).for_readers()

    def cell(self, key: str, row: int, cell: Cell, show: Callable[[Cell], str]) -> Content:
        """A cell of the table as it looks."""
        if key in self.looks:
            return self.looks[key](row, cell)
        if cell is None:
            return Content.styled(UNDEFINED, "dim")
        style = _STYLES[cell.tone] if hasattr(cell, "tone") else ""
        # What fills the room that is left is shown whole, as far as there is room.
        return foreign(plain(cell) if key == self.fill else show(cell), style)


def lines(*parts: Content | str) -> Content:
    """What is said of a row, without the lines that say nothing."""
    contents = [Content(one) if isinstance(one, str) else one for one in parts]
    return Content("\n").join(one for one in contents if one.plain)


def because_empty(reasons: Sequence[tuple[str, str]]) -> Content:
    """Why runs have no results, by their tags."""
    said = "; ".join(f"{tag} {why}" for tag, why in reasons if why)
    return Content.styled(visible_line(said), "$text-warning")
