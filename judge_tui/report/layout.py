"""What a report consists of, before it has a form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from judge_tui.analysis.warnings import first_few
from judge_tui.percent import percent

Tone: TypeAlias = Literal["good", "bad"]


class Toned(NamedTuple):
    """Text that a terminal may colour; the words alone say everything."""

    text: str
    tone: Tone


Ends: TypeAlias = tuple[float, float]
"""An interval: from, and to."""

Cell: TypeAlias = str | int | float | Toned | Ends | None
"""One value. None is undefined; a table of the report says why (`undefined_table`)."""

Show: TypeAlias = Callable[["Cell"], str]
"""How readers see a cell. Programs get it at full precision."""


_TONES: dict[str, Tone] = {"better": "good", "worse": "bad"}


def tone_of(verdict: str | None) -> Tone | None:
    """What a verdict means for the run; None where it says nothing, or there is none."""
    return None if verdict is None else _TONES.get(verdict)


def toned(verdict: str | None) -> Cell:
    """The verdict in a cell, in its tone."""
    tone = tone_of(verdict)
    return verdict and (str(verdict) if tone is None else Toned(str(verdict), tone))


def plain(cell: Cell) -> str:
    """As it is, the digits of counts in groups."""
    return f"{cell:,}" if type(cell) is int else cell.text if isinstance(cell, Toned) else str(cell)


def _fixed(value: float, places: int) -> str:
    shown = f"{value:.{places}f}"
    # What rounds to 0 has no sign.
    return shown if shown.strip("-0.") else shown.lstrip("-")


def _signed(value: float, places: int) -> str:
    shown = f"{value:+.{places}f}"
    return shown if shown.strip("+-0.") else shown.lstrip("+-")


def _above_zero(value: float, places: int) -> str:
    """What is too small for the decimals is never shown as 0."""
    least = 10.0**-places
    return f"<{least:.{places}f}".replace("0", "", 1) if value < least else _fixed(value, places)


@dataclass(frozen=True)
class Decimals:
    """How numbers are shown: in a form, with so many decimals."""

    places: int
    form: Callable[[float, int], str] = _fixed

    def __call__(self, cell: Cell) -> str:
        """Show the cell."""
        return self.form(cell, self.places) if isinstance(cell, int | float) else plain(cell)


number, difference, probability = Decimals(4), Decimals(4, _signed), Decimals(4, _above_zero)
"""As the field prints its measures."""

short_number, short_difference, short_probability = (
    replace(show, places=3) for show in (number, difference, probability)
)
"""Enough for means over queries, and for seconds."""


def count(cell: Cell) -> str:
    """A whole number without decimals; four of them where it is none."""
    whole = isinstance(cell, float) and cell.is_integer()
    return f"{cell:.0f}" if whole else number(cell)


def percentage(places: int = 0) -> Show:
    """How shares are shown as percentages."""
    return lambda cell: (
        percent(cell, places, short=True) if isinstance(cell, float) else plain(cell)
    )


def span(ends: Ends | None, show: Show = short_number) -> str | None:
    """An interval for readers; None where there is none."""
    return None if ends is None else f"{show(ends[0])} to {show(ends[1])}"


Get: TypeAlias = Callable[[Any], "Cell"]


class Column(NamedTuple):
    """A column of a table: its `key` in JSON and CSV, "" where these do not have it; its `title`
    for readers, None where they do not get it. Numbers stand right, text left. `get`: the cell of
    what a row is about, by default its attribute `key`. Where it has `ends`, cells are intervals,
    and programs get two columns.
    """

    key: str
    title: str | None = None
    show: Show = plain
    right: bool = True
    get: Get | None = None
    ends: bool = False

    @property
    def cell(self) -> Get:
        """What gets its cells."""
        return self.get or attrgetter(self.key)

    @property
    def keys(self) -> list[str]:
        """What programs get of it."""
        return [f"{self.key}_low", f"{self.key}_high"] if self.ends else [self.key]


def word(key: str, title: str | None = None, get: Get | None = None, show: Show = plain) -> Column:
    """A column of words."""
    return Column(key, title, show, right=False, get=get)


def words(*keys: str) -> list[Column]:
    """Columns of words, called as their keys are."""
    return [word(key, key.replace("_", " ")) for key in keys]


def counts(*keys: str) -> list[Column]:
    """Columns of whole numbers, called as their keys are."""
    return [Column(key, key.replace("_", " ")) for key in keys]


def interval(
    key: str = "ci95",
    title: str | None = "95 % interval",
    show: Show = short_number,
    get: Get | None = None,
) -> Column:
    """A column of intervals: `key_low` and `key_high` for programs, `a to b` for readers."""

    return Column(key, title, lambda cell: span(cast("Ends", cell), show) or "", get=get, ends=True)


def excerpt(long: str, longest: int = 60) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(long.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def excerpts(key: str, title: str, longest: int = 60, get: Get | None = None) -> Column:
    """A column of texts, of which readers get the beginning."""
    return word(key, title, get, lambda cell: excerpt(plain(cell), longest))


class Table(NamedTuple):
    """One table for programs and readers alike: every row has a cell for each column.

    `name`: its key in the JSON, "" where it is for readers alone. `key_columns`: how many columns
    for readers, from the first on, tell one row from another; None for the text that it begins
    with. `most`: how many rows readers get; None for all. `about`: what it found, the reasons why a
    number is not there, or details that `Report.brief` leaves out. `upright`: readers get its one
    row as lines.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    name: str = ""
    key_columns: int | None = None
    most: int | None = None
    about: Literal["findings", "reasons", "details"] = "findings"
    upright: bool = False

    @classmethod
    def of(
        cls,
        title: str,
        columns: Sequence[Column],
        things: Iterable[Any],
        name: str = "",
        **more: Any,
    ) -> Table:
        """A row about each of the things; `more`: the other fields."""
        cells = [column.cell for column in columns]
        rows = [[cell(one) for cell in cells] for one in things]
        return cls(title, columns, rows, name, **more)

    @property
    def keys(self) -> list[str]:
        """The columns that programs get."""
        return [key for column in self.columns if column.key for key in column.keys]

    def key_rows(self) -> Iterator[list[Any]]:
        """The rows under `keys`: an interval is two cells."""
        kept = [(at, column.ends) for at, column in enumerate(self.columns) if column.key]
        for row in self.rows:
            line: list[Any] = []
            for at, ends in kept:
                cell: Any = row[at]
                if ends:
                    line += cell or (None, None)
                else:
                    line.append(cell.text if isinstance(cell, Toned) else cell)
            yield line

    def records(self) -> list[dict[str, Any]]:
        """A record for each row, as JSON has it."""
        return [dict(zip(self.keys, row, strict=True)) for row in self.key_rows()]

    @property
    def is_cut(self) -> bool:
        """Whether readers do not get all rows."""
        return self.most is not None and self.most < len(self.rows)

    def for_readers(self) -> Table:
        """The columns that have a title and in which something is said, and the first rows."""
        titled = [at for at, column in enumerate(self.columns) if column.title is not None]
        if self.upright and self.rows:
            cells = [(self.columns[at], self.rows[0][at]) for at in titled]
            lines = [(one.title, one.show(cell)) for one, cell in cells if cell is not None]
            return Table("", [word("", self.title), Column("", "")], lines)
        places = [at for at in titled if any(row[at] != "" for row in self.rows)]
        keys = self.key_columns and len({*titled[: self.key_columns]}.intersection(places))
        title = self.title
        if self.is_cut:
            title = f"{title}, the first {self.most:,} of {len(self.rows):,}".removeprefix(", ")
        return self._replace(
            columns=[self.columns[at] for at in places],
            rows=[[row[at] for at in places] for row in self.rows[: self.most]],
            title=title,
            key_columns=keys,
            most=None,
        )

    def marked(self, *, filled: str) -> Table:
        """With a mark in the title where its values are filled: with what is `expected`, or by the
        model of that name; "" for nothing."""
        if not filled:
            return self
        mark = f"Filled by {filled}"
        if filled == "expected":
            mark = "Filled" if self.title else "Filled with expected gains"
        return self._replace(title=f"{mark}: {self.title}" if self.title else mark)

    def if_any(self, *keys: str) -> Table:
        """With these columns for readers only where something in them is not 0."""
        said = {one.key for at, one in enumerate(self.columns) if any(row[at] for row in self.rows)}
        return self.hide(*{*keys} - said)

    def hide(self, *keys: str) -> Table:
        """Without these columns for readers."""
        return self._replace(
            columns=[one._replace(title=None) if one.key in keys else one for one in self.columns]
        )

    def compact(self) -> Table:
        """Without the columns in which nothing is said."""
        said = [
            at
            for at in range(len(self.columns))
            if any(row[at] not in (None, "") for row in self.rows)
        ]
        columns = [self.columns[at] for at in said]
        return self._replace(columns=columns, rows=[[row[at] for at in said] for row in self.rows])


