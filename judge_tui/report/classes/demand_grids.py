"""What queries demand, as tables: those of each demand, and systems beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_tui.analysis.demands import Demanded
from judge_tui.report.arm_columns import arm_cells, arm_columns
from judge_tui.report.classes.views import DEMAND_VIEWS
from judge_tui.report.layout import Cell, Column, Grid, plain
from judge_tui.report.verdicts import toned
from judge_tui.scoring import shown_slice

__all__ = ["demand_grids"]

_LISTED = 10
"""Queries that a terminal shows of those that are lost."""


def demand_grids(
    found: Demanded,
    subset_of: Mapping[str, str],
    texts: Mapping[str, str],
    *,
    listed: int | None = _LISTED,
) -> Iterator[Grid]:
    """`texts`: query_id -> its text; `listed`: how many lost queries are named of each class, None
    for all."""
    for one in found.classes:
        yield from DEMAND_VIEWS[one.demand].grids(one, subset_of, texts, listed)
    yield _beside(found)


def _beside(found: Demanded) -> Grid:
    # Without slices nobody has asked for classes, and all queries stand under none.
    named = any(one.name for one in found.classes)
    names = (*([found.classes[0].by] if named else []), "demand", "baseline", "run")
    columns = [Column(name, plain, right=False) for name in names]
    columns += [Column("queries"), *arm_columns("baseline holds", "holds")]
    rows: list[list[Cell]] = [
        [
            *([shown_slice(one.name)] if named else []),
            one.demand,
            arm.baseline,
            arm.arm,
            arm.tasks,
            *arm_cells(arm, toned(arm.verdict)),
        ]
        for one in found.classes
        for arm in one.beside
    ]
    return Grid("Demands on the order, compared", columns, rows)
