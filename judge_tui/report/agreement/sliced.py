"""Agreement by query, by class, or over time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.report.agreement.names import NAMES, alpha_number, span
from judge_tui.report.layout import Cell, Column, Grid, number, plain
from judge_tui.scoring import shown_slice

if TYPE_CHECKING:
    from judge_tui.agreement import AgreementStudy

__all__ = ["slice_grids"]


def slice_grids(study: AgreementStudy) -> Iterator[Grid]:
    """One table, where slices were asked for."""
    if study.by is None:
        return
    rows: list[tuple[Cell, ...]] = [
        (
            shown_slice(name),
            one.pairs,
            one.pairs_shared,
            one.alpha.value,
            span(one.alpha),
            one.agreement.value,
            span(one.agreement),
            one.kappa_quadratic.value,
            span(one.kappa_quadratic),
        )
        for name, one in study.slices.items()
    ]
    columns = [
        Column(study.by, plain, right=False),
        Column("pairs"),
        Column("shared"),
        Column(NAMES["alpha"], alpha_number),
        Column("95 % interval"),
        Column(NAMES["agreement"], number),
        Column("95 % interval"),
        Column(NAMES["kappa_quadratic"], number),
        Column("95 % interval"),
    ]
    title = "The pairs that came first and last" if study.by == "half" else f"By {study.by}"
    yield Grid(title, columns, rows)
