"""What the reports of all views have in common: settings, warnings, and how cells are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.basis import grades_table, undefined_table
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Show,
    Table,
    counts,
    plain,
    reader_table,
    short_number,
    text,
)

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.report.plots import Picture

__all__ = [
    "WHY",
    "ends",
    "excerpt",
    "interval",
    "means",
    "shortened",
    "spread",
    "view_report",
    "without_results",
]

_LONGEST = 60

WHY = 100
"""In characters: how much readers get of why a list has no results."""


def view_report(
    basis: Basis,
    tables: Sequence[Table],
    *,
    reasons: Iterable[tuple[str, str]] = (),
    pictures: Sequence[Picture] = (),
) -> Report:
    """The report of a view: its `tables`, behind them what has no value (`reasons`: what, and why)
    and which measures what is kept of the runs cannot answer, and as details what all of it rests
    on."""
    settings = basis.to_dict()
    columns = [text("", "run"), Column("", "results a query")]
    kept = reader_table("Kept of longer lists", columns, [*basis.kept.cut.items()], "details")
    without = [undefined_table(reasons), undefined_table(basis.left_out.items())]
    return Report(
        [*tables, *without, kept, grades_table(settings)],
        settings,
        basis.warnings,
        pictures,
    )


def shortened(key: str, title: str, longest: int = _LONGEST) -> Column:
    """A column of text, of which readers get the beginning."""
    return text(key, title, lambda cell: excerpt(plain(cell), longest))


def means(*keys: str) -> list[Column]:
    """Columns of values of measures, called as their keys are."""
    return [column._replace(show=short_number) for column in counts(*keys)]


def spread() -> list[Column]:
    """The columns of how a run does over queries."""
    return [*counts("queries"), *means("min", "median", "mean", "max", "sd")]


def interval(key: str = "ci95", *, shown: bool = True) -> list[Column]:
    """The columns of an interval: its ends for programs, and one column for readers. The cells are
    those of `ends`."""
    title = "95 % interval" if shown else None
    return [Column(f"{key}_low"), Column(f"{key}_high"), Column("", title)]


def ends(between: tuple[float, float] | None, show: Show = short_number) -> Sequence[Cell]:
    """The cells under `interval`; undefined where there is none."""
    if between is None:
        return None, None, None
    low, high = between
    return low, high, f"{show(low)} to {show(high)}"


def excerpt(long: str, longest: int = _LONGEST) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(long.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def without_results(nothing: Mapping[str, str]) -> str:
    """Of each run (by tag) whose list has no results why that is so, on one line."""
    return "; ".join(f"{tag} {why}" for tag, why in nothing.items() if why)
