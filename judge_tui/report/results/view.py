"""What the reports of all views have in common: settings, warnings, and how cells are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import (
    Column,
    Report,
    Table,
    counts,
    excerpts,
    grades_table,
    short_number,
    undefined_table,
    word,
)

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis

WHY = 100
"""In characters: how much readers get of why a list has no results."""


def view_report(
    basis: Basis,
    tables: Sequence[Table],
    *,
    reasons: Iterable[tuple[str, str]] = (),
) -> Report:
    """The report of a view: its `tables`, behind them what has no value (`reasons`: what, and why)
    and which measures what is kept of the runs cannot answer, and as details what all of it rests
    on."""
    settings = basis.to_dict()
    columns = [word("tag", "run"), Column("kept", "results a query")]
    kept = Table("Kept of longer lists", columns, [*basis.kept_runs.cut.items()], about="details")
    without = [undefined_table(reasons), undefined_table(basis.left_out.items())]
    return Report(
        [*tables, *without, kept, grades_table(settings)],
        settings,
        basis.warnings,
    )


def means(*keys: str) -> list[Column]:
    """Columns of values of measures, called as their keys are."""
    return [column._replace(show=short_number) for column in counts(*keys)]


def spread(of: str) -> list[Column]:
    """The columns of how a run does over queries, that attribute of what a row is about."""
    return [
        Column("queries", "queries", get=attrgetter(f"{of}.n")),
        *(
            Column(key, key, short_number, get=attrgetter(f"{of}.{name}"))
            for key, name in _SPREAD.items()
        ),
    ]


_SPREAD = {"min": "least", "median": "median", "mean": "mean", "max": "greatest", "sd": "sd"}


def without_results(nothing: Callable[[Any], Mapping[str, str]]) -> Column:
    """A column of the runs whose list has no results, and why: those, by tag, of what a row is
    about."""

    def line(about: Any) -> str:
        return "; ".join(f"{tag} {why}" for tag, why in nothing(about).items() if why)

    return excerpts("without_results", "without results", WHY, line)
