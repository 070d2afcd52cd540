"""What changed since an earlier result, as a part of the report of scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    Toned,
    difference,
    number,
    plain,
    probability,
)

if TYPE_CHECKING:
    from judge_tui.baseline import Change, Changes

__all__ = ["changes_grid", "changes_notes"]


def changes_grid(changes: Changes) -> Grid:
    """A row for each run and measure."""
    columns = [
        Column("measure", plain, right=False),
        Column("run", plain, right=False),
        Column("before", number),
        Column("now", number),
        Column("difference", difference),
        Column("in both"),
        Column("95% interval"),
        Column("wins"),
        Column("ties"),
        Column("losses"),
        Column(f"{changes.test} p", probability),
        Column(changes.correction, probability),
        Column("verdict", plain, right=False),
    ]
    return Grid("Beside the earlier result", columns, [_row(change) for change in changes.changes])


def changes_notes(changes: Changes) -> Iterator[str]:
    """How the verdicts were come by, and why a number is not there."""
    yield (
        f"verdict on each change by {changes.test}, two-sided, paired over the queries in both; "
        f"correction {changes.correction} over a family of {len(changes.changes)}, "
        f"alpha {changes.alpha:g}; seed {changes.seed}"
    )
    for change in changes.changes:
        for what, why in change.why.items():
            yield f"{change.measure}, {change.tag}: no {what} of the change: {why}"


def _row(change: Change) -> Sequence[Cell]:
    ci95 = change.ci95
    return (
        change.measure,
        change.tag,
        change.before,
        change.now,
        change.difference,
        change.queries,
        None if ci95 is None else f"{difference(ci95[0])} to {difference(ci95[1])}",
        change.wins,
        change.ties,
        change.losses,
        change.p,
        change.p_adjusted,
        _toned(str(change.verdict)),
    )


def _toned(verdict: str) -> Cell:
    if verdict == "better":
        return Toned(verdict, "good")
    return Toned(verdict, "bad") if verdict == "worse" else verdict
