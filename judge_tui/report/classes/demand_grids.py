"""What queries demand, as tables: those of each demand, and systems beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_tui.analysis.demands import Demanded
from judge_tui.report.classes.views import DEMAND_VIEWS
from judge_tui.report.layout import Cell, Column, Grid, difference, plain, probability
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
    columns = [Column(name, plain, right=False) for name in ("class", "demand", "baseline", "run")]
    columns += [
        Column("queries"),
        Column("baseline holds"),
        Column("holds"),
        Column("delta", difference),
        Column("95% interval"),
        Column("gained"),
        Column("lost"),
        Column("mcnemar p", probability),
        Column("adjusted", probability),
        Column("verdict", plain, right=False),
    ]
    rows: list[list[Cell]] = [
        [
            shown_slice(one.name),
            one.demand,
            arm.baseline,
            arm.arm,
            arm.tasks,
            arm.before,
            arm.after,
            arm.delta,
            None if arm.ci95 is None else " to ".join(difference(end) for end in arm.ci95),
            len(arm.gained),
            len(arm.lost),
            arm.test.p,
            arm.p_adjusted,
            toned(arm.verdict),
        ]
        for one in found.classes
        for arm in one.beside
    ]
    return Grid("Demands on the order, compared", columns, rows)
