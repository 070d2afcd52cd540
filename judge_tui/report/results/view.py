"""What the reports of all views have in common: settings, warnings, and how cells are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.analysis.warnings import first_few
from judge_tui.report.layout import Cell, Field, Grid, Records, Report, number, plain

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.report.plots import Picture

__all__ = [
    "basis_notes",
    "ends",
    "excerpt",
    "lacking",
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
    notes: Sequence[str] = (),
    pictures: Sequence[Picture] = (),
) -> Report:
    """The report of a view: JSON has all `tables`, CSV the first of them, and readers all unless
    there are `grids` in their place."""
    main = tables[0]
    return Report(
        document={
            "schema_version": 1,
            "settings": basis.to_dict(),
            **{table.name: table.to_dicts() for table in tables},
            "warnings": [*map(str, basis.warnings)],
        },
        header=main.header,
        rows=main.lines(),
        grids=[table.grid() for table in tables] if grids is None else grids,
        notes=[*notes, *basis_notes(basis)],
        warnings=basis.warnings,
        pictures=pictures,
    )


def basis_notes(basis: Basis) -> list[str]:
    """What the numbers of any view rest on, in a line each."""
    kept = ", ".join(f"{tag} {depth:,}" for tag, depth in basis.cut.items())
    cut = [f"results a query that are kept of longer lists: {kept}"] if kept else []
    return [basis.about, *basis.left_out, *cut]


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


def lacking(reasons: Iterable[tuple[str, str]]) -> list[str]:
    """Why numbers are not there, one line for each reason. `reasons`: what, and why."""
    whats: dict[str, list[str]] = {}
    for what, why in reasons:
        whats.setdefault(why, []).append(what)
    return [f"none for {first_few(every)}: {why}" for why, every in whats.items()]


def ends(interval: tuple[float, float] | None) -> tuple[Cell, Cell]:
    """Two cells, empty where there is no interval."""
    return (None, None) if interval is None else interval
