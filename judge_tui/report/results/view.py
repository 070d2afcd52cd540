"""What the reports of all views have in common: settings, warnings, and how cells are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.grades import grades_grid
from judge_tui.report.grids import Cell, Column, Field, Grid, Records, Report, number, plain
from judge_tui.report.undefined import undefined_grid

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.report.plots import Picture

__all__ = [
    "ends",
    "excerpt",
    "kept_grids",
    "numbers",
    "shortened",
    "text",
    "view_report",
    "without_results",
]

_LONGEST = 48


def view_report(
    basis: Basis,
    tables: Sequence[Records],
    *,
    grids: Sequence[Grid] | None = None,
    reasons: Iterable[tuple[str, str]] = (),
    pictures: Sequence[Picture] = (),
) -> Report:
    """The report of a view: JSON has all `tables`, CSV the first of them, and readers all unless
    there are `grids` in their place, behind them what has no value (`reasons`: what, and why) and
    what all of it rests on."""
    main = tables[0]
    shown = [table.grid() for table in tables] if grids is None else grids
    return Report(
        document={
            "schema_version": 1,
            "settings": basis.to_dict(),
            **{table.name: table.to_dicts() for table in tables},
            "warnings": [*basis.warnings],
        },
        header=main.header,
        rows=main.lines(),
        grids=[
            *(*shown, undefined_grid(reasons)),
            *(grid._replace(says="basis") for grid in kept_grids(basis)),
            grades_grid(basis.to_dict()),
        ],
        warnings=basis.warnings,
        pictures=pictures,
    )


def kept_grids(basis: Basis) -> list[Grid]:
    """What is kept of the runs, and which measures it cannot answer."""
    columns = [Column("run", right=False), Column("results a query")]
    kept = Grid("Kept of longer lists", columns, [*basis.kept.cut.items()])
    return [undefined_grid(basis.left_out.items()), kept]


def text(key: str, title: str | None = None) -> Field:
    """A field of text."""
    return Field(key, title, plain, right=False)


def shortened(key: str, title: str, longest: int = _LONGEST) -> Field:
    """A field of text, of which readers get the beginning."""
    return Field(key, title, lambda cell: excerpt(plain(cell), longest), right=False)


def numbers(*keys: str) -> list[Field]:
    """Fields of measures, called as their keys are."""
    return [Field(key, key.replace("_", " "), number) for key in keys]


def excerpt(long: str, longest: int = _LONGEST) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(long.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def without_results(nothing: Mapping[str, str]) -> str:
    """Of each run (by tag) whose list has no results why that is so, on one line."""
    return "; ".join(f"{tag} {why}" for tag, why in nothing.items() if why)


def ends(interval: tuple[float, float] | None) -> tuple[Cell, Cell]:
    """Two cells, empty where there is no interval."""
    return (None, None) if interval is None else interval
