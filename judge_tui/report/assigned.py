"""Who has been given what to judge, as a report."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from judge_tui.report.grids import Cell, Column, Grid, Report, plain

if TYPE_CHECKING:
    from judge_tui.campaign.assign import Assigned

__all__ = ["assigned_report"]

_COUNTS = ("queries", "normal", "overlap", "gold", "repeat", "pairs", "shared", "judged")


def assigned_report(assigned: Assigned) -> Report:
    """Each judge's pairs by purpose, and how many every two judges share."""
    judges = [asdict(judge) for judge in assigned.judges]
    shared = [(one, other, count) for (one, other), count in assigned.shared.items()]
    rows: list[tuple[Cell, ...]] = [
        (judge["judge"], *(judge[what] for what in _COUNTS)) for judge in judges
    ]
    grids = [
        Grid("", (Column("judge", plain, right=False), *map(Column, _COUNTS)), rows),
    ]
    if shared:
        two = Column("judge", plain, right=False)
        grids.append(Grid("Overlap", (two, two, Column("pairs shared")), shared))
    made = (Column("assignments made"), Column("taken back"))
    grids.append(Grid("", made, [(assigned.added, assigned.removed)]))
    return Report(
        document={
            "schema_version": 1,
            "pairs": assigned.pairs,
            "gold": assigned.gold,
            "added": assigned.added,
            "removed": assigned.removed,
            "judges": judges,
            "overlap": [{"judges": [one, other], "pairs": count} for one, other, count in shared],
        },
        header=("of", "name", "what", "value"),
        rows=[
            *(("judge", judge["judge"], what, judge[what]) for judge in judges for what in _COUNTS),
            *(("overlap", f"{one},{other}", "pairs", count) for one, other, count in shared),
        ],
        grids=grids,
    )