@dataclass(frozen=True)
class Report:
    """One result. Readers get all `tables` that have rows and titles (table, md, latex), JSON the
    records of those that have a name, between `settings` and `warnings`, CSV the first of these;
    unless `json` and `csv` are made by hand. `warnings`: what must be known before it is believed,
    which the command says on standard error. `details`: whether readers get the tables of that
    kind.
    """

    tables: Sequence[Table]
    settings: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    json: Mapping[str, Any] | None = None
    csv: Table | None = None
    details: bool = True

    def to_dict(self) -> Mapping[str, Any]:
        """The JSON, what CSV has first."""
        if self.json is not None:
            return self.json
        tables = sorted(self.tables, key=lambda table: table is not self.csv)
        return {
            "schema_version": 1,
            "settings": dict(self.settings),
            **{table.name: table.records() for table in tables if table.name},
            "warnings": [*self.warnings],
        }

    def for_readers(self) -> list[Table]:
        """What readers get."""
        tables = [one for one in self.tables if self.details or one.about != "details"]
        return [one for one in map(Table.for_readers, tables) if one.columns]

    def brief(self) -> Report:
        """Without the details, but for programs."""
        return replace(self, details=False)


def undefined_table(reasons: Iterable[tuple[str, str]]) -> Table:
    """A row for each reason. `reasons`: what has no value, and why."""
    rows = [(line,) for line in undefined_lines(reasons)]
    return Table("", words("without a value"), rows, about="reasons")


def undefined_lines(reasons: Iterable[tuple[str, str]]) -> list[str]:
    """The first few things without a value, and why, for each reason."""
    whats: dict[str, list[str]] = {}
    for what, why in reasons:
        whats.setdefault(why, []).append(what)
    return [f"{first_few(every)}: {why}" for why, every in whats.items()]


def grades_table(settings: Mapping[str, Any]) -> Table:
    """By which policy, of whom, and how many pairs of the pool have one. `settings`: those of the
    JSON; without a campaign there is no row."""
    columns = words("policy", "grades of models") + counts(
        "pairs graded", "unresolved", "not judged"
    )
    rows = []
    if (grades := settings.get("campaign")) is not None:
        count = "counted" if grades["include_models"] else "not counted"
        alone = grades["models_alone"]
        models = f"{count}, {alone:,} rest on them alone" if alone else count
        left_out = grades["left_out"]
        pairs = (settings["pairs"], left_out["unresolved"], left_out["not_judged"])
        rows = [(grades["policy"], models, *pairs)]
    return Table("Grades", columns, rows, about="details")
