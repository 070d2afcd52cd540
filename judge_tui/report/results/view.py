"""What the reports of all views have in common: settings, warnings, and the words for cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import Cell, Column, Grid, Report, number, plain

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.report.plots import Picture

__all__ = [
    "UNJUDGED",
    "between",
    "grade_cell",
    "left",
    "numbers",
    "queries",
    "some",
    "view_report",
    "without_results",
]

UNJUDGED = "·"
"""In the place of a grade: there is no final one."""

_LONGEST = 48


def view_report(
    view: str,
    basis: Basis,
    body: Mapping[str, Any],
    *,
    header: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    grids: Sequence[Grid],
    notes: Sequence[str] = (),
    pictures: Sequence[Picture] = (),
) -> Report:
    """The report of a view: `body` stands in the JSON between the settings and the warnings."""
    about = [basis.about, *basis.left_out]
    return Report(
        document={
            "schema_version": 1,
            "settings": basis.to_dict(),
            "view": view,
            **body,
            "warnings": [*map(str, basis.warnings)],
        },
        header=header,
        rows=rows,
        grids=grids,
        notes=[*notes, *about],
        warnings=basis.warnings,
        pictures=pictures,
    )


def left(*names: str) -> list[Column]:
    """Columns of text."""
    return [Column(name, plain, right=False) for name in names]


def numbers(*names: str) -> list[Column]:
    """Columns of measures."""
    return [Column(name, number) for name in names]


def between(range_: tuple[float, float] | None) -> Cell:
    """An interval in one cell."""
    return None if range_ is None else f"{number(range_[0])} to {number(range_[1])}"


def queries(count: int) -> str:
    """`1 query`, `3 queries`."""
    return f"{count:,} {'query' if count == 1 else 'queries'}"


def without_results(nothing: Mapping[str, str]) -> str:
    """Of each run (by tag) whose list has no results why that is so, on one line."""
    return "; ".join(f"{tag} {why}" for tag, why in nothing.items())


def grade_cell(grade: int | None) -> Cell:
    """A grade, or the sign that there is none."""
    return UNJUDGED if grade is None else grade


def some(text: str, longest: int = _LONGEST) -> str:
    """As much of a text as a cell has room for, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
