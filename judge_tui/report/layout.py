"""What a report consists of, before it has a form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

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
    "columns_of",
    "count",
    "difference",
    "number",
    "plain",
    "probability",
    "seconds",
]

Tone: TypeAlias = Literal["good", "bad"]


class Toned(NamedTuple):
    """Text that a terminal may colour; the words alone say everything."""

    text: str
    tone: Tone


Cell: TypeAlias = str | int | float | Toned | None
"""One value. None is undefined; a table of the report says why (`report.undefined`)."""


def plain(cell: Cell) -> str:
    """As it is."""
    return cell.text if isinstance(cell, Toned) else str(cell)


def number(cell: Cell) -> str:
    """Four decimals, as the field prints its measures."""
    return _signless_zero(f"{cell:.4f}") if isinstance(cell, int | float) else plain(cell)


def count(cell: Cell) -> str:
    """A whole number without decimals; four of them where it is none."""
    whole = isinstance(cell, float) and cell.is_integer()
    return f"{cell:.0f}" if whole else number(cell)


def difference(cell: Cell) -> str:
    """Four decimals with their sign."""
    return _signless_zero(f"{cell:+.4f}") if isinstance(cell, int | float) else plain(cell)


def probability(cell: Cell) -> str:
    """Four decimals; a p too small for them is never printed as 0."""
    if isinstance(cell, int | float) and cell < 0.0001:
        return "<.0001"
    return number(cell)


def seconds(cell: Cell) -> str:
    """Milliseconds are enough."""
    return f"{cell:.3f}" if isinstance(cell, float) else plain(cell)


def _signless_zero(text: str) -> str:
    return text.lstrip("+-") if not text.strip("+-0.") else text


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


class Report(NamedTuple):
    """One result. `grids` are for readers (table, md, latex), `document` is the JSON, `header` and
    `rows` the CSV; `warnings`: what must be known before it is believed, which the command says on
    standard error. `pictures` show the same in forms that draw (svg, the page of `judge-tui
    report`).
    """

    document: Mapping[str, Any]
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    grids: Sequence[Grid]
    warnings: Sequence[str] = ()
    pictures: Sequence[Picture] = ()

    @property
    def tables(self) -> list[Grid]:
        """What forms write of the grids: those that have rows."""
        return [grid for grid in self.grids if grid.rows]
