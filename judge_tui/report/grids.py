"""The tables of reports that do not have the one model of `report.layout` yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from judge_tui.report import layout
from judge_tui.report.layout import (
    Cell,
    Tone,
    Toned,
    count,
    difference,
    number,
    plain,
    probability,
    seconds,
)

if TYPE_CHECKING:
    from judge_tui.report.plots import Picture

__all__ = [
    "Cell",
    "Column",
    "Field",
    "Grid",
    "Records",
    "Report",
    "Tone",
    "Toned",
    "as_grid",
    "as_table",
    "columns_of",
    "count",
    "difference",
    "number",
    "plain",
    "probability",
    "seconds",
]


class Column(NamedTuple):
    """A column's name and how its cells are shown; numbers stand right, text left."""

    name: str
    show: Callable[[Cell], str] = plain
    right: bool = True


def columns_of(names: Sequence[str], texts: int) -> list[Column]:
    """Columns of these names, of which the first `texts` hold words."""
    return [Column(name, right=place >= texts) for place, name in enumerate(names)]


class Grid(NamedTuple):
    """One table: every row has a cell for each column. `names`: how many columns, from the first
    on, tell one row from another; None for the text that it begins with. `says`: what it found, the
    reasons why a number is not there, or the basis of all numbers."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    names: int | None = None
    says: Literal["findings", "reasons", "basis"] = "findings"


class Field(NamedTuple):
    """A column of a result: its `key` in JSON and CSV, "" where these do not have it; its `title`
    for readers, None where they do not."""

    key: str
    title: str | None = None
    show: Callable[[Cell], str] = plain
    right: bool = True


class Records(NamedTuple):
    """A table of a result for programs and readers alike: every row has a cell for each field, at
    full precision. `name`: its key in the JSON."""

    name: str
    fields: Sequence[Field]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    names: int | None = None

    @property
    def header(self) -> tuple[str, ...]:
        """The keys."""
        return tuple(field.key for field in self.fields if field.key)

    def lines(self) -> list[list[Cell]]:
        """The rows under these."""
        places = [at for at, field in enumerate(self.fields) if field.key]
        return [[row[at] for at in places] for row in self.rows]

    def to_dicts(self) -> list[dict[str, Any]]:
        """A record for each row."""
        plain_cells = (
            [plain(c) if isinstance(c, Toned) else c for c in row] for row in self.lines()
        )
        return [dict(zip(self.header, row, strict=True)) for row in plain_cells]

    def grid(self, rows: Sequence[Sequence[Cell]] | None = None) -> Grid:
        """What readers get of it, or of some of its rows: no column in which nothing is said."""
        rows = self.rows if rows is None else rows
        places = [
            at
            for at, field in enumerate(self.fields)
            if field.title is not None and not (rows and all(row[at] == "" for row in rows))
        ]
        shown = [self.fields[at] for at in places]
        return Grid(
            self.title,
            [Column(field.title or "", field.show, field.right) for field in shown],
            [[row[at] for at in places] for row in rows],
            self.names,
        )


class Report(layout.Report):
    """A report of grids for readers, a `document` for JSON, and `header` and `rows` for CSV."""

    document: Mapping[str, Any]
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __init__(
        self,
        document: Mapping[str, Any],
        header: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        grids: Sequence[Grid | layout.Table],
        warnings: Sequence[str] = (),
        pictures: Sequence[Picture] = (),
    ) -> None:
        records = layout.Table("rows", [layout.Column(key) for key in header], rows)
        tables = [as_table(one) if isinstance(one, Grid) else one for one in grids]
        super().__init__([records, *tables], {}, warnings, pictures, document)
        object.__setattr__(self, "document", document)
        object.__setattr__(self, "header", header)
        object.__setattr__(self, "rows", rows)


_ABOUT: dict[str, Literal["findings", "reasons", "details"]] = {
    "findings": "findings",
    "reasons": "reasons",
    "basis": "details",
}
_SAYS: dict[str, Literal["findings", "reasons", "basis"]] = {
    "findings": "findings",
    "reasons": "reasons",
    "details": "basis",
}


def as_table(grid: Grid) -> layout.Table:
    columns = [layout.Column("", name, show, right) for name, show, right in grid.columns]
    return layout.Table("", columns, grid.rows, grid.title, grid.names, about=_ABOUT[grid.says])


def as_grid(table: layout.Table) -> Grid:
    """What readers get of it."""
    shown = table.for_readers()
    columns = [Column(one.title or "", one.show, one.right) for one in shown.columns]
    return Grid(shown.title, columns, shown.rows, shown.names, _SAYS[shown.about])
